"""Locks: one holder, no stale locks, and no waiting for oneself."""

import os
import subprocess
import sys
import threading
from multiprocessing import get_context
from pathlib import Path

import pytest

from xysq.store import layout
from xysq.store.disk_error import UnsafePath
from xysq.store.files import Files
from xysq.store.lock import SourceLock, VaultLock

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


TRY = """
import sys
from xysq.errors import Busy
from xysq.store.files import Files
from xysq.store.lock import VaultLock
try:
    with VaultLock(Files(sys.argv[1]), 0):
        pass
except Busy as busy:
    sys.exit(busy.exit_status)
"""


def _in_child(root: Path) -> int:
    """Try to lock in another process, once; return its exit status."""
    return subprocess.run([sys.executable, "-c", TRY, str(root)], check=False, cwd=PROJECT).returncode


def _count_up(root: str, times: int) -> None:
    files = Files(root)
    for _ in range(times):
        with VaultLock(files, 30):
            files.replace("n", str(int(files.read("n")) + 1).encode())


def test_one_process_holds_the_vault_and_the_next_gets_it(files: Files, quick_path: Path) -> None:
    with VaultLock(files, 0):
        assert _in_child(quick_path) == 3
    assert _in_child(quick_path) == 0


def test_counting_under_the_lock_loses_nothing(files: Files, quick_path: Path) -> None:
    files.replace("n", b"0")
    children = [get_context("fork").Process(target=_count_up, args=(str(quick_path), 10)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert files.read("n") == b"40"


def test_a_killed_holder_leaves_no_stale_lock(files: Files, quick_path: Path) -> None:
    context = get_context("fork")
    locked = context.Event()

    def hold() -> None:
        with VaultLock(Files(quick_path), 0):
            locked.set()
            threading.Event().wait()

    child = context.Process(target=hold)
    child.start()
    locked.wait()
    assert _in_child(quick_path) == 3
    child.kill()
    child.join()
    with VaultLock(files, 5):
        pass


def test_a_child_that_inherits_the_descriptor_keeps_the_lock(files: Files, quick_path: Path) -> None:
    with VaultLock(files, 0) as lock:
        kept = os.dup(lock.fd)
    assert _in_child(quick_path) == 3
    os.close(kept)
    assert _in_child(quick_path) == 0


def test_a_thread_waits_for_another_thread(files: Files) -> None:
    order: list[str] = []
    entered = threading.Event()

    def other() -> None:
        entered.set()
        with VaultLock(files, 30):
            order.append("other")

    with VaultLock(files, 0):
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "other"]


def test_taking_a_held_lock_again_is_a_mistake_and_not_a_wait(files: Files) -> None:
    with VaultLock(files, 30), pytest.raises(RuntimeError, match="by this thread"), VaultLock(files, 30):
        pass
    with VaultLock(files, 0):
        pass


def test_sources_are_locked_apart_from_each_other_and_from_the_vault(files: Files) -> None:
    with SourceLock(files, "name\0a", 0), SourceLock(files, "name\0b", 0), VaultLock(files, 0):
        pass
    with SourceLock(files, "name\0a", 0), pytest.raises(RuntimeError), SourceLock(files, "name\0a", 0):
        pass


def test_an_error_inside_lets_the_lock_go(files: Files, quick_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"), VaultLock(files, 0):
        raise ValueError("inside")
    assert _in_child(quick_path) == 0


def test_the_descriptor_is_there_only_while_locked(files: Files) -> None:
    lock = VaultLock(files, 0)
    with pytest.raises(RuntimeError, match="is not locked"):
        _ = lock.fd
    with lock:
        assert lock.fd > 2


def test_a_lock_file_that_is_a_link_is_refused(files: Files, quick_path: Path) -> None:
    files.make_dirs(layout.LOCAL)
    (quick_path / "else").write_bytes(b"x")
    (quick_path / layout.LOCK).symlink_to(quick_path / "else")
    with pytest.raises(UnsafePath), VaultLock(files, 0):
        pass
    assert (quick_path / "else").read_bytes() == b"x"
