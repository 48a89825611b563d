"""What was distilled, once more: from kept drafts to the same bytes, by another drafter with a person's word kept."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from tests.jobs.scripted import Scripted, facts, stated
from tests.jobs.test_distill import RULES, all_facts, faults, pushed, run_all
from xysq.jobs.adopt import adopt
from xysq.jobs.against import diff_against
from xysq.jobs.correct_fact import correct_fact
from xysq.jobs.correct_source import correct_source, whole
from xysq.jobs.distill import DistillOrder
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.redistill import redistill_anew, redistill_from_drafts
from xysq.jobs.redraft import redraft
from xysq.model.fact import Slug
from xysq.model.report import RunReport
from xysq.model.source import SourceId
from xysq.store import layout, spent
from xysq.store.files import Files
from xysq.store.git import Repository

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I prefer tea.\n\n"
MORE = TALK + b"Maya: I moved to Rome.\n\nTom: I am a plumber.\n\n"


@pytest.fixture
def second(tmp_path: Path, clock: Clock, entropy: Entropy) -> Callable[[], Opened]:
    """Return what makes another vault beside the first."""

    def make() -> Opened:
        place = tmp_path / "second"
        place.mkdir()
        return made_vault(place, clock, entropy)

    return make


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Return a vault with a history: pushes, runs, an append, corrections of facts and of a log, an edited page."""
    clock = Clock()
    opened = made_vault(tmp_path_factory.mktemp("told"), clock, Entropy())
    pushed(opened, TALK)
    run_all(opened)
    clock.tick(60)
    pushed(opened, MORE)
    run_all(opened)
    clock.tick(60)
    correct_fact(opened, the(opened, "Lisbon"), None)
    clock.tick(60)
    correct_fact(opened, the(opened, "Rome"), "Maya moved to Oslo.")
    clock.tick(60)
    correct_source(opened, source(opened), whole(MORE.replace(b"a plumber", b"an actor")))
    clock.tick(60)
    run_all(opened)
    page = opened.root / layout.page_path(Slug("tom"))
    text = page.read_text(encoding="utf-8").replace("an actor", "an artist").replace("# Tom\n", "# Tom\n\nMine.\n")
    page.write_text(text.replace("title: Tom", "title: Tom Weber"), encoding="utf-8")
    (adopted,) = adopt(opened)
    assert adopted.unadopted == ()
    clock.tick(60)
    pushed(opened, b"Zoe: I live in Ghent.\n\nTom: Hi.\n\nZoe: Hi Tom.\n\n", "late.txt")  # landed, and not distilled
    return opened


@pytest.fixture
def lived(told: Opened, tmp_path: Path) -> Opened:
    """Return a copy of that vault."""
    root, cache = tmp_path / "vault", tmp_path / "cache"
    shutil.copytree(told.root, root)
    shutil.copytree(told.cache, cache)
    return replace(told, root=root, cache=cache, files=Files(root), repository=Repository(root), notices=[])


def the(opened: Opened, value: str) -> str:
    return next(fact.id for fact in all_facts(opened) if fact.value == value and fact.is_open)


def source(opened: Opened) -> SourceId:
    with readable(opened).reading() as snapshot:
        return next(line.source for line in snapshot.logs.sources() if "talk" in line.origin)


def pages(opened: Opened) -> dict[str, bytes]:
    root = opened.root / layout.PAGES
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.md"))}


def values(opened: Opened) -> set[str]:
    return {fact.value for fact in all_facts(opened) if fact.is_open}


def outcomes(reports: Iterator[RunReport]) -> set[str]:
    return {report.outcome for report in reports}


def test_from_drafts_the_pages_are_the_same_to_the_byte(lived: Opened, second: Callable[[], Opened]) -> None:
    other = second()
    assert outcomes(redistill_from_drafts(lived, other)) == {"applied"}
    assert pages(other) == pages(lived)
    assert [fact.id for fact in all_facts(other)] == [fact.id for fact in all_facts(lived)]
    assert faults(other) == []
    assert not diff_against(lived, other)
    with readable(lived).reading() as mine, readable(other).reading() as theirs:
        assert [line.source for line in mine.logs.sources()] == [line.source for line in theirs.logs.sources()]
        assert [line.run for line in mine.lists.runs()][:-1] == [line.run for line in theirs.lists.runs()][:-1]


