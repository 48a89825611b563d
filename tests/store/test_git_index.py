"""git's index after our commits: kept in step, owed where it cannot be, never at the cost of a user's own lock."""

import os
from pathlib import Path

from tests.store.git_vault import ALICE, FILES, LEDGER, RUN, land, new_vault, put, sound, user
from xysq.store.git import Repository
from xysq.store.git_object import Prepared
from xysq.store.step import Op, Step


def committed(repository: Repository, parent: str) -> Prepared:
    """Make a commit and stop before the index."""
    prepared = repository.prepare(parent, {ALICE: b"# Alice\n", LEDGER: None}, "x\n", "2026-11-30T18:02:12Z")
    repository.write_objects(prepared)
    repository.move_ref(prepared.commit, parent, RUN)
    put(repository.git.root, {ALICE: b"# Alice\n", LEDGER: None})
    return prepared


def test_a_lock_that_a_user_holds_makes_a_debt_and_stays(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = committed(repository, first)
    lock = tmp_path / ".git/index.lock"
    lock.write_bytes(b"theirs")
    before = (tmp_path / ".git/index").read_bytes()
    assert repository.update_index(prepared.blobs) is False
    assert repository.clear_locks(prepared.commit) == ()
    assert (lock.read_bytes(), (tmp_path / ".git/index").read_bytes()) == (b"theirs", before)
    lock.unlink()
    paid = repository.blob_ids_of(prepared.commit, prepared.blobs)
    assert paid == prepared.blobs
    assert repository.update_index(paid) is True
    assert sound(tmp_path)


def test_a_lock_that_our_killed_update_left_is_known_and_goes(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = committed(repository, first)
    own, lock = tmp_path / ".git/xysq/index-lock", tmp_path / ".git/index.lock"
    os.link(own, lock)
    assert repository.clear_locks(prepared.commit) == ("index.lock",)
    os.link(own, lock)
    for name in ("index-next", "index-next.lock"):
        (tmp_path / ".git/xysq" / name).write_bytes(b"half")
    assert repository.update_index(prepared.blobs)
    assert not lock.exists()
    assert sorted(path.name for path in (tmp_path / ".git/xysq").iterdir()) == ["index-lock"]
    assert sound(tmp_path)


def test_a_broken_index_is_owed_told_and_left_as_it_is(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = committed(repository, first)
    assert repository.index_is_readable()
    (tmp_path / ".git/index").write_bytes(b"\0" * 300)
    assert repository.update_index(prepared.blobs) is False
    assert not repository.index_is_readable()
    assert (tmp_path / ".git/index").read_bytes() == b"\0" * 300
    assert not (tmp_path / ".git/index.lock").exists()


def test_a_missing_index_comes_back_whole(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = committed(repository, first)
    (tmp_path / ".git/index").unlink()
    assert repository.update_index(prepared.blobs)
    assert user(tmp_path, "ls-files").split("\n") == sorted(FILES.keys() - {LEDGER})
    assert sound(tmp_path)


def test_no_paths_are_no_work(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    (tmp_path / ".git/index.lock").write_bytes(b"theirs")
    assert repository.update_index({})


def test_a_path_that_was_a_file_in_the_index_may_be_a_directory_now(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    put(tmp_path, {"runs": b"staged by hand"})
    user(tmp_path, "add", "runs")
    (tmp_path / "runs").unlink()
    land(repository, first, {"runs/2026/11/30/r-1.json": b"{}"})
    assert sound(tmp_path)


def test_the_index_stays_split_and_private(tmp_path: Path) -> None:
    repository, tip = new_vault(tmp_path, {f"pages/x{n // 20}/x{n}.md": b"%d" % n for n in range(200)})
    shared = set((tmp_path / ".git").glob("sharedindex.*"))
    assert len(shared) == 1
    for number in range(5):
        tip = land(repository, tip, {"pages/x0/x0.md": b"new %d" % number}).commit
    assert set((tmp_path / ".git").glob("sharedindex.*")) == shared
    assert (tmp_path / ".git/index").stat().st_size < next(iter(shared)).stat().st_size / 10
    assert {path.stat().st_mode & 0o077 for path in (*shared, tmp_path / ".git/index")} == {0}
    assert sound(tmp_path)


def test_the_new_index_and_what_it_is_split_from_are_sure_before_the_update_is_told(tmp_path: Path) -> None:
    _, first = new_vault(tmp_path)
    steps: list[Step] = []
    repository = Repository(tmp_path, watch=steps.append)
    prepared = committed(repository, first)
    (tmp_path / ".git/index").unlink()  # made anew it begins a new shared index
    assert repository.update_index(prepared.blobs)
    assert list(tmp_path.glob(".git/sharedindex.*"))
    last = [(step.op, step.path, step.to) for step in steps[-4:]]
    assert last == [
        (Op.SYNC_DIR, ".git", ""),
        (Op.RENAME, ".git/xysq/index-next", ".git/index"),
        (Op.UNLINK, ".git/index.lock", ""),
        (Op.SYNC_DIR, ".git", ""),
    ]


def test_an_index_that_could_not_be_synced_is_owed(tmp_path: Path) -> None:
    def fail(step: Step) -> None:
        if (step.op, step.path) == (Op.SYNC_DIR, ".git"):
            raise OSError(5, "cut")

    _, first = new_vault(tmp_path)
    repository = Repository(tmp_path, watch=fail)
    assert repository.update_index(committed(repository, first).blobs) is False
    assert Repository(tmp_path).update_index({ALICE: None})
