"""The gate about authority, of reverts: each undoes what it names and nothing beside."""

from dataclasses import replace

import pytest

from tests.archive import source_named, turn, user
from tests.builders import page_changed, prose_changed
from tests.planner.undone import planned, taken_back
from tests.world import World, block, closing, drafted, inferred
from xysq.gates import judge
from xysq.gates.entitlement import authority
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
from xysq.model.fact import CloseReason, Fact, FactId, Label, RunId, Slug
from xysq.model.page import CHANGELOG_LINES, Alias, BlockId, Origin

EARLY, MIDDLE, LATE = "2026-11-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"
POISON, GOOD = source_named("poison"), source_named("good")
ALICE, ZOE = Slug("alice"), Slug("zoe")
NEW = FactId("f-00000000a1")


@pytest.fixture
def world() -> World:
    """Return a world where a poisoned source superseded, closed, confirmed and made a page, and another said more."""
    world = World()
    world.tell(turn("I live in Boston. I like tea. I like jazz.", at=EARLY), source="good")
    world.learn(
        drafted("I", "location", "Boston", text="Alice lives in Boston."),
        drafted("I", "likes", "tea", text="Alice likes tea."),
        drafted("I", "likes", "jazz", text="Alice likes jazz."),
        inferred("Alice", "note", "a citizen", "I/location/Boston", text="Alice is a citizen."),
    )
    world.tell(turn("I live in Rome, I like jazz, forget tea. Zoe skis.", at=MIDDLE), source="poison")
    world.learn(
        drafted("I", "location", "Rome", text="Alice lives in Rome."),
        drafted("I", "likes", "jazz", text="Alice likes jazz."),
        drafted("Zoe", "skill", "skis", text="Zoe skis."),
        closes=(closing(named(world, "tea").id),),
    )
    world.tell(user("Alice plays chess.", at=LATE), source="later")
    world.learn(drafted("Alice", "skill", "chess", text="Alice plays chess."))
    return world


def named(world: World, value: str) -> Fact:
    """Return the newest fact of a value."""
    return [fact for fact in world.story.fold.every_fact() if fact.value == value][-1]


def refused(world: World, *bodies: Body, target: str = POISON) -> list[str]:
    run = world.candidate(planned(world, bodies), RunKind.REVERT, reverts=target)
    return [refusal.sentence for refusal in authority(run, world.state)]


def of(bodies: tuple[Body, ...], kind: type[Body], value: str = "") -> Body:
    """Return the event of a kind, about that value."""
    for body in bodies:
        stated = body.statement.value if isinstance(body, Asserted | SupersededBy) else ""
        if isinstance(body, kind) and value in ("", stated):
            return body
    raise LookupError(kind)


def test_what_undoes_a_source_or_a_run_and_no_more_passes_every_gate(world: World) -> None:
    runs = [event.run for event in world.story.events if event.kind == "run"]
    for target in (POISON, runs[2]):
        bodies = taken_back(world, target)
        run = world.candidate(planned(world, bodies), RunKind.REVERT, reverts=target)
        assert judge(run, world.state) == ()
        kinds = [type(body).__name__ for body in bodies]
        assert sorted(set(kinds)) == ["Asserted", "FactClosed", "PageChanged", "Withdrawn"]
        assert [body.statement.value for body in bodies if isinstance(body, Asserted)] == ["Boston", "tea", "a citizen"]


@pytest.mark.parametrize("target", ["", "x", "r-1", "20261130", f"{POISON}@1", "../.."])
def test_a_revert_names_a_run_or_a_source(world: World, target: str) -> None:
    assert refused(world, target=target) == [f"takes back {target!r}, which is no run and no source"]
    assert refused(world) == []


def test_no_fact_of_others_is_closed_and_none_in_another_name(world: World) -> None:
    closed = of(taken_back(world, POISON), FactClosed)
    assert isinstance(closed, FactClosed)
    assert refused(world, closed) == []
    others = named(world, "chess").id
    assert refused(world, replace(closed, fact=others)) == [f"is closed, and was not stated by {POISON}"]
    assert refused(world, replace(closed, by="rules")) == [f"is closed in the name of 'rules', because of '{POISON}'"]
    assert refused(world, replace(closed, cause=GOOD)) == [f"is closed in the name of 'user', because of '{GOOD}'"]
    words = replace(closed, evidence=named(world, "chess").evidence)
    assert refused(world, words) == ["is closed by a revert that stated it itself, or by words"]
    assert refused(world, replace(closed, reason=CloseReason.CORRECTED)) == [
        "is closed as corrected, which no revert run does"
    ]


