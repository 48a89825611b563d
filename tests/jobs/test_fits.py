"""On which branch a decided run may be built: one that gained commits of the user's which harm nothing of it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from xysq.drafters import choose
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.replay import decision_of, fits
from xysq.model.run import Decision
from xysq.store import layout, wal

KNOWN = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n"
NEXT = b"Maya: I like jazz.\n\nNora: I live in Lima.\n\n"
LATE = b"Olga: I like tea.\n\nMaya: Me too.\n\n"
SEGMENT, PAGE, NEW_PAGE = "ledger/000/000001.jsonl", "pages/ma/maya.md", "pages/no/nora.md"


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=Maya", "-c", "user.email=maya@example.org")
    subprocess.run(("git", "-C", str(root), *who, *words), check=True, capture_output=True)


@pytest.fixture
def decision(opened: Opened) -> Decision:
    """Return what is to be decided of a run that changes one page and makes one."""
    rules = DistillOrder(drafter=choose("rules", {}))
    push(opened, PushOrder(data=KNOWN, filename="known.txt", source="known"))
    list(distill(opened, rules))
    push(opened, PushOrder(data=NEXT, filename="next.txt", source="next"))
    list(distill(opened, DistillOrder(drafter=choose("rules", {}), stage=True)))
    (run,) = wal.list_runs(opened.files)
    return decision_of(opened, wal.load(opened.files, run), opened.tip())


def enacted(opened: Opened, decision: Decision) -> None:
    """Put the files of the run where they belong, as a replay that was cut does."""
    for path, data in wal.load(opened.files, decision.run).after.items():
        (opened.root / path).parent.mkdir(parents=True, exist_ok=True)
        (opened.root / path).write_bytes(data or b"")


def changed(path: str, data: bytes) -> Callable[[Opened, Decision], None]:
    def change(opened: Opened, _: Decision) -> None:
        (opened.root / path).parent.mkdir(parents=True, exist_ok=True)
        (opened.root / path).write_bytes(data)

    return change


def landed(opened: Opened, _: Decision) -> None:
    push(opened, PushOrder(data=LATE, filename="late.txt", source="late"))


def without_a_log(opened: Opened, _: Decision) -> None:
    next((opened.root / layout.LOGS).rglob("v1.txt")).unlink()


def without_a_record(opened: Opened, _: Decision) -> None:
    next((opened.root / layout.RUNS).rglob("*.json")).unlink()


def with_a_strange_log(opened: Opened, _: Decision) -> None:
    log = next((opened.root / layout.LOGS).rglob("v1.txt"))
    log.with_name("v2.txt").write_bytes(b"as committed")
    git(opened.root, "add", "-A")
    git(opened.root, "commit", "-q", "-m", "strange")
    git(opened.root, "update-index", "--assume-unchanged", str(log.with_name("v2.txt")))
    log.with_name("v2.txt").write_bytes(b"as it is now")


def with_a_link(opened: Opened, _: Decision) -> None:
    (opened.root / PAGE).unlink()
    (opened.root / PAGE).symlink_to("/")


HARMLESS = {
    "a file of one's own": changed("notes.txt", b"mine\n"),
    "the files of the run": enacted,
    "a page that the run changes": changed(PAGE, b"# Mine\n"),
    "a page that the run makes": changed(NEW_PAGE, b"# Mine\n"),
    "another page": changed("pages/to/tom.md", b"# Mine\n"),
    "a log that has landed": landed,
    "the settings": changed("xysq.yaml", b"me:\n  name: Maya\n"),
}
HARMFUL = {
    "other lines in the ledger": changed(SEGMENT, b"{}\n"),
    "another segment": changed("ledger/000/000002.jsonl", b"{}\n"),
    "a log is gone": without_a_log,
    "a record is gone": without_a_record,
    "a log that is another on the disk": with_a_strange_log,
    "a link in the place of a page": with_a_link,
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_run_is_built_on_commits_that_harm_nothing_of_it(opened: Opened, decision: Decision, name: str) -> None:
    HARMLESS[name](opened, decision)
    git(opened.root, "add", "-A")
    git(opened.root, "commit", "-q", "-m", "mine")
    assert opened.tip() != decision.parent
    assert fits(opened, decision, opened.tip())


@pytest.mark.parametrize("name", HARMFUL)
def test_a_run_is_not_built_on_commits_that_harm_it(opened: Opened, decision: Decision, name: str) -> None:
    HARMFUL[name](opened, decision)
    git(opened.root, "add", "-A")
    git(opened.root, "commit", "-q", "--allow-empty", "-m", "mine")
    assert not fits(opened, decision, opened.tip())


def test_a_run_is_not_built_on_a_branch_that_went_back(opened: Opened, decision: Decision) -> None:
    git(opened.root, "reset", "-q", "--soft", f"{decision.parent}~1")
    assert not fits(opened, decision, opened.tip())
