"""The branch: read, moved, mended; and the lock files that a killed git leaves."""

from pathlib import Path

import pytest

from tests.store.git_vault import ALICE, RUN, land, new_vault, sound, user
from xysq.errors import BadInput
from xysq.store.git import Repository
from xysq.store.git_process import GitFailed
from xysq.store.git_ref import BrokenRef, RefLocked, RefMoved

REF = ".git/refs/heads/main"
OTHER = "cd" * 20
BROKEN = [b"", b"\0" * 41, b"\n", b"ab", b"ref: refs/heads/other\n", b"g" * 40, b"ab" * 20 + b"junk", b"\0" * 4096]


def next_commit(repository: Repository, parent: str) -> str:
    prepared = repository.prepare(parent, {ALICE: b"# Alice\n"}, "x\n", "2026-11-30T18:02:12Z")
    repository.write_objects(prepared)
    return prepared.commit


@pytest.mark.parametrize("data", BROKEN)
def test_a_ref_file_without_an_id_is_an_error_and_not_an_empty_vault(tmp_path: Path, data: bytes) -> None:
    repository, _ = new_vault(tmp_path)
    (tmp_path / REF).write_bytes(data)
    with pytest.raises(BrokenRef):
        repository.tip()


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b" \n"])
def test_a_ref_file_with_an_id_is_read_whatever_ends_it(tmp_path: Path, end: bytes) -> None:
    repository, first = new_vault(tmp_path)
    (tmp_path / REF).write_bytes(first.encode() + end)
    assert repository.tip() == first


@pytest.mark.parametrize("data", BROKEN)
def test_a_broken_ref_is_restored_and_moves_again(tmp_path: Path, data: bytes) -> None:
    repository, first = new_vault(tmp_path)
    (tmp_path / REF).write_bytes(data)
    repository.restore_ref(first)
    assert repository.tip() == first
    second = next_commit(repository, first)
    repository.move_ref(second, first, RUN)
    assert repository.tip() == second
    assert repository.update_index(repository.blob_ids_of(second, [ALICE]))
    (tmp_path / ALICE).write_bytes(b"# Alice\n")
    assert sound(tmp_path)


def test_git_itself_would_not_move_a_ref_full_of_nul(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = next_commit(repository, first)
    (tmp_path / REF).write_bytes(b"\0" * 41)
    with pytest.raises(BrokenRef):
        repository.move_ref(second, first, RUN)


def test_a_packed_ref_is_read_and_a_loose_one_outdoes_it(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    user(tmp_path, "tag", "-a", "v1", "-m", "x")
    user(tmp_path, "pack-refs", "--all")
    assert not (tmp_path / REF).exists()
    assert repository.tip() == first
    second = next_commit(repository, first)
    repository.move_ref(second, first, RUN)
    assert repository.tip() == second
    (tmp_path / REF).unlink()
    (tmp_path / ".git/packed-refs").write_bytes(b"xyz refs/heads/main\n")
    with pytest.raises(BrokenRef):
        repository.tip()


def test_the_ref_moves_only_from_where_it_is_said_to_be(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = next_commit(repository, first)
    for old in (None, second, OTHER):
        with pytest.raises(RefMoved) as refused:
            repository.move_ref(second, old, RUN)
        assert refused.value.found == first
    assert repository.tip() == first
    repository.move_ref(second, first, RUN)
    assert repository.tip() == second


def test_a_commit_that_was_not_written_is_not_moved_to(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    with pytest.raises(GitFailed):
        repository.move_ref(OTHER, first, RUN)
    assert repository.tip() == first


def test_a_directory_in_the_place_of_the_ref_is_a_broken_ref(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    (tmp_path / REF).unlink()
    (tmp_path / REF).mkdir()
    with pytest.raises(BrokenRef):
        repository.tip()


def test_a_first_commit_needs_a_ref_that_is_not_there(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.init()
    prepared = repository.prepare(None, {ALICE: b"x"}, "x\n", "2026-11-30T18:02:11Z")
    repository.write_objects(prepared)
    with pytest.raises(RefMoved):
        repository.move_ref(prepared.commit, OTHER, RUN)
    repository.move_ref(prepared.commit, None, RUN)
    assert repository.tip() == prepared.commit


@pytest.mark.parametrize("new", ["HEAD", "-d", "a" * 39, "", "ref: x"])
def test_only_a_full_id_is_moved_to(tmp_path: Path, new: str) -> None:
    repository, first = new_vault(tmp_path)
    with pytest.raises(BadInput):
        repository.move_ref(new, first, RUN)
    with pytest.raises(BadInput):
        repository.restore_ref(new)


def test_the_message_is_one_line_of_the_reflog(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    repository.move_ref(next_commit(repository, first), first, "--no-deref\nsecond line")
    assert user(tmp_path, "reflog", "-1", "--format=%gs", "main") == "--no-deref second line"


def test_the_branch_moves_while_head_is_elsewhere(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    user(tmp_path, "checkout", "--quiet", "--detach")
    second = next_commit(repository, first)
    assert not repository.head_is_main()
    repository.move_ref(second, first, RUN)
    assert (repository.tip(), user(tmp_path, "rev-parse", "HEAD")) == (second, first)


def test_head_is_main_only_on_main_in_the_main_worktree(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path / "vault")
    assert repository.head_is_main()
    user(tmp_path / "vault", "checkout", "--quiet", "-b", "other")
    assert not repository.head_is_main()
    user(tmp_path / "vault", "worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    assert not Repository(tmp_path / "linked").head_is_main()
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / ".git").symlink_to(tmp_path / "vault" / ".git")
    user(tmp_path / "vault", "worktree", "remove", "--force", str(tmp_path / "linked"))
    user(tmp_path / "vault", "checkout", "--quiet", "main")
    assert repository.head_is_main()
    assert not Repository(tmp_path / "planted").head_is_main()
    assert not Repository(tmp_path).head_is_main()


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_lock_of_gits_is_named_and_ours_goes(tmp_path: Path, name: str) -> None:
    repository, first = new_vault(tmp_path)
    second = next_commit(repository, first)
    lock = tmp_path / ".git" / name
    for left in (b"", f"{second}\n".encode()):
        lock.write_bytes(left)
        with pytest.raises(RefLocked, match=name):
            repository.move_ref(second, first, RUN)
        assert repository.clear_locks(second) == (name,)
        assert not lock.exists()
    repository.move_ref(second, first, RUN)
    assert repository.tip() == second


def test_a_lock_for_another_commit_is_not_ours(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    lock = tmp_path / ".git/refs/heads/main.lock"
    lock.write_bytes(f"{OTHER}\n".encode())
    assert repository.clear_locks(first) == ()
    assert lock.exists()


def test_without_locks_there_is_nothing_to_clear(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    assert repository.clear_locks(first) == ()
    assert land(repository, first, {ALICE: b"x"}).parent == first
