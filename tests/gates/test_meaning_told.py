"""The gates about meaning, to the letter: whose place a refusal names, what it shows, and the edges of each rule."""

from dataclasses import replace

import pytest

from tests.archive import turn
from tests.builders import statement
from tests.world import World
from xysq.gates import Gate
from xysq.gates.meaning import lineage, one_value, returned, verbatim
from xysq.model.draft import DraftQuote
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, PageChanged, PageOp, RunKind, Statement
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Alias
from xysq.model.plan import Plan
from xysq.model.source import SourceId
from xysq.planner.quote import Quoting

EARLY, LATE = "2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"
OLD, NEW, MORE = FactId("f-0000000001"), FactId("f-00000000a1"), FactId("f-00000000a2")
ALICE = Slug("alice")


def world_of(*texts: str) -> World:
    world = World()
    world.story.page("alice", "Alice")
    world.tell(
        *(turn(text, at=at) for text, at in zip(texts or ("I live in Boston.",), (EARLY, LATE, LATE), strict=False))
    )
    return world


def quote(world: World, number: int = 1) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def stating(world: World, fact: FactId = NEW, value: str = "Boston", **changes: object) -> Statement:
    base = statement(value, fact=fact, page=ALICE, attribute="location", single=True, evidence=(quote(world),))
    return replace(base, **changes)  # type: ignore[arg-type]


def told(
    gate: Gate, world: World, *bodies: Body, kind: RunKind = RunKind.DISTILL
) -> list[tuple[str, str, str, str, str]]:
    found = gate(world.candidate(Plan(edits=(), events=bodies), kind=kind), world.state)
    return [(r.page, r.anchor, r.sentence, r.expected, r.found) for r in found]


def known(world: World, **changes: object) -> None:
    """Let Alice have a fact that is proven by her first words."""
    fields: dict[str, object] = {"evidence": (quote(world),), "attribute": "location", "single": True}
    world.story.page("alice").assert_(OLD, "Boston", **fields | changes)


def test_a_misquote_shows_what_the_log_says() -> None:
    world = world_of()
    piece = quote(world)
    forged = replace(piece, quote="I live in Berlin.")
    sentence = f"quotes what is not at {piece.cited}:{piece.start}-{piece.end}"
    for label in Label:
        refusals = told(verbatim, world, Asserted(statement=stating(world, label=label, evidence=(piece, forged))))
        assert refusals == [(ALICE, NEW, sentence, "I live in Boston.", "I live in Berlin.")]


@pytest.mark.parametrize(
    "change", [{"start": -9}, {"version": 0}, {"source": SourceId("../x")}, {"start": 9_000, "end": 9_001}]
)
def test_a_place_that_is_none_is_not_looked_at(change: dict[str, object]) -> None:
    world = world_of()
    forged = replace(quote(world), **change)  # type: ignore[arg-type]
    (refusal,) = told(verbatim, world, Asserted(statement=stating(world, label=Label.INFERRED, evidence=(forged,))))
    assert refusal[3:] == ("", "I live in Boston.")


def test_confirmations_and_closings_are_told_by_their_page_and_fact() -> None:
    world = world_of("I live in Boston.", "It rains here.")
    known(world)
    wrong = replace(quote(world), quote="No.")
    place = (ALICE, OLD)
    closing = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=(wrong,))
    assert [refusal[:2] for refusal in told(verbatim, world, closing)] == [place]
    assert [refusal[:2] for refusal in told(verbatim, world, Confirmed(fact=OLD, evidence=(wrong,)))] == [place, place]
    rain = (quote(world, 2),)
    sentence = "is confirmed by quotes that do not hold its value"
    assert told(verbatim, world, Confirmed(fact=OLD, evidence=rain)) == [(*place, sentence, "", "")]
    assert told(verbatim, world, Confirmed(fact=OLD, evidence=(*rain, quote(world)))) == []


def test_a_fact_of_the_run_itself_is_confirmed_by_its_value_too() -> None:
    world = world_of("I live in Boston.", "It rains here.")
    new = Asserted(statement=stating(world))
    rain = Confirmed(fact=NEW, evidence=(quote(world, 2),))
    assert [refusal[:2] for refusal in told(verbatim, world, new, rain)] == [(ALICE, NEW)]
    assert told(verbatim, world, new, replace(rain, evidence=(quote(world),))) == []


