"""What a run about pages may do, event by event: also of events that no ledger would take, where nothing is raised."""

from dataclasses import replace

from tests.builders import page_changed, prose_changed, statement
from tests.gates.test_merge import (
    ALICE,
    ALLY,
    BLOCK,
    ENDED,
    GUESS,
    HERS,
    SAME,
    THEIRS,
    TWIN,
    names,
    quote,
    told,
    world_of,
)
from tests.mutants.base import statement_of
from tests.world import World
from xysq.gates.merge import beyond_merge, names_fault
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, PageChanged, PageOp, ProseOp, RunKind
from xysq.model.fact import CloseReason, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import Plan

NOBODY, UNKNOWN = Slug("nobody"), FactId("f-0000000099")
MERGES = page_changed("ally", op=PageOp.MERGE, title="Alice", into=ALICE)
NO_WORDS = "is confirmed by words of no fact that is merged into it"
NO_PAGE = "states what no page that is merged here says"
NO_MERGE = "changes prose that no merge moves"
LOST = "takes out prose that the other page does not get"
NOT_MERGED = "is closed as merged, and its page is not merged into that of its cause"


def beyond(world: World, body: Body, *others: Body) -> str | None:
    """Return what an event of a run about pages does that it may not; the run has others behind it."""
    run = world.candidate(Plan(edits=(), events=(body, *others)), kind=RunKind.PAGE)
    found = beyond_merge(run.events[1], world.story.fold, run, world.state)
    return None if found is None else found.sentence


def removal(block: str, page: Slug = ALLY) -> Body:
    return prose_changed("", page=page, block=BlockId(block), op=ProseOp.REMOVE, after="")


# Names


def test_a_name_that_a_page_had_already_may_be_anothers_too() -> None:
    world = world_of()
    world.story.commit(page_changed("alistair", title="Alistair", aliases=(Alias(name="Al"),)))
    assert told(world, names("ally", "Ally", "Al")) == []
    assert told(world, names("bob", "Bob", "Al")) != []


def test_of_a_page_that_is_none_a_name_is_judged_as_of_a_new_one() -> None:
    world = world_of()
    assert names_fault(names("nobody", "Eve"), world.story.fold, frozenset()) is None
    assert (
        names_fault(names("nobody", "Alice"), world.story.fold, frozenset()) == "goes by 'Alice', as page 'alice' does"
    )
    borrowed = replace(names("nobody", "Eve"), aliases=(Alias(name="E", evidence=(quote(world, 1),)),))
    assert beyond(world, borrowed) == "gets a name in words nobody gave it by"


def test_a_name_keeps_the_words_it_was_given_by_also_through_a_merge() -> None:
    world = world_of()
    given = Alias(name="Liss", evidence=(quote(world, 1),))
    world.story.commit(page_changed("eve", title="Eve", aliases=(given,)))
    kept = replace(names("eve", "Eve Stone"), aliases=(given, Alias(name="Eve")))
    assert told(world, kept) == []
    taken = replace(names("alice", "Alice"), aliases=(given, Alias(name="eve"), Alias(name="Eve")))
    assert beyond(world, taken) == "gets a name in words nobody gave it by"
    assert beyond(world, taken, page_changed("eve", op=PageOp.MERGE, title="Alice", into=ALICE)) is None
    other = replace(taken, page=Slug("bob"), title="Bob")
    away = page_changed("eve", op=PageOp.MERGE, title="Alice", into=ALICE)
    assert beyond(world, other, away) == "gets a name in words nobody gave it by"


def test_a_run_names_one_page() -> None:
    world = world_of()
    one, other = names("bob", "Bob", "Rob"), names("alice", "Alice", "Lissy")
    assert told(world, one, other) == ["is named beside page 'bob', and a run names one"]
    assert told(world, one, names("bob", "Bob", "Rob", "Bobby")) == []
    away = page_changed("bob", op=PageOp.MERGE, title="Alice", into=ALICE)
    run = world.candidate(Plan(edits=(), events=(away, other)), kind=RunKind.PAGE)
    assert beyond_merge(run.events[2], world.story.fold, run, world.state) is None


def test_a_page_is_merged_into_one_that_is_there() -> None:
    world = world_of()
    fault = "is merged into a page that does not go by its slug"
    assert beyond(world, replace(MERGES, into=NOBODY)) == fault
    assert beyond(world, replace(MERGES, into=None)) == fault


# Facts


def test_a_conclusion_falls_by_the_engine_with_a_premise_of_its_own() -> None:
    world = world_of()
    falls = FactClosed(fact=GUESS, reason=CloseReason.PREMISE_CLOSED, cause=THEIRS, by="engine")
    assert beyond(world, falls) is None
    for forged in (replace(falls, by="user"), replace(falls, cause=HERS), replace(falls, evidence=(quote(world, 1),))):
        assert beyond(world, forged) == f"is closed in the name of {forged.by!r}"
    assert beyond(world, replace(falls, fact=UNKNOWN)) is None  # unlawful: refused as that


def test_a_fact_is_merged_into_one_that_says_the_same_or_has_ended() -> None:
    world = world_of()
    merged = FactClosed(fact=FactId("f-0000000006"), reason=CloseReason.MERGED, cause=SAME, by="user")
    assert beyond(world, merged, MERGES) is None
    assert beyond(world, replace(merged, evidence=(quote(world, 1),)), MERGES) == NOT_MERGED
    assert beyond(world, replace(merged, cause=ENDED), MERGES) is None
    assert beyond(world, replace(merged, cause=HERS), MERGES) == f"is closed as merged, and {HERS} says something else"
    assert beyond(world, merged) == NOT_MERGED


