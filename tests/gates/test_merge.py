"""What a run about pages may do: each thing it may not, beside what it may."""

from dataclasses import replace

import pytest

from tests.archive import turn
from tests.builders import page_changed, prose_changed, statement
from tests.world import World
from xysq.gates.entitlement import authority
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
    ProseChanged,
    ProseOp,
    RunKind,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import Plan
from xysq.model.source import Role
from xysq.planner.merging import merging
from xysq.planner.quote import Quoting

HERS, THEIRS, SAME, GUESS, ENDED = (FactId(f"f-000000000{number}") for number in range(1, 6))
BLOCK, TWIN = BlockId("b-0000000001"), BlockId("b-0000000002")
ALICE, ALLY = Slug("alice"), Slug("ally")


def quote(world: World, number: int) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def world_of() -> World:
    """Return a world in which Alice and Ally, who are one, both live somewhere and both like tea."""
    world = World()
    world.tell(
        turn("I live in Boston.", at="2026-11-10T00:00:00Z"), turn("I live in Berlin.", at="2026-11-20T00:00:00Z")
    )
    one, other = quote(world, 1), quote(world, 2)
    alice, ally = world.story.page("alice", "Alice"), world.story.page("ally", "Ally", aliases=("Al",))
    alice.assert_(HERS, "Boston", attribute="location", single=True, evidence=(one,))
    alice.assert_(ENDED, "maps", evidence=(one,))
    alice.close(ENDED)
    ally.assert_(THEIRS, "Berlin", attribute="location", single=True, evidence=(other,))
    alice.assert_(SAME, "Boston", evidence=(one,))
    ally.assert_("f-0000000006", "BOSTON", evidence=(other, replace(one, passage=7)))
    ally.assert_(GUESS, "rain", label=Label.INFERRED, evidence=(), derived_from=(THEIRS,))
    ally.assert_("f-0000000007", "Maps", evidence=(one,))
    ally.prose(BLOCK, "She is kind.")
    ally.prose(TWIN, "Mine.", origin=Origin.YOURS)
    world.story.page("bob", "Bob")
    return world


def merge(world: World, run: str) -> tuple[Body, ...]:
    pages = [world.story.fold.page(slug) for slug in (ALLY, ALICE)]
    gone, into = pages
    assert gone is not None
    assert into is not None
    return merging(gone, into, {}, run, "2026-11-30T18:10:00Z", world.state)  # type: ignore[arg-type]


def withdrawn(world: World) -> Withdrawn:
    fact = world.story.fold.fact(SAME)
    assert fact is not None
    return Withdrawn(fact=fact.id, brought_by=fact.n, cause="x")


def told(world: World, *bodies: Body) -> list[str]:
    run = world.candidate(Plan(edits=(), events=bodies), kind=RunKind.PAGE)
    return [refusal.sentence for refusal in authority(run, world.state)]


RUN = "r-20261130T181000Z-0000"


def test_a_merge_as_it_is_planned_may_land() -> None:
    world = world_of()
    bodies = merge(world, RUN)
    kinds = {type(body) for body in bodies}
    assert kinds == {PageChanged, SupersededBy, Confirmed, Asserted, FactClosed, ProseChanged}
    assert told(world, *bodies) == []


def place_of(bodies: tuple[Body, ...], kind: type[Body], number: int = 0) -> int:
    return [place for place, body in enumerate(bodies) if isinstance(body, kind)][number]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"text": "It says Berlin!"}, "no page that is merged"),
        ({"value": "It"}, "no page that is merged"),
        ({"single": False}, "no page that is merged"),
        ({"section": "Else"}, "no page that is merged"),
        ({"attribute": "home"}, "of another attribute"),
        ({"revives": ENDED}, "no page that is merged"),
        ({"derived_from": (HERS,)}, "no page that is merged"),
        ({"label": Label.INFERRED}, "by an inference"),
    ],
)
def test_a_merge_says_nothing_that_no_page_said(changes: dict[str, object], word: str) -> None:
    world = world_of()
    bodies = list(merge(world, RUN))
    place = place_of(tuple(bodies), SupersededBy)
    body = bodies[place]
    assert isinstance(body, SupersededBy)
    bodies[place] = replace(body, statement=replace(body.statement, **changes))  # type: ignore[arg-type]
    assert any(word in sentence for sentence in told(world, *bodies))


