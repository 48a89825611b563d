"""Retyped: what a person changed in a page's file, held against what the page was and what it is.

The edit began from a state of the page, its *base*; runs may have changed the page since. Block by block, by anchor:
what the file has as the base had it, the person left alone, and what runs made of it stands; what only the person
changed is an edit; what both changed is a conflict. A block that moved stays where it is. A block without an anchor is
new, unless it says what a block says that the file lacks: then only the anchor is gone. What cannot be taken over is a
fault with its line; then nothing of the page is.
"""

from collections.abc import Iterator, Mapping

from xysq.frozen import frozen
from xysq.model.event import PageChanged
from xysq.model.fact import Fact, FactId, Slug, Superseded
from xysq.model.page import BlockId, FactBlock, PageState
from xysq.model.state import State
from xysq.pages.changelog import compose_changelog
from xysq.pages.escape import fold_space, respell
from xysq.pages.front import Front
from xysq.pages.parse import ParsedChangelog, ParsedFact, ParsedFront, ParsedHeading, ParsedProse, parse
from xysq.pages.slug import is_slug
from xysq.pages.typed import TypedBlock, TypedFault, TypedHeading, TypedPage, unmarked
from xysq.planner.retitled import new_names
from xysq.planner.subject import find

MOST_DELETED = 2
_LONGEST_CHAIN = 1_000


@frozen
class Base:
    """The state of the page that the edit began from."""

    front: Front
    blocks: Mapping[str, str]
    sections: frozenset[str] = frozenset()
    changelog: frozenset[str] = frozenset()


def base_of(data: bytes) -> Base:
    """Read a committed page as a base."""
    blocks = parse(data).blocks
    return Base(
        front=next(block.front for block in blocks if isinstance(block, ParsedFront)),
        blocks={block.anchor: block.text for block in blocks if isinstance(block, ParsedFact | ParsedProse)},
        sections=frozenset(block.section for block in blocks if isinstance(block, ParsedHeading)),
        changelog=frozenset(line for block in blocks if isinstance(block, ParsedChangelog) for line in block.lines),
    )


# What an edit comes to, in the order of the file


@frozen
class Stays:
    """A block that the page has, and still has."""

    name: str


@frozen
class Under:
    """The heading of a section."""

    words: str


@frozen
class Reworded:
    """The line of a fact, in other words; `text` is its Markdown."""

    line: int
    fact: FactId
    text: str


@frozen
class Rewritten:
    """Prose that says something else now."""

    line: int
    block: BlockId
    text: str


@frozen
class Added:
    """Text that is new."""

    line: int
    text: str
    is_behind: bool = False


Step = Stays | Under | Reworded | Rewritten | Added


@frozen
class Retyped:
    """An edit of one page: its blocks in the order of the file, what is gone, its new names (None: as before)."""

    page: PageState
    steps: tuple[Step, ...]
    gone_facts: tuple[FactId, ...] = ()
    gone_prose: tuple[BlockId, ...] = ()
    names: PageChanged | None = None

    @property
    def typed(self) -> tuple[Reworded | Rewritten | Added, ...]:
        """The steps that bring words."""
        return tuple(step for step in self.steps if isinstance(step, Reworded | Rewritten | Added))

    @property
    def is_nothing(self) -> bool:
        """Tell whether nothing was changed but the layout."""
        return not (self.typed or self.gone_facts or self.gone_prose or self.names)


def emptied(page: PageState) -> Retyped:
    """Return the edit by which a page's file was deleted: every line of it. The page stays, without any.

    A page that ended would be made anew by the next word about it, and would not know what was closed on this one.
    """
    facts = tuple(block.fact for block in page.blocks if isinstance(block, FactBlock))
    prose = tuple(block.block for block in page.blocks if not isinstance(block, FactBlock))
    return Retyped(page=page, steps=(), gone_facts=facts, gone_prose=prose)


def compare(
    typed: TypedPage, front: Front | None, base: Base, page: PageState, state: State, *, yes: bool
) -> Retyped | tuple[TypedFault, ...]:
    """Return what was changed in a page, or why it cannot be taken over. `front` is its front matter, where it has one.

    `yes`: more than two facts may be deleted, and lines of facts that were closed are taken as prose.
    """
    comparison = _Comparison(base, page, state, yes=yes)
    comparison.read(typed)
    comparison.miss()
    names, faults = new_names(typed, front, base.front, page, state)
    if comparison.faults or faults:
        return tuple(sorted((*comparison.faults, *faults), key=lambda fault: fault.line))
    return Retyped(
        page=page,
        steps=tuple(comparison.steps),
        gone_facts=tuple(comparison.gone_facts),
        gone_prose=tuple(comparison.gone_prose),
        names=names,
    )


