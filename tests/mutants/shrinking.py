"""Damage to size: pages that lose a part of their body, just within a quarter and just over it."""

from random import Random

from tests.mutants.base import Base, Mutant
from tests.mutants.operator import Family, pick
from xysq.model.event import ProseOp
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId
from xysq.model.plan import Edit, ProseEdit, RemoveFact
from xysq.pages.units import BODY, Unit, UnitKind, units

SHRINKING = Family("shrinking")


def _bodied(base: Base, luck: Random) -> tuple[Slug, list[Unit]] | None:
    """Return a page and those of its blocks that were there before and are there now."""
    found = []
    for slug, data in base.run.after.items():
        now = {unit.anchor for unit in units(data)}
        old = [unit for unit in units(base.run.before.get(slug, b"")) if unit.anchor in now and unit.kind in BODY]
        old = [unit for unit in old if unit.anchor]
        if old:
            found.append((slug, old))
    return pick(luck, found)


def _without(data: bytes, gone: list[Unit]) -> bytes:
    for unit in gone:
        for end in (b"\n\n", b"\n"):
            if unit.body + end in data:
                data = data.replace(unit.body + end, b"", 1)
                break
    return data


def _removals(page: Slug, gone: list[Unit]) -> list[Edit]:
    return [
        RemoveFact(page=page, fact=FactId(unit.anchor))
        if unit.kind is UnitKind.FACT
        else ProseEdit(page=page, op=ProseOp.REMOVE, block=BlockId(unit.anchor), text="", after="")
        for unit in gone
    ]


@SHRINKING
def one_block_lost(base: Base, luck: Random) -> Mutant | None:
    """Lose one block that stood there before."""
    return _lost(base, luck, 1, is_declared=False)


@SHRINKING
def two_blocks_lost(base: Base, luck: Random) -> Mutant | None:
    """Lose two blocks that stood there before."""
    return _lost(base, luck, 2, is_declared=False)


@SHRINKING
def blocks_lost_by_declared_removals(base: Base, luck: Random) -> Mutant | None:
    """Lose blocks that edits remove, though no event does."""
    return _lost(base, luck, luck.randint(1, 2), is_declared=True)


def _lost(base: Base, luck: Random, count: int, *, is_declared: bool) -> Mutant | None:
    found = _bodied(base, luck)
    if found is None or len(found[1]) < count:
        return None
    slug, blocks = found
    gone = luck.sample(blocks, count)
    left = _without(base.run.after[slug], gone)
    if left == base.run.after[slug]:
        return None  # the run itself took them out
    mutant = base.with_page(slug, left)
    if not is_declared:
        return mutant
    declared = base.with_edits([*base.run.plan.edits, *_removals(slug, gone)])
    return base.with_both(declared, mutant)


@SHRINKING
def a_part_of_the_body_cut_off(base: Base, luck: Random) -> Mutant | None:
    """Shorten a block by just under, or just over, a quarter of the body."""
    found = _bodied(base, luck)
    if found is None:
        return None
    slug, blocks = found
    whole = sum(len(unit.body) for unit in units(base.run.before[slug]) if unit.kind in BODY)
    unit = max(blocks, key=lambda block: len(block.body))
    cut = round(whole * luck.choice((0.1, 0.249, 0.251, 0.5)))
    head = unit.body[: -len(unit.anchor) - 2]
    if not 0 < cut < len(head) - 3:
        return None
    shorter = head[:-cut] + unit.body[len(head) :]
    return base.with_page(slug, base.run.after[slug].replace(unit.body, shorter, 1))


@SHRINKING
def a_page_that_was_larger(base: Base, luck: Random) -> Mutant | None:
    """Take the page before for larger than it was: two blocks, or over a quarter of its bytes, are lost unnoticed."""
    slug = pick(luck, [slug for slug in base.run.after if base.run.before.get(slug)])
    if slug is None:
        return None
    before = base.run.before[slug]
    whole = sum(len(unit.body) for unit in units(before) if unit.kind in BODY)
    head, mark, log = before.rpartition(b"\n## Changelog\n")
    if not mark:
        return None
    sizes = (20, 30) if luck.random() < 0.5 else (int(whole * 0.34) + luck.randint(20, 90),)
    extra = b"".join(b"\n%s ^b-%010d\n" % (b"x" * size, luck.randrange(10**10)) for size in sizes)
    return base.with_pages(dict(base.run.after), {**base.run.before, slug: head + extra + mark + log})


@SHRINKING
def another_page_before(base: Base, luck: Random) -> Mutant | None:
    """Take the page before for another one: a word changed, a line of its changelog gone, or nothing there."""
    slug = pick(luck, [slug for slug in base.run.after if base.run.before.get(slug)])
    if slug is None:
        return None
    before = base.run.before[slug]
    place = luck.randrange(len(before))
    forged = luck.choice((before[:place] + b"x" + before[place:], before[:place] + before[place + 1 :], b""))
    return base.with_pages(dict(base.run.after), {**base.run.before, slug: forged})
