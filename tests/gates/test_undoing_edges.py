"""What a revert may do, event by event: also of events that no ledger would take, where nothing is raised."""

from dataclasses import replace

from tests.archive import source_named, turn
from tests.builders import page_changed, prose_changed
from tests.gates.test_undoing import ALICE, EARLY, GOOD, LATE, MIDDLE, NEW, POISON, ZOE, named, of, refused, world
from tests.mutants.base import statement_of
from tests.planner.undone import planned, taken_back
from tests.world import World, drafted
from xysq.gates.undoing import beyond_revert
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    PageOp,
    ProseOp,
    RunKind,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Fact, FactId, Label, RunId, Slug
from xysq.model.page import CHANGELOG_LINES, Alias, BlockId, Origin

__all__ = ("world",)
UNKNOWN, NOBODY = FactId("f-0000000099"), Slug("nobody")
NOTHING_ENDED = "is stated by a revert, and revives nothing that had ended"
OTHER_QUOTES = "is confirmed by quotes that nobody else had given"
NOT_GIVEN = f"loses a quote that {POISON} did not give it"
LAST = "loses the last quote it stands on"


def beyond(
    world: World, body: Body | None, *, target: str = POISON, before: Fold | None = None, after: Fold | None = None
) -> tuple[str, str, str] | None:
    """Return page, anchor and sentence of what an event of a revert does that it may not."""
    fold = world.story.fold
    run = world.candidate(planned(world, () if body is None else (body,)), RunKind.REVERT, reverts=target)
    event = replace(run.events[0], body=None) if body is None else run.events[-1]
    found = beyond_revert(event, before or fold, after or fold, run, world.state)
    return None if found is None else (found.page, found.anchor, found.sentence)


def reviving(fact: Fact, **changes: object) -> Asserted:
    return Asserted(statement=statement_of(fact, **{"fact": NEW, "revives": fact.id} | changes))


def emptied(world: World, slug: str) -> None:
    """End every fact of a page, so that it may end itself."""
    for fact in world.facts(slug):
        world.story.page(slug).close(fact.id)


def told(*turns: str, facts: tuple[object, ...], source: str = "poison", at: str = MIDDLE, world: World) -> None:
    """Push words and learn what is drafted of them."""
    world.tell(*(turn(text, at=at) for text in turns), source=source)
    world.learn(*facts)  # type: ignore[arg-type]


# Facts


def test_an_emptied_event_does_nothing_and_of_an_emptied_beginning_nothing_is_known(world: World) -> None:
    assert beyond(world, None) is None
    closed = of(taken_back(world, POISON), FactClosed)
    run = world.candidate(planned(world, (closed,)), RunKind.REVERT, reverts=POISON)
    emptied = replace(run, events=(replace(run.events[0], body=None), *run.events[1:]))
    found = beyond_revert(run.events[1], world.story.fold, world.story.fold, emptied, world.state)
    assert found is not None
    assert found.sentence == f"is closed in the name of 'user', because of '{POISON}'"


def test_a_closing_is_told_with_its_page_and_of_a_fact_that_is_none_without(world: World) -> None:
    chess = named(world, "chess")
    closed = FactClosed(fact=chess.id, reason=CloseReason.REVERTED, cause=POISON, by="user")
    assert beyond(world, closed) == ("alice", chess.id, f"is closed, and was not stated by {POISON}")
    sentence = "is closed by a revert that stated it itself, or by words"
    assert beyond(world, replace(closed, fact=UNKNOWN)) == ("", UNKNOWN, sentence)


def test_what_is_faulty_takes_no_place_however_much_it_weighs(world: World) -> None:
    rome, boston = named(world, "Rome"), named(world, "Boston")
    stated = reviving(boston, revives=None).statement
    assert beyond(world, SupersededBy(statement=stated, supersedes=rome.id)) == ("alice", NEW, NOTHING_ENDED)


def test_a_fact_is_revived_on_its_own_page_or_where_that_went(world: World) -> None:
    boston = named(world, "Boston")
    moved = reviving(boston, page=ZOE)
    assert beyond(world, reviving(boston)) is None
    assert beyond(world, moved) == ("zoe", NEW, f"revives {boston.id}, and says something else")
    emptied(world, "alice")
    world.story.page("alice").merge_into("zoe")
    assert beyond(world, moved) is None
    assert beyond(world, reviving(boston)) == ("alice", NEW, f"revives {boston.id}, and says something else")


