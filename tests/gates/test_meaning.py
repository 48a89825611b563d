"""The gates about meaning: a refusing run, and beside it the accepting one."""

from dataclasses import replace

import pytest

from tests.archive import assistant, turn, user
from tests.builders import statement
from tests.world import NOW, World, drafted, inferred
from xysq.gates import Gate
from xysq.gates.meaning import lineage, one_value, returned, verbatim
from xysq.model.draft import DraftQuote
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import Plan
from xysq.model.schema import Attribute, Schema
from xysq.model.source import Channel, Encoding, Role, SourceId
from xysq.planner.quote import Quoting

EARLY, LATE = "2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"
OLD, NEW, MORE = FactId("f-0000000001"), FactId("f-00000000a1"), FactId("f-00000000a2")
ALICE = Slug("alice")


def world_of(*turns: str) -> World:
    """Return a world with Alice's page and these turns of hers, all said early."""
    world = World()
    world.story.page("alice", "Alice")
    world.tell(*(turn(text, at=EARLY) for text in turns or ("I live in Boston.",)))
    return world


def quote(world: World, number: int = 1, text: str | None = None) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number, text=text))
    assert isinstance(found, Evidence)
    return found


def stating(world: World, fact: FactId = NEW, value: str = "Boston", **changes: object) -> Statement:
    base = statement(value, fact=fact, page=ALICE, attribute="location", single=True, evidence=(quote(world),))
    return replace(base, **changes)  # type: ignore[arg-type]


def refused(gate: Gate, world: World, *bodies: Body, kind: RunKind = RunKind.DISTILL) -> list[str]:
    """Return the sentences of a gate about a run of these events."""
    found = gate(world.candidate(Plan(edits=(), events=bodies), kind=kind), world.state)
    assert {refusal.gate for refusal in found} <= {gate.__name__.replace("_", "-")}
    return [refusal.sentence for refusal in found]


# The gate verbatim


def test_a_fact_with_its_words_in_the_log_is_verbatim() -> None:
    world = world_of()
    assert refused(verbatim, world, Asserted(statement=stating(world))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "I live in Berlin."},
        {"quote": "I live in Boston"},
        {"start": 1},
        {"end": 10_000},
        {"source": SourceId("20261130-zzzzzz")},
        {"source": SourceId("../../../etc/passwd")},
        {"version": 2},
        {"start": 30, "end": 20},
        {"enc": Encoding.JSON},
        {"enc": Encoding.TEXT},
        {"speaker": "Bob"},
        {"role": Role.USER},
        {"at": LATE},
        {"at": None},
        {"channel": Channel.ADOPT},
    ],
)
@pytest.mark.parametrize("label", list(Label))
def test_forged_evidence_is_refused_whatever_the_label(change: dict[str, object], label: Label) -> None:
    world = world_of()
    forged = replace(quote(world), **change)  # type: ignore[arg-type]
    assert refused(verbatim, world, Asserted(statement=stating(world, label=label, evidence=(forged,))))


def test_the_passage_number_is_only_a_hint() -> None:
    world = world_of()
    assert (
        refused(verbatim, world, Asserted(statement=stating(world, evidence=(replace(quote(world), passage=9),)))) == []
    )


def test_evidence_of_two_passages_in_one_range_is_refused() -> None:
    world = world_of("I live in Boston.", "It rains.")
    one, two = quote(world), quote(world, 2)
    log = next(iter(world.archive.logs.values()))
    both = replace(one, end=two.end, quote=log[one.start : two.end].decode())
    assert refused(verbatim, world, Asserted(statement=stating(world, evidence=(both,)))) == [
        "its quote lies in no passage of the log"
    ]


def test_a_range_that_cuts_an_escape_is_refused() -> None:
    world = World()
    world.story.page("alice", "Alice")
    world.tell(turn("C:\\new Boston", json=True))
    whole = quote(world)
    cut = replace(whole, start=whole.start + 4, quote="new Boston")
    assert world.archive.words(cut) == "new Boston"
    clean = replace(cut, start=cut.start)
    assert refused(verbatim, world, Asserted(statement=stating(world, evidence=(clean,)))) == []
    inside = replace(whole, start=whole.start + 3, quote="\new Boston")
    assert world.archive.words(inside) == inside.quote
    assert refused(verbatim, world, Asserted(statement=stating(world, evidence=(inside,)))) == [
        "its quote cuts a character or an escape"
    ]


