"""What a correction may do at all: what its user said, or what its log lost, and nothing beside."""

from dataclasses import replace

import pytest

from tests.archive import source_named, turn, user
from tests.builders import page_changed, prose_changed
from tests.gates.test_entitlement import GUESS, LATE, OLD, SAID, closing, quote, refused, superseding, world_of
from tests.world import World
from xysq.gates.deed import beyond_correction
from xysq.model.event import Asserted, Body, Confirmed, Forgotten, LearnedLate, ProseOp, RunKind, Withdrawn
from xysq.model.fact import CloseReason, FactId, Label, Slug
from xysq.model.page import BlockId, Origin
from xysq.model.plan import Plan
from xysq.model.source import Channel

MINE, WRONG = user("I live in Berlin.", at=LATE), user("Boston is wrong.", at=LATE)
TWIN, BLOCK = FactId("f-0000000002"), BlockId("b-0000000001")
SOMETHING_ELSE = "supersedes a fact by something else than a statement"
NOT_THE_USERS = "supersedes a fact in words that are not the user's"
ANOTHER = "is closed by somebody else than the user"
LOST_NONE = "is closed, and lost no words of its quotes"


def beyond(world: World, body: Body | None) -> tuple[str, str, str] | None:
    """Return page, anchor and sentence of what a correction may not do."""
    run = world.candidate(Plan(edits=(), events=() if body is None else (body,)), kind=RunKind.CORRECT)
    event = run.events[-1] if body is not None else replace(run.events[0], body=None)
    found = beyond_correction(event, world.story.fold, run, world.state)
    return None if found is None else (found.page, found.anchor, found.sentence)


def test_a_fact_is_superseded_by_what_the_user_stated_and_by_nothing_else() -> None:
    world = world_of(MINE, WRONG, SAID)
    users, others = quote(world, 2), quote(world, 4)
    assert beyond(world, superseding(world)) is None
    assert beyond(world, superseding(world, evidence=(users, quote(world, 3)))) is None
    for changes in ({"label": Label.INFERRED}, {"before": "f-x"}, {"derived_from": (OLD,)}, {"revives": OLD}):
        assert beyond(world, superseding(world, **changes)) == ("alice", "f-00000000a1", SOMETHING_ELSE)
    assert beyond(world, superseding(world, evidence=(users, others))) == ("alice", "f-00000000a1", NOT_THE_USERS)


def test_only_words_that_came_with_the_correction_make_it() -> None:
    world = world_of(MINE)
    world.also(user("Alice lives in Berlin.", at=LATE), source="elsewhere")
    mine, other = quote(world, 2), quote(world, 3)
    body = superseding(world, evidence=(mine, other))
    more = Confirmed(fact=OLD, evidence=(mine, other))
    assert [beyond(world, body), beyond(world, more)] == [None, None]
    world.passages = world.passages[:2]
    strange = "rests on words that did not make the correction"
    assert beyond(world, body) == ("alice", "f-00000000a1", strange)
    assert beyond(world, more) == ("", OLD, strange)
    assert beyond(world, superseding(world, evidence=(other,))) == ("alice", "f-00000000a1", strange)
    assert beyond(world, Confirmed(fact=OLD, evidence=(mine,))) is None


def test_a_fact_is_retracted_by_its_user_because_of_this_run_or_of_words_of_theirs() -> None:
    world = world_of(WRONG, SAID)
    run = f"r-20261130T181000Z-{world.runs:04d}"
    by_hand = replace(closing(world), by="user", cause=run)
    in_words = replace(closing(world, CloseReason.RETRACTED, 2), by="user")
    assert in_words.cause not in ("x", run)
    for allowed in (by_hand, in_words, replace(in_words, cause=run)):
        assert beyond(world, allowed) is None
    mixed = replace(in_words, evidence=(quote(world, 2), quote(world, 3)))
    for forged in (replace(by_hand, by="agent"), replace(by_hand, cause="x"), replace(in_words, cause="x"), mixed):
        assert beyond(world, forged) == ("alice", OLD, ANOTHER)


def test_a_fact_is_corrected_where_a_version_of_its_source_took_words_from_it() -> None:
    world = world_of(MINE)
    said = world.story.fold.fact(OLD)
    assert said is not None
    world.story.page("alice").assert_(TWIN, "Boston", text=said.text, attribute="y")
    cited = quote(world, 2)
    closed = replace(closing(world, CloseReason.CORRECTED), by="user", cause=f"{source_named('talk')}@2")
    assert beyond(world, closed) == ("alice", OLD, LOST_NONE)
    assert beyond(world, replace(closed, cause=f"{source_named('talk')}@1")) == ("alice", OLD, LOST_NONE)
    world.archive.correct("talk", "Boston", "Bonn", "2026-12-01T00:00:00Z", [SAID, MINE])
    assert beyond(world, closed) is None
    assert beyond(world, replace(closed, fact=TWIN)) is None  # it says the same in the same words
    causes = [replace(closed, cause=cause) for cause in ("20261130-zzzzzz@2", "x")]
    for other in (*causes, replace(closed, by="agent"), replace(closed, evidence=(cited,))):
        assert beyond(world, other) == ("alice", OLD, LOST_NONE)


