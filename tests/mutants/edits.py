"""Damage to the pairing of edits and events: one without the other, two for one, one for two, edits that tell tales."""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, Stating, restated
from tests.mutants.operator import Family, pick
from xysq.model.event import Asserted, FactClosed, LearnedLate, PageOp, ProseOp, RunKind, SupersededBy
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import BlockId
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact

EDITS = Family("edits and events")


def new_id(luck: Random) -> FactId:
    """Return an id of a fact that nobody has yet."""
    return FactId(f"f-{luck.randrange(10**10):010d}")


@EDITS
def an_edit_gone(base: Base, luck: Random) -> Mutant | None:
    """Leave out an edit: done but not declared, an event without an edit."""
    edits = list(base.run.plan.edits)
    if not edits:
        return None
    del edits[luck.randrange(len(edits))]
    return base.with_edits(edits)


@EDITS
def an_edit_doubled(base: Base, luck: Random) -> Mutant | None:
    """Declare an edit twice."""
    edit = pick(luck, base.run.plan.edits)
    return None if edit is None else base.with_edits([*base.run.plan.edits, edit])


@EDITS
def edits_exchanged(base: Base, luck: Random) -> Mutant | None:
    """Declare two insertions at one place in another order than they were done."""
    edits = list(base.run.plan.edits)
    pairs = [
        (one, other)
        for one in range(len(edits))
        for other in range(one + 1, len(edits))
        if _share_a_place(edits[one], edits[other])
    ]
    pair = pick(luck, pairs)
    if pair is None:
        return None
    edits[pair[0]], edits[pair[1]] = edits[pair[1]], edits[pair[0]]
    return base.with_edits(edits)


def _share_a_place(one: Edit, other: Edit) -> bool:
    match one, other:
        case InsertFact(), InsertFact():
            return (one.page, one.section) == (other.page, other.section)
        case ProseEdit(op=ProseOp.INSERT), ProseEdit(op=ProseOp.INSERT):
            return (one.page, one.after) == (other.page, other.after)
        case _:
            return False


@EDITS
def an_edit_changed(base: Base, luck: Random) -> Mutant | None:
    """Declare another text, page, place, section, name or operation than what was done."""
    edits = list(base.run.plan.edits)
    if not edits:
        return None
    place = luck.randrange(len(edits))
    edits[place] = _changed(edits[place], base, luck)
    return base.with_edits(edits)


def _changed(edit: Edit, base: Base, luck: Random) -> Edit:
    other = luck.choice([slug for slug in (*base.slugs, Slug("nobody")) if slug != edit.page])
    match edit:
        case InsertFact():
            return luck.choice(
                (
                    replace(edit, text=f"{edit.text}!"),
                    replace(edit, fact=new_id(luck)),
                    replace(edit, section=f"{edit.section} "),
                    replace(edit, section="Elsewhere"),
                    replace(edit, page=other),
                )
            )
        case ReplaceFact():
            return luck.choice(
                (
                    replace(edit, text=edit.text.swapcase()),
                    replace(edit, old=new_id(luck)),
                    replace(edit, page=other),
                    InsertFact(page=edit.page, fact=edit.fact, section="", text=edit.text),
                    RemoveFact(page=edit.page, fact=edit.old),
                )
            )
        case RemoveFact():
            return luck.choice((replace(edit, page=other), replace(edit, fact=new_id(luck))))
        case ProseEdit():
            return luck.choice(
                (
                    replace(edit, text=f"{edit.text} more"),
                    replace(edit, after="top" if edit.after != "top" else "end"),
                    replace(edit, op=ProseOp.REPLACE if edit.op is not ProseOp.REPLACE else ProseOp.INSERT),
                    replace(edit, block=BlockId(f"b-{luck.randrange(10**10):010d}")),
                    replace(edit, page=other),
                )
            )
        case FrontEdit():
            return luck.choice(
                (
                    replace(edit, title=f"{edit.title} II"),
                    replace(edit, kind=f"{edit.kind}s"),
                    replace(edit, aliases=(*edit.aliases, "Eve")),
                    replace(edit, op=PageOp.META if edit.op is not PageOp.META else PageOp.CREATE),
                    replace(edit, page=other),
                )
            )


@EDITS
def an_edit_invented(base: Base, luck: Random) -> Mutant | None:
    """Declare an edit that was not done and that no event is behind."""
    fact = pick(luck, [fact for fact in base.facts if fact.is_open])
    page = pick(luck, base.pages)
    if fact is None or page is None:
        return None
    block = BlockId(f"b-{luck.randrange(10**10):010d}")
    edits: tuple[Edit, ...] = (
        RemoveFact(page=fact.page, fact=fact.id),
        ReplaceFact(page=fact.page, fact=new_id(luck), old=fact.id, text="New."),
        InsertFact(page=page.slug, fact=new_id(luck), section="", text="New."),
        ProseEdit(page=page.slug, op=ProseOp.INSERT, block=block, text="New.", after="end"),
        FrontEdit(page=page.slug, op=PageOp.META, title=page.title, kind="god", aliases=()),
    )
    return base.with_edits([*base.run.plan.edits, luck.choice(edits)])


