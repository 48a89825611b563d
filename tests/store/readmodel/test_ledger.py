"""The read model answers as the fold does, whether it was filled run by run or all at once."""

from itertools import groupby

from hypothesis import given, settings

from tests.builders import Story, evidence
from tests.modelled import modelled, put_story
from tests.store.scratch import scratch
from tests.strategies import histories
from xysq.ledger.fold import Fold
from xysq.model.event import Event, ProseChanged, RunBegun
from xysq.model.fact import FactId, Slug
from xysq.model.state import LedgerState
from xysq.store.readmodel import ReadModel, Snapshot
from xysq.text import fold


def answers(state: LedgerState, story: Story) -> dict[str, object]:
    """Ask everything a `LedgerState` can be asked about a story."""
    pages = [page.slug for page in story.fold.every_page()]
    facts = [fact.id for fact in story.fold.every_fact()]
    names = {fold(name) for slug in pages for name in _names(story, slug)} | {"nobody"}
    blocks = {event.body.block for event in story.events if isinstance(event.body, ProseChanged)} | {"b-none"}
    return {
        "head": state.head(),
        "pages": [state.page(slug) for slug in (*pages, Slug("none"))],
        "facts": [state.fact(name) for name in (*facts, FactId("f-none"))],
        "facts of": [state.facts_of(slug) for slug in (*pages, Slug("none"))],
        "named": {name: state.named(name) for name in names},
        "resting": {name: state.resting_on(name) for name in facts},
        "blocks": {block: state.block_page(block) for block in blocks},
        "runs": [state.run_of(n) for n in range(story.fold.head().n + 2)],
    }


def _names(story: Story, slug: Slug) -> tuple[str, ...]:
    page = story.fold.page(slug)
    return () if page is None else (*page.names, *(f"Title {number}" for number in range(4)))


def runs_of(events: list[Event]) -> list[list[Event]]:
    """Cut a ledger into its runs."""
    runs: list[list[Event]] = []
    for is_first, part in groupby(events, lambda event: isinstance(event.body, RunBegun)):
        for event in part:
            if is_first:
                runs.append([event])
            else:
                runs[-1].append(event)
    return runs


def put_run_by_run(model: ReadModel, story: Story) -> None:
    """Put each run from a fold that stands on the read model itself, as applying does."""
    for run in runs_of(story.events):
        with model.writing() as writer:
            writer.put_run(Fold(writer.state.ledger).extend(run), run)


def indexed(state: Snapshot) -> object:
    """Return what the index and the lists show."""
    connection = state.index._connection
    tables = ("facts", "cites", "prose", "prose_from", "run_pages", "pages", "names", "blocks", "resting", "covered")
    rows: dict[str, object] = {}
    for table in tables:
        found = connection.execute(f"SELECT * FROM {table}").fetchall()
        rows[table] = sorted(map(repr, (row[1:] if table == "prose" else row for row in found)))
    for kind, table, key in (("fact", "facts", "n"), ("prose", "prose", "id")):
        words = f"SELECT text FROM {kind}_words JOIN {table} ON {key} = {kind}_words.rowid WHERE {kind}_words MATCH ?"
        rows[f"{kind} words"] = [
            sorted(connection.execute(words, (match,)).fetchall()) for match in ("value", "other", "kind", '"0"')
        ]
    return rows, state.lists.runs(), state.lists.totals()


@given(histories)
@settings(max_examples=40)
def test_run_by_run_it_answers_as_the_fold(story: Story) -> None:
    with scratch() as path, modelled(path) as model:
        put_run_by_run(model, story)
        with model.reading() as state:
            assert answers(state.ledger, story) == answers(story.fold, story)


@given(histories)
@settings(max_examples=25)
def test_made_again_it_is_what_it_was(story: Story) -> None:
    with scratch() as path, modelled(path / "one") as grown, modelled(path / "two") as whole:
        put_run_by_run(grown, story)
        with whole.writing() as writer:
            put_story(writer, story)
        with grown.reading() as one, whole.reading() as two:
            assert answers(two.ledger, story) == answers(one.ledger, story)
            assert indexed(two) == indexed(one)


def test_a_fold_on_top_of_it_judges_the_next_run() -> None:
    story = Story()
    story.page("alice").assert_("f-0000000001", "Boston", attribute="location")
    with scratch() as path, modelled(path) as model:
        with model.writing() as writer:
            put_story(writer, story)
        with model.reading() as state:
            later = Story(base=state.ledger)
            later.page("alice").supersede("f-0000000002", "f-0000000001", "Berlin")
            later.page("alice").confirm("f-0000000002", evidence("Berlin it is"))
            assert [fact.value for fact in later.fold.facts_of(Slug("alice")) if fact.is_open] == ["Berlin"]
            assert state.ledger.fact(FactId("f-0000000002")) is None
