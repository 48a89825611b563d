"""Facts: one statement each, with its evidence and its whole life.

A fact is *open* until it is superseded or closed. Its text is frozen; only events change its life. Evidence is
a quote: bytes of a log, cited by version, range and encoding, with the words they are.
"""

from enum import StrEnum
from typing import Any, NewType, Self

from xysq.frozen import frozen
from xysq.model.source import Channel, Encoding, Role, SourceId, Version
from xysq.model.wire import Fields

FactId = NewType("FactId", str)
Slug = NewType("Slug", str)
RunId = NewType("RunId", str)


class Label(StrEnum):
    """Stated: a quote proves it. Inferred: concluded from other facts."""

    STATED = "stated"
    INFERRED = "inferred"


class CloseReason(StrEnum):
    """Why a fact was closed."""

    CORRECTED = "corrected"
    RETRACTED = "retracted"
    PREMISE_CLOSED = "premise-closed"
    REVERTED = "reverted"
    MERGED = "merged"
    FORGOTTEN = "forgotten"


@frozen
class Evidence:
    """A quote: bytes `[start, end)` of a version, and who said them when. `passage` is a hint only."""

    source: SourceId
    version: int
    start: int
    end: int
    enc: Encoding
    quote: str
    passage: int
    speaker: str
    role: Role
    channel: Channel
    at: str | None

    @property
    def cited(self) -> Version:
        """The version that is quoted."""
        return Version(self.source, self.version)

    def to_wire(self) -> dict[str, Any]:
        """Spell it as in the ledger."""
        return {
            "source": self.source,
            "version": self.version,
            "start": self.start,
            "end": self.end,
            "enc": self.enc.value,
            "quote": self.quote,
            "passage": self.passage,
            "speaker": self.speaker,
            "role": self.role.value,
            "channel": self.channel.value,
            "at": self.at,
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling of the ledger."""
        fields = Fields(where, value)
        result = cls(
            source=SourceId(fields.text("source")),
            version=fields.number("version", least=1),
            start=fields.number("start"),
            end=fields.number("end"),
            enc=fields.choice("enc", Encoding),
            quote=fields.text("quote"),
            passage=fields.number("passage"),
            speaker=fields.text("speaker"),
            role=fields.choice("role", Role),
            channel=fields.choice("channel", Channel),
            at=fields.nullable_text("at"),
        )
        fields.done()
        return result


@frozen
class Proof:
    """A quote of a fact and the sequence number of the event that brought it."""

    n: int
    evidence: Evidence


@frozen
class Open:
    """The fact holds."""


@frozen
class Superseded:
    """Another fact took its place; `late` where it was learned only after its successor."""

    by: FactId
    at: str
    run: RunId
    n: int
    late: bool


@frozen
class Closed:
    """It ended without a successor; `cause` is the version, fact or run that ended it."""

    reason: CloseReason
    cause: str
    by: str
    evidence: tuple[Evidence, ...]
    at: str
    run: RunId
    n: int


Life = Open | Superseded | Closed


@frozen
class Fact:
    """One statement with a life.

    `text` is the Markdown of its block, frozen at commit; `value` plain words that stand in it. `single` and
    `section` are what the schema said when it was committed. `n` is its event, `at` when it was committed.
    """

    id: FactId
    page: Slug
    attribute: str
    single: bool
    section: str
    value: str
    text: str
    label: Label
    proofs: tuple[Proof, ...]
    derived_from: tuple[FactId, ...]
    supersedes: FactId | None
    revives: FactId | None
    at: str
    run: RunId
    n: int
    life: Life

    @property
    def is_open(self) -> bool:
        """True until it is superseded or closed."""
        return isinstance(self.life, Open)

    @property
    def state(self) -> str:
        """Whether it is open or how it ended, in words."""
        match self.life:
            case Open():
                return "open"
            case Superseded(by=by):
                return f"superseded by {by}"
            case Closed(reason=reason):
                return f"closed, {reason.value}"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The quotes it rests on, in the order they came."""
        return tuple(proof.evidence for proof in self.proofs)

    @property
    def observed(self) -> str | None:
        """The latest time at which somebody said it, where the logs tell."""
        return max((e.at for e in self.evidence if e.at is not None), default=None)