def test_a_fact_is_revived_on_a_page_that_was_removed(world: World) -> None:
    boston = named(world, "Boston")
    emptied(world, "alice")
    world.story.page("alice").remove()
    assert beyond(world, reviving(boston)) is None


def test_a_fact_of_the_targets_own_is_said_in_the_words_of_others() -> None:
    world = World()
    told("I like rum.", facts=(drafted("I", "likes", "rum", text="Alice likes rum a lot."),), world=world)
    told("I like rum.", facts=(drafted("I", "likes", "rum", text="x rum"),), source="other", at=LATE, world=world)
    bodies = taken_back(world, POISON)
    back = of(bodies, Asserted, "rum")
    assert isinstance(back, Asserted)
    again = Asserted(statement=replace(back.statement, text="Alice likes rum."))
    assert refused(world, *(again if body is back else body for body in bodies)) == []


def last_run(world: World) -> RunId:
    return world.story.events[-1].run


def test_a_conclusion_rests_on_what_its_premises_say_and_on_no_more(world: World) -> None:
    alice, boston, tea = world.story.page("alice"), named(world, "Boston"), named(world, "tea")
    names = [FactId(f"f-00000000b{number}") for number in range(5)]
    for name, attribute, value in zip(
        names, ("location", "preference", "wants", "preference"), ("Bonn", "ale", "Bonn", "gin"), strict=False
    ):
        alice.assert_(name, value, attribute=attribute, evidence=boston.evidence)
    bonn, ale, wants, gin, cosy = names
    alice.assert_(cosy, "cosy", label=Label.INFERRED, evidence=(), derived_from=(bonn, ale))
    alice.close(cosy)
    run, fact = last_run(world), named(world, "cosy")
    assert tea.id not in fact.derived_from
    for premises in ((bonn, ale), (bonn,), (ale,), ()):
        assert beyond(world, reviving(fact, derived_from=premises), target=run) is None
    for name in (wants, gin, UNKNOWN):
        sentence = f"revives {cosy} on another premise, {name}"
        assert beyond(world, reviving(fact, derived_from=(bonn, name)), target=run) == ("alice", NEW, sentence)
    alice.assert_(FactId("f-00000000b9"), "BONN", attribute="location", evidence=boston.evidence)
    assert beyond(world, reviving(fact, derived_from=(FactId("f-00000000b9"), ale)), target=run) is None


def test_a_fact_of_this_very_run_is_not_revived_by_it(world: World) -> None:
    fold = Fold(world.story.fold)
    other = World()
    other.story.fold, other.story.events = fold, list(world.story.events)
    other.story.page("alice").assert_(NEW, "x", evidence=named(world, "Boston").evidence)
    other.story.page("alice").close(NEW)
    fact = named(other, "x")
    sentence = f"revives {NEW}, which did not end by the doing of {POISON}"
    again = Asserted(statement=statement_of(fact, fact=UNKNOWN, revives=NEW))
    assert beyond(world, again, before=fold) == ("alice", UNKNOWN, sentence)


def test_a_fact_is_revived_on_quotes_for_its_own_value_and_attribute(world: World) -> None:
    tea, alice = named(world, "tea"), world.story.page("alice")
    chess = named(world, "chess").evidence
    for number, (attribute, value, page) in enumerate(
        (("preference", "gin", "alice"), ("wants", "tea", "alice"), ("preference", "TEA", "zoe"))
    ):
        world.story.page(page).assert_(FactId(f"f-00000000b{number}"), value, attribute=attribute, evidence=chess)
        sentence = f"revives {tea.id} on quotes that nobody else had given"
        assert beyond(world, reviving(tea, evidence=chess)) == ("alice", NEW, sentence)
    alice.assert_(FactId("f-00000000b9"), "TEA", attribute="preference", evidence=chess)
    assert beyond(world, reviving(tea, evidence=(*tea.evidence, *chess))) is None
    assert beyond(world, reviving(tea, evidence=(*tea.evidence, *chess)), target=source_named("later")) is not None


