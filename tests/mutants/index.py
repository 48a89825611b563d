"""Damage to what a run is judged in: an index that misremembers one page or one fact, and an older run's faults.

Behind the state stands a derived read model. Where it is wrong about one thing, the pages of the next run are wrong
with it, and edits, events and bytes agree all the same.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant
from tests.mutants.edits import new_id
from tests.mutants.operator import Family, pick
from xysq.ledger.board import Board
from xysq.model.event import Head, ProseChanged, ProseOp, RunKind
from xysq.model.fact import Fact, FactId, Open, RunId, Slug
from xysq.model.page import BlockId, FactBlock, Origin, PageState, ProseBlock
from xysq.model.state import LedgerState, RunMark

INDEX = Family("the index")


class Misread:
    """A state that is wrong about some pages and facts."""

    def __init__(
        self, ledger: LedgerState, pages: Mapping[Slug, PageState], facts: Mapping[FactId, Fact] | None = None
    ) -> None:
        """Answer as the ledger does, but for these."""
        self._ledger = ledger
        self._pages = pages
        self._facts = facts or {}

    def head(self) -> Head:
        return self._ledger.head()

    def page(self, slug: Slug) -> PageState | None:
        return self._pages.get(slug) or self._ledger.page(slug)

    def fact(self, fact: FactId) -> Fact | None:
        return self._facts.get(fact) or self._ledger.fact(fact)

    def facts_of(self, slug: Slug) -> tuple[Fact, ...]:
        return tuple(self._facts.get(fact.id, fact) for fact in self._ledger.facts_of(slug))

    def named(self, folded: str) -> tuple[Slug, ...]:
        return self._ledger.named(folded)

    def resting_on(self, fact: FactId) -> tuple[FactId, ...]:
        return self._ledger.resting_on(fact)

    def block_page(self, block: str) -> Slug | None:
        return self._ledger.block_page(block)

    def run_of(self, n: int) -> RunMark | None:
        return self._ledger.run_of(n)

    def run_named(self, run: RunId) -> RunMark | None:
        return self._ledger.run_named(run)


def _misread(base: Base, *pages: PageState, facts: Mapping[FactId, Fact] | None = None, key: str) -> Mutant:
    ledger = Misread(base.state.ledger, {page.slug: page for page in pages}, facts)
    mutant = base.with_state(replace(base.state, ledger=ledger))
    return Mutant(mutant.run, mutant.state, key)


def _shown(base: Base) -> list[tuple[PageState, FactBlock]]:
    """Return the blocks of open facts on pages that the run writes, and does not end."""
    pages = [page for page in base.pages if page.slug in base.run.after]
    pages = [page for page in pages if (after := base.after.page(page.slug)) is not None and after.is_living]
    ended = base.ended_later()
    return [
        (page, block)
        for page in pages
        for block in page.blocks
        if isinstance(block, FactBlock) and block.fact not in ended
    ]


@INDEX
def a_committed_fact_reworded(base: Base, luck: Random) -> Mutant | None:
    """Remember other words of a fact's block than were committed."""
    page, block = pick(luck, _shown(base)) or (None, None)
    if page is None or block is None:
        return None
    text = luck.choice((f"{block.text} Not.", block.text.upper(), block.text.replace("a", "а", 1), f"Not {block.text}"))
    if text == block.text:
        return None
    board = Board.thaw(page)
    board.exchange_fact(block.fact, FactBlock(fact=block.fact, text=text))
    return _misread(base, board.freeze(), key=f"{page.slug} {block.fact} {text}")


@INDEX
def a_committed_fact_held_as_prose(base: Base, luck: Random) -> Mutant | None:
    """Remember a fact's block as a person's prose, which a person then takes away."""
    facts = [(page, block) for page in base.pages for block in page.blocks if isinstance(block, FactBlock)]
    page, block = pick(luck, facts) or (None, None)
    if page is None or block is None:
        return None
    board = Board.thaw(page)
    name = BlockId(block.fact)
    prose = ProseBlock(block=name, text=f"- {block.text}", origin=luck.choice((Origin.YOURS, Origin.DRAFTED)))
    for blocks in board.lists():
        blocks[:] = [prose if other == block else other for other in blocks]
    ledger = Misread(base.state.ledger, {page.slug: board.freeze()})
    taken = ProseChanged(page=page.slug, block=name, op=ProseOp.REMOVE, text="", after="", origin=Origin.YOURS)
    kind = luck.choice((RunKind.ADOPT, RunKind.CORRECT, RunKind.REVERT, RunKind.PAGE))
    mutant = base.with_bodies((taken,), kind=kind, state=replace(base.state, ledger=ledger))
    return Mutant(mutant.run, mutant.state, f"{page.slug} {block.fact} {prose.origin}")


