"""The gate about authority: who may end what."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.archive import Turn, assistant, source_named, turn, user
from tests.builders import statement
from tests.world import World
from xysq.gates.entitlement import authority
from xysq.model.draft import DraftQuote
from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, RunKind, Statement, SupersededBy
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.plan import Plan
from xysq.planner.quote import Quoting

EARLY, LATE = "2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"
OLD, NEW, GUESS = FactId("f-0000000001"), FactId("f-00000000a1"), FactId("f-00000000a2")
SAID = turn("I live in Boston.", at="2026-11-10T00:00:00Z")


def world_of(*later: Turn, single: bool = True, said: Turn = SAID, **changes: object) -> World:
    """Return a world where one fact about Alice is open, and later turns are there to be cited."""
    world = World()
    world.tell(said, *later)
    page = world.story.page("alice", "Alice")
    page.assert_(OLD, "Boston", **{"evidence": (quote(world, 1),), "attribute": "x", "single": single} | changes)
    return world


def quote(world: World, number: int) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def superseding(world: World, value: str = "Berlin", number: int = 2, **changes: object) -> SupersededBy:
    old = world.story.fold.fact(OLD)
    assert old is not None
    base = statement(value, fact=NEW, page=Slug("alice"), attribute="x", single=old.single)
    stated: Statement = replace(base, **{"evidence": (quote(world, number),)} | changes)  # type: ignore[arg-type]
    return SupersededBy(statement=stated, supersedes=OLD)


def closing(world: World, reason: CloseReason = CloseReason.RETRACTED, *numbers: int, fact: FactId = OLD) -> FactClosed:
    evidence = tuple(quote(world, number) for number in numbers)
    is_premise = reason is CloseReason.PREMISE_CLOSED
    cause = OLD if is_premise else str(evidence[0].cited) if evidence else "x"
    return FactClosed(fact=fact, reason=reason, cause=cause, by="engine" if is_premise else "rules", evidence=evidence)


def refused(world: World, *bodies: Body, kind: RunKind = RunKind.DISTILL, at: str | None = None) -> list[str]:
    plan = Plan(edits=(), events=bodies)
    run = world.candidate(plan, kind=kind) if at is None else world.candidate(plan, kind=kind, at=at)
    return [refusal.sentence for refusal in authority(run, world.state)]


def judged(world: World, make: Callable[[World], Body], kind: RunKind = RunKind.DISTILL) -> list[str]:
    return refused(world, make(world), kind=kind)


NEWER = turn("I live in Berlin.", at=LATE)
OLDER = turn("I live in Berlin.", at=EARLY)
BOBS = turn("Alice lives in Berlin, not Boston.", speaker="Bob", at=LATE)
MACHINES = assistant("Alice lives in Berlin, not Boston.", at=LATE)
OWNERS = user("Alice lives in Berlin, not Boston.", at=EARLY)


def test_a_higher_rank_supersedes_one_value() -> None:
    assert judged(world_of(NEWER), superseding) == []
    assert judged(world_of(OWNERS, said=replace(SAID, speaker="Bob")), superseding) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (OLDER, f"supersedes {OLD}, which was said since"),
        (BOBS, f"supersedes {OLD}, which has higher authority"),
        (MACHINES, f"supersedes {OLD}, which has higher authority"),
    ],
)
def test_a_lower_rank_does_not(words: Turn, sentence: str) -> None:
    assert judged(world_of(words), superseding) == [sentence]


def test_an_inference_supersedes_no_stated_value() -> None:
    world = world_of(NEWER)
    assert refused(world, superseding(world, label=Label.INFERRED)) == [
        f"supersedes {OLD}, which is stated, by an inference"
    ]
    assert refused(world, superseding(world, label=Label.INFERRED, evidence=()))


def test_the_proof_of_an_equal_value_supersedes_an_inference_whatever_its_rank() -> None:
    world = world_of(turn("Alice lives in Boston.", speaker="Bob", at=EARLY), label=Label.INFERRED)
    assert refused(world, superseding(world, "BOSTON")) == []
    assert refused(world, superseding(world, "Bonn"))


def test_a_fact_of_another_attribute_is_not_superseded() -> None:
    world = world_of(NEWER)
    assert refused(world, superseding(world, attribute="y")) == [f"supersedes {OLD} of another attribute"]


def test_only_standing_words_of_the_old_fact_weigh() -> None:
    world = world_of(BOBS)
    world.archive.correct("talk", "Boston", "Bonn", "2026-12-01T00:00:00Z", [SAID, BOBS])
    assert refused(world, superseding(world)) == []


def test_many_values_are_replaced_only_by_words_that_name_them() -> None:
    assert judged(world_of(turn("Berlin, not Boston.", at=LATE), single=False), superseding) == []
    assert judged(world_of(turn("It is Berlin.", at=LATE), single=False), superseding)
    assert judged(world_of(turn("Berlin, not Boston.", at=EARLY), single=False), superseding)
    assert judged(world_of(BOBS, single=False), superseding)


def test_a_correction_by_hand_supersedes_within_the_same_second() -> None:
    world = world_of(user("It is Berlin.", at=SAID.at))
    body = superseding(world)
    assert refused(world, body, kind=RunKind.CORRECT) == []
    assert judged(world_of(MACHINES), superseding, kind=RunKind.CORRECT)


def test_words_close_a_fact_they_name() -> None:
    assert judged(world_of(turn("Forget Boston.", at=LATE)), lambda w: closing(w, CloseReason.RETRACTED, 2)) == []
    assert judged(world_of(turn("I moved out.", at=LATE)), lambda w: closing(w, CloseReason.RETRACTED, 2)) == []


@pytest.mark.parametrize(
    "words", [turn("Forget it.", at=LATE), turn("Forget Boston.", at=EARLY), BOBS, MACHINES], ids=lambda t: t.text
)
def test_words_that_may_not_close_a_fact_are_refused(words: Turn) -> None:
    assert judged(world_of(words), lambda w: closing(w, CloseReason.RETRACTED, 2))


def test_a_distilled_closing_cites_words_and_one_by_hand_need_not() -> None:
    world = world_of()
    assert refused(world, closing(world))
    by_hand = replace(closing(world), by="user", cause=f"r-20261130T181000Z-{world.runs:04d}")
    assert refused(world, by_hand, kind=RunKind.CORRECT) == []
    assert refused(world, by_hand, kind=RunKind.ADOPT) == []
    for forged in (replace(by_hand, by="rules"), replace(by_hand, cause="x")):
        assert refused(world, forged, kind=RunKind.CORRECT) == ["is closed by somebody else than the user"]


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (CloseReason.REVERTED, RunKind.REVERT),
        (CloseReason.MERGED, RunKind.PAGE),
        (CloseReason.FORGOTTEN, RunKind.FORGET),
    ],
)
def test_closings_without_words_belong_to_the_runs_that_make_them(reason: CloseReason, kind: RunKind) -> None:
    world = world_of()
    assert refused(world, closing(world, reason), kind=kind) == []
    assert refused(world, closing(world, reason)) == [f"is closed as {reason.value}, which no distill run does"]


def test_a_correction_closes_what_lost_words_and_nothing_else() -> None:
    world = world_of()
    closed = replace(closing(world, CloseReason.CORRECTED), by="user", cause=f"{source_named('talk')}@2")
    assert refused(world, closed, kind=RunKind.CORRECT) == ["is closed, and lost no words of its quotes"]
    world.archive.correct("talk", "Boston", "Bonn", "2026-12-01T00:00:00Z", [SAID])
    assert refused(world, closed, kind=RunKind.CORRECT) == []
    assert refused(world, closed) == ["is closed as corrected, which no distill run does"]
    for forged in (replace(closed, cause="20261130-zzzzzz@2"), replace(closed, by="rules"), replace(closed, cause="x")):
        assert refused(world, forged, kind=RunKind.CORRECT) == ["is closed, and lost no words of its quotes"]


def test_a_correction_states_nothing_beside_the_others_and_speaks_in_its_users_words() -> None:
    world = world_of(NEWER)
    body = superseding(world)
    assert refused(world, body, kind=RunKind.CORRECT) == ["supersedes a fact in words that are not the user's"]
    mine = world_of(user("I live in Berlin.", at=LATE))
    assert refused(mine, superseding(mine), kind=RunKind.CORRECT) == []
    assert refused(world, Asserted(statement=replace(body.statement, attribute="z")), kind=RunKind.CORRECT) == [
        "is stated beside the others by a correction"
    ]


def test_a_closing_for_a_premise_needs_a_premise_that_fell() -> None:
    world = world_of(NEWER)
    page = world.story.page("alice")
    page.assert_(GUESS, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    fallen = closing(world, CloseReason.PREMISE_CLOSED, fact=GUESS)
    assert refused(world, superseding(world), fallen) == []
    assert refused(world, fallen) == ["is closed for a premise, and all its premises hold"]
    assert refused(world, closing(world, CloseReason.PREMISE_CLOSED)) == [
        "is closed for a premise, and has words of its own"
    ]


def test_history_is_put_behind_a_fact_of_its_own_attribute() -> None:
    world = world_of(OLDER)
    stated = replace(superseding(world).statement, attribute="x")
    assert refused(world, LearnedLate(statement=stated, superseded_by=OLD)) == []
    assert refused(world, LearnedLate(statement=replace(stated, attribute="y"), superseded_by=OLD)) == [
        f"is put behind {OLD} of another attribute"
    ]


def test_a_run_that_is_not_lawful_is_refused_not_raised() -> None:
    world = world_of()
    (sentence,) = refused(world, closing(world, fact=FactId("f-unknown")))
    assert sentence.startswith("cannot be judged")
