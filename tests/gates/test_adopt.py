"""What an adoption may do: each thing it may not, beside what it may."""

from dataclasses import replace

import pytest

from tests.archive import turn, user
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
    PageOp,
    ProseOp,
    RunKind,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import Plan
from xysq.model.source import Channel, Role, Row, SourceId
from xysq.planner.quote import Quoting

OLD, GUESS, OTHER, NEW = (FactId(f"f-000000000{number}") for number in range(1, 5))
DRAFTED, TYPED = BlockId("b-0000000001"), BlockId("b-0000000002")
RUN = "r-20261130T181000Z-0000"


def quote(world: World, number: int = 1) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def world_of(channel: Channel = Channel.ADOPT) -> World:
    """Return a world with facts of Alice and Bob; what was typed into Alice's page came just now."""
    world = World()
    world.tell(turn("I live in Boston."), source="before")
    old = quote(world)
    alice, bob = world.story.page("alice", "Alice"), world.story.page("bob", "Bob")
    alice.assert_(OLD, "Boston", attribute="location", single=True, evidence=(old,))
    bob.assert_(OTHER, "Boston", evidence=(old,))
    bob.assert_(GUESS, "rain", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    alice.prose(DRAFTED, "She is kind.")
    typed = (user("Alice lives in Berlin."), user("She sails."), turn("Boston, says Bob."))
    world.tell(*typed, source="page", channel=channel)
    return world


def stated(world: World, **changes: object) -> Statement:
    base = statement("Berlin", fact=NEW, attribute="location", single=True, text="Alice lives in Berlin.")
    return replace(base, **{"evidence": (quote(world),)} | changes)  # type: ignore[arg-type]


def withdrawn(world: World) -> Withdrawn:
    fact = world.story.fold.fact(OLD)
    assert fact is not None
    return Withdrawn(fact=fact.id, brought_by=fact.n, cause="x")


def told(world: World, *bodies: Body) -> list[str]:
    run = world.candidate(Plan(edits=(), events=bodies), kind=RunKind.ADOPT)
    return [refusal.sentence for refusal in authority(run, world.state)]


def test_a_fact_is_superseded_in_the_words_that_were_typed() -> None:
    world = world_of()
    good = SupersededBy(statement=stated(world), supersedes=OLD)
    assert told(world, good) == []
    typed = "rests on words that were not typed into the page"
    other = world_of(Channel.CLI)
    assert told(other, SupersededBy(statement=stated(other), supersedes=OLD)) == [typed]
    strange = replace(quote(world), source=SourceId("20261130-zzzzzz"))
    assert told(world, replace(good, statement=stated(world, evidence=(strange,)))) == [typed]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"label": Label.INFERRED}, "supersedes a fact by something else than a statement"),
        ({"derived_from": (OTHER,)}, "supersedes a fact by something else than a statement"),
        ({"revives": OLD}, "supersedes a fact by something else than a statement"),
    ],
)
def test_a_new_text_is_a_statement_of_its_user(changes: dict[str, object], sentence: str) -> None:
    world = world_of()
    found = told(world, SupersededBy(statement=stated(world, **changes), supersedes=OLD))
    assert sentence in found or found == [f"supersedes {OLD}, which is stated, by an inference"]
    theirs = replace(quote(world, 3), channel=Channel.ADOPT)
    assert theirs.role is Role.PERSON
    said = told(world, Confirmed(fact=OLD, evidence=(theirs,)))
    assert said == ["rests on words that were not typed into the page"]
    mine = replace(theirs, role=Role.USER)
    assert told(world, Confirmed(fact=OLD, evidence=(mine,))) == []


