"""The port between xysq and whatever drafts: one method, bytes out.

A drafter reads a request and answers with a draft as bytes. Nothing it says is believed; whoever it is, the same
planner and the same gates judge the answer. It runs without any lock and may take minutes.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xysq.frozen import frozen
from xysq.model.fact import FactId, Label, RunId, Slug
from xysq.model.run import Drafting, Refusal
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Passage


@frozen
class KnownFact:
    """An open fact the drafter is shown."""

    id: FactId
    attribute: str
    value: str
    text: str
    label: Label


@frozen
class KnownPage:
    """A page that the passages mention, with its open facts."""

    slug: Slug
    title: str
    kind: str
    aliases: tuple[str, ...]
    facts: tuple[KnownFact, ...]


class Meter(Protocol):
    """Counts what drafting costs; a drafter that costs something asks it before every call."""

    def begin(self, tokens: int) -> None:
        """Count a call that is about to be made and will read about so many tokens.

        Raises `BudgetSpent` where a cap does not allow it: then no call is made, and what was asked for so far is
        not wanted.
        """
        ...

    def stream(self, pieces: int) -> None:
        """Tell how many pieces of an answer have come."""
        ...

    def end(self, tokens_in: int, tokens_out: int, milliseconds: int) -> None:
        """Count what the call cost, whatever came of it."""
        ...


class Unmetered:
    """A meter for calls that nobody counts."""

    def begin(self, tokens: int) -> None:
        """Allow the call."""

    def stream(self, pieces: int) -> None:
        """Tell nobody."""

    def end(self, tokens_in: int, tokens_out: int, milliseconds: int) -> None:
        """Count nothing."""


UNMETERED = Unmetered()


@frozen
class Appetite:
    """How much a drafter takes at once: so many passages it reads, so many characters; 0 where it does not matter."""

    passages: int = 0
    characters: int = 0


@frozen
class Price:
    """What drafting is expected to cost."""

    calls: int = 0
    tokens: int = 0

    def __add__(self, other: "Price") -> "Price":
        """Return both together."""
        return Price(calls=self.calls + other.calls, tokens=self.tokens + other.tokens)


@frozen
class Request:
    """What a drafter works from. In its answer, passage k is item k - 1 of `passages`.

    `project` is the name of the session's repository or "" where the passages have none. `refusals` are those of
    the try before, if the same rows were refused.
    """

    run: RunId
    passages: tuple[Passage, ...]
    pages: tuple[KnownPage, ...]
    schema: Schema
    me: Me
    project: str = ""
    refusals: tuple[Refusal, ...] = ()
    meter: Meter = UNMETERED


@frozen
class Answer:
    """The reply as it came, and how it came to be."""

    reply: bytes
    drafting: Drafting


class Drafter(Protocol):
    """Anything that drafts.

    `draft` raises `DrafterUnreachable` where nothing was lost by asking, `BadDraft` where the answer is unusable. A
    drafter that cannot take everything at once is `Choosy` too.
    """

    @property
    def name(self) -> str:
        """The name it has in settings and records."""
        ...

    def draft(self, request: Request) -> Answer:
        """Answer a request with a draft."""
        ...


@runtime_checkable
class Choosy(Protocol):
    """A drafter that wants its work in small pieces, and does not read everything."""

    @property
    def appetite(self) -> Appetite:
        """How much it takes at once; asking may raise `DrafterUnreachable`."""
        ...

    def reads(self, passage: Passage) -> bool:
        """Tell whether it looks at a passage at all."""
        ...

    def price(self, passages: Sequence[Passage]) -> Price:
        """Estimate what drafting from these passages costs."""
        ...
