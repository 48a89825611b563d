"""A page under way: where blocks go, and which sections appear and go with them.

A section stands from its first block to its last; sections are in the order of their first block. The section ""
is the head of the page, before any heading; prose at `end` is its tail, before the changelog.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from xysq.model.fact import FactId, Slug
from xysq.model.page import Alias, Block, BlockId, ChangelogEntry, FactBlock, PageState, ProseBlock, Section

TOP, END = "top", "end"


@dataclass(slots=True)
class Board:
    """A page while it is being folded: its blocks in lists that can be changed."""

    slug: Slug
    title: str
    kind: str
    aliases: tuple[Alias, ...]
    head: list[Block] = field(default_factory=list)
    sections: dict[str, list[Block]] = field(default_factory=dict)
    tail: list[Block] = field(default_factory=list)
    changelog: list[ChangelogEntry] = field(default_factory=list)
    merged_into: Slug | None = None
    removed: bool = False

    @classmethod
    def thaw(cls, page: PageState) -> Self:
        """Begin with a page as it was."""
        return cls(
            slug=page.slug,
            title=page.title,
            kind=page.kind,
            aliases=page.aliases,
            head=list(page.head),
            sections={section.name: list(section.blocks) for section in page.sections},
            tail=list(page.tail),
            changelog=list(page.changelog),
            merged_into=page.merged_into,
            removed=page.removed,
        )

    def freeze(self) -> PageState:
        """Return the page as it now is."""
        return PageState(
            slug=self.slug,
            title=self.title,
            kind=self.kind,
            aliases=self.aliases,
            head=tuple(self.head),
            sections=tuple(Section(name=name, blocks=tuple(blocks)) for name, blocks in self.sections.items()),
            tail=tuple(self.tail),
            changelog=tuple(self.changelog),
            merged_into=self.merged_into,
            removed=self.removed,
        )

    @property
    def is_living(self) -> bool:
        """True until it is removed or merged."""
        return not self.removed and self.merged_into is None

    def lists(self) -> Iterable[list[Block]]:
        """Yield the lists of blocks in the order they are shown."""
        yield self.head
        yield from self.sections.values()
        yield self.tail

    def insert_fact(self, section: str, block: FactBlock) -> None:
        """Put a fact behind the last fact of its section."""
        blocks = self.head if section == "" else self.sections.setdefault(section, [])
        behind = (place + 1 for place in reversed(range(len(blocks))) if isinstance(blocks[place], FactBlock))
        blocks.insert(next(behind, len(blocks)), block)

    def insert_before(self, section: str, block: FactBlock, other: FactId) -> bool:
        """Put a fact in front of another of its section, or open the section in front of that one's.

        False where the page does not show the other in such a place.
        """
        known = self.head if section == "" else self.sections.get(section)
        if known is not None:
            place = _place_of(other, known)
            if place is not None:
                known.insert(place, block)
            return place is not None
        host = next((name for name, blocks in self.sections.items() if _place_of(other, blocks) is not None), None)
        if host is None:
            return False
        sections: dict[str, list[Block]] = {}
        for name, blocks in self.sections.items():
            if name == host:
                sections[section] = [block]
            sections[name] = blocks
        self.sections = sections
        return True

    def insert_prose(self, after: str, block: ProseBlock) -> bool:
        """Put prose behind a block, at the top or at the end; False where there is no such block."""
        if after == TOP:
            self.head.insert(0, block)
            return True
        if after == END:
            self.tail.append(block)
            return True
        for blocks in self.lists():
            for place, other in enumerate(blocks):
                if block_id(other) == after:
                    blocks.insert(place + 1, block)
                    return True
        return False

    def exchange_fact(self, old: FactId, new: FactBlock | None) -> bool:
        """Put a fact in the place of another, or take it out; False where the page does not show it."""
        return self._exchange(FactBlock, old, new)

    def exchange_prose(self, old: BlockId, new: ProseBlock | None) -> bool:
        """Put prose in the place of other prose, or take it out; False where there is no such prose."""
        return self._exchange(ProseBlock, old, new)

    def _exchange(self, kind: type[Block], old: str, new: Block | None) -> bool:
        for blocks in self.lists():
            for place, other in enumerate(blocks):
                if isinstance(other, kind) and block_id(other) == old:
                    blocks[place : place + 1] = [] if new is None else [new]
                    self._sweep()
                    return True
        return False

    def _sweep(self) -> None:
        for name in [name for name, blocks in self.sections.items() if not blocks]:
            del self.sections[name]


def _place_of(fact: FactId, blocks: list[Block]) -> int | None:
    return next((at for at, one in enumerate(blocks) if isinstance(one, FactBlock) and one.fact == fact), None)


def block_id(block: Block) -> str:
    """Return the anchor of a block, without its `^`."""
    return block.fact if isinstance(block, FactBlock) else block.block