def test_an_inferred_fact_needs_its_value_in_no_quote_whatever_happens_to_it() -> None:
    world = world_of("I live in Boston.", "It rains here.")
    known(world, label=Label.INFERRED)
    guess = stating(world, value="Berlin", label=Label.INFERRED)
    assert told(verbatim, world, Asserted(statement=guess)) == []
    assert told(verbatim, world, LearnedLate(statement=guess, superseded_by=OLD)) == []
    assert told(verbatim, world, Confirmed(fact=OLD, evidence=(quote(world, 2),))) == []
    stated = replace(guess, label=Label.STATED)
    assert len(told(verbatim, world, LearnedLate(statement=stated, superseded_by=OLD))) == 1


def test_no_fact_is_confirmed_by_the_words_it_rests_on_already() -> None:
    world = world_of("I live in Boston.", "Yes, in Boston.")
    known(world)
    sentence = "is confirmed by words it rests on already"
    for again in ((quote(world),), (quote(world, 2), quote(world))):
        assert told(lineage, world, Confirmed(fact=OLD, evidence=again)) == [(ALICE, OLD, sentence, "", "")]
    assert told(lineage, world, Confirmed(fact=OLD, evidence=(quote(world, 2),))) == []


def test_facts_that_nobody_knows_are_left_to_the_other_gates() -> None:
    world = world_of()
    nobody = FactId("f-00000000zz")
    assert told(verbatim, world, Confirmed(fact=nobody, evidence=(quote(world),))) == []
    wrong = replace(quote(world), quote="No.")
    closing = FactClosed(fact=nobody, reason=CloseReason.REVERTED, cause="x", by="user", evidence=(wrong,))
    assert [refusal[0] for refusal in told(verbatim, world, closing, kind=RunKind.REVERT)] == [""]


def test_only_new_aliases_are_asked_for_their_words() -> None:
    world = world_of()
    old = Alias(name="Ali", evidence=(replace(quote(world), quote="Call me Ali."),))
    change = PageChanged(page=ALICE, op=PageOp.META, title="Alice", kind="person", aliases=(old,))
    assert len(told(verbatim, world, change)) == 1
    world.story.commit(change)
    more = Alias(name="Al", evidence=(replace(quote(world), quote="Call me Al."),))
    assert told(verbatim, world, change) == []
    assert len(told(verbatim, world, replace(change, aliases=(old, more)))) == 1


def test_what_a_revert_revives_was_proven_before_wherever_it_stands() -> None:
    world = world_of()
    misheard = replace(quote(world), speaker="Somebody")  # a later reader may hear another speaker
    known(world, evidence=(misheard,))
    world.story.page("alice").close(OLD)
    world.story.page("bob", "Bob")
    back = stating(world, page=Slug("bob"), revives=OLD, evidence=(misheard,))
    assert told(verbatim, world, Asserted(statement=back), kind=RunKind.REVERT) == []
    assert len(told(verbatim, world, Asserted(statement=back))) == 1
    assert len(told(verbatim, world, Asserted(statement=replace(back, revives=None)), kind=RunKind.REVERT)) == 1


def test_an_attribute_in_disguise_is_told_as_it_should_be() -> None:
    world = world_of()
    many = Asserted(statement=stating(world, single=False))
    assert told(one_value, world, many) == [
        (ALICE, NEW, "its attribute is not as the schema has it", "location: one value", "location: many values")
    ]
    run = world.candidate(Plan(edits=(), events=(many,)))
    assert one_value(run, replace(world.state, schema=None)) == ()
    assert told(one_value, world, many, kind=RunKind.CORRECT) == []


def test_two_values_are_told_by_page_and_number() -> None:
    world = world_of()
    known(world)
    second = Asserted(statement=stating(world, value="Berlin"))
    assert told(one_value, world, second) == [(ALICE, "", "'location' takes one value", "1", "2")]


def test_what_is_stated_without_anything_is_no_question_of_lineage() -> None:
    world = world_of()
    bare = stating(world, evidence=())
    assert told(lineage, world, Asserted(statement=bare)) == []
    guess = replace(bare, label=Label.INFERRED)
    assert told(lineage, world, Asserted(statement=guess)) == [(ALICE, NEW, "is inferred from nothing", "", "Boston")]
    assert told(lineage, world, Asserted(statement=replace(guess, evidence=(quote(world),)))) == []


def test_words_at_a_place_that_is_none_are_no_new_words() -> None:
    world = world_of("I live in Boston.", "Boston it is.")
    known(world)
    world.story.page("alice").close(OLD)
    forged = replace(quote(world), source=SourceId("../x"), at="2030-01-01T00:00:00Z", quote="Boston is new.")
    back = stating(world, evidence=(quote(world), forged))
    sentence = f"brings {OLD} back without new words"
    assert told(returned, world, Asserted(statement=back)) == [(ALICE, NEW, sentence, "", "Boston")]
