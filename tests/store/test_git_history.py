"""Commits, newest first."""

from pathlib import Path

import pytest

from tests.store.git_vault import ALICE, AT, LEDGER, RUN, land, new_vault, sound, user
from xysq.errors import BadInput
from xysq.store.git_history import commits


def test_commits_come_newest_first_with_what_their_runs_were(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {LEDGER: b"2"}, at="2026-11-30T18:02:12Z").commit
    user(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "by hand\n\nwith words")
    third = repository.tip() or ""
    found = commits(repository, third)
    assert [commit.id for commit in found] == [third, second, first]
    assert [(commit.subject, commit.run, commit.kind) for commit in found] == [
        ("by hand", "", ""),
        ("distill", RUN, "distill"),
        ("distill", RUN, "distill"),
    ]
    assert (found[2].at, found[1].parents) == (AT, (first,))
    assert found[1] == repository.commit(second)
    assert commits(repository, third, limit=2) == found[:2]
    assert commits(repository, second) == found[1:]


def test_a_path_has_the_commits_that_touched_it_packed_or_not(tmp_path: Path) -> None:
    repository, tip = new_vault(tmp_path)
    touched = [tip]
    for number in range(6):
        path = ALICE if number % 2 else "pages/bi/billing.md"
        tip = land(repository, tip, {path: b"%d" % number}).commit
        if path == ALICE:
            touched.insert(0, tip)
    assert [commit.id for commit in commits(repository, tip, [ALICE])] == touched
    user(tmp_path, "gc", "--quiet")
    user(tmp_path, "commit-graph", "write", "--reachable", "--changed-paths")
    assert [commit.id for commit in commits(repository, tip, [ALICE])] == touched
    assert len(commits(repository, tip, [ALICE, "pages/bi"])) == 7
    assert commits(repository, tip, ["pages/no/nobody.md"]) == ()
    assert sound(tmp_path)


@pytest.mark.parametrize("path", ["-rf", "--all", ":(top)x", "a b"])
def test_a_path_is_a_path_and_no_option_or_pattern(tmp_path: Path, path: str) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {path: b"x"}).commit
    assert [commit.id for commit in commits(repository, second, [path])] == [second]


def test_the_environment_of_the_process_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, first = new_vault(tmp_path / "vault")
    other, stranger = new_vault(tmp_path / "other", {"secret": b"s"})
    git = tmp_path / "other" / ".git"
    for name, value in {
        "DIR": git,
        "WORK_TREE": tmp_path / "other",
        "OBJECT_DIRECTORY": git / "objects",
        "COMMON_DIR": git,
    }.items():
        monkeypatch.setenv(f"GIT_{name}", str(value))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "evil")
    assert [commit.id for commit in commits(repository, first)] == [first]
    assert [commit.id for commit in commits(other, stranger)] == [stranger]


@pytest.mark.parametrize("head", ["HEAD", "--all", "main", ""])
def test_only_a_full_id_is_a_beginning(tmp_path: Path, head: str) -> None:
    repository, first = new_vault(tmp_path)
    with pytest.raises(BadInput):
        commits(repository, head)
    with pytest.raises(BadInput):
        commits(repository, first, ["../x"])
