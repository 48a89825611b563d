"""Pages as the ledger has them: names, blocks in their order, the newest runs that touched them."""

from enum import StrEnum
from typing import Any, NewType, Self

from xysq.frozen import frozen
from xysq.model.fact import Evidence, FactId, RunId, Slug
from xysq.model.source import Version
from xysq.model.wire import Fields

BlockId = NewType("BlockId", str)
CHANGELOG_LINES = 20


class Origin(StrEnum):
    """Where prose came from: a drafter, the user's own hand, or the sentence of a fact that was dropped."""

    DRAFTED = "drafted"
    YOURS = "yours"
    DROPPED = "dropped"


@frozen
class Alias:
    """Another name of a page, with the quotes that say so (none where the user gave it)."""

    name: str
    evidence: tuple[Evidence, ...] = ()

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        return {"name": self.name, "evidence": [piece.to_wire() for piece in self.evidence]}

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(name=fields.text("name"), evidence=fields.each("evidence", Evidence.from_wire))
        fields.done()
        return result


@frozen
class FactBlock:
    """One list item: the text of an open fact, ending in its anchor."""

    fact: FactId
    text: str


@frozen
class ProseBlock:
    """Text that is no fact: one line of Markdown, or (origin `yours`) a verbatim block."""

    block: BlockId
    text: str
    origin: Origin
    code: str = ""


Block = FactBlock | ProseBlock


@frozen
class Section:
    """A heading and its blocks; it exists as long as it has one."""

    name: str
    blocks: tuple[Block, ...]


@frozen
class ChangelogEntry:
    """What one run did to a page: counts of its events, and the versions it drew on."""

    at: str
    run: RunId
    kind: str
    asserted: int = 0
    superseded: int = 0
    closed: int = 0
    prose: int = 0
    named: bool = False
    sources: tuple[Version, ...] = ()


@frozen
class PageState:
    """One page: everything its file is rendered from.

    `head` are the blocks before the first heading, `tail` those behind the last section. `changelog` has the
    newest runs first, at most `CHANGELOG_LINES`. A page that was merged shows one line, and its title is from then on
    that of the page it went into; a removed one has no file.
    """

    slug: Slug
    title: str
    kind: str
    aliases: tuple[Alias, ...]
    head: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    tail: tuple[Block, ...] = ()
    changelog: tuple[ChangelogEntry, ...] = ()
    merged_into: Slug | None = None
    removed: bool = False

    @property
    def is_living(self) -> bool:
        """True until it is removed or merged."""
        return not self.removed and self.merged_into is None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it goes by: slug, title, aliases."""
        return (self.slug, self.title, *(alias.name for alias in self.aliases))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in the order they are shown."""
        inner = tuple(block for section in self.sections for block in section.blocks)
        return (*self.head, *inner, *self.tail)