class _Comparison:
    """A page held against its base and its present state."""

    def __init__(self, base: Base, page: PageState, state: State, *, yes: bool) -> None:
        self._base, self._page, self._state, self._yes = base, page, state, yes
        self._ledger = state.ledger
        self._facts = {fact.id: fact for fact in state.ledger.facts_of(page.slug) if fact.is_open}
        self._prose = {block.block: block.text for block in page.blocks if not isinstance(block, FactBlock)}
        self._present: set[str] = set()
        self._swapped: dict[int, FactId] = {}
        self.steps: list[Step] = []
        self.gone_facts: list[FactId] = []
        self.gone_prose: list[BlockId] = []
        self.faults: list[TypedFault] = []

    # Blocks

    def read(self, typed: TypedPage) -> None:
        """Go through the file."""
        blocks = [block for block in typed.blocks if isinstance(block, TypedBlock)]
        self._prove_once(blocks)
        self._swapped = self._swaps(blocks)
        anchored = {block.anchor for block in blocks if block.anchor}
        known = self._base.sections | {fold_space(section.name) for section in self._page.sections}
        for block in typed.blocks:
            match block:
                case TypedHeading(words=words, line=line):
                    if fold_space(words) not in known:
                        self._fault(line, "heading", "sections follow from the facts under them; use ### for your own")
                    self.steps.append(Under(words=fold_space(words)))
                case TypedBlock(anchor="") if block.text.strip():
                    self._loose(block, anchored)
                case TypedBlock() if block.anchor.startswith("f-"):
                    self._fact(block, anchored)
                case TypedBlock() if block.anchor:
                    self._prose_block(block)
        lines = self._base.changelog | set(compose_changelog(self._page.changelog))
        for line, text in typed.changelog:
            if text not in lines and not self._yes:
                self._fault(line, "changelog", "the changelog is composed from the runs and cannot be edited")

    def miss(self) -> None:
        """Find what the file lacks of its base."""
        for name, text in self._base.blocks.items():
            if name in self._present:
                continue
            if name.startswith("b-"):
                self._miss_prose(BlockId(name), text)
            else:
                self._miss_fact(FactId(name))
        if len(self.gone_facts) > MOST_DELETED and not self._yes:
            sentence = f"{len(self.gone_facts)} facts are deleted; where that is meant: xysq adopt --yes"
            self._fault(1, "many-deleted", sentence)

    def _fault(self, line: int, code: str, sentence: str) -> None:
        self.faults.append(TypedFault(line=line, code=code, sentence=sentence))

    def _prove_once(self, blocks: list[TypedBlock]) -> None:
        seen: dict[str, int] = {}
        for block in blocks:
            if block.anchor and seen.setdefault(block.anchor, block.line) != block.line:
                sentence = (
                    f"^{block.anchor} stands in line {seen[block.anchor]} too; take it off the line that is yours"
                )
                self._fault(block.line, "anchor-twice", sentence)

    def _swaps(self, blocks: list[TypedBlock]) -> dict[int, FactId]:
        """Return lines that stand with another fact's anchor, word for word: they moved, and left their anchors."""
        lines = {block.anchor: block for block in blocks if block.anchor in self._facts and block.text}
        by_text = {self._spelled(fact.text): name for name, fact in reversed(self._facts.items())}
        found: dict[str, FactId] = {}
        for name, block in lines.items():
            other = by_text.get(self._spelled(block.text))
            if other is not None and not self._says(block.text, self._facts[FactId(name)].text):
                found[name] = other
        while strays := [name for name, other in found.items() if other in lines and other not in found]:
            for name in strays:
                del found[name]
        return {lines[name].line: other for name, other in found.items()}

    def _fact(self, block: TypedBlock, anchored: set[str]) -> None:
        fact = self._ledger.fact(FactId(block.anchor))
        if block.line in self._swapped:
            self._stays(self._swapped[block.line])
        elif fact is None or fact.page != self._page.slug:
            what = "no fact" if fact is None else f"a fact of page {fact.page!r}"
            self._fault(block.line, "foreign-anchor", f"^{block.anchor} is {what}; take it off to keep the line")
        elif block.text and fact.is_open:  # an anchor without words is a line that was deleted
            self._own_line(fact, block)
        elif block.text:
            self._old_line(fact, block, anchored)

    def _own_line(self, fact: Fact, block: TypedBlock) -> None:
        if self._says(block.text, fact.text):
            self._stays(fact.id)
        elif fact.id not in self._swapped.values():  # else its words stand elsewhere
            self._reworded(fact, block)

    def _old_line(self, fact: Fact, block: TypedBlock, anchored: set[str]) -> None:
        """Judge the line of a fact that ended: since the base, or before it."""
        self._present.add(fact.id)
        holder = self._holder(fact)
        is_known, is_same = fact.id in self._base.blocks, self._says(block.text, fact.text)
        is_held = holder is not None and holder.id not in anchored
        if holder is not None and is_held and (self._says(block.text, holder.text) or (is_known and is_same)):
            self._stays(holder.id)
        elif holder is not None and is_held and not is_known:
            self._reworded(holder, block)
        elif is_known and not is_same:
            self._fault(block.line, "conflict", f"a run changed ^{block.anchor} meanwhile: xysq show {fact.id}")
        elif not is_known and self._yes:
            self.steps.append(Added(line=block.line, text=block.text))
        elif not is_known:
            sentence = f"^{block.anchor} has ended; take the anchor off to keep the line as words of yours"
            self._fault(block.line, "ended-fact", sentence)

    def _reworded(self, fact: Fact, block: TypedBlock) -> None:
        self._present.add(fact.id)
        self.steps.append(Reworded(line=block.line, fact=fact.id, text=self._spelled(block.text)))

    def _holder(self, fact: Fact) -> Fact | None:
        """Return the open fact of the page that took the place of one that was superseded."""
        for _ in range(_LONGEST_CHAIN):
            if fact.is_open:
                return fact
            successor = self._ledger.fact(fact.life.by) if isinstance(fact.life, Superseded) else None
            if successor is None:
                return None
            fact = successor
        return None

    def _prose_block(self, block: TypedBlock) -> None:
        name, text = BlockId(block.anchor), block.text
        now, before = self._prose.get(name), self._base.blocks.get(name)
        if not text.strip():
            return  # an anchor without words: it is deleted
        self._present.add(name)
        if now is not None and text in (now, before):
            self.steps.append(Stays(name=name))
        elif now is not None and before in (None, now):
            self.steps.append(Rewritten(line=block.line, block=name, text=text))
        elif before is None:
            sentence = f"^{name} is no block of this page; take it off to keep the text"
            self._fault(block.line, "foreign-anchor", sentence)
        elif text != before:
            self._fault(block.line, "conflict", f"a run changed ^{name} meanwhile")

    def _loose(self, block: TypedBlock, anchored: set[str]) -> None:
        """Take a block without an anchor: one that lost it, or new words."""
        words = self._spelled(unmarked(block.text))
        facts = (name for name, fact in self._facts.items() if self._spelled(fact.text) == words)
        prose = (name for name, text in self._prose.items() if text == block.text)
        lost: Iterator[str] = (name for name in (*facts, *prose) if name not in anchored | self._present)
        name = next(lost, None)
        if name is None:
            self.steps.append(Added(line=block.line, text=block.text, is_behind=block.is_behind))
        else:
            self._stays(name)

    def _stays(self, name: str) -> None:
        self._present.add(name)
        self.steps.append(Stays(name=name))

    def _miss_fact(self, name: FactId) -> None:
        fact = self._ledger.fact(name)
        if fact is None or not self._is_denied(fact):
            return
        if fact.is_open:
            self.gone_facts.append(name)
            return
        holder = self._holder(fact)
        if holder is not None and holder.id not in self._present and holder.id not in self._base.blocks:
            self._fault(
                1, "conflict", f"the line of ^{name} is deleted, and a run changed it meanwhile; xysq show {name}"
            )

    def _is_denied(self, fact: Fact) -> bool:
        """Tell whether no other line of the file says the same."""
        same = (one for one in self._facts.values() if one.id != fact.id and self._says(one.text, fact.text))
        return not any(one.id in self._present for one in same)

    def _miss_prose(self, name: BlockId, text: str) -> None:
        now = self._prose.get(name)
        if now is not None and now == text:
            self.gone_prose.append(name)
        elif now is not None:
            self._fault(1, "conflict", f"the text of ^{name} is deleted, and a run changed it meanwhile")

    # Words

    def _says(self, one: str, other: str) -> bool:
        return one == other or self._spelled(one) == self._spelled(other)

    def _spelled(self, text: str) -> str:
        return respell(text, self._resolve)

    def _resolve(self, name: str) -> tuple[Slug, str] | None:
        found = find(name, self._ledger)
        if len(found) == 1:
            page = self._ledger.page(found[0])
            return found[0], name if page is None else page.title
        return (Slug(name), name) if is_slug(name) else None