def test_a_persons_word_holds_whoever_drafts(lived: Opened, second: Callable[[], Opened]) -> None:
    other = second()
    before = pages(lived)
    assert outcomes(redistill_anew(lived, other, RULES)) == {"applied"}
    assert {"Oslo", "tea", "Ghent", "artist"} <= values(other)
    assert not {"Lisbon", "Rome", "Berlin", "plumber", "actor"} & values(other)
    assert "Mine. ^b-" in pages(other)["to/tom.md"].decode()
    assert faults(other) == []
    assert pages(lived) == before
    found = diff_against(lived, other)
    assert [ref.value for ref in found.facts.asserted if ref.page == "zoe"] == ["Ghent"]
    assert "pages/zo/zoe.md" in found.pages
    assert "+- Zoe lives in Ghent" in found.patch


def test_another_drafter_in_the_vault_adds_and_confirms_and_revives_nothing(lived: Opened) -> None:
    before = values(lived)
    order = replace(RULES, again=(source(lived),))
    reports = run_all(lived, order)
    assert [report.outcome for report in reports] == ["applied"]
    assert not any(report.asserted for report in reports)
    assert values(lived) == before

    quote = {"passage": 3, "text": "I prefer tea."}
    drinks = facts(stated("Maya", "uses", "tea", "Maya uses tea.", quote))
    run_all(lived, replace(order, drafter=Scripted(drinks)))
    assert sum(fact.value == "tea" for fact in all_facts(lived)) == 2
    assert faults(lived) == []


def test_a_row_that_is_refused_again_counts_no_attempt(lived: Opened) -> None:
    order = DistillOrder(drafter=Scripted(lambda _: b"no"), again=(source(lived),))
    reports = run_all(lived, order)
    assert "refused" in {report.outcome for report in reports}
    assert not any(report.gave_up for report in reports)
    assert tuple(lived.files.list_dir(layout.ATTEMPTS)) == ()


def test_kept_drafts_planned_again_in_the_vault_revive_nothing(lived: Opened) -> None:
    before, facts_before = values(lived), len(all_facts(lived))
    prose = [path for path, data in pages(lived).items() if b"plumber" in data]
    reports = list(redraft(lived, (source(lived),)))
    assert {report.outcome for report in reports} == {"applied"}
    assert values(lived) == before
    assert len(all_facts(lived)) == facts_before
    assert [path for path, data in pages(lived).items() if b"plumber" in data] == prose == []
    assert faults(lived) == []


def test_what_is_spent_for_a_second_vault_is_paid_by_the_first(lived: Opened, second: Callable[[], Opened]) -> None:
    other = second()

    class Paid(Scripted):
        def draft(self, request):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - as in Scripted
            request.meter.begin(10)
            request.meter.end(10, 5, 100)
            return super().draft(request)

    order = DistillOrder(drafter=Paid(facts()), purse=lived)
    list(redistill_anew(lived, other, order))
    today = lived.now()[:10]
    assert spent.on_day(lived.files, today).calls > 0
    assert spent.on_day(other.files, today).calls == 0


def test_two_vaults_that_say_the_same_do_not_differ_and_others_do(opened: Opened, second: Callable[[], Opened]) -> None:
    other = second()
    pushed(opened, b"Maya: I live in Berlin.\n\nMaya: I prefer tea.\n\n")
    pushed(other, b"Maya: I live in Rome.\n\nMaya: I prefer tea.\n\n")
    run_all(opened)
    run_all(other)
    found = diff_against(opened, other)
    assert [(pair.old.value, pair.new.value) for pair in found.facts.superseded] == [("Berlin", "Rome")]
    assert (found.facts.asserted, found.facts.closed) == ((), ())
    assert not diff_against(opened, other, attribute="preference").facts
    assert not diff_against(opened, opened)
