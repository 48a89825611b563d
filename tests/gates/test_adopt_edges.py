"""What an adoption may do, event by event: also of events that no ledger would take, where nothing is raised."""

from dataclasses import replace

from tests.archive import user
from tests.builders import page_changed, prose_changed
from tests.gates.test_adopt import GUESS, NEW, OLD, OTHER, TYPED, closing, quote, stated, told, world_of
from tests.world import World
from xysq.gates.adopt import beyond_adopt
from xysq.model.event import Asserted, Body, Confirmed, PageOp, RunKind, SupersededBy
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import Alias, Origin
from xysq.model.plan import Plan
from xysq.model.source import Channel

UNKNOWN = FactId("f-0000000099")
NOT_TYPED = "rests on words that were not typed into the page"
ELSEWHERE = "is on another page than the one that was edited"
BESIDE = "is stated beside the others by an adoption"


def beyond(world: World, body: Body, *before: Body) -> tuple[str, str, str] | None:
    """Return page, anchor and sentence of what an event of an adoption does that it may not; others come before it."""
    run = world.candidate(Plan(edits=(), events=(*before, body)), kind=RunKind.ADOPT)
    found = beyond_adopt(run.events[-1], world.story.fold, run, world.state)
    return None if found is None else (found.page, found.anchor, found.sentence)


def test_what_is_wrong_with_an_event_is_told_before_where_it_is() -> None:
    world = world_of()
    beside = Asserted(statement=stated(world, page=Slug("bob"), attribute="x", single=False))
    assert beyond(world, beside, closing(world)) == ("bob", NEW, BESIDE)


def test_a_statement_too_is_on_the_page_that_was_edited() -> None:
    world = world_of()
    moved = SupersededBy(statement=stated(world, page=Slug("bob"), attribute="note", single=False), supersedes=OTHER)
    assert beyond(world, moved, closing(world)) == ("bob", NEW, ELSEWHERE)
    assert beyond(world, moved) is None
    assert beyond(world, closing(world), moved) == ("alice", OLD, ELSEWHERE)


def test_of_facts_that_are_none_nothing_is_said_here() -> None:
    world = world_of()
    assert beyond(world, closing(world, UNKNOWN)) is None
    fallen = closing(world, UNKNOWN, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    assert beyond(world, fallen) is None
    assert beyond(world, Confirmed(fact=UNKNOWN, evidence=(quote(world),))) is None
    assert beyond(world, closing(world), closing(world, UNKNOWN)) is None


def test_a_fact_is_closed_in_words_that_were_typed_or_in_none() -> None:
    world = world_of()
    assert beyond(world, closing(world, evidence=(quote(world, 2),))) is None
    said = replace(quote(world, 2), channel=Channel.CLI)
    assert beyond(world, closing(world, evidence=(said,))) == ("alice", OLD, NOT_TYPED)
    assert beyond(world, closing(world, evidence=(quote(world, 2), said))) == ("alice", OLD, NOT_TYPED)


def test_what_falls_first_does_not_tell_which_page_was_edited() -> None:
    world = world_of()
    fallen = closing(world, GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    assert told(world, fallen, closing(world)) == []


def test_prose_may_be_made_of_any_of_the_rows_and_of_an_empty_part() -> None:
    world = world_of()
    world.also(user("She rows."), source="second")
    one, other = world.rows
    prose = prose_changed("Mine.", block=TYPED, origin=Origin.YOURS)
    for row in (one, other, replace(one, end=one.start), replace(one, start=one.end)):
        assert beyond(world, replace(prose, rows=(row,))) is None
    assert beyond(world, replace(prose, rows=(one, other))) is None
    wrong = replace(other, end=other.end + 1)
    assert beyond(world, replace(prose, rows=(one, wrong))) is not None


def test_a_name_keeps_the_words_it_was_given_by() -> None:
    world = world_of()
    given = Alias(name="Liss", evidence=(quote(world),))
    world.story.commit(page_changed("eve", title="Eve", aliases=(given,)))
    kept = page_changed("eve", op=PageOp.META, title="Eve", aliases=(given, Alias(name="E")))
    assert beyond(world, kept) is None
    borrowed = "gets a name in words nobody gave it by"
    assert beyond(world, replace(kept, page=Slug("alice"), title="Alice")) == ("alice", "", borrowed)
    assert beyond(world, replace(kept, page=Slug("nobody"), title="Nobody")) == ("nobody", "", borrowed)
    assert beyond(world, page_changed("nobody", op=PageOp.META, title="Nobody")) is None
