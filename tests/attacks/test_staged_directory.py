"""Nothing that is written into a staged run's directory gets what is false into the vault."""

import json
import shutil
from pathlib import Path

import pytest

from tests.attacks import event_attempts, file_attempts
from tests.attacks.attempts import ATTEMPTS, Attempt
from tests.attacks.staging import Staging, build, copied
from xysq.errors import XysqError
from xysq.jobs.apply import Applied, Outcome, Overtaken, Refused, apply
from xysq.jobs.fsck import fsck
from xysq.jobs.ground import ground
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.status import status
from xysq.jobs.verify import verify
from xysq.model.fact import Fact, RunId
from xysq.pages.escape import stands_in
from xysq.planner.witness import disagreement, is_standing
from xysq.store import layout, wal

MODULES = (event_attempts, file_attempts)  # they enter theirs when they are imported


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the vault and its cache."""
    root = tmp_path_factory.mktemp("good")
    build(root)
    return root


@pytest.fixture
def at(good: Path, tmp_path: Path) -> Staging:
    """Return an attack on a vault of its own."""
    return copied(good, tmp_path)


def faults(opened: Opened) -> list[tuple[str, str]]:
    return [(finding.file, finding.sentence) for finding in fsck(opened) if not finding.note]


def facts(opened: Opened) -> tuple[Fact, ...]:
    with readable(opened).reading() as snapshot:
        pages = snapshot.lists.pages(with_ended=True)
        return tuple(fact for page in pages for fact in snapshot.ledger.facts_of(page.slug))


def history(opened: Opened) -> tuple[str | None, bytes]:
    return opened.repository.tip(), opened.files.read(layout.segment_path(1))


def kept(opened: Opened) -> dict[str, bytes]:
    """Return every file of the vault but git's own."""
    paths = (path for path in opened.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(opened.root)): path.read_bytes() for path in paths}


def lies(opened: Opened) -> list[str]:
    """Return the open stated facts that no quote proves, or whose quotes are not what the log says of them."""
    with ground(opened, readable(opened)) as (base, _):
        archive = base.state.archive
        return [
            fact.text
            for fact in facts(opened)
            if fact.is_open
            if not any(stands_in(fact.value, e.quote) and is_standing(e, archive) for e in fact.evidence)
            or any(disagreement(e, archive) is not None for e in fact.evidence)
        ]


def applied(opened: Opened, run: str) -> Outcome | XysqError:
    try:
        with hold(opened) as held:
            return apply(held, RunId(run))
    except XysqError as error:
        return error


def test_the_run_as_it_was_staged_lands(at: Staging) -> None:
    assert [verdict.refusals for verdict in verify(at.opened)] == [()]
    assert isinstance(applied(at.opened, at.name), Applied)
    assert {fact.value for fact in facts(at.opened) if fact.is_open} == {"Rome", "Lisbon", "PostgreSQL", "force"}
    assert faults(at.opened) == []
    assert lies(at.opened) == []


def test_a_run_that_was_sealed_again_as_it_was_lands(at: Staging) -> None:
    at.seal()
    assert [verdict.refusals for verdict in verify(at.opened)] == [()]
    assert isinstance(applied(at.opened, at.name), Applied)
    assert faults(at.opened) == []


def test_there_are_attempts_enough() -> None:
    assert {attempt.__module__ for _, attempt in ATTEMPTS.values()} >= {module.__name__ for module in MODULES}
    assert len(ATTEMPTS) >= 90
    assert len(file_attempts.DECIDED) >= 10


