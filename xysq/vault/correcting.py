"""Correcting: what was wrong is said once; no model is asked."""

from xysq.errors import BadInput
from xysq.jobs.correct_fact import correct_fact
from xysq.jobs.correct_source import Rewrite, correct_source, whole
from xysq.jobs.naming import source_named
from xysq.jobs.readable import readable
from xysq.jobs.replacing import replacing
from xysq.model.report import Corrected
from xysq.model.source import SourceId
from xysq.store import logs
from xysq.vault.core import OpenVault

_FACT = "f-"


class Correcting(OpenVault):
    """A vault whose sources and facts are corrected."""

    def correct(
        self,
        what: str,
        text: str | None = None,
        *,
        wrong: bool = False,
        replace: tuple[str, str] | None = None,
        data: bytes | None = None,
        everywhere: bool = False,
        passage: int | None = None,
    ) -> Corrected:
        """Correct a fact by the text it should have, or close it as `wrong`; or a source by `replace` or new `data`.

        `replace` is (old words, new words): in the one place where they stand, in one passage, or `everywhere`.
        Raises `SeveralPlaces` where it was not said which. The run of the answer tells what was closed.
        """
        if sum((text is not None, wrong, replace is not None, data is not None)) != 1:
            raise BadInput("say one thing: a new text, that it is wrong, what to replace, or the whole new bytes")
        if text is not None or wrong:
            return Corrected(version=None, run=correct_fact(self._opened, what, text))
        if what.startswith(_FACT):
            raise BadInput(f"{what} is a fact; a fact is corrected by its new text", f"xysq correct {what} 'NEW TEXT'")
        if replace is not None:
            rewrite = replacing(*replace, everywhere=everywhere, passage=passage)
        else:
            rewrite = whole(data or b"")
        return self._correct_source(self._source(what), rewrite)

    def source_bytes(self, what: str) -> bytes:
        """Return the newest bytes of a source, as they are before a correction."""
        source = self._source(what)
        return logs.read_bytes(self._opened.files, logs.versions(self._opened.files, source)[-1].id)

    def _source(self, what: str) -> SourceId:
        with readable(self._opened).reading() as snapshot:
            return source_named(snapshot, what)

    def _correct_source(self, source: SourceId, rewrite: Rewrite) -> Corrected:
        done = correct_source(self._opened, source, rewrite)
        return Corrected(version=None if done.meta is None else done.meta.id, run=done.run)