def test_a_fact_is_confirmed_by_the_words_of_one_that_says_the_same() -> None:
    world = world_of()
    twin, other = world.story.fold.fact(FactId("f-0000000006")), world.story.fold.fact(FactId("f-0000000007"))
    assert twin is not None
    assert other is not None
    assert beyond(world, Confirmed(fact=SAME, evidence=twin.evidence), MERGES) is None
    assert beyond(world, Confirmed(fact=HERS, evidence=twin.evidence), MERGES) == NO_WORDS
    assert beyond(world, Confirmed(fact=SAME, evidence=other.evidence), MERGES) == NO_WORDS
    assert beyond(world, Confirmed(fact=SAME, evidence=twin.evidence)) == NO_WORDS
    assert beyond(world, Confirmed(fact=UNKNOWN, evidence=twin.evidence), MERGES) == NO_WORDS


def test_only_open_facts_of_the_page_that_goes_are_carried_and_only_to_where_it_goes() -> None:
    world = world_of()
    maps = world.story.fold.fact(FactId("f-0000000007"))
    assert maps is not None
    theirs = Asserted(statement=statement_of(maps, fact=FactId("f-00000000a1"), page=ALICE))
    assert beyond(world, theirs, MERGES) is None
    assert beyond(world, replace(theirs, statement=replace(theirs.statement, page=Slug("bob"))), MERGES) == NO_PAGE
    world.story.page("ally").close(FactId("f-0000000007"))
    world.story.page("ally").close(GUESS)
    assert beyond(world, theirs, MERGES) == NO_PAGE


def test_a_conclusion_is_carried_with_its_premise_or_what_carries_that() -> None:
    world = world_of()
    rain = world.story.fold.fact(GUESS)
    assert rain is not None
    base = statement(rain.value, fact=FactId("f-00000000a1"), page=ALICE, attribute=rain.attribute)
    carried = replace(base, text=rain.text, section=rain.section, single=rain.single, label=Label.INFERRED, evidence=())
    assert beyond(world, Asserted(statement=replace(carried, derived_from=(THEIRS,))), MERGES) is None
    moved = Asserted(statement=replace(carried, derived_from=(HERS,)))
    assert beyond(world, moved, MERGES) == NO_PAGE
    world.story.page("ally").close(THEIRS, CloseReason.RETRACTED, cause=HERS)
    assert beyond(world, moved, MERGES) == NO_PAGE
    again = world_of()
    again.story.page("ally").close(THEIRS, CloseReason.MERGED, cause=HERS)
    assert beyond(again, moved, MERGES) is None
    lost = world_of()
    assert beyond(lost, Asserted(statement=replace(carried, derived_from=(UNKNOWN,))), MERGES) == NO_PAGE


# Prose


def test_prose_that_goes_stands_on_the_page_it_is_merged_into() -> None:
    world = world_of()
    assert beyond(world, removal(BLOCK), MERGES) == LOST
    world.story.page("alice").prose(BlockId("b-0000000009"), "She is KIND.")
    assert beyond(world, removal(BLOCK), MERGES) is None
    assert beyond(world, removal(TWIN), MERGES) == LOST
    assert beyond(world, removal("b-0000000077"), MERGES) == LOST
    assert beyond(world, removal(BLOCK)) == NO_MERGE
    assert beyond(world, removal(BLOCK), replace(MERGES, into=NOBODY)) == LOST
    gone = page_changed("nobody", op=PageOp.MERGE, title="Alice", into=ALICE)
    assert beyond(world, removal(BLOCK, NOBODY), gone) == LOST


def test_prose_that_goes_is_written_by_the_run_on_that_page_and_on_no_other() -> None:
    world = world_of()
    written = prose_changed("Mine.", page=ALICE, block=BlockId("b-0000000009"), origin=Origin.YOURS)
    assert beyond(world, removal(TWIN), MERGES, written) is None
    assert beyond(world, removal(TWIN), MERGES, replace(written, page=Slug("bob"))) == LOST
    assert beyond(world, removal(TWIN), MERGES, replace(written, op=ProseOp.REPLACE)) == LOST


def test_a_drafters_words_may_have_been_ended_there_and_a_persons_may_not() -> None:
    world = world_of()
    alice = world.story.page("alice")
    for number, text in enumerate(("She is kind.", "Mine.")):
        alice.assert_(FactId(f"f-00000000b{number}"), text.split()[-1].rstrip("."), text=text)
        alice.close(FactId(f"f-00000000b{number}"))
    assert beyond(world, removal(BLOCK), MERGES) is None
    assert beyond(world, removal(TWIN), MERGES) == LOST


def test_prose_comes_only_to_the_page_that_stays() -> None:
    world = world_of()
    come = prose_changed("She is kind.", page=ALICE, block=BlockId("b-0000000009"))
    assert beyond(world, come, MERGES) is None
    for wrong in (replace(come, page=ALLY), replace(come, page=Slug("bob")), replace(come, op=ProseOp.REPLACE)):
        assert beyond(world, wrong, MERGES) == NO_MERGE
    assert beyond(world, come, page_changed("nobody", op=PageOp.MERGE, title="Alice", into=ALICE)) == NO_MERGE


def test_a_run_that_only_names_a_page_leaves_its_prose() -> None:
    world = world_of()
    assert beyond(world, removal(BLOCK), names("ally", "Ally", "Lee")) == NO_MERGE


def test_nothing_is_said_of_a_page_that_goes_by_the_slug() -> None:
    world = world_of()
    world.story.commit(names("alice", "Alice", "ally"), kind=RunKind.PAGE)
    assert isinstance(MERGES, PageChanged)
    assert beyond(world, MERGES) is None