@EDITS
def an_event_gone(base: Base, luck: Random) -> Mutant | None:
    """Leave out an event and keep its edit: the pages as they were, or without it."""
    places = [place for place, body in enumerate(base.bodies) if _has_edit(body)]
    place = pick(luck, places)
    if place is None:
        return None
    bodies = (*base.bodies[:place], *base.bodies[place + 1 :])
    return base.with_bodies(bodies, edits=base.run.plan.edits, keep_pages=luck.random() < 0.5)


def _has_edit(body: object) -> bool:
    return not isinstance(body, LearnedLate) and type(body).__name__ not in ("Confirmed", "Withdrawn", "Forgotten")


@EDITS
def an_event_doubled(base: Base, luck: Random) -> Mutant | None:
    """Have an event twice: under its own name, or under another one for the same edit."""
    found = pick(luck, base.stated)
    if found is None:
        return None
    place, body = found
    twin = body if luck.random() < 0.3 else _as_assert(restated(body, fact=new_id(luck)))
    edits = base.run.plan.edits if luck.random() < 0.8 else [*base.run.plan.edits, base.run.plan.edits[0]]
    bodies = (*base.bodies[: place + 1], twin, *base.bodies[place + 1 :])
    return base.with_bodies(bodies, edits=edits, keep_pages=luck.random() < 0.5)


def _as_assert(body: Stating) -> Stating:
    return Asserted(statement=body.statement)


@EDITS
def one_event_for_two_edits(base: Base, luck: Random) -> Mutant | None:
    """Let one event stand for two blocks that claim it."""
    found = pick(luck, [(at, body) for at, body in base.stated if isinstance(body, Asserted)])
    if found is None:
        return None
    stated = found[1].statement
    double = InsertFact(
        page=stated.page, fact=stated.fact, section=stated.section, text=luck.choice((stated.text, "It."))
    )
    return base.with_edits([*base.run.plan.edits, double])


@EDITS
def an_event_that_the_plan_has_not(base: Base, luck: Random) -> Mutant | None:
    """Chain other events than the plan has: one more, one less, one changed, none of them shown by an edit."""
    place, body = pick(luck, base.stated) or (None, None)
    piece = pick(luck, base.quotes)
    if place is None or body is None or piece is None or piece in body.statement.evidence:
        return None
    mutant = base.replaced(place, restated(body, evidence=(*body.statement.evidence, piece)), keep_edits=True)
    return Mutant(replace(mutant.run, plan=base.run.plan), base.state)


@EDITS
def an_edit_for_what_shows_nothing(base: Base, luck: Random) -> Mutant | None:
    """Declare the block of a fact that was learned late or only confirmed, and show it or not."""
    late = [body.statement for _, body in base.stated if isinstance(body, LearnedLate)]
    stated = pick(luck, late)
    if stated is None:
        return None
    edit = InsertFact(page=stated.page, fact=stated.fact, section=stated.section, text=stated.text)
    declared = base.with_edits([*base.run.plan.edits, edit])
    data = base.run.after.get(stated.page)
    if not data or luck.random() < 0.5:
        return declared
    shown = data.replace(b"\n## Changelog", f"\n- {stated.text} ^{stated.fact}\n\n## Changelog".encode(), 1)
    return base.with_both(declared, base.with_page(stated.page, shown))


@EDITS
def a_late_fact_asserted(base: Base, luck: Random) -> Mutant | None:
    """Assert what was only history, beside its successor."""
    found = pick(luck, [(at, body) for at, body in base.stated if isinstance(body, LearnedLate)])
    return None if found is None else base.replaced(found[0], Asserted(statement=found[1].statement))


@EDITS
def a_supersession_split(base: Base, luck: Random) -> Mutant | None:
    """Close the old fact and assert the new one, where one event supersedes: the edit stays one, or becomes two."""
    found = pick(luck, [(at, body) for at, body in base.stated if isinstance(body, SupersededBy)])
    if found is None or base.run.kind is not RunKind.DISTILL:
        return None
    place, body = found
    assert isinstance(body, SupersededBy)
    reason = luck.choice(tuple(CloseReason))
    closing = FactClosed(fact=body.supersedes, reason=reason, cause="x", by=luck.choice(("engine", "user", "rules")))
    return base.replaced(place, closing, Asserted(statement=body.statement), keep_edits=luck.random() < 0.5)
