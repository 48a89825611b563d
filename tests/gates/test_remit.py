"""What a distilling run may do at all: each thing it may not, beside what it may."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.archive import Turn, turn
from tests.builders import page_changed, prose_changed, statement
from tests.world import World
from xysq.gates.entitlement import authority
from xysq.gates.remit import beyond_remit
from xysq.model.draft import DraftQuote
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseOp,
    RunKind,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import DropCode, Plan
from xysq.model.source import Role, Row, SourceId
from xysq.pages.slug import free_slug
from xysq.planner.quote import Quoting

OLD, GUESS, ENDED, NEW = (FactId(f"f-000000000{number}") for number in range(1, 5))
BLOCK, TYPED = BlockId("b-0000000001"), BlockId("b-0000000002")
EARLY, LATE = "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"
STRAY = Row(SourceId("20261130-zzzzzz"), 1, 0, 9)


def world_of(*turns: Turn) -> World:
    """Return a world where Alice has an open fact, a conclusion from it, an ended fact and prose."""
    world = World()
    world.tell(turn("I live in Boston.", at=EARLY), turn("Boston is no more my home, I left Boston.", at=LATE), *turns)
    alice = world.story.page("alice", "Alice")
    alice.assert_(OLD, "Boston", evidence=(quote(world, 1),))
    alice.assert_(GUESS, "rain", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    alice.assert_(ENDED, "maps")
    alice.close(ENDED)
    alice.prose(BLOCK, "She is kind.")
    return world


def quote(world: World, number: int) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def told(world: World, *bodies: Body, kind: RunKind = RunKind.DISTILL) -> list[str]:
    """Return what the gate says of a run of these events."""
    run = world.candidate(Plan(edits=(), events=bodies), kind=kind)
    return [refusal.sentence for refusal in authority(run, world.state)]


def test_a_refusal_names_the_page_and_the_fact() -> None:
    world = world_of()
    closing = FactClosed(fact=OLD, reason=CloseReason.CORRECTED, cause="x", by="user")
    wrong = FactClosed(fact=GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="user")
    run = world.candidate(Plan(edits=(), events=(closing, wrong)))
    places = [(refusal.page, refusal.anchor) for refusal in authority(run, world.state)]
    assert places == [("alice", OLD), ("alice", GUESS)]


def makes(slug: str, title: str, **changes: object) -> Body:
    return page_changed(slug, title=title, **changes)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (makes("bob", "Bob"), None),
        (makes("straße", "STRASSE"), "no slug of its title"),
        (makes("bob-2", "Bob"), None),
        (makes("bobby", "Bob"), "no slug of its title"),
        (makes("bob", "Somebody else"), "no slug of its title"),
        (makes("bob--2", "Bob-"), "no slug of its title"),
        (makes("bob-", "Bob-x"), "no slug of its title"),
        (makes("bob--2", "Bob x"), "no slug of its title"),
        (makes("Bob", "Bob"), "no slug of its title"),
        (makes("../bob", "../bob"), "no slug of its title"),
        (makes("alice-2", "Alice"), "second page"),
        (makes("alice-2", "ALICE"), "second page"),
        (makes("bob", "Bob", aliases=(Alias(name="Mia"),)), "other names"),
        (page_changed("alice", op=PageOp.META, title="Alice II"), "as a whole (meta)"),
        (page_changed("alice", op=PageOp.META, title="Alice", kind="god"), "as a whole (meta)"),
    ],
)
def test_a_page_is_made_under_the_slug_of_its_title_and_nothing_else_happens_to_pages(
    body: Body, word: str | None
) -> None:
    sentences = told(world_of(), body)
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)
    if word == "as a whole (meta)":
        named = replace(body, aliases=(Alias(name="Alice"),)) if isinstance(body, PageChanged) else body
        assert told(world_of(), named, kind=RunKind.PAGE) == []


def test_a_page_is_not_renamed_to_a_title_that_fits_its_slug_either() -> None:
    world = world_of()
    world.story.page("bob-2", "Bob Dee")
    assert "as a whole" in told(world, page_changed("bob-2", op=PageOp.META, title="Bob"))[0]


@given(st.text(max_size=90), st.integers(0, 12))
def test_every_slug_that_is_given_to_a_title_follows_from_it(title: str, taken: int) -> None:
    world = World()
    slugs: list[str] = []
    for _ in range(taken + 1):
        slugs.append(free_slug(title, lambda name: name in slugs))
    event = world.candidate(Plan(edits=(), events=(makes(slugs[-1], title),))).events[-1]
    found = beyond_remit(event, world.story.fold, world.candidate(Plan(edits=(), events=())), world.me)
    assert found is None


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, None),
        ({"origin": Origin.DROPPED, "code": DropCode.UNFOUNDED.value}, None),
        ({"origin": Origin.DROPPED, "code": ""}, "dropped as ''"),
        ({"origin": Origin.DROPPED, "code": "made-up"}, "dropped as 'made-up'"),
        ({"code": DropCode.UNFOUNDED.value}, "dropped as 'unfounded'"),
        ({"origin": Origin.YOURS}, "in a person's name"),
        ({"rows": (STRAY,)}, "not the run's"),
        ({"op": ProseOp.REPLACE, "block": BLOCK}, "that is there (replace)"),
        ({"op": ProseOp.REMOVE, "block": BLOCK}, "that is there (remove)"),
    ],
)
def test_prose_is_only_put_beside_what_is_there(changes: dict[str, object], word: str | None) -> None:
    world = world_of()
    prose = prose_changed("New words.", **{"block": TYPED, "rows": world.rows} | changes)
    sentences = told(world, prose)
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)
    typed = replace(prose, origin=Origin.YOURS, code="", rows=world.rows)
    assert told(world, typed, kind=RunKind.ADOPT) == []


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, None),
        ({"by": "user"}, "in the name of 'user'"),
        ({"by": ""}, "in the name of ''"),
        ({"cause": "x"}, "because of 'x'"),
        ({"cause": str(STRAY.source)}, "because of"),
    ],
)
def test_a_fact_is_closed_in_the_drafters_name_because_of_the_words_it_cites(
    changes: dict[str, object], word: str | None
) -> None:
    world = world_of()
    piece = quote(world, 2)
    closing = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause=str(piece.cited), by="rules", evidence=(piece,))
    falls = FactClosed(fact=GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    sentences = told(world, replace(closing, **changes), falls)  # type: ignore[arg-type]
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda body, _: body, None),
        (lambda body, _: replace(body, by="rules"), "in the name of 'rules'"),
        (lambda body, piece: replace(body, evidence=(piece,)), "in the name of 'engine'"),
        (lambda body, _: replace(body, cause="x"), "because of 'x'"),
        (lambda body, _: replace(body, cause=ENDED), "because of"),
    ],
)
def test_a_conclusion_is_closed_in_the_engines_name_because_of_its_premise(
    change: Callable[[FactClosed, Evidence], FactClosed], word: str | None
) -> None:
    world = world_of()
    piece = quote(world, 2)
    closing = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause=str(piece.cited), by="rules", evidence=(piece,))
    falls = FactClosed(fact=GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    sentences = told(world, closing, change(falls, piece))
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)


def test_nothing_is_revived_taken_back_or_forgotten() -> None:
    world = world_of()
    fact = world.story.fold.fact(OLD)
    assert fact is not None
    stated = statement("maps", fact=NEW, page=Slug("alice"), evidence=(quote(world, 1),))
    back = replace(stated, revives=ENDED)
    late = LearnedLate(statement=replace(stated, attribute=fact.attribute), superseded_by=OLD)
    assert told(world, Asserted(statement=stated)) == told(world, late) == []
    assert told(world, Confirmed(fact=OLD, evidence=(quote(world, 1),))) == []
    assert told(world, Asserted(statement=back)) == [f"revives {ENDED}"]
    assert told(world, replace(late, statement=replace(late.statement, revives=ENDED))) == [f"revives {ENDED}"]
    assert told(world, Withdrawn(fact=OLD, brought_by=fact.n, cause="x")) == ["takes evidence back"]
    assert told(world, Forgotten(events=(3,), files=(), digests=())) == ["forgets events"]
    assert told(world, Asserted(statement=back), kind=RunKind.REVERT) == []


@pytest.mark.parametrize(
    ("role", "is_owners", "is_a_voice"),
    [
        (Role.USER, True, True),
        (Role.PERSON, True, True),
        (Role.ASSISTANT, True, False),
        (Role.ASSISTANT, False, True),
        (Role.TOOL, True, False),
        (Role.TOOL, False, False),
        (Role.OTHER, True, False),
        (Role.OTHER, False, True),
    ],
)
def test_a_rule_needs_a_voice_and_the_owners_a_humans(role: Role, *, is_owners: bool, is_a_voice: bool) -> None:
    world = world_of(turn("Never push on Friday.", speaker="Zed", role=role, at=LATE))
    slug = "mia-voss" if is_owners else "alice"
    world.story.page("mia-voss", "Mia Voss")
    stated = statement("Friday", fact=NEW, page=Slug(slug), attribute="rule", evidence=(quote(world, 3),))
    assert bool(told(world, Asserted(statement=stated))) is not is_a_voice
    assert told(world, Asserted(statement=replace(stated, attribute="note"))) == []