def test_quotes_of_the_target_are_not_left_even_for_the_same_value(world: World) -> None:
    tea = named(world, "tea")
    poisoned = named(world, "Rome").evidence
    again = {"attribute": tea.attribute, "evidence": poisoned}
    world.story.page("alice").assert_(FactId("f-00000000b9"), "TEA", **again)
    sentence = f"revives {tea.id} on quotes that nobody else had given"
    assert beyond(world, reviving(tea, evidence=poisoned)) == ("alice", NEW, sentence)


def test_a_fact_takes_the_place_of_one_of_its_own_attribute(world: World) -> None:
    boston, rome, chess = named(world, "Boston"), named(world, "Rome"), named(world, "chess")
    stated = reviving(boston).statement
    for name in (chess.id, UNKNOWN):
        sentence = f"takes the place of {name}, of another attribute"
        assert beyond(world, SupersededBy(statement=stated, supersedes=name)) == ("alice", NEW, sentence)
    weighs = f"takes the place of {rome.id}, which weighs more"
    assert beyond(world, SupersededBy(statement=stated, supersedes=rome.id)) == ("alice", NEW, weighs)
    world.story.page("alice").assert_(UNKNOWN, "BOSTON", attribute="location", single=True, evidence=rome.evidence)
    assert beyond(world, SupersededBy(statement=stated, supersedes=UNKNOWN)) is None


# Quotes


def test_a_fact_that_is_none_is_neither_confirmed_nor_robbed(world: World) -> None:
    evidence = named(world, "jazz").evidence
    confirmed = ("", UNKNOWN, "is confirmed by the revert that states it")
    assert beyond(world, Confirmed(fact=UNKNOWN, evidence=evidence)) == confirmed
    assert beyond(world, Withdrawn(fact=UNKNOWN, brought_by=1, cause=POISON)) == ("", UNKNOWN, NOT_GIVEN)


def test_only_of_a_run_quotes_of_facts_that_say_the_same_are_put_together(world: World) -> None:
    jazz, chess = named(world, "jazz"), named(world, "chess").evidence
    alice, run = world.story.page("alice"), RunId("r-20261130T181000Z-0001")
    again = Confirmed(fact=jazz.id, evidence=chess)
    for number, (attribute, value) in enumerate((("preference", "gin"), ("wants", "jazz"))):
        alice.assert_(FactId(f"f-00000000b{number}"), value, attribute=attribute, evidence=chess)
        assert beyond(world, again, target=run) == ("", jazz.id, OTHER_QUOTES)
    alice.assert_(FactId("f-00000000b9"), "JAZZ", attribute="preference", evidence=chess)
    assert beyond(world, again, target=run) is None
    assert beyond(world, again) == ("", jazz.id, OTHER_QUOTES)
    for number in range(CHANGELOG_LINES):
        alice.prose(BlockId(f"b-00000000{number:02d}"))
    assert beyond(world, again) == ("", jazz.id, OTHER_QUOTES)


def test_a_quote_goes_with_the_event_that_gave_it_and_that_was_the_targets(world: World) -> None:
    jazz = named(world, "jazz")
    assert beyond(world, Withdrawn(fact=jazz.id, brought_by=jazz.n, cause=POISON)) == ("", jazz.id, NOT_GIVEN)
    mixed = (named(world, "Rome").evidence[0], named(world, "chess").evidence[0])
    world.story.page("alice").confirm(jazz.id, *mixed)
    both = world.story.events[-1].n
    assert beyond(world, Withdrawn(fact=jazz.id, brought_by=both, cause=POISON)) is None
    later = source_named("later")
    assert beyond(world, Withdrawn(fact=jazz.id, brought_by=both, cause=later), target=later) is None


def test_a_quote_that_is_left_stands_and_has_the_value(world: World) -> None:
    jazz = named(world, "jazz")
    given = next(proof.n for proof in jazz.proofs if proof.evidence.source == POISON)
    gone = Withdrawn(fact=jazz.id, brought_by=given, cause=POISON)

    def behind() -> Fold:
        other = World()
        other.story.fold, other.story.events = Fold(world.story.fold), list(world.story.events)
        other.story.page("alice").withdraw(jazz.id, given, cause=POISON)
        return other.story.fold

    assert beyond(world, gone, after=behind()) is None
    assert beyond(world, gone, after=Fold(World().story.fold)) is None
    said = turn("I live in Boston. I like tea. I like jazz.", at=EARLY)
    world.archive.correct("good", "jazz", "rock", "2026-12-01T00:00:00Z", [said])
    assert beyond(world, gone, after=behind()) == ("", jazz.id, LAST)