def closing(world: World, fact: FactId = OLD, **changes: object) -> FactClosed:
    base = FactClosed(fact=fact, reason=CloseReason.RETRACTED, cause=RUN, by="user")
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_fact_is_closed_by_its_user_and_what_rests_on_it_falls_anywhere() -> None:
    world = world_of()
    fallen = closing(world, GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    assert told(world, closing(world), fallen) == []
    cited = quote(world, 2)
    assert told(world, closing(world, cause=str(cited.cited), evidence=(cited,)), fallen) == []
    somebody = "is closed by somebody else than the user"
    assert told(world, closing(world, by="rules"), fallen) == [somebody]
    assert told(world, closing(world, cause="x"), fallen) == [somebody]
    merged = closing(world, reason=CloseReason.MERGED)
    assert told(world, merged, fallen) == ["is closed as merged, which no adopt run does"]


def test_only_the_page_that_was_edited_changes() -> None:
    world = world_of()
    beyond = "is on another page than the one that was edited"
    assert told(world, closing(world), closing(world, OTHER)) == [beyond]
    assert told(world, closing(world, OTHER)) == []
    prose = prose_changed("Mine.", page=Slug("bob"), block=TYPED, origin=Origin.YOURS)
    assert told(world, closing(world), prose) == [beyond]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, None),
        ({"op": ProseOp.REPLACE, "block": DRAFTED}, None),
        ({"op": ProseOp.REMOVE, "block": DRAFTED, "origin": Origin.DRAFTED}, None),
        ({"origin": Origin.DRAFTED}, "writes prose that is not a person's own"),
        ({"origin": Origin.DROPPED, "code": "unfounded"}, "writes prose that is not a person's own"),
        ({"code": "unfounded"}, "writes prose that is not a person's own"),
        ({"rows": (Row(SourceId("20261130-zzzzzz"), 1, 0, 9),)}, "writes prose out of rows that are not the run's"),
    ],
)
def test_prose_is_the_persons_own(changes: dict[str, object], sentence: str | None) -> None:
    world = world_of()
    prose = prose_changed("Mine.", **{"block": TYPED, "origin": Origin.YOURS, "rows": world.rows} | changes)
    assert told(world, prose) == ([] if sentence is None else [sentence])


def test_rows_of_prose_lie_inside_those_of_the_run() -> None:
    world = world_of()
    (row,) = world.rows
    beyond = ["writes prose out of rows that are not the run's"]
    prose = prose_changed("Mine.", block=TYPED, origin=Origin.YOURS)
    for start, end, sentences in (
        (row.start, row.end, []),
        (row.start + 1, row.end - 1, []),
        (row.start, row.end + 1, beyond),
        (row.end, row.start, beyond),
    ):
        part = replace(row, start=start, end=end)
        assert told(world, replace(prose, rows=(part,))) == sentences
    assert told(world, replace(prose, rows=(replace(row, version=2),))) == beyond


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"aliases": (Alias(name="Liss"),)}, None),
        ({"title": "Alice Chen", "aliases": (Alias(name="Alice"),)}, None),
        ({"title": "Al", "aliases": ()}, None),  # its slug is its old title
        ({"aliases": (Alias(name="BOB"),)}, "goes by 'BOB', as page 'bob' does"),
        ({"op": PageOp.MERGE, "into": Slug("bob"), "title": "Bob"}, "as a whole (merge)"),
        ({"op": PageOp.CREATE, "page": Slug("eve"), "title": "Eve"}, "as a whole (create)"),
    ],
)
def test_the_page_gets_names_and_becomes_no_other(changes: dict[str, object], word: str | None) -> None:
    world = world_of()
    fallen = closing(world, GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    named = page_changed("alice", **{"op": PageOp.META, "title": "Alice"} | changes)
    is_ending = named.op is PageOp.MERGE
    sentences = told(world, *((closing(world), fallen) if is_ending else ()), named)
    assert len(sentences) == (word is not None)
    assert all(str(word) in sentence for sentence in sentences)


def test_a_name_borrows_no_words() -> None:
    world = world_of()
    named = page_changed("alice", op=PageOp.META, aliases=(Alias(name="Liss", evidence=(quote(world),)),))
    assert told(world, named) == ["gets a name in words nobody gave it by"]


def test_a_page_may_lose_everything_and_does_not_end() -> None:
    world = world_of()
    fallen = closing(world, GUESS, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    prose = prose_changed("", block=DRAFTED, op=ProseOp.REMOVE)
    assert told(world, closing(world), prose, fallen) == []
    ending = page_changed("alice", op=PageOp.REMOVE)
    assert told(world, closing(world), prose, ending, fallen) == ["changes page 'alice' as a whole (remove)"]


def test_an_adoption_states_withdraws_and_forgets_nothing() -> None:
    world = world_of()
    new = stated(world, attribute="x", single=False)
    beside = ["is stated beside the others by an adoption"]
    assert told(world, Asserted(statement=new)) == beside
    late = LearnedLate(statement=stated(world), superseded_by=OLD)
    assert told(world, late) == beside
    assert told(world, withdrawn(world)) == ["takes evidence back"]
    assert told(world, Forgotten(events=(), files=(), digests=())) == ["forgets events"]