def test_a_merge_states_nothing_on_other_quotes_than_the_fact_had() -> None:
    world = world_of()
    bodies = list(merge(world, RUN))
    place = place_of(tuple(bodies), SupersededBy)
    body = bodies[place]
    assert isinstance(body, SupersededBy)
    forged = replace(body.statement.evidence[0], role=Role.USER)
    bodies[place] = replace(body, statement=replace(body.statement, evidence=(forged,)))
    assert "states what no page that is merged here says" in told(world, *bodies)
    confirmed = place_of(tuple(bodies), Confirmed)
    assert told(world, *merge(world, RUN)[: confirmed - 1], *merge(world, RUN)[confirmed:])
    bodies = list(merge(world, RUN))
    known = bodies[confirmed]
    assert isinstance(known, Confirmed)
    bodies[confirmed] = replace(known, evidence=(forged,))
    assert told(world, *bodies) == ["is confirmed by words of no fact that is merged into it"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"by": "engine"}, "is closed as merged, and its page is not merged into that of its cause"),
        ({"cause": "f-0000000099"}, "is closed as merged, and its page is not merged into that of its cause"),
        ({"cause": GUESS}, "is closed as merged, and its page is not merged into that of its cause"),
        ({"cause": HERS}, "states what no page that is merged here says"),  # what rests on it rests on nothing then
        ({"cause": SAME}, f"is closed as merged, and {SAME} says something else"),
        ({"reason": CloseReason.RETRACTED, "by": "user"}, "is closed as retracted, which no page run does"),
        ({"reason": CloseReason.PREMISE_CLOSED, "by": "engine"}, "is closed for a premise, and has words of its own"),
    ],
)
def test_a_fact_is_closed_as_merged_for_the_one_that_carries_it(changes: dict[str, object], sentence: str) -> None:
    world = world_of()
    bodies = list(merge(world, RUN))
    place = next(at for at, body in enumerate(bodies) if isinstance(body, FactClosed) and body.fact == THEIRS)
    bodies[place] = replace(bodies[place], **changes)  # type: ignore[arg-type]
    assert sentence in told(world, *bodies)


def test_prose_moves_word_for_word_and_none_is_lost() -> None:
    world = world_of()
    bodies = merge(world, RUN)
    inserted = [body for body in bodies if isinstance(body, ProseChanged) and body.op is ProseOp.INSERT]
    assert [body.text for body in inserted] == ["She is kind.", "Mine."]
    lost = "takes out prose that the other page does not get"
    for body in inserted:
        assert told(world, *(one for one in bodies if one is not body)) == [lost]
        wrong = replace(body, text="Other words.")
        assert told(world, *(wrong if one is body else one for one in bodies)) == [
            lost,
            "changes prose that no merge moves",
        ]
        strange = replace(body, origin=Origin.DROPPED, code="unfounded")
        assert told(world, *(strange if one is body else one for one in bodies)) == [
            "changes prose that no merge moves"
        ]
    assert told(world, replace(inserted[0], op=ProseOp.REPLACE, page=ALLY, block=BLOCK)) == [
        "changes prose that no merge moves"
    ]
    assert told(world, prose_changed("x", page=ALLY, block=BLOCK, op=ProseOp.REMOVE)) == [
        "changes prose that no merge moves"
    ]


def names(slug: str, title: str, *aliases: str, **changes: object) -> PageChanged:
    known = tuple(Alias(name=name) for name in aliases)
    return page_changed(slug, op=PageOp.META, title=title, aliases=known, **changes)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (names("alice", "Alice", "Lissy"), None),
        (names("alice", "Alice Chen", "Alice"), None),
        (names("ally", "Ally"), None),
        (names("alice", "Alice", kind="god"), None),
        (names("alice", "Alice", "ALLY"), "goes by 'ALLY', as page 'ally' does"),
        (names("bob", "al"), "goes by 'al', as page 'ally' does"),
        (names("ally", "Nobody", "Al"), None),  # its slug is its old title
        (names("bob", "Robert Weber", "Rob"), None),
        (page_changed("eve", title="Eve"), "as a whole (create)"),
        (page_changed("bob", op=PageOp.REMOVE, title="Bob"), "as a whole (remove)"),
        (page_changed("bob", op=PageOp.MERGE, title="Alice", into=ALICE), "does not go by its slug"),
    ],
)
def test_pages_get_names_that_nobody_has(body: PageChanged, word: str | None) -> None:
    sentences = told(world_of(), body)
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)


def test_an_old_title_and_a_merged_slug_are_names_for_ever() -> None:
    world = world_of()
    world.story.commit(names("bob", "Robert Weber", "Bob"), kind=RunKind.PAGE)
    lost = "is renamed, and loses its old title 'Robert Weber'"
    assert told(world, names("bob", "Bobby", "Bob")) == [lost]
    assert told(world, names("bob", "Bobby", "Bob", "Robert Weber")) == []
    world.story.commit(names("alice", "Alice", "bob"), kind=RunKind.PAGE)
    world.story.page("bob").merge_into("alice")
    assert told(world, names("alice", "Alice", "Lissy")) == ["no longer goes by 'bob', which was merged into it"]
    assert told(world, names("alice", "Alice", "bob", "Lissy")) == []


def test_a_name_needs_no_words_and_borrows_none() -> None:
    world = world_of()
    borrowed = replace(names("alice", "Alice"), aliases=(Alias(name="Liss", evidence=(quote(world, 1),)),))
    assert told(world, borrowed) == ["gets a name in words nobody gave it by"]


def test_a_run_about_pages_states_withdraws_and_forgets_nothing() -> None:
    world = world_of()
    new = statement("tea", fact=FactId("f-00000000a1"), evidence=(quote(world, 1),))
    stated = ["states what no page that is merged here says"]
    assert told(world, Asserted(statement=new)) == stated
    assert told(world, LearnedLate(statement=new, superseded_by=SAME)) == stated
    assert told(world, withdrawn(world)) == ["takes evidence back"]
    assert told(world, Forgotten(events=(), files=(), digests=())) == ["forgets events"]
