"""What can be asked of a whole vault: states of the past, both times, projects, and recall that is no evidence."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from xysq.drafters import choose
from xysq.errors import BadInput, NotFound
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.model.fact import Fact
from xysq.search.hit import Hit
from xysq.store.readmodel import FactFilter, RunLine
from xysq.vault.recalling import Recalling

FIRST = "Nora: I live in Vienna.\n\nEmil: The kettle whistles.\n"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Return a vault in which Nora moved, and Emil's kettle became a teapot, over four days."""
    clock = Clock()
    opened = made_vault(tmp_path_factory.mktemp("asking"), clock, Entropy())
    say = partial(_say, opened, clock)
    say("talk", FIRST, datetime(2026, 11, 1, 9, tzinfo=UTC))
    say("later", "Nora: I live in Graz.\n", datetime(2026, 11, 20, 9, tzinfo=UTC))
    say("talk", FIRST.replace("kettle", "teapot"), datetime(2026, 11, 1, 9, tzinfo=UTC))
    say("work", "Nora: The parser is slow.\n", datetime(2026, 11, 25, 9, tzinfo=UTC), project="/home/nora/parser/src")
    return opened


@pytest.fixture
def vault(opened: Opened) -> Recalling:
    opened.notices.clear()
    return Recalling(opened)


def _say(opened: Opened, clock: Clock, source: str, text: str, at: datetime, project: str = "") -> None:
    clock.tick(86_400)
    order = PushOrder(
        data=text.encode(), filename=f"{source}.txt", format="turns", source=source, at=f"{at:%FT%TZ}", project=project
    )
    push(opened, order)
    list(distill(opened, DistillOrder(drafter=choose("rules", {}))))


def vault_runs(opened: Opened) -> list[RunLine]:
    """Return the runs that distilled something, oldest first."""
    with readable(opened).reading() as snapshot:
        return [run for run in reversed(snapshot.lists.runs()) if run.kind == "distill"]


def vault_facts(opened: Opened) -> tuple[Fact, ...]:
    with readable(opened).reading() as snapshot:
        return snapshot.lists.facts(FactFilter())


def found(hits: tuple[Hit, ...]) -> dict[str, list[str]]:
    return {hit.text: [mark.kind.value for mark in hit.marks] for hit in hits if not hit.beside}


def test_the_present_knows_what_was_superseded(vault: Recalling) -> None:
    assert found(vault.search("live")) == {
        "I live in Graz.": [],
        "Nora lives in Graz.": [],
        "I live in Vienna.": ["superseded"],
        "Nora lives in Vienna.": ["superseded"],
    }


def test_a_past_state_is_searched_as_it_was(vault: Recalling, opened: Opened) -> None:
    runs = [run.run for run in vault_runs(opened)]
    assert found(vault.search("live", as_of=runs[0])) == {"I live in Vienna.": [], "Nora lives in Vienna.": []}
    assert found(vault.search("kettle", as_of=runs[0])) == {"The kettle whistles.": []}
    assert found(vault.search("teapot", as_of=runs[0])) == {}
    assert found(vault.search("kettle")) == {"The kettle whistles.": ["changed"]}
    assert found(vault.search("teapot")) == {"The teapot whistles.": []}
    assert found(vault.search("live", as_of=runs[-1])) == found(vault.search("live"))


def test_what_stood_beside_is_of_the_past_too(vault: Recalling, opened: Opened) -> None:
    hits = vault.search("Vienna", where=("logs",), as_of=vault_runs(opened)[0].run)
    assert [hit.text for hit in hits] == ["I live in Vienna.", "The kettle whistles."]


def test_before_the_beginning_there_was_nothing(vault: Recalling) -> None:
    assert vault.search("live", as_of="2020-01-01") == ()
    assert vault.recall("live", as_of="2020-01-01").is_empty
    with pytest.raises(NotFound):
        vault.search("live", as_of="no-such-rev")


def test_recall_of_the_past_holds_what_was_open_then(vault: Recalling, opened: Opened) -> None:
    then = vault.recall("Where does Nora live?", as_of=vault_runs(opened)[0].run)
    assert [fact.text for fact in then.facts] == ["Nora lives in Vienna."]
    assert [fact.text for fact in vault.recall("Where does Nora live?").facts] == ["Nora lives in Graz."]
    assert "[superseded on 20" in vault.recall("Where does Nora live? Vienna?").text


def test_times_are_when_it_was_said_or_when_it_came(vault: Recalling) -> None:
    assert set(found(vault.search("live", before="2026-11-10"))) == {"I live in Vienna.", "Nora lives in Vienna."}
    assert set(found(vault.search("live", since="2026-11-10"))) == {"I live in Graz.", "Nora lives in Graz."}
    came = partial(vault.search, "lives whistles", time="committed")
    assert set(found(came(before="2026-12-02"))) == {"The kettle whistles.", "Nora lives in Vienna."}
    assert "Nora lives in Graz." in found(came(since="2026-12-02"))
    with pytest.raises(BadInput):
        vault.search("live", time="dreamt")
    with pytest.raises(BadInput):
        vault.search("live", since="whenever")


def test_a_project_is_its_directory_and_everything_below(vault: Recalling) -> None:
    for project, expected in (("/home/nora/parser", 1), ("/home/nora/parser/src", 1), ("/home/nora/pars", 0)):
        assert len(vault.search("parser slow", where=("logs",), project=project)) == expected
    assert "The parser is slow." in vault.recall("parser", project="/home/nora/parser").text


def test_names_in_a_query_may_be_titles_and_sources(vault: Recalling) -> None:
    assert set(found(vault.search("page:Nora live", where=("facts",)))) == {
        "Nora lives in Graz.",
        "Nora lives in Vienna.",
    }
    assert set(found(vault.search("source:later"))) >= {"I live in Graz."}
    assert vault.search("page:Nobody live") == ()
    assert vault.notices == ["no page is called 'Nobody'"]


def test_a_budget_that_can_hold_nothing_is_refused(vault: Recalling) -> None:
    with pytest.raises(BadInput):
        vault.recall("Nora", budget=10)


def test_what_was_probably_meant_is_suggested(vault: Recalling) -> None:
    assert vault.suggestion("Viena") == "vienna"
    assert vault.suggestion("zzzzzz") == ""


def test_what_was_recalled_is_no_evidence_when_it_comes_back(tmp_path: Path) -> None:
    clock = Clock()
    opened = made_vault(tmp_path, clock, Entropy())
    vault = Recalling(opened)
    _say(opened, clock, "talk", FIRST, datetime(2026, 11, 1, 9, tzinfo=UTC))
    facts = vault_facts(opened)
    pasted = f"Emil: This is what I found:\n\n{vault.recall('Where does Nora live?').text}\nEmil: Good.\n"
    assert "Nora lives in Vienna." in pasted
    _say(opened, clock, "pasted", pasted, datetime(2026, 11, 28, tzinfo=UTC))
    assert vault_facts(opened) == facts
    assert set(found(vault.search("Vienna OR found", where=("logs",)))) >= {"I live in Vienna."}
    assert not any("Nora lives" in text for text in found(vault.search("Vienna OR lives", where=("logs",))))
