"""The archive: logs as evidence needs them, answered from the vault's files and the read model of one state.

The words of a quote come from the log's own bytes, by slice and unescape; no format reader takes part. What a
passage is, who said it and what was said before come from the read model, which every later reader's change makes
anew. Bytes that are damaged raise, they are never taken for missing (P12).
"""

from collections.abc import Sequence

from xysq.errors import BadInput, NotFound
from xysq.model.fact import Evidence
from xysq.model.kept import stands
from xysq.model.source import Encoding, Meta, Passage, Version, VersionKind, decode_span
from xysq.store import logs
from xysq.store.arrival import Arrival
from xysq.store.files import Files
from xysq.store.readmodel import Snapshot
from xysq.terms import quoted
from xysq.text import fold

_MAX_SAYING = 10_000
_BEYOND = 1 << 62  # no log is as long as that; a number from a hostile run may be


class VaultArchive:
    """An `Archive` over a vault's files and one snapshot of its read model."""

    def __init__(
        self, files: Files, state: Snapshot, arrival: Arrival | None = None, passages: Sequence[Passage] = ()
    ) -> None:
        """Look things up here; `arrival` is the version that comes with the run which is judged, with its passages."""
        self._files = files
        self._logs = state.logs
        self._arrival, self._passages = arrival, passages
        self._arriving = None if arrival is None else arrival.meta
        self._metas: dict[Version, Meta | None] = {} if arrival is None else {arrival.meta.id: arrival.meta}

    def meta(self, version: Version) -> Meta | None:
        """Return what is known of a version; None where it never landed."""
        if not 0 < version.number < _BEYOND:
            return None
        if version not in self._metas:
            found = self._logs.meta(version)
            self._metas[version] = self._landed(version) if found is None else found
        return self._metas[version]

    def words(self, evidence: Evidence) -> str | None:
        """Return the words at the cited range; None where they are no whole words, or not in the log at all."""
        data = self.raw(evidence.cited, evidence.enc, evidence.start, evidence.end)
        return None if data is None else decode_span(data, evidence.enc)

    def raw(self, version: Version, enc: Encoding, start: int, end: int) -> bytes | None:
        """Return bytes `[start, end)` of a version, of its text view for `text`; None where it does not have them."""
        if self.meta(version) is None or not 0 <= start <= end < _BEYOND:
            return None
        data = self._read(version, enc, start, end)
        return data if len(data) == end - start else None

    def _read(self, version: Version, enc: Encoding, start: int, end: int) -> bytes:
        if self._arrival is not None and version == self._arrival.meta.id:
            return ((self._arrival.view or b"") if enc is Encoding.TEXT else self._arrival.part)[start:end]
        read = logs.read_view_range if enc is Encoding.TEXT else logs.read_range
        return read(self._files, version, start, end)

    def stands(self, evidence: Evidence) -> bool:
        """Tell whether the bytes are in the log and every later correction of the source kept them.

        What an update lacks is out of later corrections' reach: it stands.
        """
        if self.words(evidence) != evidence.quote:
            return False
        return self.keeps(evidence.cited, evidence.start, evidence.end)

    def keeps(self, version: Version, start: int, end: int) -> bool:
        """Tell whether every later correction of a source kept bytes of a version."""
        later = list(self._logs.bases_after(version))
        new = self._arriving
        if new is not None and new.source == version.source and all(meta.version < new.version for meta in later):
            later.append(new)
        return stands(((meta.kind is VersionKind.CORRECT, meta.kept) for meta in later), start, end)

    def passage_at(self, version: Version, start: int, end: int, enc: str) -> Passage | None:
        """Return the passage, as it is read now, that has a span around the range; None where there is none."""
        if self.meta(version) is None or not 0 <= start <= end < _BEYOND or enc not in set(Encoding):
            return None
        if self._arrival is not None and version == self._arrival.meta.id:
            return next((one for one in self._passages if _holds(one, start, end, enc)), None)
        return self._logs.passage_at(version, start, end, Encoding(enc))

    def said_before(self, clause: str, moment: str) -> bool:
        """Tell whether a log pushed before the moment holds the folded clause."""
        folded = fold(clause)
        match = quoted(folded)
        return bool(match) and any(
            folded in fold(text) for text in self._logs.saying(match, before=moment, limit=_MAX_SAYING)
        )

    def same_utterance(self, one: Evidence, other: Evidence) -> bool:
        """Tell whether two quotes are of one utterance: equal native id, or speaker, time and words."""
        natives = [self._native(piece) for piece in (one, other)]
        if natives[0] and natives[0] == natives[1]:
            return True
        alike = (fold(one.speaker), one.at) == (fold(other.speaker), other.at)
        return alike and fold(one.quote) == fold(other.quote)

    def _native(self, piece: Evidence) -> str:
        passage = self.passage_at(piece.cited, piece.start, piece.end, piece.enc)
        return "" if passage is None else passage.native

    def _landed(self, version: Version) -> Meta | None:
        """Return the meta of a version that has landed but is not in the read model yet."""
        try:
            return logs.read_meta(self._files, version)
        except (NotFound, BadInput):  # an id from a hostile run may be no id at all
            return None


def _holds(passage: Passage, start: int, end: int, enc: str) -> bool:
    """Tell whether a passage has a span around a range."""
    return any(span.enc.value == enc and span.start <= start and end <= span.end for span in passage.spans)