@INDEX
def a_block_without_a_fact(base: Base, luck: Random) -> Mutant | None:
    """Remember a block of a fact that nobody stated."""
    page = pick(luck, [page for page, _ in _shown(base)])
    if page is None:
        return None
    board = Board.thaw(page)
    number = luck.randrange(10**6)
    board.insert_fact(luck.choice(("", *board.sections)), FactBlock(fact=new_id(luck), text=f"Forged fact {number}."))
    return _misread(base, board.freeze(), key=f"{page.slug} {number}")


@INDEX
def a_fact_of_another_page(base: Base, luck: Random) -> Mutant | None:
    """Remember a fact's block on a page that it is not of."""
    page = pick(luck, [page for page, _ in _shown(base)])
    ended = base.ended_later()
    others = [
        fact
        for fact in base.facts
        if fact.is_open and fact.id not in ended and page is not None and fact.page != page.slug
    ]
    fact = pick(luck, others)
    if page is None or fact is None:
        return None
    board = Board.thaw(page)
    board.insert_fact(luck.choice(("", *board.sections)), FactBlock(fact=fact.id, text=fact.text))
    return _misread(base, board.freeze(), key=f"{page.slug} {fact.id}")


@INDEX
def an_ended_fact_on_its_page(base: Base, luck: Random) -> Mutant | None:
    """Remember the block of a fact that has ended."""
    page = pick(luck, [page for page, _ in _shown(base)])
    fact = pick(luck, [fact for fact in base.facts if page is not None and fact.page == page.slug and not fact.is_open])
    if page is None or fact is None:
        return None
    board = Board.thaw(page)
    section = luck.choice((fact.section, "", "Past"))
    board.insert_fact(section, FactBlock(fact=fact.id, text=fact.text))
    return _misread(base, board.freeze(), key=f"{page.slug} {fact.id} {section}")


@INDEX
def two_values_of_an_older_run(base: Base, luck: Random) -> Mutant | None:
    """Remember a second open value that an older run left."""
    single = [body.statement for _, body in base.stated if body.statement.single]
    stated = pick(luck, single)
    ended = [] if stated is None else [f for f in base.facts if f.page == stated.page and not f.is_open]
    fact = pick(luck, ended)
    if stated is None or fact is None:
        return None
    board = Board.thaw(page) if (page := base.state.ledger.page(fact.page)) is not None else None
    if board is None:
        return None
    back = replace(fact, life=Open(), attribute=stated.attribute, single=True)
    board.insert_fact(fact.section, FactBlock(fact=fact.id, text=fact.text))
    return _misread(base, board.freeze(), facts={fact.id: back}, key=f"{stated.fact} {fact.id}")


@INDEX
def a_changelog_of_the_past(base: Base, luck: Random) -> Mutant | None:
    """Remember a changelog in which an older run has another date or count, is gone, forged or out of order."""
    page = pick(luck, [page for page in base.pages if page.slug in base.run.after and page.changelog])
    after = None if page is None else base.after.page(page.slug)
    if page is None or after is None or not after.is_living:
        return None
    entries = list(page.changelog)
    facts = base.state.ledger.facts_of(page.slug)
    place = luck.randrange(len(entries))
    entry = entries[place]
    brought = [fact for fact in facts if fact.run == entry.run]
    match luck.randrange(5):
        case 0 if brought:
            entries[place] = replace(entry, at=f"20{luck.randint(10, 25)}{entry.at[4:]}")
        case 1:
            entries[place] = replace(entry, asserted=entry.asserted + luck.randint(1, 99))
        case 2:
            entries[place] = replace(entry, closed=entry.closed + luck.randint(1, 99))
        case 3:
            entries[place] = replace(entry, superseded=entry.superseded + luck.randint(1, 99))
        case 4 if entry.asserted or entry.superseded:
            del entries[place]
        case _:
            return None
    wrong = replace(page, changelog=tuple(entries))
    return _misread(base, wrong, key=repr(entries))