def test_a_conclusion_is_closed_for_a_premise_of_its_own(world: World) -> None:
    world.tell(turn("I am off.", at=LATE), source="more")
    rome = named(world, "Rome").id
    world.learn(inferred("Alice", "note", "Roman", rome, text="Alice is Roman."))
    bodies = taken_back(world, POISON)
    falls = next(body for body in bodies if isinstance(body, FactClosed) and body.fact == named(world, "Roman").id)
    assert falls.reason is CloseReason.PREMISE_CLOSED
    assert refused(world, *bodies) == []
    for forged in (replace(falls, by="user"), replace(falls, cause=named(world, "chess").id)):
        assert f"is closed in the name of {forged.by!r}" in refused(world, *_with(bodies, falls, forged))


def _with(bodies: tuple[Body, ...], old: Body, new: Body) -> tuple[Body, ...]:
    return tuple(new if body == old else body for body in bodies)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"revives": None}, "is stated by a revert, and revives nothing that had ended"),
        ({"value": "Rome", "text": "Alice lives in Rome."}, "revives {}, and says something else"),
        ({"attribute": "employer"}, "revives {}, and says something else"),
        ({"single": False}, "revives {}, and says something else"),
        ({"label": Label.INFERRED}, "revives {}, and says something else"),
        ({"text": "Alice has always lived in Boston."}, "revives {} in other words"),
    ],
)
def test_what_is_stated_again_is_what_had_ended(world: World, changes: dict[str, object], sentence: str) -> None:
    bodies = taken_back(world, POISON)
    good = of(bodies, Asserted, "Boston")
    assert isinstance(good, Asserted)
    forged = Asserted(statement=replace(good.statement, **changes))  # type: ignore[arg-type]
    found = refused(world, *(body for body in _with(bodies, good, forged) if not _is_about(body, "a citizen")))
    assert sentence.format(good.statement.revives) in found


def _is_about(body: Body, value: str) -> bool:
    return isinstance(body, Asserted) and body.statement.value == value


def test_what_is_open_or_ended_by_others_is_not_revived(world: World) -> None:
    tea, chess = of(taken_back(world, POISON), Asserted, "tea"), named(world, "chess")
    assert isinstance(tea, Asserted)
    assert refused(world, tea) == []
    stated = replace(tea.statement, revives=chess.id, attribute="skill", value="chess", text=chess.text)
    again = Asserted(statement=replace(stated, evidence=chess.evidence))
    assert refused(world, again) == ["is stated by a revert, and revives nothing that had ended"]
    assert refused(world, tea, target=GOOD) == [
        f"revives {tea.statement.revives}, which did not end by the doing of {GOOD}"
    ]


def test_it_rests_on_quotes_and_premises_that_were_there_before(world: World) -> None:
    bodies = taken_back(world, POISON)
    tea, citizen = of(bodies, Asserted, "tea"), of(bodies, Asserted, "a citizen")
    assert isinstance(tea, Asserted)
    assert isinstance(citizen, Asserted)
    for value in ("chess", "Rome"):
        forged = Asserted(statement=replace(tea.statement, evidence=named(world, value).evidence))
        assert refused(world, *_with(bodies, tea, forged)) == [
            f"revives {tea.statement.revives} on quotes that nobody else had given"
        ]
    chess = named(world, "chess").id
    forged = Asserted(statement=replace(citizen.statement, derived_from=(chess,)))
    assert refused(world, *_with(bodies, citizen, forged)) == [
        f"revives {citizen.statement.revives} on another premise, {chess}"
    ]


def test_a_quote_of_the_sources_own_revives_nothing(world: World) -> None:
    bodies = taken_back(world, POISON)
    boston, jazz = of(bodies, Asserted, "Boston"), named(world, "jazz")
    assert isinstance(boston, Asserted)
    poisoned = tuple(piece for piece in jazz.evidence if piece.source == POISON)
    assert poisoned
    forged = Asserted(statement=replace(boston.statement, evidence=(*boston.statement.evidence, *poisoned)))
    assert refused(world, *_with(bodies, boston, forged)) == [
        f"revives {boston.statement.revives} on quotes that nobody else had given"
    ]


