"""Whether a new vault would lie inside another repository."""

from pathlib import Path

from tests.store.git_vault import put, user
from xysq.store.git_outer import outer_repository


def test_a_directory_in_a_repository_that_does_not_ignore_it_is_inside(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    user(code, "init", "--quiet")
    assert outer_repository(code / "memory") == code
    assert outer_repository(code / "deep" / "er" / "-memory") == code
    put(code, {".gitignore": b"memory/\n"})
    assert outer_repository(code / "memory") is None
    assert outer_repository(code / "memories") == code
    (code / "memory").mkdir()
    assert outer_repository(code / "memory") is None


def test_outside_every_repository_there_is_none_around(tmp_path: Path) -> None:
    assert outer_repository(tmp_path / "memory") is None


def test_a_repository_of_its_own_is_not_inside_itself(tmp_path: Path) -> None:
    user(tmp_path, "init", "--quiet")
    assert outer_repository(tmp_path) is None


def test_a_linked_worktree_counts_as_a_repository(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    user(code, "init", "--quiet")
    user(code, "commit", "--quiet", "--allow-empty", "-m", "x")
    user(code, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    put(tmp_path / "linked", {".gitignore": b"/memory\n"})
    assert outer_repository(tmp_path / "linked" / "memory") is None
    assert outer_repository(tmp_path / "linked" / "other") == tmp_path / "linked"