def test_own_words_are_refused_as_evidence() -> None:
    world = World()
    world.story.page("alice", "Alice")
    world.tell(user("<xysq-recall>\nI live in Boston.\n</xysq-recall>\nNo, Boston."), turn("Boston.", own=True))
    span = world.passages[0].spans[0]
    begin = span.start + span.text.index("I live")
    good = quote(world, 1, "No, Boston.")
    stated = statement("Boston", fact=NEW, page=ALICE, evidence=(good,))
    fenced = replace(good, start=begin, end=begin + 17, quote="I live in Boston.")
    other = world.passages[1]
    own = replace(
        good, start=other.spans[0].start, end=other.spans[0].end, quote="Boston.", speaker="Alice", role=Role.PERSON
    )
    assert refused(verbatim, world, Asserted(statement=replace(stated, evidence=(good,)))) == []
    assert refused(verbatim, world, Asserted(statement=replace(stated, evidence=(fenced,)))) == [
        "its quote stands inside a block that recall printed"
    ]
    assert refused(verbatim, world, Asserted(statement=replace(stated, evidence=(own,)))) == [
        "its quote is what one of our own tools answered"
    ]


def test_a_stated_value_must_stand_in_its_quotes_and_an_inferred_one_need_not() -> None:
    world = world_of("I live by the sea.")
    assert refused(verbatim, world, Asserted(statement=stating(world)))
    assert refused(verbatim, world, Asserted(statement=stating(world, label=Label.INFERRED))) == []
    assert refused(verbatim, world, Asserted(statement=stating(world, evidence=())))


def test_a_stated_value_must_stand_in_words_that_no_correction_removed() -> None:
    world = world_of()
    stated = stating(world)
    world.archive.correct("talk", "Boston", "Berlin", "2026-12-01T00:00:00Z", [turn("I live in Boston.")])
    assert refused(verbatim, world, Asserted(statement=stated)) == [
        "is stated, and its value stands in no quote that stands"
    ]


def test_late_facts_confirmations_and_closings_are_held_to_their_words_too() -> None:
    world = world_of("I live in Boston.", "Boston it is.", "I love it there.")
    world.story.page("alice").assert_(OLD, "Boston", attribute="location", single=True, evidence=(quote(world),))
    false = replace(quote(world, 2), quote="Boston it was")
    assert refused(verbatim, world, Confirmed(fact=OLD, evidence=(quote(world, 2),))) == []
    assert refused(verbatim, world, Confirmed(fact=OLD, evidence=(false,)))
    assert refused(verbatim, world, Confirmed(fact=OLD, evidence=(quote(world, 3),))) == [
        "is confirmed by quotes that do not hold its value"
    ]
    late = LearnedLate(statement=stating(world, evidence=(quote(world, 2),)), superseded_by=OLD)
    assert refused(verbatim, world, late) == []
    assert refused(verbatim, world, replace(late, statement=stating(world, evidence=(quote(world, 3),))))
    close = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=(quote(world, 2),))
    assert refused(verbatim, world, close) == []
    assert refused(verbatim, world, replace(close, evidence=(false,)))


def test_prose_and_aliases_cite_what_is_there() -> None:
    world = world_of()
    false = replace(quote(world), quote="I live in Berlin.")
    prose = ProseChanged(
        page=ALICE,
        block=BlockId("b-0000000001"),
        op=ProseOp.INSERT,
        text="x",
        after="end",
        origin=Origin.DROPPED,
        quotes=(quote(world),),
    )
    assert refused(verbatim, world, prose) == []
    assert refused(verbatim, world, replace(prose, quotes=(false,)))
    names = PageChanged(
        page=ALICE,
        op=PageOp.META,
        title="Alice",
        kind="person",
        aliases=(Alias(name="Al", evidence=(quote(world),)),),
    )
    assert refused(verbatim, world, names) == []
    assert refused(verbatim, world, replace(names, aliases=(Alias(name="Al", evidence=(false,)),)))


