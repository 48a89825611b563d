"""The gates about bounds: the base is fresh, the chain is whole, nothing is larger than allowed."""

from dataclasses import replace

import pytest

from tests.archive import turn
from tests.builders import evidence, prose_changed, statement
from tests.world import World, drafted
from xysq.gates.bounds import fresh_base, limits
from xysq.ledger.line import chain
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, Head, PageChanged, PageOp, RunBegun
from xysq.model.fact import CloseReason, FactId, RunId, Slug
from xysq.model.page import Alias, Origin
from xysq.model.plan import Edit, InsertFact, Plan, ProseEdit, RemoveFact
from xysq.model.run import Candidate
from xysq.model.settings import Limits
from xysq.model.state import State

OLD = FactId("f-0000000001")


def good() -> tuple[Candidate, State]:
    world = World()
    world.tell(turn("I live in Boston."))
    return world.candidate(world.plan(drafted()).plan), world.state


def test_a_run_on_the_present_end_is_fresh() -> None:
    assert fresh_base(*good()) == ()


def test_a_run_on_another_end_is_not() -> None:
    run, state = good()
    (refusal,) = fresh_base(replace(run, base=Head(n=run.base.n, hash="f" * 64)), state)
    assert (refusal.gate, refusal.expected) == ("fresh-base", f"{run.base.n} {run.base.hash}")


@pytest.mark.parametrize(
    "at", ["", "now", "2026-11-30", "2026-11-30T18:04:00", "2026-13-01T00:00:00Z", "2026-11-30T18:0\n:00Z"]
)
def test_a_time_that_is_no_moment_is_refused(at: str) -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.plan(drafted()).plan
    assert [refusal.sentence for refusal in fresh_base(world.candidate(planned, at=at), world.state)] == [
        "its time is no moment as the vault spells them"
    ]
    assert fresh_base(world.candidate(planned, at="2031-01-01T00:00:00Z"), world.state) == ()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "r-1",
        "../r-20261130T181000Z-aaaa",
        "r-20261130T181000Z-AAAA",
        "r-20261130T181000Z-aaaaa",
        "r-20261399T181000Z-aaaa",
        "r-20261130T181000Z-aaaa: +9 facts",
        "r-20261130T181000Z-aaaa\n- 2026-01-01 00:00Z r-20260101T000000Z-0000: +1 fact",
    ],
)
def test_a_run_under_a_forged_name_is_refused(name: str) -> None:
    run, state = good()
    for forged, is_refused in ((name, True), ("r-20261130T181000Z-aaaa", False)):
        other = replace(run, run=RunId(forged))
        begun = run.events[0].body
        assert isinstance(begun, RunBegun)
        bodies = (replace(begun, run=RunId(forged)), *run.plan.events)
        events = chain(run.base, run.at, RunId(forged), bodies, [event.salt for event in run.events])
        sentences = [refusal.sentence for refusal in fresh_base(replace(other, events=events), state)]
        assert sentences == (["it goes by no name of a run"] if is_refused else [])


def test_a_run_planned_before_another_landed_is_not() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    run = world.candidate(world.plan(drafted()).plan)
    world.story.page("bob", "Bob")
    assert fresh_base(run, world.state)
    assert fresh_base(world.candidate(world.plan(drafted()).plan), world.state) == ()


@pytest.mark.parametrize(
    "tamper",
    [
        lambda run: replace(run, events=run.events[1:]),
        lambda run: replace(run, events=run.events[:-1]),
        lambda run: replace(run, events=()),
        lambda run: replace(run, events=(run.events[0], *run.events)),
        lambda run: replace(run, run=RunId("r-other")),
        lambda run: replace(run, drafter="someone"),
        lambda run: replace(run, at="2031-01-01T00:00:00Z"),
        lambda run: replace(run, events=(*run.events[:-1], replace(run.events[-1], hash="0" * 64))),
        lambda run: replace(run, events=(*run.events[:-1], replace(run.events[-1], digest="0" * 64))),
        lambda run: replace(run, events=(*run.events[:-1], replace(run.events[-1], salt="ß"))),
        lambda run: replace(run, events=(*run.events[:-1], replace(run.events[-1], body=None))),
        lambda run: replace(run, events=(*run.events[:-1], replace(run.events[-1], n=99))),
        lambda run: replace(run, events=tuple(reversed(run.events))),
    ],
)
def test_events_that_are_not_one_sealed_run_are_refused(tamper: object) -> None:
    run, state = good()
    assert fresh_base(tamper(run), state)  # type: ignore[operator]


def refused(*bodies: Body, edits: tuple[Edit, ...] = (), bounds: Limits | None = None) -> list[str]:
    world = World(limits=bounds or Limits())
    world.story.page("alice", "Alice").assert_(OLD, "Boston")
    run = world.candidate(Plan(edits=edits, events=bodies))
    return [refusal.sentence.removeprefix("too much: ") for refusal in limits(run, world.state)]


