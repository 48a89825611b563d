"""An archive whose logs may be of any bytes: some words are cited from a text view beside the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.archive import LiteralArchive, Turn
from xysq.model.ranges import Kept
from xysq.model.source import Channel, Digested, Encoding, Passage, TextView, Version, VersionKind


@dataclass(slots=True)
class ViewedArchive(LiteralArchive):
    """A literal archive in which a push may be UTF-16: its passages cite the view."""

    views: dict[Version, bytes] = field(default_factory=dict)
    is_viewed: bool = False

    def push(
        self,
        name: str,
        *turns: Turn,
        kind: VersionKind = VersionKind.PUSH,
        kept: tuple[Kept, ...] = (),
        channel: Channel = Channel.CLI,
        pushed_at: str = "",
        new: Sequence[int] | None = None,
    ) -> tuple[Passage, ...]:
        """Add a version; where words are viewed, its bytes are UTF-16 and the view holds what would have been."""
        added = LiteralArchive.push(
            self, name, *turns, kind=kind, kept=kept, channel=channel, pushed_at=pushed_at, new=new
        )
        if not self.is_viewed:
            return added
        version = Version(added[0].source, added[0].version)
        view = self.logs[version]
        self.views[version], self.logs[version] = view, view.decode("utf-8").encode("utf-16-le")
        self.read[version] = tuple(_viewed(passage) for passage in self.read[version])
        size = Digested(size=len(view), sha256="0" * 64)
        self.metas[version] = replace(
            self.metas[version], text=TextView(encoding="utf-16-le", offset=0, digest=size), kept=()
        )
        return tuple(map(_viewed, added))

    def raw(self, version: Version, enc: Encoding, start: int, end: int) -> bytes | None:
        """Return bytes of the log, or of its view."""
        logs = self.views if enc is Encoding.TEXT else self.logs
        log = logs.get(version)
        return None if log is None or not 0 <= start <= end <= len(log) else log[start:end]


def _viewed(passage: Passage) -> Passage:
    return replace(passage, spans=tuple(replace(span, enc=Encoding.TEXT) for span in passage.spans))
