"""Damage to what a run is: doing what no distilling run may, sizes over their bounds, another base, another time."""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, restated, statement_of
from tests.mutants.edits import new_id
from tests.mutants.operator import Family, pick
from xysq.model.event import (
    Asserted,
    Body,
    Forgotten,
    Head,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunKind,
    Withdrawn,
)
from xysq.model.fact import RunId, Slug
from xysq.model.page import Alias, BlockId, Origin, ProseBlock
from xysq.model.settings import Limits
from xysq.model.source import Row, SourceId

REMIT = Family("the run itself")


def _distilling(base: Base, *bodies: Body) -> Mutant | None:
    return base.added(*bodies) if base.run.kind is RunKind.DISTILL else base.with_bodies(bodies, kind=RunKind.DISTILL)


@REMIT
def a_page_changed_by_distilling(base: Base, luck: Random) -> Mutant | None:
    """Rename, merge or remove a page, or give it names, where a run only reads what was said."""
    page, other = pick(luck, base.pages), pick(luck, base.pages)
    if page is None or other is None:
        return None
    change = PageChanged(page=page.slug, op=PageOp.META, title=page.title, kind=page.kind, aliases=page.aliases)
    changes = (
        replace(change, title=f"{page.title} II"),
        replace(change, kind="god"),
        replace(change, aliases=(*page.aliases, Alias(name=f"Eve {luck.randrange(100)}"))),
        replace(change, op=PageOp.REMOVE),
        replace(change, op=PageOp.MERGE, into=other.slug, title=other.title),
    )
    return _distilling(base, luck.choice(changes))


@REMIT
def a_page_made_wrongly(base: Base, luck: Random) -> Mutant | None:
    """Make a page whose slug is no slug of its title, a second one of a name, or one with aliases."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    create = PageChanged(
        page=Slug(f"eve-{luck.randrange(1000)}"), op=PageOp.CREATE, title="Eve", kind="person", aliases=()
    )
    pages = (
        replace(create, title="Somebody else"),
        replace(create, page=Slug("../../etc")),
        replace(create, page=Slug("Eve")),
        replace(create, page=Slug("con"), title="con"),
        replace(create, page=Slug(f"{page.slug}-2"), title=page.title),
        replace(create, page=page.slug, title=page.title),
        replace(create, aliases=(Alias(name="Mia Voss"),)),
    )
    made = luck.choice(pages)
    note = ProseChanged(
        page=made.page,
        block=BlockId("b-0000000000"),
        op=ProseOp.INSERT,
        text="Words.",
        after="end",
        origin=Origin.DRAFTED,
        rows=base.run.rows[:1],
    )
    return _distilling(base, made, note)


@REMIT
def prose_touched_by_distilling(base: Base, luck: Random) -> Mutant | None:
    """Replace or remove prose that is there, or write some in a person's name, without a code, out of other rows."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    block = BlockId(f"b-{luck.randrange(10**10):010d}")
    fine = ProseChanged(
        page=page.slug,
        block=block,
        op=ProseOp.INSERT,
        text="Words.",
        after="end",
        origin=Origin.DRAFTED,
        rows=base.run.rows[:1],
    )
    stray = Row(SourceId("20261130-zzzzzz"), 1, 0, 9)
    old = [other for other in page.blocks if isinstance(other, ProseBlock)]
    wrong = [
        replace(fine, origin=Origin.YOURS),
        replace(fine, origin=Origin.DROPPED, code=luck.choice(("", "made-up"))),
        replace(fine, code="unfounded"),
        replace(fine, rows=(*fine.rows, stray)),
        *(replace(fine, op=ProseOp.REPLACE, block=other.block) for other in old),
        *(replace(fine, op=ProseOp.REMOVE, block=other.block, text="") for other in old),
    ]
    return _distilling(base, luck.choice(wrong))


@REMIT
def what_only_a_person_does(base: Base, luck: Random) -> Mutant | None:
    """Take evidence back, forget events or revive a fact, where a run only reads what was said."""
    proven = pick(luck, [fact for fact in base.facts if fact.proofs])
    ended = pick(luck, [fact for fact in base.facts if not fact.is_open])
    if proven is None:
        return None
    bodies: list[Body] = [
        Withdrawn(fact=proven.id, brought_by=proven.proofs[0].n, cause="x"),
        Forgotten(events=(luck.randint(2, base.run.base.n),), files=(), digests=()),
    ]
    if ended is not None:
        bodies.append(Asserted(statement=statement_of(ended, fact=new_id(luck), revives=ended.id)))
    return _distilling(base, luck.choice(bodies))


@REMIT
def another_base(base: Base, luck: Random) -> Mutant | None:
    """Stand on another end of the ledger: an older one, a newer one, one that never was."""
    head = base.run.base
    others = (
        Head(n=head.n - 1, hash=head.hash),
        Head(n=head.n + luck.randint(1, 9), hash=head.hash),
        Head(n=head.n, hash=f"{luck.getrandbits(256):064x}"),
        Head(n=0, hash="0" * 64),
    )
    other = luck.choice(others)
    if luck.random() < 0.5:
        return Mutant(replace(base.run, base=other), base.state)
    return base.with_bodies(base.bodies, head=other, keep_pages=True)