def test_it_takes_the_place_only_of_what_weighs_less() -> None:
    def told(at: str) -> World:
        world = World()
        world.tell(turn("I live in Boston.", at=MIDDLE), source="good")
        world.learn(drafted("I", "location", "Boston"))
        world.tell(turn("Forget Boston.", at=LATE), source="poison")
        world.learn(closes=(closing(named(world, "Boston").id),))
        world.tell(turn("I live in Lima.", at=at), source="later")
        world.learn(drafted("I", "location", "Lima"))
        return world

    heavier = told(EARLY)
    bodies = taken_back(heavier, POISON)
    (back,) = bodies
    assert isinstance(back, SupersededBy)
    assert (back.statement.value, refused(heavier, back)) == ("Boston", [])
    stated = replace(back.statement, before=back.supersedes)
    assert refused(heavier, replace(back, statement=stated)) == ["takes a place, and chooses another"]
    lighter = told(LATE)
    assert taken_back(lighter, POISON) == ()
    lima = named(lighter, "Lima").id
    assert refused(lighter, replace(back, supersedes=lima)) == [f"takes the place of {lima}, which weighs more"]


def test_only_quotes_of_its_giving_are_withdrawn_and_never_the_last(world: World) -> None:
    withdrawn = of(taken_back(world, POISON), Withdrawn)
    assert isinstance(withdrawn, Withdrawn)
    assert refused(world, withdrawn) == []
    assert refused(world, replace(withdrawn, cause=GOOD)) == [f"loses a quote that {POISON} did not give it"]
    chess = named(world, "chess")
    others = Withdrawn(fact=chess.id, brought_by=chess.n, cause=POISON)
    assert refused(world, others) == [f"loses a quote that {POISON} did not give it"]
    jazz = named(world, "jazz")
    first = Withdrawn(fact=jazz.id, brought_by=jazz.n, cause=GOOD)
    assert refused(world, first, target=GOOD) == []
    rome = named(world, "Rome")
    last = Withdrawn(fact=rome.id, brought_by=rome.n, cause=POISON)
    assert refused(world, last) == ["loses the last quote it stands on"]


def test_a_fact_is_confirmed_only_by_quotes_it_had(world: World) -> None:
    jazz = named(world, "jazz")
    withdrawal = Withdrawn(fact=jazz.id, brought_by=jazz.proofs[-1].n, cause=POISON)
    had = tuple(piece for piece in jazz.evidence if piece.source != POISON)
    assert refused(world, withdrawal, Confirmed(fact=jazz.id, evidence=had)) == []
    for piece in (named(world, "chess").evidence[0], named(world, "Rome").evidence[0]):
        assert refused(world, Confirmed(fact=jazz.id, evidence=(piece,))) == [
            "is confirmed by quotes that nobody else had given"
        ]


def test_prose_of_a_source_goes_and_none_comes(world: World) -> None:
    world.tell(turn("Alice is odd.", at=LATE), source="poison2")
    world.learn(edits=(block("Alice", "Alice is odd."),))
    shown = next(one for one in world.story.page("alice").state.blocks if not hasattr(one, "fact"))
    gone = ProseChanged(page=ALICE, block=shown.block, op=ProseOp.REMOVE, text="", after="", origin=Origin.DRAFTED)
    assert refused(world, gone, target=source_named("poison2")) == []
    come = prose_changed("Alice is fine.", block=BlockId("b-00000000a1"))
    assert refused(world, come) == ["writes prose, and takes a source back"]
    assert refused(world, replace(gone, op=ProseOp.REPLACE, text="Alice is fine.")) == [
        "writes prose, and takes a source back"
    ]
    world.story.page("alice").prose("b-00000000a2", "Mine.", origin=Origin.YOURS)
    assert refused(world, replace(gone, block=BlockId("b-00000000a2"))) == ["takes out a person's own prose"]


def test_pages_are_made_again_removed_and_named_within_bounds(world: World) -> None:
    bodies = taken_back(world, POISON)
    removal = of(bodies, PageChanged)
    assert isinstance(removal, PageChanged)
    assert (removal.page, removal.op) == (ZOE, PageOp.REMOVE)
    meta = page_changed("alice", op=PageOp.META, title="Alice", kind="")
    alias = (Alias(name="Al"),)
    assert refused(world, meta) == []
    assert refused(world, replace(meta, title="ALICE")) == []
    assert refused(world, replace(meta, title="Bob")) == ["calls page 'alice' by a name of another"]
    assert refused(world, replace(meta, aliases=alias)) == ["gives page 'alice' other names"]
    assert refused(world, page_changed("eve")) == ["makes page 'eve', which was not there"]
    merge = replace(removal, op=PageOp.MERGE, into=ALICE, title="Alice")
    zoes = tuple(body for body in bodies if isinstance(body, FactClosed))
    assert "merges page 'zoe'" in refused(world, *zoes, merge)
    world.land(planned(world, bodies), RunKind.REVERT, reverts=POISON)
    again = replace(removal, op=PageOp.CREATE)
    assert refused(world, again) == []
    assert refused(world, replace(again, title="Eve")) == ["makes page 'zoe', which was not there"]