@pytest.mark.parametrize(("gate", "attempt"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_no_attempt_on_a_staged_run_lands(at: Staging, gate: str, attempt: Attempt) -> None:
    before, files = history(at.opened), kept(at.opened)
    attempt(at)
    (verdict,) = verify(at.opened)
    assert gate in {refusal.gate for refusal in verdict.refusals}, verdict.refusals
    assert all(refusal.sentence for refusal in verdict.refusals)
    assert not isinstance(applied(at.opened, at.name), Applied | Overtaken)
    assert history(at.opened) == before
    assert files.items() <= kept(at.opened).items()
    if (at.opened.root / layout.WAL / at.name).exists():  # it could not even be read: it stays, and is told
        assert status(at.opened, "rules").damaged


@pytest.mark.parametrize("attempt", file_attempts.DECIDED, ids=lambda attempt: attempt.__name__)
def test_no_decision_written_by_hand_is_enacted(at: Staging, attempt: Attempt) -> None:
    before = history(at.opened)
    pages = {path: path.read_bytes() for path in (at.opened.root / "pages").rglob("*.md")}
    attempt(at)
    pages |= {path: path.read_bytes() for path in pages}
    with hold(at.opened):
        pass
    assert history(at.opened) == before
    assert {path: path.read_bytes() for path in pages} == pages
    assert (at.opened.root / "xysq.yaml").exists()
    assert [wal.list_runs(at.opened.files), at.opened.files.list_dir(layout.DAMAGED)] == [(), (at.name,)]
    assert any(at.name in notice for notice in at.opened.notices)
    shutil.rmtree(at.opened.root / layout.DAMAGED)
    assert faults(at.opened) == []
    assert lies(at.opened) == []


def test_a_decision_that_the_gates_would_have_made_is_enacted(at: Staging) -> None:
    at.plant()
    with hold(at.opened):
        pass
    assert "Rome" in {fact.value for fact in facts(at.opened) if fact.is_open}
    assert faults(at.opened) == []
    assert lies(at.opened) == []


@pytest.mark.parametrize("lost", ["cache", "cache, and the ledger is written"])
def test_it_is_enacted_also_where_the_cache_is_lost(at: Staging, lost: str) -> None:
    at.plant()
    shutil.rmtree(at.opened.cache)
    if "ledger" in lost:
        shutil.copy(at.after(layout.segment_path(1)), at.opened.root / layout.segment_path(1))
    with hold(at.opened):
        pass
    assert "Rome" in {fact.value for fact in facts(at.opened) if fact.is_open}
    assert faults(at.opened) == []


def test_it_is_enacted_whatever_the_settings_say_now(at: Staging) -> None:
    at.plant()
    settings = at.opened.root / layout.SETTINGS
    settings.write_text(settings.read_text() + "\nlimits:\n  text_bytes: 5\n")
    with hold(at.opened):
        pass
    assert "Rome" in {fact.value for fact in facts(at.opened) if fact.is_open}


def test_a_finished_run_that_comes_back_decided_takes_nothing_back(at: Staging) -> None:
    at.plant()
    kept = at.opened.root.parent / "kept"
    shutil.copytree(at.directory, kept)
    with hold(at.opened):
        pass
    clean = history(at.opened)
    shutil.copytree(kept, at.directory)
    with hold(at.opened):
        pass
    assert history(at.opened) == clean
    (at.opened.root / "mine.txt").write_text("mine")
    at.opened.repository.pin()
    commit_on_top(at.opened)
    shutil.copytree(kept, at.directory)
    with hold(at.opened):
        pass
    assert history(at.opened)[1] == clean[1]
    assert wal.list_runs(at.opened.files) == ()
    assert faults(at.opened) == []


def commit_on_top(opened: Opened) -> None:
    """Make a commit of the user's, of a file that is none of ours."""
    tip = opened.tip()
    prepared = opened.repository.prepare(tip, {"mine.txt": b"mine"}, "mine", "2026-11-30T21:30:00Z")
    opened.repository.write_objects(prepared)
    opened.repository.move_ref(prepared.commit, tip, "mine")


def test_the_same_run_under_another_name_lands_once(at: Staging) -> None:
    other = "r-20261130T200000Z-zzzz"
    twin = Staging(opened=at.opened, name=at.name)
    shutil.copytree(at.directory, at.directory.with_name(other))
    twin.name = other
    twin.run["record"]["run"] = other
    twin.seal()
    assert isinstance(applied(at.opened, at.name), Applied)
    assert isinstance(applied(at.opened, other), Overtaken)
    assert faults(at.opened) == []


@pytest.mark.parametrize("passage", [2, 3])
def test_a_draft_edited_to_lie_lands_without_its_lies(at: Staging, passage: int) -> None:
    draft = json.loads((at.directory / "draft.json").read_bytes())
    words = {2: ("Initech", "employer"), 3: ("Minsk", "location")}[passage]
    lie = {
        "ref": "9",
        "subject": "Maya",
        "attribute": words[1],
        "value": words[0],
        "text": f"Maya says {words[0]}.",
        "label": "stated",
        "quotes": [{"passage": 1, "text": f"I live in {words[0]}"}],
    }
    voice = lie | {"ref": "8", "quotes": [{"passage": passage}], "attribute": "preference", "subject": "I"}
    forged = lie | {"ref": "7", "quotes": [{"passage": passage}], "attribute": "rule"}
    draft["facts"] += [lie, voice, forged]
    (at.directory / "draft.json").write_text(json.dumps(draft))
    assert [verdict.refusals for verdict in verify(at.opened)] == [()]
    outcome = applied(at.opened, at.name)
    assert isinstance(outcome, Applied)
    assert {drop.fact == "" for drop in outcome.staged.run.record.drops} == {True}
    assert words[0] not in {fact.value for fact in facts(at.opened)}
    assert faults(at.opened) == []
    assert lies(at.opened) == []


def test_a_refused_run_is_kept_and_its_rows_are_pending_again(at: Staging) -> None:
    at.fact("Rome")["evidence"][0]["quote"] = "I moved to Rome!"
    at.seal()
    outcome = applied(at.opened, at.name)
    assert isinstance(outcome, Refused)
    state = status(at.opened, "rules")
    assert state.refused == (at.name,)
    assert state.staged == ()
    assert [str(row) for row in state.pending] == at.run["record"]["rows"]
