"""Sources, versions and passages: what was pushed, and how its bytes read as words.

A *source* is one thing that was pushed, with its whole history; a *version* is one state of it; a *passage* is
an addressable part of a version's text, made of one or more *spans*. A span says how bytes of the log become
words, so that a quote can later be checked without any reader: a slice, an unescape, a compare.
"""

import json
import re
from enum import StrEnum
from typing import Any, NewType, Self

from xysq.errors import BadInput, BadWire
from xysq.frozen import frozen
from xysq.model.wire import Fields, number_item

SourceId = NewType("SourceId", str)
LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_VERSION = re.compile(r"([0-9]{8}-[0-9a-hjkmnp-tv-z]{6})@([1-9][0-9]{0,17})")
_ROW = re.compile(r"([0-9]{8}-[0-9a-hjkmnp-tv-z]{6})@([1-9][0-9]{0,17}):(0|[1-9][0-9]{0,17})-(0|[1-9][0-9]{0,17})")


class Role(StrEnum):
    """Who speaks in a passage, as the log says it."""

    USER = "user"
    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    OTHER = "other"


class Channel(StrEnum):
    """By which way bytes came into the vault."""

    CLI = "cli"
    HOOK = "hook"
    WATCH = "watch"
    MCP = "mcp"
    PYTHON = "python"
    ADOPT = "adopt"


class Encoding(StrEnum):
    """How bytes `[start, end)` become words: UTF-8, the inside of a JSON string literal, the stored text view."""

    PLAIN = "plain"
    JSON = "json"
    TEXT = "text"


class VersionKind(StrEnum):
    """How a version came to be: first bytes, more bytes, other bytes, a deliberate correction."""

    PUSH = "push"
    APPEND = "append"
    UPDATE = "update"
    CORRECT = "correct"


@frozen(kw_only=False, order=True)
class Version:
    """One state of a source, spelled `20261130-k3f9x2@2`."""

    source: SourceId
    number: int

    def __str__(self) -> str:
        """Spell it."""
        return f"{self.source}@{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the spelling."""
        match = _VERSION.fullmatch(text)
        if not match:
            raise BadInput(f"{text!r} is not a version such as 20261130-k3f9x2@1")
        return cls(SourceId(match[1]), int(match[2]))


@frozen(kw_only=False, order=True)
class Row:
    """One pending piece of work: bytes `[start, end)` of a version, in global offsets."""

    source: SourceId
    version: int
    start: int
    end: int

    def __str__(self) -> str:
        """Spell it: `SOURCE@N:START-END`."""
        return f"{self.source}@{self.version}:{self.start}-{self.end}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the spelling."""
        match = _ROW.fullmatch(text)
        if not match or int(match[3]) > int(match[4]):
            raise BadWire("row", f"{text!r} is not SOURCE@N:START-END")
        return cls(SourceId(match[1]), int(match[2]), int(match[3]), int(match[4]))


@frozen
class Span:
    """Bytes `[start, end)` of a log, and the words they are; offsets of `text` spans run over all text views."""

    start: int
    end: int
    enc: Encoding
    text: str


@frozen
class Passage:
    """One turn, cue or paragraph of a version, by whom and when it was said.

    `start` and `end` are byte offsets of the whole record in the log (in the raw bytes, also where the spans cite
    the text view). `at` is UTC `2026-11-30T18:02:11Z`, or None where the log does not tell. `native` is the
    record's own id in its format, or "". `own` marks words that came out of this vault's recall by one of our
    own tools; `after_recall` that a recall happened earlier in the session; `session_kind` of work sessions is
    "work", of conversations "talk", of everything else "text".
    """

    source: SourceId
    version: int
    number: int
    start: int
    end: int
    speaker: str
    role: Role
    at: str | None
    spans: tuple[Span, ...]
    native: str = ""
    own: bool = False
    after_recall: bool = False
    session_kind: str = "text"

    @property
    def text(self) -> str:
        """The passage's words: its spans, one a line."""
        return "\n".join(span.text for span in self.spans)

    def __str__(self) -> str:
        """Spell its id: `SOURCE@N#K`."""
        return f"{self.source}@{self.version}#{self.number}"


@frozen
class Unreadable:
    """A record the format's reader could not read: where it begins, and why."""

    offset: int
    reason: str


@frozen
class Digested:
    """A number of bytes and their SHA-256."""

    size: int
    sha256: str

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        return {"bytes": self.size, "sha256": self.sha256}

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(size=fields.number("bytes"), sha256=fields.text("sha256"))
        fields.done()
        return result


@frozen
class TextView:
    """The UTF-8 text stored beside a part whose raw bytes cannot be cited; `offset` counts over all views."""

    encoding: str
    offset: int
    digest: Digested

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        return {"encoding": self.encoding, "offset": self.offset} | self.digest.to_wire()

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        digest = Digested(size=fields.number("bytes"), sha256=fields.text("sha256"))
        result = cls(encoding=fields.text("encoding"), offset=fields.number("offset"), digest=digest)
        fields.done()
        return result


