"""The index: what search and recall ask of it, as a port, and the values it answers with.

A *match* is an expression of SQLite's FTS5 that `xysq.search` composes; no user's text is ever one. An empty one
matches everything, newest first. Every look-up is of one state of the vault.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from xysq.frozen import frozen
from xysq.model.fact import Fact, FactId, Slug
from xysq.model.page import BlockId, Origin
from xysq.model.source import Role, SourceId


@frozen
class Narrowing:
    """What hits are wanted; what is left empty does not narrow.

    `since` and `before` bound the time something was said, `[since, before)`, as UTC text or the beginning of one
    (`2026-11`). `speaker` is a name or a word of one, compared folded. `page` asks for its facts and prose, and for
    passages its facts cite. `committed` lets the bounds be about the time it came into the vault instead. `condition`
    is what a query composed of several demands.
    """

    since: str = ""
    before: str = ""
    speaker: str = ""
    page: Slug | None = None
    source: SourceId | None = None
    project: str = ""
    only_open: bool = False
    committed: bool = False
    condition: "Condition | None" = None


@frozen(kw_only=False)
class Holding:
    """It holds what a match finds."""

    match: str


@frozen(kw_only=False)
class Meeting:
    """It is what a narrowing wants."""

    narrowing: Narrowing


@frozen(kw_only=False)
class Every:
    """All of the parts are true of it; none: always."""

    parts: "tuple[Condition, ...]"


@frozen(kw_only=False)
class Either:
    """At least one of the parts is true of it; none: never."""

    parts: "tuple[Condition, ...]"


@frozen(kw_only=False)
class Without:
    """The part is not true of it."""

    part: "Condition"


Condition = Holding | Meeting | Every | Either | Without


@frozen
class Past:
    """A state before the present one: the ledger ended with event `n`, and the `later` versions had not come yet.

    `later` is None where no version had.
    """

    n: int
    later: frozenset[str] | None


@frozen
class IndexedPassage:
    """A passage as the index has it; by `until` which version ended it, if one did.

    `key` names it inside one state. `moment` is when it was said, or else when it was pushed. Of a passage that
    only stands near one that matched, `text` may end early.
    """

    key: int
    source: SourceId
    version: int
    base: int
    number: int
    speaker: str
    role: Role
    at: str | None
    moment: str
    until: int | None
    text: str

    def __str__(self) -> str:
        """Spell its id."""
        return f"{self.source}@{self.version}#{self.number}"


@frozen
class IndexedProse:
    """A prose block as the index has it."""

    block: BlockId
    page: Slug
    text: str
    origin: Origin
    code: str
    moment: str


class MarkKind(StrEnum):
    """What became of words: a newer fact took their place, a fact was ended, the source was corrected or changed."""

    SUPERSEDED = "superseded"
    CLOSED = "closed"
    CORRECTED = "corrected"
    CHANGED = "changed"


@frozen(order=True)
class Mark:
    """One thing that became of words: `by` is the fact or the version that did it, `fact` the one that ended.

    `on` is the day on which the vault was told, of a fact that was superseded.
    """

    kind: MarkKind
    by: str
    fact: FactId | None = None
    on: str = ""

    def __str__(self) -> str:
        """Say it."""
        match self.kind:
            case MarkKind.SUPERSEDED:
                return f"superseded on {self.on} by {self.by}" if self.on else f"superseded by {self.by}"
            case MarkKind.CLOSED:
                return f"no longer held: {self.by}"
            case MarkKind.CORRECTED:
                return f"corrected in {self.by}"
            case MarkKind.CHANGED:
                return f"changed in {self.by}"


class Index(Protocol):
    """The search index of one state of a vault."""

    def passages(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedPassage, ...]:
        """Return the best matching passages by plain relevance."""
        ...

    def near(self, passages: Iterable[IndexedPassage], reach: int) -> tuple[IndexedPassage, ...]:
        """Return the passages up to `reach` places before and after the given ones in their sources, each once."""
        ...

    def facts(self, match: str, narrowing: Narrowing, limit: int) -> tuple[Fact, ...]:
        """Return the best matching facts by plain relevance."""
        ...

    def prose(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedProse, ...]:
        """Return the best matching prose blocks by plain relevance."""
        ...

    def frequency(self, match: str) -> int:
        """Return how many passages match."""
        ...

    def size(self) -> int:
        """Return about how many passages there are."""
        ...

    def vocabulary(self) -> Mapping[str, int]:
        """Return every word of the passages as the index spells it, and in how many passages it stands."""
        ...

    def marks(self, passage: IndexedPassage) -> tuple[Mark, ...]:
        """Tell what became of the passage's words."""
        ...

    def proves(self, passage: IndexedPassage) -> frozenset[FactId]:
        """Return the facts that quote the passage, ended or not."""
        ...

    def speakers(self, names: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return whom each of the folded names may mean: speakers of passages by folded name; nobody: left out."""
        ...