def test_a_merge_may_state_again_what_was_proven_before_but_not_more() -> None:
    world = world_of()
    old = replace(quote(world), speaker="Alice Chen")
    world.story.page("ally", "Ally").assert_(OLD, "Boston", attribute="location", single=True, evidence=(old,))
    closed = FactClosed(fact=OLD, reason=CloseReason.MERGED, cause="x", by="user")
    again = Asserted(statement=stating(world, evidence=(old,)))
    assert refused(verbatim, world, closed, again, kind=RunKind.PAGE) == []
    assert refused(verbatim, world, closed, again)
    forged = Asserted(statement=stating(world, evidence=(replace(old, speaker="Bob"),)))
    assert refused(verbatim, world, closed, forged, kind=RunKind.PAGE)


# The gate one-value


def test_a_second_open_value_is_refused_earlier_runs_included() -> None:
    world = world_of("I live in Boston.", "I live in Berlin.")
    first = Asserted(statement=stating(world))
    second = Asserted(statement=stating(world, MORE, "Berlin", evidence=(quote(world, 2),)))
    assert refused(one_value, world, first) == []
    assert refused(one_value, world, first, second) == ["'location' takes one value"]
    world.land(Plan(edits=(), events=(first,)))
    assert refused(one_value, world, second) == ["'location' takes one value"]
    taking_over = SupersededBy(statement=second.statement, supersedes=NEW)
    assert refused(one_value, world, taking_over) == []


def test_many_values_are_no_conflict() -> None:
    world = world_of()
    bodies = [
        Asserted(statement=stating(world, name, value, attribute="note", single=False, section="Notes"))
        for name, value in ((NEW, "Boston"), (MORE, "live in Boston"))
    ]
    assert refused(one_value, world, *bodies) == []


def test_a_value_that_stands_there_is_not_stated_again() -> None:
    world = world_of()
    note = {"attribute": "note", "single": False, "section": "Notes"}
    one, again = (
        Asserted(statement=stating(world, name, value, **note)) for name, value in ((NEW, "Ivy"), (MORE, "IVY"))
    )
    says = [f"says what {MORE} says", f"says what {NEW} says"]
    assert refused(one_value, world, one, again) == says
    assert refused(one_value, world, one, again, kind=RunKind.REVERT) == says
    ended = FactClosed(fact=NEW, reason=CloseReason.RETRACTED, cause="x", by="user")
    assert refused(one_value, world, one, again, ended) == []
    assert refused(one_value, world, one, replace(again, statement=replace(again.statement, page=Slug("bob")))) != says
    world.story.page("alice").assert_(NEW, "Ivy", **note)
    assert refused(one_value, world, again) == [f"says what {NEW} says"]


def test_an_attribute_hides_neither_that_it_takes_one_value_nor_its_name() -> None:
    world = world_of()
    sentence = ["its attribute is not as the schema has it"]
    assert refused(one_value, world, Asserted(statement=stating(world))) == []
    assert refused(one_value, world, Asserted(statement=stating(world, single=False))) == sentence
    assert refused(one_value, world, Asserted(statement=stating(world, attribute="lives in", single=False))) == sentence
    assert refused(one_value, world, Asserted(statement=stating(world, attribute="habit", single=True))) == sentence
    assert refused(one_value, world, Asserted(statement=stating(world, single=False)), kind=RunKind.ADOPT) == []


def test_an_attribute_is_held_to_the_schema_of_the_vault() -> None:
    world = world_of()
    world.schema = Schema(attributes=(Attribute(name="location", single=False),))
    assert refused(one_value, world, Asserted(statement=stating(world, single=False))) == []
    assert refused(one_value, world, Asserted(statement=stating(world)))


# The gate lineage


def test_premises_are_open_facts_that_were_there_before() -> None:
    world = world_of()
    page = world.story.page("alice")
    page.assert_(OLD, "Boston", evidence=(quote(world),))
    guess = stating(world, NEW, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,), attribute="note")
    assert refused(lineage, world, Asserted(statement=guess)) == []
    assert refused(lineage, world, Asserted(statement=replace(guess, derived_from=())))
    page.close(OLD)
    assert refused(lineage, world, Asserted(statement=guess)) == [f"rests on {OLD}, which is not open"]


def test_a_premise_of_the_same_run_stands_before_what_rests_on_it() -> None:
    world = world_of()
    premise = Asserted(statement=stating(world))
    guess = Asserted(
        statement=stating(world, MORE, "cold", label=Label.INFERRED, evidence=(), derived_from=(NEW,), attribute="n")
    )
    assert refused(lineage, world, premise, guess) == []
    assert refused(lineage, world, guess, premise)
    own = Asserted(statement=stating(world, derived_from=(NEW,)))
    assert refused(lineage, world, own)