def test_a_conclusion_may_lose_its_last_quote(world: World) -> None:
    rome = named(world, "Rome")
    world.story.page("alice").assert_(
        UNKNOWN, "Rome", label=Label.INFERRED, evidence=rome.evidence, derived_from=(rome.id,)
    )
    given = world.story.events[-1].n
    gone = Withdrawn(fact=UNKNOWN, brought_by=given, cause=POISON)
    other = World()
    other.story.fold, other.story.events = Fold(world.story.fold), list(world.story.events)
    other.story.page("alice").withdraw(UNKNOWN, given, cause=POISON)
    assert beyond(world, gone, after=other.story.fold) is None


# Pages


def removal(block: str, page: Slug = ALICE) -> Body:
    return prose_changed("", page=page, block=BlockId(block), op=ProseOp.REMOVE, after="")


def test_prose_goes_where_it_is_not_a_persons_whatever_else_stands_there(world: World) -> None:
    alice = world.story.page("alice")
    alice.prose("b-00000000a1", "She is kind.")
    alice.prose("b-00000000a2", "Mine.", origin=Origin.YOURS)
    assert beyond(world, removal("b-00000000a1")) is None
    assert beyond(world, removal("b-00000000a2")) == ("alice", "b-00000000a2", "takes out a person's own prose")
    assert beyond(world, removal("b-00000000a1", NOBODY)) is None  # unlawful: refused as that


def test_a_run_wrote_nothing_on_a_page_that_is_none(world: World) -> None:
    run = RunId("r-20261130T181000Z-0002")
    sentence = f"changes prose where {run} wrote none"
    assert beyond(world, removal("b-00000000a1", NOBODY), target=run) == ("nobody", "b-00000000a1", sentence)


def test_a_page_with_a_long_past_beside_one_that_went_into_it_may_be_put_back(world: World) -> None:
    run, zoe = RunId("r-20261130T181000Z-0000"), world.story.page("zoe")
    world.story.commit(page_changed("bob", title="Bob"))
    for number in range(CHANGELOG_LINES):
        zoe.prose(BlockId(f"b-00000000{number:02d}"))
    come = prose_changed("x", page=Slug("bob"), block=BlockId("b-00000000a1"))
    assert beyond(world, come, target=run) is not None
    world.story.commit(
        page_changed("bob", op=PageOp.META, title="Bob", aliases=(Alias(name="zoe"),)), kind=RunKind.PAGE
    )
    emptied(world, "zoe")
    for number in range(CHANGELOG_LINES):
        zoe.remove_prose(f"b-00000000{number:02d}")
    zoe.merge_into("bob")
    assert beyond(world, come, target=run) is None


def test_a_source_takes_names_away_and_changes_none(world: World) -> None:
    given, more = named(world, "chess").evidence, named(world, "Boston").evidence
    known = (Alias(name="Al", evidence=(*given, *more)), Alias(name="Ali"))
    world.story.commit(page_changed("alice", op=PageOp.META, title="Alice Chen", aliases=(*known, Alias(name="Alice"))))
    meta = page_changed("alice", op=PageOp.META, title="Alice Chen", kind="")
    for aliases in (known, known[:1], (replace(known[0], evidence=given),), ()):
        assert beyond(world, replace(meta, aliases=aliases)) is None
    others = "gives page 'alice' other names"
    rest = named(world, "Rome").evidence
    for wrong in (replace(known[0], evidence=(*given, *rest)), Alias(name="Bo"), replace(known[1], evidence=rest)):
        assert beyond(world, replace(meta, aliases=(known[1], wrong))) == ("alice", "", others)
    assert beyond(world, replace(meta, title="Alice")) is None
    assert beyond(world, replace(meta, title="Bob")) == ("alice", "", "calls page 'alice' by a name of another")
    nobody = replace(meta, page=NOBODY, title="Nobody")
    assert beyond(world, nobody) == ("nobody", "", "names page 'nobody', which was not there")


def test_a_page_stays_where_one_fact_of_others_is_among_its_own(world: World) -> None:
    removed = page_changed("alice", op=PageOp.REMOVE, kind="")
    sentence = "removes page 'alice', where others stated something"
    assert beyond(world, removed) == ("alice", "", sentence)
    assert beyond(world, removed, target=GOOD) == ("alice", "", sentence)
