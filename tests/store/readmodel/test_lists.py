from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import Story, evidence
from tests.modelled import modelled, put_story, put_turns
from tests.store.logs_of import OTHER, SOURCE
from xysq.model.event import RunKind
from xysq.model.fact import Label, RunId, Slug
from xysq.model.page import Origin
from xysq.model.source import Row
from xysq.store.readmodel import FactFilter, Snapshot
from xysq.store.readmodel.writer import Writer


@pytest.fixture
def story() -> Story:
    """Two people: one who moved and whose age was inferred, one who was merged away."""
    story = Story()
    alice, bob = story.page("alice", "Alice Chen"), story.page("bob")
    alice.assert_("f-0000000001", "Boston", attribute="location", single=True)
    alice.supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(evidence("Berlin", source=OTHER),))
    alice.assert_("f-0000000003", "40", attribute="age", label=Label.INFERRED, text="Alice is \\*forty\\* (40).")
    with story.run(rows=(Row(SOURCE, 1, 0, 10), Row(SOURCE, 1, 10, 20)), drafter="rules"):
        alice.confirm("f-0000000002")
        alice.prose("b-0000000001", quotes=(evidence("She is kind", start=3, end=9),), rows=(Row(OTHER, 1, 0, 5),))
    bob.remove()
    return story


@pytest.fixture
def state(quick_path: Path, story: Story) -> Iterator[Snapshot]:
    with modelled(quick_path) as model, model.writing() as writer:
        put_turns(writer, "Alice: Hello.")
        put_story(writer, story, commit="c1")
        yield writer.state


def ids(state: Snapshot, **wanted: object) -> list[str]:
    return [fact.id[-1] for fact in state.lists.facts(FactFilter(**wanted))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "123"),
        ({"page": "alice"}, "123"),
        ({"page": "bob"}, ""),
        ({"attribute": "location"}, "12"),
        ({"is_open": True}, "23"),
        ({"is_open": False}, "1"),
        ({"label": Label.INFERRED}, "3"),
        ({"source": SOURCE}, "123"),
        ({"source": OTHER}, "2"),
        ({"limit": 2}, "12"),
        ({"attribute": "location", "is_open": True, "page": "alice"}, "2"),
    ],
)
def test_facts_are_narrowed_by_what_is_asked(state: Snapshot, wanted: dict[str, object], found: str) -> None:
    assert ids(state, **wanted) == list(found)


def test_a_list_of_facts_goes_on_behind_the_last(state: Snapshot) -> None:
    first = state.lists.facts(FactFilter(limit=1))[0]
    assert ids(state, after=first.n) == ["2", "3"]


def test_facts_of_one_run(state: Snapshot) -> None:
    run = state.lists.facts(FactFilter(limit=1))[0].run
    assert ids(state, run=run) == ["1"]


@pytest.mark.parametrize("words", ["Alice is *forty* (40).", "ALICE  is *Forty* (40)", "forty", "alice forty"])
def test_a_fact_is_found_by_words_of_its_text(state: Snapshot, words: str) -> None:
    assert [fact.id[-1] for fact in state.lists.facts_saying(words)] == ["3"]


@pytest.mark.parametrize("words", ["", "…", "fifty", "forty fifty", '" OR *'])
def test_words_no_fact_has_find_none(state: Snapshot, words: str) -> None:
    assert state.lists.facts_saying(words) == ()


def test_open_facts_come_first_among_those_that_say_it(state: Snapshot) -> None:
    assert [fact.id[-1] for fact in state.lists.facts_saying("it says location")] == ["2", "1"]


def test_ids_are_found_by_their_beginning(state: Snapshot) -> None:
    assert len(state.lists.facts_starting("f-00", 10)) == 3
    assert state.lists.facts_starting("f-0000000002", 10) == ("f-0000000002",)
    assert state.lists.facts_starting("f-1", 10) == ()
    assert len(state.lists.runs_starting("r-2026", 100)) == state.lists.totals().runs


def test_pages_are_listed_by_slug(state: Snapshot) -> None:
    (alice,) = state.lists.pages()
    assert (alice.slug, alice.title, alice.open_facts, alice.living) == ("alice", "Alice Chen", 2, True)
    assert [page.slug for page in state.lists.pages(with_ended=True)] == ["alice", "bob"]
    assert state.lists.pages(prefix="b") == ()


def test_runs_are_listed_newest_first(state: Snapshot, story: Story) -> None:
    runs = state.lists.runs()
    assert [run.n for run in runs] == sorted((run.n for run in runs), reverse=True)
    assert runs[-1].kind == RunKind.INIT.value
    assert {run.commit for run in runs} == {"c1"}
    assert runs[0].n + 1 == story.fold.head().n == state.lists.head_after(runs[0].run)
    assert [run.n for run in state.lists.runs(page=Slug("bob"))] == [runs[0].n, 4]
    assert state.lists.runs(before=runs[1].n)[0] == runs[2]
    assert state.lists.runs(limit=1) == runs[:1]
    assert state.lists.run(runs[0].run) == runs[0]
    assert state.lists.run(RunId("r-none")) is None
    assert state.lists.head_after(RunId("r-none")) is None


def test_a_run_counts_its_events(state: Snapshot) -> None:
    run = state.lists.runs()[1]
    assert (run.confirmed, run.prose, run.asserted, run.superseded, run.closed) == (1, 1, 0, 0, 0)
    assert run.rows == (Row(SOURCE, 1, 0, 10), Row(SOURCE, 1, 10, 20))
    assert run.drafter == "rules"
    assert state.lists.runs_covering(SOURCE) == (run,)
    assert state.lists.runs_covering(OTHER) == ()


def test_prose_knows_where_its_words_came_from(state: Snapshot) -> None:
    (quoted,) = state.lists.prose_from(SOURCE)
    (drafted,) = state.lists.prose_from(OTHER)
    assert (quoted.block, quoted.row, quoted.is_quote) == ("b-0000000001", Row(SOURCE, 1, 3, 9), True)
    assert (drafted.row, drafted.is_quote) == (Row(OTHER, 1, 0, 5), False)


def test_prose_that_was_removed_came_from_nowhere(state: Snapshot, story: Story, quick_path: Path) -> None:
    story.page("alice").replace_prose("b-0000000001", "Somebody wrote this.")
    story.page("alice").prose("b-0000000002", origin=Origin.YOURS)
    with modelled(quick_path / "again") as model, model.writing() as writer:
        put_story(writer, story)
        assert writer.state.lists.prose_from(SOURCE) == ()


def test_totals_count_what_is_there(state: Snapshot) -> None:
    totals = state.lists.totals()
    assert (totals.sources, totals.passages, totals.pages) == (1, 1, 1)
    assert (totals.open_facts, totals.ended_facts) == (2, 1)


def test_the_commit_is_noted_alone(quick_path: Path, story: Story) -> None:
    def commit(writer: Writer) -> str:
        return writer.state.stamp().commit

    with modelled(quick_path / "c") as model, model.writing() as writer:
        put_story(writer, story)
        assert commit(writer) == ""
        writer.set_commit("c2")
        assert commit(writer) == "c2"