def test_a_correction_by_an_agent_closes_in_the_name_of_the_agent() -> None:
    world = world_of()
    world.archive.correct("talk", "Boston", "Bonn", "2026-12-01T00:00:00Z", [SAID])
    (version,) = [version for version in world.archive.metas if version.number == 2]
    world.archive.metas[version] = replace(world.archive.metas[version], channel=Channel.MCP)
    closed = replace(closing(world, CloseReason.CORRECTED), cause=str(version))
    assert beyond(world, replace(closed, by="agent")) is None
    assert beyond(world, replace(closed, by="user")) == ("alice", OLD, LOST_NONE)


def test_a_conclusion_is_closed_by_the_engine_for_a_premise_of_its_own() -> None:
    world = world_of(SAID)
    world.story.page("alice").assert_(GUESS, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    falls = closing(world, CloseReason.PREMISE_CLOSED, fact=GUESS)
    assert beyond(world, falls) is None
    for forged in (replace(falls, by="user"), replace(falls, cause=GUESS), replace(falls, evidence=(quote(world, 2),))):
        assert beyond(world, forged) == ("alice", GUESS, f"is closed in the name of {forged.by!r}")


def test_what_is_closed_for_other_reasons_is_no_business_of_a_correction() -> None:
    world = world_of()
    for reason in (CloseReason.REVERTED, CloseReason.FORGOTTEN):
        assert beyond(world, closing(world, reason)) == ("alice", OLD, "is closed in the name of 'rules'")
    assert beyond(world, closing(world, fact=FactId("f-0000000009"))) is None  # unlawful: refused as that


def test_prose_goes_or_a_persons_own_comes() -> None:
    world = world_of()
    alice = world.story.page("alice")
    alice.prose(BLOCK, "She is kind.")
    alice.prose(BlockId("b-0000000002"), "I know her.", origin=Origin.YOURS)
    yours = prose_changed(block=BlockId("b-0000000002"), op=ProseOp.REMOVE, text="", after="", origin=Origin.YOURS)
    drafted = prose_changed(block=BLOCK, op=ProseOp.REMOVE, text="", after="")
    assert beyond(world, drafted) is None
    assert beyond(world, replace(drafted, page=Slug("bob"))) is None  # unlawful: refused as that
    assert beyond(world, yours) == ("alice", yours.block, "takes out a person's own prose")
    new = prose_changed(block=BlockId("b-0000000003"), origin=Origin.YOURS)
    assert beyond(world, new) is None
    foreign = "writes prose that is not a person's own"
    assert beyond(world, replace(new, origin=Origin.DRAFTED)) == ("alice", new.block, foreign)
    assert beyond(world, replace(new, op=ProseOp.REPLACE)) == ("alice", new.block, foreign)


@pytest.mark.parametrize("kind", [Asserted, LearnedLate])
def test_nothing_is_stated_beside_the_others(kind: type) -> None:
    world = world_of(MINE)
    stated = superseding(world).statement
    body = kind(statement=stated) if kind is Asserted else kind(statement=stated, superseded_by=OLD)
    assert beyond(world, body) == ("alice", stated.fact, "is stated beside the others by a correction")


def test_a_fact_is_confirmed_by_its_users_words() -> None:
    world = world_of(MINE, SAID)
    mine, others = quote(world, 2), quote(world, 3)
    assert beyond(world, Confirmed(fact=OLD, evidence=(mine,))) is None
    sentence = "is confirmed by words that are not the user's"
    assert beyond(world, Confirmed(fact=OLD, evidence=(mine, others))) == ("", OLD, sentence)


def test_pages_evidence_and_history_are_left_alone() -> None:
    world = world_of()
    assert beyond(world, page_changed("bob")) == ("bob", "", "changes a page as a whole")
    assert beyond(world, Withdrawn(fact=OLD, brought_by=2, cause="x")) == ("", OLD, "takes evidence back")
    assert beyond(world, Forgotten(events=(), files=(), digests=())) == ("", "", "forgets events")
    assert beyond(world, None) is None


def test_the_gate_about_authority_asks() -> None:
    world = world_of(turn("Hm.", at=LATE))
    assert refused(world, page_changed("bob"), kind=RunKind.CORRECT) == ["changes a page as a whole"]