def test_a_premise_ended_by_the_run_itself_holds_nothing() -> None:
    world = world_of("I live in Boston.", "I live in Berlin.")
    world.story.page("alice").assert_(OLD, "Boston", evidence=(quote(world),), attribute="location", single=True)
    guess = Asserted(
        statement=stating(world, MORE, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,), attribute="n")
    )
    other = SupersededBy(statement=stating(world, NEW, "Berlin", evidence=(quote(world, 2),)), supersedes=OLD)
    equal = SupersededBy(statement=stating(world, NEW, "BOSTON"), supersedes=OLD)
    assert refused(lineage, world, guess, other)
    assert refused(lineage, world, guess, equal) == []


def test_no_conclusion_outlives_its_premise() -> None:
    world = world_of("I live in Boston.", "I live in Berlin.")
    page = world.story.page("alice")
    page.assert_(OLD, "Boston", evidence=(quote(world),), attribute="location", single=True)
    page.assert_(MORE, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    other = SupersededBy(statement=stating(world, NEW, "Berlin", evidence=(quote(world, 2),)), supersedes=OLD)
    fallen = FactClosed(fact=MORE, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    assert refused(lineage, world, other) == [f"stays open without its premise {OLD}"]
    assert refused(lineage, world, other, fallen) == []


# The gate returned


def test_an_ended_fact_does_not_come_back_without_new_words() -> None:
    world = world_of("I live in Boston.", "I live in Berlin.")
    page = world.story.page("alice")
    page.assert_(OLD, "Boston", evidence=(quote(world),), attribute="location", single=True)
    assert refused(returned, world, Asserted(statement=stating(world, attribute="note", single=False))) == []
    page.close(OLD)
    again = Asserted(statement=stating(world))
    assert refused(returned, world, again) == [f"brings {OLD} back without new words"]
    assert (
        refused(returned, world, Asserted(statement=stating(world, value="Berlin", evidence=(quote(world, 2),)))) == []
    )


def test_only_a_revert_revives() -> None:
    world = world_of()
    page = world.story.page("alice")
    page.assert_(OLD, "Boston", evidence=(quote(world),), attribute="location", single=True)
    page.close(OLD)
    revived = Asserted(statement=stating(world, revives=OLD))
    assert refused(returned, world, revived, kind=RunKind.REVERT) == []
    assert refused(returned, world, revived)
    assert refused(returned, world, Asserted(statement=stating(world)), kind=RunKind.REVERT)


def test_what_the_run_itself_ended_first_does_not_come_back_in_it() -> None:
    world = world_of("I live in Boston.", "Forget Boston.")
    world.story.page("alice").assert_(OLD, "Boston", evidence=(quote(world),))
    close = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=(quote(world, 2),))
    again = Asserted(statement=stating(world, attribute="note", single=False))
    assert refused(returned, world, close, again)
    assert refused(returned, world, again, close) == []


# A run that may not follow the ledger


@pytest.mark.parametrize("gate", [one_value, lineage, returned], ids=lambda gate: gate.__name__)
def test_a_run_that_is_not_lawful_is_refused_not_raised(gate: Gate) -> None:
    world = world_of()
    stray = FactClosed(fact=FactId("f-unknown"), reason=CloseReason.RETRACTED, cause="x", by="rules")
    (sentence,) = refused(gate, world, stray)
    assert sentence.startswith("cannot be judged")


# What the planner lets through


def test_planned_runs_pass() -> None:
    world = World()
    world.tell(turn("I live in Boston. I like tea.", at=EARLY), assistant("Alice likes tea.", at=EARLY))
    world.learn(
        drafted(), drafted(attribute="likes", value="tea"), inferred("Alice", "note", "cold", "I/location/Boston")
    )
    world.tell(turn("I moved to Berlin, no tea there.", at=LATE), source="late")
    planned = world.plan(drafted(value="Berlin"), drafted(attribute="likes", value="Tea"))
    left = world.quarantine(planned.plan).plan
    for gate in (verbatim, one_value, lineage, returned):
        assert gate(world.candidate(left, at=NOW), world.state) == ()
