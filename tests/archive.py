"""A literal archive: logs written down in a test, with the passages that are read from them.

archive = LiteralArchive()
passages = archive.push("standup", turn("I live in Boston."), turn("Good.", speaker="Bob"))
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.builders import AT
from xysq.canonical import base32
from xysq.model.fact import Evidence
from xysq.model.ranges import Kept, surviving
from xysq.model.source import (
    Certainty,
    Channel,
    Digested,
    Encoding,
    Meta,
    Passage,
    Role,
    SourceId,
    Span,
    Version,
    VersionKind,
    decode_span,
)
from xysq.text import fold

PUSHED = "2026-11-30T18:03:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker says; `json` turns are stored as the inside of a JSON string."""

    text: str
    speaker: str = "Alice"
    role: Role = Role.PERSON
    at: str | None = AT
    native: str = ""
    own: bool = False
    after_recall: bool = False
    json: bool = False


def turn(text: str, **changes: object) -> Turn:
    """Return a turn; by default Alice's, a person's, at the usual time."""
    return replace(Turn(text=text), **changes)  # type: ignore[arg-type]


def user(text: str, **changes: object) -> Turn:
    """Return a turn of the vault's owner, who is not named in the log."""
    return turn(text, **{"speaker": "", "role": Role.USER} | changes)


def assistant(text: str, **changes: object) -> Turn:
    """Return a turn of an assistant."""
    return turn(text, **{"speaker": "", "role": Role.ASSISTANT} | changes)


@dataclass(slots=True)
class LiteralArchive:
    """Answers as an `Archive` from what was pushed to it."""

    metas: dict[Version, Meta] = field(default_factory=dict)
    logs: dict[Version, bytes] = field(default_factory=dict)
    read: dict[Version, tuple[Passage, ...]] = field(default_factory=dict)

    def push(
        self,
        name: str,
        *turns: Turn,
        kind: VersionKind = VersionKind.PUSH,
        kept: tuple[Kept, ...] = (),
        channel: Channel = Channel.CLI,
        pushed_at: str = PUSHED,
        new: Sequence[int] | None = None,
    ) -> tuple[Passage, ...]:
        """Add a version of a source and return its passages (those with the places `new`, where given).

        An append takes the turns it adds; every other kind takes all turns.
        """
        source = source_named(name)
        number = 1 + sum(1 for version in self.metas if version.source == source)
        before = self.logs.get(Version(source, number - 1), b"") if kind is VersionKind.APPEND else b""
        old = self.read.get(Version(source, number - 1), ()) if kind is VersionKind.APPEND else ()
        log, added = _write(source, number, before, turns, len(old))
        version = Version(source, number)
        digest = Digested(size=len(log), sha256="0" * 64)
        self.logs[version] = log
        self.read[version] = (*(replace(passage, version=number) for passage in old), *added)
        self.metas[version] = Meta(
            source=source,
            version=number,
            kind=kind,
            name=name,
            format="turns",
            extension="txt",
            title=name,
            origin="",
            project="",
            session="",
            key="",
            channel=channel,
            pushed_at=pushed_at,
            observed_from=None,
            observed_to=None,
            certainty=Certainty.LOG,
            part=digest,
            whole=digest,
            pushed=digest,
            offset=len(before),
            parsed_to=len(log),
            kept=kept,
        )
        return added if new is None else tuple(added[place] for place in new)

    def correct(self, name: str, old: str, new: str, pushed_at: str, turns: Sequence[Turn]) -> tuple[Passage, ...]:
        """Add a correction that replaces words in the newest version; return the passages that changed."""
        source = source_named(name)
        newest = max(version for version in self.metas if version.source == source)
        log = self.logs[newest]
        place = log.index(old.encode())
        kept = ((0, place, 0), (place + len(old.encode()), len(log), place + len(new.encode())))
        changed = [replace(item, text=item.text.replace(old, new, 1)) for item in turns]
        places = [number for number, item in enumerate(turns) if old in item.text][:1]
        return self.push(name, *changed, kind=VersionKind.CORRECT, kept=kept, pushed_at=pushed_at, new=places)

    def raw(self, version: Version, enc: Encoding, start: int, end: int) -> bytes | None:
        log = self.logs.get(version)
        return None if log is None or enc is Encoding.TEXT or end > len(log) else log[start:end]

    # Archive

    def meta(self, version: Version) -> Meta | None:
        return self.metas.get(version)

    def words(self, evidence: Evidence) -> str | None:
        data = self.raw(evidence.cited, evidence.enc, evidence.start, evidence.end)
        return None if data is None else decode_span(data, evidence.enc)

    def stands(self, evidence: Evidence) -> bool:
        if evidence.cited not in self.logs:
            return False
        later = sorted(v for v in self.metas if v.source == evidence.source and v.number > evidence.version)
        replacing = [self.metas[v] for v in later if self.metas[v].kind in (VersionKind.UPDATE, VersionKind.CORRECT)]
        place = (evidence.start, evidence.end)
        return surviving([place], [(m.kind is VersionKind.CORRECT, m.kept) for m in replacing]) == (place,)

    def passage_at(self, version: Version, start: int, end: int, enc: str) -> Passage | None:
        for passage in self.read.get(version, ()):
            if any(span.start <= start and end <= span.end and span.enc.value == enc for span in passage.spans):
                return passage
        return None

    def said_before(self, clause: str, moment: str) -> bool:
        return any(
            clause in fold(passage.text)
            for version, passages in self.read.items()
            if self.metas[version].pushed_at < moment
            for passage in passages
        )

    def same_utterance(self, one: Evidence, other: Evidence) -> bool:
        mine = self.passage_at(one.cited, one.start, one.end, one.enc.value)
        theirs = self.passage_at(other.cited, other.start, other.end, other.enc.value)
        if mine is None or theirs is None:
            return False
        if mine.native and mine.native == theirs.native:
            return True
        said = [(p.speaker, p.at, fold(p.text)) for p in (mine, theirs)]
        return mine.at is not None and said[0] == said[1]


def source_named(name: str) -> SourceId:
    """Return the id of a source, which follows from its name."""
    return SourceId(f"20261130-{base32(hashlib.sha256(name.encode()).digest(), 6)}")


def _write(
    source: SourceId, number: int, before: bytes, turns: Sequence[Turn], count: int
) -> tuple[bytes, tuple[Passage, ...]]:
    log, passages = bytearray(before), []
    for place, item in enumerate(turns):
        begin = len(log)
        inner = json.dumps(item.text)[1:-1] if item.json else item.text
        head = f'{{"{item.speaker}":"' if item.json else f"{item.speaker}: "
        log += head.encode()
        start = len(log)
        log += inner.encode()
        end = len(log)
        log += b'"}\n' if item.json else b"\n\n"
        enc = Encoding.JSON if item.json else Encoding.PLAIN
        passages.append(
            Passage(
                source=source,
                version=number,
                number=count + place + 1,
                start=begin,
                end=len(log),
                speaker=item.speaker,
                role=item.role,
                at=item.at,
                spans=(Span(start=start, end=end, enc=enc, text=item.text),),
                native=item.native,
                own=item.own,
                after_recall=item.after_recall,
                session_kind="talk",
            )
        )
    return bytes(log), tuple(passages)
