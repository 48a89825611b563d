"""What each event does to the memory, and which events may not follow."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from tests.builders import (
    AT,
    RUN,
    SOURCE,
    Story,
    StoryPage,
    evidence,
    init_begun,
    page_changed,
    prose_changed,
    run_begun,
    run_events,
    statement,
)
from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import GENESIS, chain
from xysq.model.event import Asserted, Body, Confirmed, Event, FactClosed, Head, LearnedLate, PageOp, RunKind, Withdrawn
from xysq.model.fact import Closed, CloseReason, Fact, FactId, Open, RunId, Slug, Superseded
from xysq.model.page import CHANGELOG_LINES, BlockId, FactBlock, Origin, ProseBlock
from xysq.model.source import Row, Version
from xysq.text import fold as folded


def _fact(story: Story, name: str) -> Fact:
    known = story.fold.fact(FactId(name))
    assert known is not None
    return known


def _begun() -> tuple[Story, StoryPage]:
    story = Story()
    alice = story.page("alice", "Alice", aliases=["Al"])
    alice.assert_("f-1", "engineer", attribute="role", single=True, section="Work")
    return story, alice


# Effects


def test_an_asserted_fact_is_open_and_shown() -> None:
    story, alice = _begun()
    fact = _fact(story, "f-1")

    assert fact.is_open
    assert (fact.page, fact.attribute, fact.single, fact.section) == ("alice", "role", True, "Work")
    assert [proof.n for proof in fact.proofs] == [fact.n]
    assert (fact.run, fact.at) == (story.events[-1].run, story.events[-1].at)
    assert alice.state.blocks == (FactBlock(fact=FactId("f-1"), text=fact.text),)
    assert story.fold.facts_of(Slug("alice")) == (fact,)


def test_a_successor_takes_the_place_of_the_fact_it_supersedes() -> None:
    story, alice = _begun()
    alice.supersede("f-2", "f-1", "manager", derived_from=(FactId("f-1"),))
    last = story.events[-1]

    assert _fact(story, "f-1").life == Superseded(by=FactId("f-2"), at=last.at, run=last.run, n=last.n, late=False)
    assert _fact(story, "f-2").supersedes == "f-1"
    assert [block.fact for block in alice.state.blocks if isinstance(block, FactBlock)] == ["f-2"]
    assert story.fold.resting_on(FactId("f-1")) == ("f-2",)
    assert [fact.id for fact in story.fold.facts_of(Slug("alice"))] == ["f-1", "f-2"]


def test_late_history_is_superseded_from_the_start_and_changes_no_page() -> None:
    story, alice = _begun()
    before = alice.state
    alice.late("f-0", "f-1", "intern")
    life = _fact(story, "f-0").life

    assert isinstance(life, Superseded)
    assert (life.by, life.late) == ("f-1", True)
    assert alice.state == before


def test_late_history_may_stand_behind_a_fact_of_its_own_run_that_fell_in_it() -> None:
    story, alice = _begun()
    with story.run():
        alice.assert_("f-2")
        alice.close("f-2")
        alice.late("f-3", "f-2")
    assert isinstance(_fact(story, "f-3").life, Superseded)


def test_a_closed_fact_is_kept_but_not_shown() -> None:
    story, alice = _begun()
    words = (evidence("Not any more"),)
    alice.close("f-1", CloseReason.RETRACTED, cause="20261130-k3f9x2@2", by="rules", quotes=words)
    last = story.events[-1]

    assert _fact(story, "f-1").life == Closed(
        reason=CloseReason.RETRACTED,
        cause="20261130-k3f9x2@2",
        by="rules",
        evidence=words,
        at=last.at,
        run=last.run,
        n=last.n,
    )
    assert alice.state.sections == ()


def test_a_confirmation_adds_evidence_and_a_withdrawal_takes_it_back() -> None:
    story, alice = _begun()
    first = _fact(story, "f-1").evidence
    alice.confirm("f-1", evidence("Still an engineer", at="2027-01-01T00:00:00Z"))
    confirmed = _fact(story, "f-1")

    assert [piece.quote for piece in confirmed.evidence] == [first[0].quote, "Still an engineer"]
    assert confirmed.observed == "2027-01-01T00:00:00Z"
    alice.withdraw("f-1", confirmed.proofs[0].n)
    assert [piece.quote for piece in _fact(story, "f-1").evidence] == ["Still an engineer"]
    alice.withdraw("f-1", confirmed.proofs[1].n)
    assert _fact(story, "f-1").evidence == ()
    assert _fact(story, "f-1").is_open


def test_prose_is_inserted_replaced_and_removed() -> None:
    story, alice = _begun()
    alice.prose("b-1", "Old words.", after="f-1", origin=Origin.DROPPED, code="unfounded")
    alice.replace_prose("b-1", "New words.")

    assert alice.state.sections[0].blocks[1] == ProseBlock(
        block=BlockId("b-1"), text="New words.", origin=Origin.DRAFTED
    )
    assert story.fold.block_page("b-1") == "alice"
    alice.remove_prose("b-1")
    assert len(alice.state.blocks) == 1
    assert story.fold.block_page("b-1") == "alice"
    assert story.fold.block_page("b-2") is None


def test_a_page_is_found_by_slug_title_and_aliases_folded() -> None:
    story, alice = _begun()
    bob = story.page("bob", "Bob", aliases=["AL"])

    assert story.fold.named(folded("aLiCe")) == ("alice",)
    assert story.fold.named(folded("al")) == ("alice", "bob")
    alice.rename("Alice Chen", "Alice")
    assert story.fold.named(folded("al")) == ("bob",)
    assert story.fold.named(folded("alice chen")) == story.fold.named("alice") == ("alice",)
    bob.remove()
    assert story.fold.named("al") == story.fold.named("bob") == ()
    assert story.fold.named("nobody") == ()


def test_a_merged_page_shows_where_it_went_and_lives_no_more() -> None:
    story, _ = _begun()
    bob = story.page("bob")
    bob.prose("b-1")
    bob.merge_into("alice")
    page = bob.state

    assert (page.merged_into, page.title, page.is_living) == ("alice", "Alice", False)
    assert story.fold.named("bob") == ()


def test_a_premise_is_known_by_what_rests_on_it() -> None:
    story, alice = _begun()
    alice.assert_("f-2", derived_from=(FactId("f-1"),))
    alice.close("f-1")
    alice.assert_("f-3", derived_from=(FactId("f-1"), FactId("f-2")), revives=FactId("f-1"))

    assert story.fold.resting_on(FactId("f-1")) == ("f-2", "f-3")
    assert story.fold.resting_on(FactId("f-3")) == ()
    assert _fact(story, "f-3").revives == "f-1"


# The changelog


def test_the_changelog_counts_what_each_run_did_to_the_page() -> None:
    story = Story()
    rows = (Row(SOURCE, 3, 0, 9),)
    with story.run(rows=rows):
        alice, bob = story.page("alice"), story.page("bob")
        alice.assert_("f-1")
        alice.assert_("f-2", evidence=(evidence(version=2),))
        alice.supersede("f-3", "f-1")
        alice.close("f-2")
        alice.late("f-4", "f-3")
        alice.confirm("f-3")
        alice.prose("b-1", rows=rows)
    (entry,) = alice.state.changelog

    assert (entry.asserted, entry.superseded, entry.closed, entry.prose, entry.named) == (2, 1, 1, 1, True)
    assert entry.sources == (Version(SOURCE, 1), Version(SOURCE, 2), Version(SOURCE, 3))
    assert (entry.run, entry.at, entry.kind) == (story.events[-1].run, story.events[-1].at, "distill")
    assert bob.state.changelog[0].asserted == 0


def test_the_changelog_keeps_the_newest_runs_first() -> None:
    story, alice = _begun()
    for number in range(CHANGELOG_LINES + 5):
        alice.prose(f"b-{number}")
    changelog = alice.state.changelog

    assert len(changelog) == CHANGELOG_LINES
    assert changelog[0].run == story.events[-1].run
    assert [entry.at for entry in changelog] == sorted((entry.at for entry in changelog), reverse=True)


def test_a_run_tells_what_it_touched() -> None:
    story, alice = _begun()
    story.page("bob")
    later = Story(base=story.fold)
    StoryPage(later, alice.slug).confirm("f-1")
    assert (later.fold.pages_touched, later.fold.facts_touched) == ((), ("f-1",))
    StoryPage(later, alice.slug).assert_("f-2")
    assert (later.fold.pages_touched, later.fold.facts_touched) == (("alice",), ("f-1", "f-2"))
    assert [page.slug for page in later.fold.every_page()] == ["alice"]


# Unlawful moves


Act = Callable[[Story, StoryPage], object]


def _bob(story: Story) -> StoryPage:
    return story.page("bob")


def _merge(story: Story, into: str, title: str) -> None:
    story.commit(page_changed("bob", op=PageOp.MERGE, title=title, into=Slug(into)))


# What happens (to Alice, who is an engineer by fact f-1), and of the last of it what is said.
UNLAWFUL: dict[str, tuple[str, *tuple[Act, ...]]] = {
    "a second page under a slug": ("a second time", lambda s, _: s.commit(page_changed("alice"))),
    "a page that was never made": ("does not exist", lambda s, _: StoryPage(s, Slug("nobody")).assert_("f-9")),
    "a change of no page": ("does not exist", lambda s, _: s.commit(page_changed("nobody", op=PageOp.META))),
    "a page that goes with facts on it": ("still shows facts", lambda _, a: a.remove()),
    "a merge with facts left": ("still shows facts", lambda s, _: _bob(s), lambda _, a: a.merge_into("bob")),
    "a merge into itself": ("no other page", lambda s, _: _bob(s).merge_into("bob")),
    "a merge into nothing": ("no other page", lambda s, _: _bob(s), lambda s, _: _merge(s, "nobody", "Nobody")),
    "a merge under another title": ("no other page", lambda s, _: _bob(s), lambda s, _: _merge(s, "alice", "Bob")),
    "a merge into a removed page": (
        "no other page",
        lambda s, _: s.page("carol", "Carol").remove(),
        lambda s, _: _bob(s),
        lambda s, _: _merge(s, "carol", "Carol"),
    ),
    "words on a removed page": (
        "was removed or merged",
        lambda s, _: _bob(s).remove(),
        lambda s, _: StoryPage(s, Slug("bob")).prose("b-1"),
    ),
    "a fact on a merged page": (
        "was removed or merged",
        lambda s, _: _bob(s).merge_into("alice"),
        lambda s, _: StoryPage(s, Slug("bob")).assert_("f-9"),
    ),
    "a fact id twice": ("a second time", lambda _, a: a.assert_("f-1")),
    "a successor that exists": ("a second time", lambda _, a: a.supersede("f-1", "f-1")),
    "an unknown premise": ("f-8, which does not exist", lambda _, a: a.assert_("f-9", derived_from=(FactId("f-8"),))),
    "an unknown fact revived": ("f-8, which does not exist", lambda _, a: a.assert_("f-9", revives=FactId("f-8"))),
    "an unknown fact superseded": ("f-8, which does not exist", lambda _, a: a.supersede("f-9", "f-8")),
    "a superseded fact superseded": (
        "f-1, which is not open",
        lambda _, a: a.supersede("f-2", "f-1"),
        lambda _, a: a.supersede("f-3", "f-1"),
    ),
    "a fact superseded on another page": ("of another page", lambda s, _: _bob(s).supersede("f-9", "f-1")),
    "an unknown fact closed": ("f-8, which does not exist", lambda _, a: a.close("f-8")),
    "a fact closed twice": ("f-1, which is not open", lambda _, a: a.close("f-1"), lambda _, a: a.close("f-1")),
    "a closed fact confirmed": ("f-1, which is not open", lambda _, a: a.close("f-1"), lambda _, a: a.confirm("f-1")),
    "an unknown fact confirmed": ("f-8, which does not exist", lambda _, a: a.confirm("f-8")),
    "late behind an unknown fact": ("f-8, which does not exist", lambda _, a: a.late("f-9", "f-8")),
    "late behind a fact closed before": (
        "late behind fact f-1, which is not open",
        lambda _, a: a.close("f-1"),
        lambda _, a: a.late("f-9", "f-1"),
    ),
    "late behind another page's fact": ("of another page", lambda s, _: _bob(s).late("f-9", "f-1")),
    "evidence that was not given": ("event 1 did not give f-1", lambda _, a: a.withdraw("f-1", 1)),
    "evidence of an unknown fact": ("f-8, which does not exist", lambda _, a: a.withdraw("f-8", 1)),
    "prose behind nothing": ("page 'alice' that is not there", lambda _, a: a.prose("b-1", after="b-8")),
    "no prose replaced": ("page 'alice' that is not there", lambda _, a: a.replace_prose("b-8", "x")),
    "no prose removed": ("page 'alice' that is not there", lambda _, a: a.remove_prose("b-8")),
    "a block id twice": (
        "a second time",
        lambda _, a: a.prose("b-1"),
        lambda _, a: a.remove_prose("b-1"),
        lambda _, a: a.prose("b-1"),
    ),
    "a fact replaced as prose": ("page 'alice' that is not there", lambda _, a: a.replace_prose("f-1", "x")),
    "a fact removed as prose": ("page 'alice' that is not there", lambda _, a: a.remove_prose("f-1")),
}


@pytest.mark.parametrize("case", UNLAWFUL)
def test_an_unlawful_move_is_refused_by_event(case: str) -> None:
    sentence, acts = UNLAWFUL[case][0], UNLAWFUL[case][1:]
    story, alice = _begun()
    for act in acts[:-1]:
        act(story, alice)
    with pytest.raises(Unlawful) as caught:
        acts[-1](story, alice)
    assert sentence in caught.value.sentence
    assert caught.value.sentence.startswith(f"event {caught.value.n} ")
    assert caught.value.n == story.fold.head().n + 1


def _refuse(fold: Fold, event: Event, sentence: str) -> None:
    with pytest.raises(Unlawful, match=sentence):
        fold.apply(event)


def test_events_continue_each_other() -> None:
    story, _ = _begun()
    (good,) = chain(story.fold.head(), AT, RUN, [run_begun()], ["s"])

    _refuse(story.fold, replace(good, n=good.n + 1), "does not continue")
    _refuse(story.fold, replace(good, n=good.n - 1), "does not continue")
    _refuse(story.fold, replace(good, prev="ab" * 32), "does not continue")
    _refuse(story.fold, story.events[-1], "does not continue")
    story.fold.apply(good)


def test_a_run_is_its_events_and_no_other() -> None:
    head = _begun()[0].fold.head()

    def taken(*bodies: Body, run: RunId = RUN) -> Fold:
        events = chain(head, AT, run, bodies, [f"s{place}" for place in range(len(bodies))])
        return _begun()[0].fold.extend(events)

    prose = prose_changed()
    taken(run_begun(1), prose).finish()
    taken(run_begun(0), run_begun(0)).finish()
    for bodies, sentence in (
        ((prose,), "belongs to no run"),
        ((run_begun(0), prose), "belongs to no run"),
        ((run_begun(2), prose, run_begun(0)), "begins a run while 1 events of the run before are missing"),
        ((init_begun(run=RUN),), "an init run in the wrong place"),
    ):
        with pytest.raises(Unlawful, match=sentence):
            taken(*bodies)
    with pytest.raises(Unlawful, match="begins run r-20261130T180400Z-ab12 under the name r-other"):
        taken(run_begun(0), run=RunId("r-other"))
    with pytest.raises(Unlawful, match="is not the last of its run: 1 are missing"):
        taken(run_begun(2), prose).finish()


def test_an_event_of_another_run_does_not_belong() -> None:
    story, _ = _begun()
    first, second = chain(story.fold.head(), AT, RUN, [run_begun(1), prose_changed()], ["s", "t"])
    story.fold.apply(first)

    _refuse(story.fold, replace(second, run=RunId("r-other")), "belongs to no run")
    story.fold.apply(second)


def test_a_ledger_begins_with_an_init_run_and_nothing_else() -> None:
    for body in (run_begun(0), page_changed()):
        with pytest.raises(Unlawful, match="event 1 "):
            Fold().extend(chain(GENESIS, AT, RUN, [body], ["s"]))
    assert Fold().extend(run_events()).head().n == 1


def test_an_empty_ledger_has_nothing() -> None:
    fold = Fold()
    fold.finish()
    assert fold.head() == GENESIS
    assert fold.page(Slug("alice")) is None
    assert fold.fact(FactId("f-1")) is None
    assert fold.block_page("b-1") is None
    assert (fold.facts_of(Slug("alice")), fold.resting_on(FactId("f-1")), fold.named("alice")) == ((), (), ())


# Emptied bodies


def _retold(story: Story, *emptied: int) -> Fold:
    """Fold the same ledger, as it is when the bodies of these events were emptied."""
    events = [replace(event, body=None, salt="") if event.n in emptied else event for event in story.events]
    return Fold().extend(events)


def _forgetful() -> tuple[Story, StoryPage, dict[str, int]]:
    """Tell of a secret that is asserted, superseded, confirmed, rested on and closed; return where each event is."""
    story = Story()
    alice = story.page("alice")
    places: dict[str, int] = {}
    acts: list[tuple[str, Callable[[], None]]] = [
        ("kept", lambda: alice.assert_("f-1", section="Rules")),
        ("secret", lambda: alice.assert_("f-2", "secret")),
        ("confirm", lambda: alice.confirm("f-2")),
        ("rests", lambda: alice.assert_("f-3", derived_from=(FactId("f-2"),))),
        ("late", lambda: alice.late("f-4", "f-2")),
        ("prose", lambda: alice.prose("b-1", after="f-2")),
        ("behind", lambda: alice.prose("b-2", after="b-1")),
        ("replace", lambda: alice.replace_prose("b-1", "Other secret.")),
        ("successor", lambda: alice.supersede("f-5", "f-2", section="Rules")),
        ("withdraw", lambda: alice.withdraw("f-2", places["confirm"])),
        ("close", lambda: alice.close("f-5", CloseReason.FORGOTTEN)),
    ]
    for name, act in acts:
        act()
        places[name] = story.events[-1].n
    return story, alice, places


def test_what_an_emptied_event_brought_never_was() -> None:
    story, _, places = _forgetful()
    story.forget(places["secret"])
    fold = _retold(story, places["secret"])
    fold.finish()

    assert fold.fact(FactId("f-2")) is None
    assert fold.head() == story.fold.head()
    successor, resting = fold.fact(FactId("f-5")), fold.fact(FactId("f-3"))
    assert successor is not None
    assert isinstance(successor.life, Closed)
    assert resting is not None
    assert resting.is_open
    page = fold.page(Slug("alice"))
    assert page is not None
    assert [block.fact for block in page.blocks if isinstance(block, FactBlock)] == ["f-3", "f-1"]


def test_a_fact_is_open_again_where_what_superseded_it_was_emptied() -> None:
    story, _, places = _forgetful()
    story.forget(places["successor"], places["close"])
    fold = _retold(story, places["successor"], places["close"])

    known = fold.fact(FactId("f-2"))
    assert known is not None
    assert isinstance(known.life, Open)


def test_prose_behind_emptied_words_stands_at_the_end() -> None:
    story, _, places = _forgetful()
    page = _retold(story, places["prose"], places["replace"]).page(Slug("alice"))

    assert page is not None
    assert [block.block for block in page.tail if isinstance(block, ProseBlock)] == ["b-2"]


def test_any_events_but_those_of_runs_and_pages_may_be_emptied() -> None:
    story, _, places = _forgetful()
    for count in (1, 2, 3, len(places)):
        for emptied in combinations(places.values(), count):
            assert _retold(story, *emptied).head() == story.fold.head()


def test_an_emptied_event_that_no_forget_names_is_refused_at_the_end() -> None:
    story, _, places = _forgetful()
    with pytest.raises(Unlawful, match=f"event {places['secret']} has no body"):
        _retold(story, places["secret"]).finish()
    story.forget(places["confirm"])
    _retold(story, places["confirm"]).finish()
    with pytest.raises(Unlawful, match=f"event {places['secret']} has no body"):
        _retold(story, places["secret"], places["confirm"]).finish()


def test_without_an_emptied_event_before_it_an_unknown_fact_is_unlawful() -> None:
    story, _, places = _forgetful()
    head = Head(n=story.events[0].n, hash=story.events[0].hash)
    for body in (
        Confirmed(fact=FactId("f-2"), evidence=()),
        FactClosed(fact=FactId("f-2"), reason=CloseReason.REVERTED, cause="", by="engine"),
        Withdrawn(fact=FactId("f-2"), brought_by=places["confirm"], cause=""),
        LearnedLate(statement=statement(), superseded_by=FactId("f-2")),
    ):
        fold = Fold().extend(story.events[:1])
        with pytest.raises(Unlawful, match="fact f-2, which does not exist"):
            fold.extend(run_events(body, head=head))


def test_a_run_of_any_kind_may_follow_init() -> None:
    for kind in RunKind:
        story = Story()
        if kind is not RunKind.INIT:
            story.commit(page_changed(), Asserted(statement=statement()), kind=kind)
            assert story.fold.page(Slug("alice")) is not None