class Certainty(StrEnum):
    """How sure the observation times of a version are."""

    LOG = "log"
    GIVEN = "given"
    LOCAL = "local"
    UNKNOWN = "unknown"


@frozen
class Meta:
    """What is known of one version: the file `vN.meta.json`, written last; a log without it did not land.

    `part` are the bytes this version brought, beginning at the global `offset`; `whole` all bytes of the version;
    `pushed` the bytes last pushed (corrections and redactions aside); `raw` what was handed over where it was
    redacted. `parsed_to` is the end of the last record by the framing alone. `kept` maps bytes of the version
    before that stand in this one, as (old start, old end, new start); update and correct only.
    `said_as` is the role and speaker given with `--as`. `sequence` is the number that a sender of pieces gave this one.
    """

    source: SourceId
    version: int
    kind: VersionKind
    name: str
    format: str
    extension: str
    title: str
    origin: str
    project: str
    session: str
    key: str
    channel: Channel
    pushed_at: str
    observed_from: str | None
    observed_to: str | None
    certainty: Certainty
    part: Digested
    whole: Digested
    pushed: Digested
    offset: int
    parsed_to: int
    raw: Digested | None = None
    text: TextView | None = None
    kept: tuple[tuple[int, int, int], ...] = ()
    said_as: tuple[Role, str] | None = None
    sequence: int | None = None

    @property
    def id(self) -> Version:
        """The version this is about."""
        return Version(self.source, self.version)

    def to_wire(self) -> dict[str, Any]:
        """Spell it as the object of `vN.meta.json`."""
        wire: dict[str, Any] = {
            "source": self.source,
            "version": self.version,
            "kind": self.kind.value,
            "name": self.name,
            "format": self.format,
            "extension": self.extension,
            "title": self.title,
            "origin": self.origin,
            "project": self.project,
            "session": self.session,
            "key": self.key,
            "channel": self.channel.value,
            "pushed_at": self.pushed_at,
            "observed_from": self.observed_from,
            "observed_to": self.observed_to,
            "certainty": self.certainty.value,
            "part": self.part.to_wire(),
            "whole": self.whole.to_wire(),
            "pushed": self.pushed.to_wire(),
            "offset": self.offset,
            "parsed_to": self.parsed_to,
        }
        if self.raw is not None:
            wire["raw"] = self.raw.to_wire()
        if self.text is not None:
            wire["text"] = self.text.to_wire()
        if self.kept:
            wire["kept"] = [list(piece) for piece in self.kept]
        if self.said_as is not None:
            wire["said_as"] = {"role": self.said_as[0].value, "speaker": self.said_as[1]}
        if self.sequence is not None:
            wire["sequence"] = self.sequence
        return wire

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the object of `vN.meta.json`."""
        fields = Fields(where, value)
        result = cls(
            source=SourceId(fields.text("source")),
            version=fields.number("version", least=1),
            kind=fields.choice("kind", VersionKind),
            name=fields.text("name"),
            format=fields.text("format"),
            extension=fields.text("extension"),
            title=fields.text("title"),
            origin=fields.text("origin"),
            project=fields.text("project"),
            session=fields.text("session"),
            key=fields.text("key"),
            channel=fields.choice("channel", Channel),
            pushed_at=fields.text("pushed_at"),
            observed_from=fields.nullable_text("observed_from"),
            observed_to=fields.nullable_text("observed_to"),
            certainty=fields.choice("certainty", Certainty),
            part=Digested.from_wire(f"{where}.part", fields.value("part")),
            whole=Digested.from_wire(f"{where}.whole", fields.value("whole")),
            pushed=Digested.from_wire(f"{where}.pushed", fields.value("pushed")),
            offset=fields.number("offset"),
            parsed_to=fields.number("parsed_to"),
            raw=fields.optional("raw", Digested.from_wire),
            text=fields.optional("text", TextView.from_wire),
            kept=fields.each("kept", _kept_piece) if fields.has("kept") else (),
            said_as=fields.optional("said_as", _said_as),
            sequence=fields.optional("sequence", number_item),
        )
        fields.done()
        return result


def _kept_piece(where: str, value: object) -> tuple[int, int, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise BadWire(where, "is not [old_start, old_end, new_start]")
    old_start, old_end, new_start = (number_item(where, item) for item in value)
    return old_start, old_end, new_start


def _said_as(where: str, value: object) -> tuple[Role, str]:
    fields = Fields(where, value)
    result = fields.choice("role", Role), fields.text("speaker")
    fields.done()
    return result


def decode_span(data: bytes, enc: Encoding) -> str | None:
    """Return the words that the bytes of a span are, or None where they are not whole words of that encoding.

    `data` comes from the log for `plain` and `json`, from the text view for `text`. A slice that cuts a character
    or an escape in two decodes to None, never to something near.
    """
    try:
        text = data.decode("utf-8")
        if enc is not Encoding.JSON:
            return text
        value = json.loads(f'"{text}"', strict=False)
    except (UnicodeDecodeError, json.JSONDecodeError):
        return None
    if not isinstance(value, str) or LONE_SURROGATE.search(value):
        return None
    return value