ASSERT = Asserted(statement=statement("tea", fact=FactId("f-00000000a1"), text="Tea.", evidence=(evidence("tea"),)))
INSERT = InsertFact(page=Slug("alice"), fact=FactId("f-00000000a1"), section="", text="Tea.")
PROSE = prose_changed("She is kind.")
NAMES = PageChanged(
    page=Slug("alice"), op=PageOp.META, title="Alice", kind="person", aliases=(Alias(name="Al"), Alias(name="Ali"))
)
CLOSE = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=(evidence("no"),))


@pytest.mark.parametrize(
    ("body", "bound", "most", "what"),
    [
        (ASSERT, "events", 1, "events"),
        (ASSERT, "text_bytes", 4, "bytes of text"),
        (ASSERT, "value_bytes", 3, "bytes of the value"),
        (ASSERT, "quotes", 1, "quotes"),
        (ASSERT, "quote_bytes", 3, "bytes of a quote"),
        (ASSERT, "name_bytes", 4, "bytes of the attribute"),
        (CLOSE, "quote_bytes", 2, "bytes of a quote"),
        (Confirmed(fact=OLD, evidence=(evidence("so"),)), "quote_bytes", 2, "bytes of a quote"),
        (PROSE, "text_bytes", 12, "bytes of text"),
        (NAMES, "aliases", 2, "aliases"),
        (NAMES, "name_bytes", 6, "bytes of a name"),
    ],
)
def test_what_is_at_its_bound_passes_and_what_is_over_it_does_not(body: Body, bound: str, most: int, what: str) -> None:
    assert refused(body, bounds=replace(Limits(), **{bound: most})) == []
    assert what in refused(body, bounds=replace(Limits(), **{bound: most - 1}))


def test_edits_pages_and_edited_texts_are_bounded_too() -> None:
    assert refused(ASSERT, edits=(INSERT,)) == []
    assert "edits" in refused_with_edits(0)
    assert "bytes of the page" in refused(ASSERT, bounds=Limits(page_bytes=10))
    assert "bytes of text" in refused(edits=(replace(INSERT, text="x" * 5000),))
    prose = ProseEdit(page=PROSE.page, op=PROSE.op, block=PROSE.block, text="x" * 5000, after="end")
    assert "bytes of text" in refused(edits=(prose,))


def refused_with_edits(most: int) -> list[str]:
    world = World(limits=Limits(edits=most))
    run = world.candidate(Plan(edits=(INSERT,), events=()))
    return [refusal.sentence.removeprefix("too much: ") for refusal in limits(run, world.state)]


def test_a_block_of_the_users_own_may_be_as_long_as_a_page() -> None:
    long = prose_changed("x" * 5000)
    edit = ProseEdit(page=long.page, op=long.op, block=long.block, text=long.text, after="end")
    assert refused(long, edits=(edit,)) == ["bytes of text", "bytes of text"]
    assert refused(replace(long, origin=Origin.YOURS), edits=(edit,)) == []


def test_what_the_engine_closes_is_not_counted() -> None:
    edit = RemoveFact(page=Slug("alice"), fact=OLD)
    engines = replace(CLOSE, reason=CloseReason.CORRECTED, evidence=())
    assert refused(engines, edits=(edit,), bounds=Limits(events=0)) == []
    assert "events" in refused(CLOSE, edits=(edit,), bounds=Limits(events=0))
    assert refused(engines, edits=(edit,), bounds=Limits(edits=0)) == []
    assert "edits" in refused(CLOSE, edits=(edit,), bounds=Limits(edits=0))
    assert refused(engines, ASSERT, edits=(edit, INSERT), bounds=Limits(events=1, edits=1)) == []
    assert "edits" in refused(engines, ASSERT, edits=(edit, INSERT), bounds=Limits(edits=0))


def test_no_run_begins_inside_another() -> None:
    run, state = good()
    begun = run.events[0].body
    assert isinstance(begun, RunBegun)
    salts = [*(event.salt for event in run.events), "0"]
    for bodies in ((begun, begun, *run.plan.events), (begun, *run.plan.events, begun)):
        counted = (replace(begun, events=len(bodies) - 1), *bodies[1:])
        doubled = replace(run, events=chain(run.base, run.at, run.run, counted, salts))
        assert "counts" in fresh_base(doubled, state)[0].sentence


def test_an_event_without_a_body_has_no_size() -> None:
    world = World(limits=Limits(events=1))
    run = world.candidate(Plan(edits=(), events=(ASSERT,)))
    emptied = replace(run, events=(*run.events, replace(run.events[-1], body=None)))
    assert limits(emptied, world.state) == ()