def test_a_page_where_others_stated_something_stays() -> None:
    world = World()
    world.tell(turn("I live in Boston.", at=EARLY), source="good")
    world.learn(drafted("I", "location", "Boston"))
    world.tell(turn("Forget Boston.", at=LATE), source="poison")
    world.learn(closes=(closing(named(world, "Boston").id),))
    removal = page_changed("alice", op=PageOp.REMOVE, kind="")
    assert refused(world, removal) == ["removes page 'alice', where others stated something"]


def test_history_and_forgetting_are_no_business_of_a_revert(world: World) -> None:
    chess = named(world, "chess")
    late = LearnedLate(
        statement=world.story.page("alice").statement(NEW, "x", attribute="skill"), superseded_by=chess.id
    )
    assert refused(world, late) == ["is learned late by a revert"]
    assert refused(world, Forgotten(events=(), files=(), digests=())) == ["forgets events"]


def test_a_run_may_put_prose_and_names_back_where_it_changed_them_and_nowhere_else(world: World) -> None:
    world.tell(turn("Eve is kind.", at=LATE), source="names")
    run = world.next_run
    world.learn(drafted("Eve", "trait", "kind", text="Eve is kind."))
    world.tell(turn("Alice is kind too.", at=LATE), source="prose")
    writer, silent = world.next_run, RunId("r-20261130T181000Z-0002")
    world.learn(edits=[block("Alice", "She is kind too.")])
    eve = prose_changed("Eve is fine.", page=Slug("eve"), block=BlockId("b-00000000a2"))
    come = prose_changed("Alice is fine.", block=BlockId("b-00000000a1"))
    assert refused(world, come, target=writer) == []
    for target, body in ((silent, come), (run, come), (run, eve), (writer, eve)):
        assert refused(world, body, target=target) == [f"changes prose where {target} wrote none"]
    names = {"op": PageOp.META, "aliases": (Alias(name="E"),)}
    assert refused(world, page_changed("eve", title="Eve", **names), target=run) == []
    for target, slug in ((run, "alice"), (silent, "eve"), (writer, "alice")):
        sentence = f"names page {slug!r}, which {target} did not"
        assert refused(world, page_changed(slug, **names), target=target) == [sentence]


def test_of_a_page_with_more_runs_than_its_changelog_tells_anything_may_be_put_back(world: World) -> None:
    come = prose_changed("Alice is fine.", block=BlockId("b-00000000a1"))
    silent = RunId("r-20261130T181000Z-0002")
    for number in range(CHANGELOG_LINES):
        assert refused(world, come, target=silent) == [f"changes prose where {silent} wrote none"]
        world.tell(turn(f"I like tune {number}.", at=LATE), source=f"tune{number}")
        world.learn(drafted("I", "likes", f"tune {number}", text=f"Alice likes tune {number}."))
        if len(world.state.ledger.page(ALICE).changelog) == CHANGELOG_LINES:  # type: ignore[union-attr]
            break
    assert refused(world, come, target=silent) == []


def test_of_a_run_only_a_revert_gives_quotes_back(world: World) -> None:
    jazz, chess = named(world, "jazz"), named(world, "chess")
    given = next(proof.evidence for proof in jazz.proofs if proof.evidence.source == POISON)
    poison = RunId("r-20261130T181000Z-0001")
    sentence = "is confirmed by quotes that nobody else had given"
    assert refused(world, Confirmed(fact=jazz.id, evidence=(given,)), target=poison) == [sentence]
    assert refused(world, Confirmed(fact=jazz.id, evidence=chess.evidence), target=poison) == [sentence]
    assert refused(world, Confirmed(fact=jazz.id, evidence=jazz.evidence[:1]), target=poison) == []
    world.land(planned(world, taken_back(world, POISON)), RunKind.REVERT, reverts=POISON)
    revert = RunId(f"r-20261130T181000Z-{world.runs - 1:04d}")
    assert refused(world, Confirmed(fact=jazz.id, evidence=(given,)), target=revert) == []