@REMIT
def another_run_than_it_says(base: Base, luck: Random) -> Mutant | None:
    """Judge a run as another one than its events begin: other name, kind, rows, drafter or time."""
    run = base.run
    kinds = [kind for kind in RunKind if kind is not run.kind]
    return Mutant(
        luck.choice(
            (
                replace(run, run=RunId(f"{run.run[:-4]}{luck.randrange(10**4):04d}")),
                replace(run, kind=luck.choice(kinds)),
                replace(run, drafter=luck.choice(("user", "engine", "mine"))),
                replace(run, rows=(*run.rows, Row(SourceId("20261130-zzzzzz"), 1, 0, luck.randint(1, 99)))),
                replace(run, at="2027-01-01T00:00:00Z"),
            )
        ),
        base.state,
    )


_NO_TIMES = ("", "now", "2026-11-30", "2026-11-30T24:00:00Z", "2026-02-31T00:00:00", "2026-11-30T18:0\n:00Z", "0")


@REMIT
def a_time_or_name_that_is_none(base: Base, luck: Random) -> Mutant | None:
    """Call the run, or its moment, by what the vault does not spell so."""
    if luck.random() < 0.5:
        at = luck.choice(_NO_TIMES)
        return base.with_bodies(base.bodies, at=at)
    name = base.run.run
    forged = (
        "",
        "r-1",
        "../r",
        f"{name}\n- 2026-01-01 00:00Z r-20260101T000000Z-0000: +1 fact",
        f"{name} ^f-0000000000",
        f"{name}: +9 facts",
        name.upper(),
        f"{name}x\u202e",
        "r-20261399T000000Z-0000",
    )
    return base.with_bodies(base.bodies, name=luck.choice(forged))


@REMIT
def events_counted_wrongly(base: Base, luck: Random) -> Mutant | None:
    """Chain the run's events in another order, without the last, with one twice, or with a broken seal."""
    events = list(base.run.events)
    place = luck.randrange(len(events))
    match luck.randrange(6):
        case 0:
            del events[place]
        case 1:
            events.insert(place, events[place])
        case 2:
            events[place] = replace(events[place], body=None)
        case 3:
            events[place] = replace(events[place], hash=f"{luck.getrandbits(256):064x}")
        case 4:
            events[place] = replace(events[place], digest=f"{luck.getrandbits(256):064x}")
        case _:
            events[place] = replace(
                events[place], salt=f"{luck.getrandbits(64):016x}", n=events[place].n + luck.randint(0, 1)
            )
    return Mutant(replace(base.run, events=tuple(events)), base.state)


# Bounds


@REMIT
def a_bound_just_below(base: Base, luck: Random) -> Mutant | None:
    """Judge a run by settings that allow just less than it has; how much a revert does has no bound."""
    unbound = ("events", "edits") if base.run.kind is RunKind.REVERT else ()
    sizes = [size for size in _sizes(base) if size[0] not in unbound]
    name, size = luck.choice(sizes)
    if size < 1:
        return None
    bounds = replace(Limits(), **{name: luck.randint(0, size - 1)})
    return Mutant(base.run, replace(base.state, limits=bounds), f"{name} {getattr(bounds, name)}")


def _sizes(base: Base) -> list[tuple[str, int]]:
    """Return what each bound would have to be."""
    statements = [body.statement for _, body in base.stated]
    texts = [stated.text for stated in statements]
    pieces = [piece for stated in statements for piece in stated.evidence]
    events = sum(type(body).__name__ != "FactClosed" for body in base.bodies)
    return [
        ("events", events),
        ("edits", sum(type(edit).__name__ != "RemoveFact" for edit in base.run.plan.edits)),
        ("page_bytes", max((len(data) for data in base.run.after.values()), default=0)),
        ("text_bytes", max((len(text.encode()) for text in texts), default=0)),
        ("value_bytes", max((len(stated.value.encode()) for stated in statements), default=0)),
        ("name_bytes", max((len(stated.attribute.encode()) for stated in statements), default=0)),
        ("quotes", max((len(stated.evidence) for stated in statements), default=0)),
        ("quote_bytes", max((piece.end - piece.start for piece in pieces), default=0)),
    ]


@REMIT
def too_long_by_a_byte(base: Base, luck: Random) -> Mutant | None:
    """Write a text, a value, a name or a section that is longer than allowed."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None:
        return None
    stated, bounds = body.statement, base.state.limits
    room = bounds.text_bytes - len(stated.text.encode())
    changes: tuple[dict[str, object], ...] = (
        {"text": f"{stated.text} {'y' * (room + luck.randint(0, 9))}"},
        {"section": "S" * (bounds.name_bytes + luck.randint(1, 9))},
        {"evidence": stated.evidence * (bounds.quotes + 1)},
    )
    change = luck.choice(changes)
    return base.replaced(place, restated(body, **change))
