"""Damage to the bond of events, edits and pages."""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, file_of
from tests.mutants.operator import operator, pick
from xysq.model.event import (
    Asserted,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, FactId
from xysq.model.page import BlockId, Origin
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact

EDITS = "edits and events"


@operator(EDITS)
def edit_declared_but_not_done(base: Base, random: Random) -> Mutant | None:
    page = pick(random, base.pages)
    if page is None:
        return None
    fact = FactId(f"f-{random.randrange(10**10):010d}")
    edit = InsertFact(page=page.slug, fact=fact, section="", text="It was declared and never done.")
    return base.with_edits((*base.run.plan.edits, edit))


@operator(EDITS)
def edit_done_but_not_declared(base: Base, random: Random) -> Mutant | None:
    edits = list(base.run.plan.edits)
    if not edits:
        return None
    del edits[random.randrange(len(edits))]
    return base.with_edits(edits)


@operator(EDITS)
def event_without_its_edit_or_page(base: Base, random: Random) -> Mutant | None:
    changing = [at for at, body in enumerate(base.bodies) if not isinstance(body, Confirmed | LearnedLate | Withdrawn)]
    at = pick(random, changing)
    if at is None:
        return None
    return base.with_bodies((*base.bodies[:at], *base.bodies[at + 1 :]), edits=base.run.plan.edits, keep_pages=True)


@operator(EDITS)
def two_events_for_one_edit(base: Base, random: Random) -> Mutant | None:
    body = pick(random, base.bodies)
    return None if body is None else base.with_bodies((*base.bodies, body), edits=base.run.plan.edits)


@operator(EDITS)
def one_event_for_two_edits(base: Base, random: Random) -> Mutant | None:
    edit = pick(random, base.run.plan.edits)
    return None if edit is None else base.with_edits((*base.run.plan.edits, edit))


@operator(EDITS)
def edit_with_another_text(base: Base, random: Random) -> Mutant | None:
    edits = list(base.run.plan.edits)
    places = [at for at, edit in enumerate(edits) if isinstance(edit, InsertFact | ReplaceFact | ProseEdit)]
    at = pick(random, places)
    if at is None:
        return None
    edit = edits[at]
    assert isinstance(edit, InsertFact | ReplaceFact | ProseEdit)
    edits[at] = replace(edit, text=edit.text + random.choice((".", " ", " too", "\u200b", "\n")))
    return base.with_edits(edits)


@operator(EDITS)
def edit_on_another_page(base: Base, random: Random) -> Mutant | None:
    edits = list(base.run.plan.edits)
    others = [slug for slug in base.slugs if edits and slug != edits[0].page]
    other = pick(random, others)
    if other is None:
        return None
    at = random.randrange(len(edits))
    if edits[at].page == other:
        return None
    edits[at] = replace(edits[at], page=other)
    return base.with_edits(edits)


@operator(EDITS)
def removal_declared_for_a_fact_that_stays(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [fact for fact in base.facts if fact.is_open and fact.id not in base.ended_later()])
    if fact is None:
        return None
    return base.with_edits((*base.run.plan.edits, RemoveFact(page=fact.page, fact=fact.id)))


@operator(EDITS)
def page_left_out(base: Base, random: Random) -> Mutant | None:
    slug = pick(random, tuple(base.run.after))
    if slug is None:
        return None
    return base.with_pages({name: data for name, data in base.run.after.items() if name != slug})


@operator(EDITS)
def page_that_no_event_is_about(base: Base, random: Random) -> Mutant | None:
    page = pick(random, [page for page in base.pages if page.slug not in base.run.after])
    if page is None:
        return None
    data = file_of(base.state.ledger, page.slug)
    return base.with_pages({**base.run.after, page.slug: data + b"\nMore.\n"}, {**base.run.before, page.slug: data})


@operator(EDITS)
def base_bytes_that_are_not_the_ledgers(base: Base, random: Random) -> Mutant | None:
    slug = pick(random, [slug for slug, data in base.run.before.items() if data])
    if slug is None:
        return None
    data = base.run.before[slug]
    at = random.randrange(len(data))
    forged = random.choice((data[:at] + b"x" + data[at:], data[:at] + data[at + 1 :], b"", data + b"\n", data[:-1]))
    return None if forged == data else base.with_pages(dict(base.run.after), {**base.run.before, slug: forged})


@operator(EDITS)
def front_matter_declared_and_not_done(base: Base, random: Random) -> Mutant | None:
    page = pick(random, base.pages)
    if page is None:
        return None
    names = tuple(alias.name for alias in page.aliases)
    edit: Edit = FrontEdit(page=page.slug, op=PageOp.META, title=page.title, kind="ship", aliases=names)
    return base.with_edits((*base.run.plan.edits, edit))


@operator(EDITS)
def event_beyond_what_the_kind_may_do(base: Base, random: Random) -> Mutant | None:
    """A distilling run renames a page, takes a person's prose out, or ends a fact as if it were a deed."""
    page = pick(random, base.pages)
    fact = pick(random, [fact for fact in base.facts if fact.is_open])
    if page is None or fact is None or base.run.kind.value != "distill":
        return None
    renamed = PageChanged(page=page.slug, op=PageOp.META, title=page.title, kind="ship", aliases=page.aliases)
    mine = ProseChanged(
        page=page.slug,
        block=BlockId(f"b-{random.randrange(10**10):010d}"),
        op=ProseOp.INSERT,
        text="I wrote this myself.",
        after="end",
        origin=Origin.YOURS,
    )
    closed = FactClosed(fact=fact.id, reason=CloseReason.CORRECTED, cause=str(base.run.run), by="user")
    return base.added(random.choice((renamed, mine, closed)))


@operator(EDITS)
def counts_and_ends_of_another_run(base: Base, random: Random) -> Mutant | None:
    """The run event speaks of another number of events, or the run continues another end of the ledger."""
    if random.random() < 0.5:
        head = base.state.ledger.head()
        moved = replace(head, n=head.n + random.choice((1, -1, 7))) if head.n > 1 else None
        return None if moved is None else base.with_bodies(base.bodies, head=moved)
    first, *rest = base.run.events
    begun = first.body
    assert isinstance(begun, RunBegun)
    lied = replace(first, body=replace(begun, events=len(rest) + random.choice((1, -1))))
    return Mutant(replace(base.run, events=(lied, *rest)), base.state)


@operator(EDITS)
def seal_that_does_not_fit(base: Base, random: Random) -> Mutant | None:
    """An event's salt, time, run or digest is another than it was sealed with, or the whole run says no moment."""
    if random.random() < 0.2:
        return base.with_bodies(base.bodies, at=random.choice(("2026-13-01T00:00:00Z", "now", "2026-10-01 10:00", "")))
    events = list(base.run.events)
    at = random.randrange(len(events))
    event = events[at]
    events[at] = random.choice(
        (
            replace(event, salt=event.salt[::-1] + "0"),
            replace(event, digest=event.digest[::-1]),
            replace(event, hash=event.hash[::-1]),
            replace(event, prev=event.hash),
            replace(event, kind="page" if event.kind != "page" else "prose"),
        )
    )
    return Mutant(replace(base.run, events=tuple(events)), base.state)


@operator(EDITS)
def statement_turned_into_another_kind_of_event(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if isinstance(body, Asserted | SupersededBy)]
    chosen = pick(random, found)
    if chosen is None:
        return None
    at, body = chosen
    confirmed = Confirmed(fact=body.statement.fact, evidence=body.statement.evidence)
    return base.replaced(at, confirmed, keep_edits=True)
