"""The gate about authority at its edges: which of two conditions it is that lets a fact be ended."""

from dataclasses import replace

import pytest

from tests.archive import turn, user
from tests.gates.test_entitlement import (
    BOBS,
    GUESS,
    LATE,
    MACHINES,
    NEWER,
    OLD,
    SAID,
    closing,
    quote,
    refused,
    superseding,
    world_of,
)
from xysq.gates.entitlement import authority
from xysq.model.event import RunKind
from xysq.model.fact import CloseReason, FactId, Label
from xysq.model.plan import Plan
from xysq.model.source import Channel, SourceId

LAST = FactId("f-0000000003")
HIGHER = f"supersedes {OLD}, which has higher authority"


def test_reviving_is_a_reverts_and_gives_no_other_run_a_right() -> None:
    world = world_of(BOBS)
    for kind in (RunKind.CORRECT, RunKind.ADOPT, RunKind.PAGE):
        assert refused(world, superseding(world, revives=OLD), kind=kind) == [HIGHER]


def test_an_equal_value_lets_only_a_proof_take_the_place_of_a_conclusion() -> None:
    told = turn("Boston is where Alice lives.", speaker="Bob", at=LATE)
    inferred, stated = world_of(told, label=Label.INFERRED), world_of(told)
    assert refused(inferred, superseding(inferred, "Boston")) == []
    assert refused(inferred, superseding(inferred, "Boston", label=Label.INFERRED)) == [HIGHER]
    assert refused(stated, superseding(stated, "Boston")) == [HIGHER]
    assert refused(inferred, superseding(inferred, "Berlin")) == [HIGHER]


@pytest.mark.parametrize(("new", "old"), [(True, False), (False, True), (False, False)])
def test_a_value_beside_others_is_replaced_by_words_that_name_it_only(*, new: bool, old: bool) -> None:
    naming = world_of(turn("Berlin, not Boston.", at=LATE), single=old)
    silent = world_of(turn("It is Berlin.", at=LATE), single=old)
    assert refused(naming, superseding(naming, single=new)) == []
    assert refused(silent, superseding(silent, single=new)) != []


def test_within_one_moment_only_a_persons_own_edit_goes_before_what_was_said() -> None:
    world = world_of(user("I live in Berlin.", at=SAID.at), said=replace(SAID, speaker="", role=user("").role))
    first, second = replace(quote(world, 1), channel=Channel.ADOPT), quote(world, 2)
    back = superseding(world, "Boston", evidence=(first,))
    page = world.story.page("alice")
    page.supersede(LAST, OLD, "Berlin", evidence=(second,))
    again = replace(back, supersedes=LAST)
    for kind, sentences in (
        (RunKind.DISTILL, [f"supersedes {LAST}, which was said since"]),
        (RunKind.CORRECT, []),
        (RunKind.ADOPT, []),
    ):
        assert refused(world, again, kind=kind) == sentences


def test_a_conclusion_with_standing_words_and_a_statement_without_are_closed_for_no_premise() -> None:
    world = world_of(NEWER)
    page = world.story.page("alice")
    page.assert_(GUESS, "cold", label=Label.INFERRED, evidence=(quote(world, 1),), derived_from=(OLD,))
    fallen = closing(world, CloseReason.PREMISE_CLOSED, fact=GUESS)
    own = "is closed for a premise, and has words of its own"
    assert refused(world, superseding(world), fallen) == [own]
    other = world_of(NEWER)
    lost = replace(quote(other, 1), quote="I live in Boston, where it is cold.")
    other.story.page("alice").assert_(GUESS, "cold", evidence=(lost,), derived_from=(OLD,))
    assert refused(other, superseding(other), closing(other, CloseReason.PREMISE_CLOSED, fact=GUESS)) == [own]


def test_words_at_a_place_that_is_none_weigh_nothing() -> None:
    world = world_of(NEWER)
    forged = replace(quote(world, 2), source=SourceId("../x"))
    assert refused(world, superseding(world)) == []
    assert refused(world, superseding(world, evidence=(forged,))) == [HIGHER]
    ended = closing(world, CloseReason.RETRACTED, 2)
    assert refused(world, replace(ended, evidence=(forged,), cause=str(forged.cited)))


def test_a_closing_without_right_is_told_by_its_page_and_fact() -> None:
    world = world_of(MACHINES)
    run = world.candidate(Plan(edits=(), events=(closing(world, CloseReason.RETRACTED, 2),)))
    assert [(refusal.page, refusal.anchor) for refusal in authority(run, world.state)] == [("alice", OLD)]
