"""The one door: durable, whole or not at all, following nothing."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest

from xysq.errors import NotFound
from xysq.store.descriptor import TEMP
from xysq.store.disk_error import AlreadyThere, NotRead, NotSynced, NotWritten, UnsafePath
from xysq.store.files import Files, _flush_all
from xysq.store.step import Op, Step


class Cut(Exception):
    """The process ends here."""


def recorder(into: list[Step]) -> Callable[[Step], None]:
    return into.append


def cut_at(number: int) -> Callable[[Step], None]:
    """End at step `number` (from 0) and at every step behind it: a dead process cleans nothing up."""
    passed = iter(range(number))

    def watch(_step: Step) -> None:
        if next(passed, None) is None:
            raise Cut

    return watch


def steps_of(root: Path, act: Callable[[Files], object]) -> list[Step]:
    steps: list[Step] = []
    act(Files(root, recorder(steps)))
    return steps


def leftovers(root: Path) -> list[str]:
    return [name for _, _, names in os.walk(root) for name in names if name.startswith(TEMP)]


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def test_a_new_file_has_its_bytes_and_is_private_whatever_the_umask_is(files: Files, quick_path: Path) -> None:
    old = os.umask(0o277)
    try:
        files.make_dirs("logs/2026")
        files.write_new("logs/2026/v1.txt", b"words")
    finally:
        os.umask(old)
    assert files.read("logs/2026/v1.txt") == b"words"
    assert stat.S_IMODE((quick_path / "logs/2026/v1.txt").stat().st_mode) == 0o600
    assert stat.S_IMODE((quick_path / "logs/2026").stat().st_mode) == 0o700


def test_a_new_file_refuses_a_taken_name_and_leaves_no_temp(files: Files, quick_path: Path) -> None:
    files.write_new("a", b"first")
    with pytest.raises(AlreadyThere):
        files.write_new("a", b"second")
    assert files.read("a") == b"first"
    assert leftovers(quick_path) == []


def test_a_replaced_file_has_the_new_bytes(files: Files) -> None:
    files.replace("a", b"first")
    files.replace("a", b"second")
    assert files.read("a") == b"second"


@pytest.mark.parametrize("act", ["write_new", "replace"])
def test_bytes_are_synced_before_they_get_their_name_and_the_directory_after(quick_path: Path, act: str) -> None:
    steps = steps_of(quick_path, lambda files: getattr(files, act)("a", b"words"))
    named = Op.LINK if act == "write_new" else Op.RENAME
    order = [step.op for step in steps if step.op is not Op.UNLINK]
    assert order == [Op.CREATE, Op.WRITE, Op.SYNC, named, Op.SYNC_DIR]
    assert next(step for step in steps if step.op is named).to == "a"


@pytest.mark.parametrize("act", ["write_new", "replace"])
def test_cut_anywhere_a_file_is_whole_or_as_before_and_the_next_try_works(quick_path: Path, act: str) -> None:
    before = b"old" if act == "replace" else None
    (quick_path / "whole").mkdir()
    total = len(steps_of(quick_path / "whole", lambda files: getattr(files, act)("a", b"new")))
    for number in range(total):
        root = quick_path / str(number)
        root.mkdir()
        if before is not None:
            Files(root).replace("a", before)
        with pytest.raises(Cut):
            getattr(Files(root, cut_at(number)), act)("a", b"new")
        found = Files(root).read_or_none("a")
        assert found in (before, b"new")
        Files(root).replace("a", b"new")
        Files(root).sweep("")
        assert leftovers(root) == []
        assert Files(root).read("a") == b"new"


@pytest.mark.parametrize(
    ("act", "op"),
    [(act, op) for act in ("write_new", "replace", "fill") for op in (Op.SYNC, Op.SYNC_DIR)]
    + [("make_dirs", Op.SYNC_DIR)],
)
def test_a_failed_sync_is_an_error_and_that_file_is_never_synced_again(quick_path: Path, act: str, op: Op) -> None:
    synced: list[str] = []

    def failing(step: Step) -> None:
        if step.op is op:
            synced.append(step.path)
            raise OSError(5, "injected")

    files = Files(quick_path, failing)
    arguments: tuple[object, ...] = ("a", {"b": b"new"} if act == "fill" else b"new")
    if act == "fill":
        (quick_path / "a").mkdir()
    elif act == "make_dirs":
        arguments = ("a",)
    with pytest.raises(NotSynced, match=r"cannot write .*: Input/output error"):
        getattr(files, act)(*arguments)
    assert len(synced) == 1
    assert leftovers(quick_path) == []
    if act == "make_dirs":
        assert not (quick_path / "a").exists()


def test_the_system_is_really_asked_to_sync(files: Files) -> None:
    reader, writer = os.pipe()  # what cannot be synced says so
    try:
        with pytest.raises(NotSynced):
            files._sync(writer, Op.SYNC, "a")
        with pytest.raises(NotSynced):
            _flush_all([(writer, "a"), (reader, "b")])
    finally:
        os.close(reader)
        os.close(writer)


def test_what_was_there_stays_where_new_bytes_could_not_be_synced(quick_path: Path) -> None:
    def failing(step: Step) -> None:
        if step.op is Op.SYNC:
            raise OSError(5, "injected")

    Files(quick_path).replace("a", b"old")
    with pytest.raises(NotSynced):
        Files(quick_path, failing).replace("a", b"new")
    assert Files(quick_path).read("a") == b"old"


def test_a_full_disk_is_one_sentence_and_nothing_changed(quick_path: Path) -> None:
    def full(step: Step) -> None:
        if step.op is Op.WRITE:
            raise OSError(28, "injected")

    Files(quick_path).replace("a", b"old")
    with pytest.raises(NotWritten, match="cannot write a: No space left on device"):
        Files(quick_path, full).replace("a", b"new")
    assert Files(quick_path).read("a") == b"old"
    assert leftovers(quick_path) == []


@pytest.mark.parametrize("path", ["/etc/passwd", "../a", "a/../b", "a//b", "./a", "a/", "a\0b", ""])
def test_a_path_that_is_not_plain_is_refused(files: Files, path: str) -> None:
    for act in (files.read, files.exists, files.remove, lambda p: files.replace(p, b"x")):
        with pytest.raises(UnsafePath):
            act(path)


@pytest.fixture
def trapped(quick_path: Path) -> Iterator[Path]:
    outside = quick_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    root = quick_path / "vault"
    root.mkdir()
    (root / "dir").symlink_to(outside)
    (root / "file").symlink_to(outside / "secret")
    os.mkfifo(root / "pipe")
    yield root
    assert sorted(path.name for path in outside.iterdir()) == ["secret"]
    assert (outside / "secret").read_bytes() == b"secret"


def test_links_lead_nowhere(trapped: Path) -> None:
    files = Files(trapped)
    for act in (
        lambda: files.read("dir/secret"),
        lambda: files.read("file"),
        lambda: files.list_dir("dir"),
        lambda: files.write_new("dir/new", b"x"),
        lambda: files.replace("dir/secret", b"x"),
        lambda: files.remove("dir/secret"),
        lambda: files.make_dirs("dir/deeper"),
        lambda: files.remove_tree("dir"),
        lambda: files.open_lock("file"),
        lambda: files.rename_dir("dir/x", "y"),
        lambda: files.walk(""),
    ):
        with pytest.raises(UnsafePath):
            act()


def test_a_file_replaces_a_link_without_following_it(trapped: Path) -> None:
    Files(trapped).replace("file", b"mine")
    assert Files(trapped).read("file") == b"mine"


def test_a_pipe_is_no_file_and_hangs_nobody(trapped: Path) -> None:
    with pytest.raises(UnsafePath, match="not a regular file"):
        Files(trapped).read("pipe")


def test_the_root_itself_may_be_reached_through_a_link(quick_path: Path) -> None:
    (quick_path / "real").mkdir()
    (quick_path / "link").symlink_to(quick_path / "real")
    Files(quick_path / "link").replace("a", b"x")
    assert Files(quick_path / "real").read("a") == b"x"


def test_what_is_missing_is_told_apart_from_what_is_empty(files: Files) -> None:
    files.replace("empty", b"")
    assert files.read("empty") == b""
    assert files.read_or_none("missing") is None
    assert (files.exists("empty"), files.exists("missing"), files.exists("no/such/dir")) == (True, False, False)
    assert files.list_dir("no/such/dir") == ()
    with pytest.raises(NotFound):
        files.size("missing")


def test_a_range_is_read_and_ends_with_the_file(files: Files) -> None:
    files.replace("a", b"0123456789")
    assert files.read_range("a", 2, 5) == b"234"
    assert files.read_range("a", 8, 50) == b"89"
    assert files.read_range("a", 50, 60) == b""


def test_removing_says_whether_there_was_something(files: Files) -> None:
    files.replace("a", b"x")
    assert files.remove("a") is True
    assert files.remove("a") is False
    assert files.remove("no/such/dir") is False


def test_each_new_directory_is_durable_in_its_parent_before_it_is_entered(quick_path: Path) -> None:
    steps = steps_of(quick_path, lambda files: files.make_dirs("a/b"))
    assert [(step.op, step.path) for step in steps] == [
        (Op.MKDIR, "a"),
        (Op.SYNC_DIR, ""),
        (Op.CHMOD, "a"),
        (Op.MKDIR, "a/b"),
        (Op.SYNC_DIR, "a"),
        (Op.CHMOD, "a/b"),
    ]
    assert steps_of(quick_path, lambda files: files.make_dirs("a/b")) == []


def test_a_directory_whose_maker_died_is_synced_by_whoever_meets_it(quick_path: Path) -> None:
    with pytest.raises(Cut):
        Files(quick_path, cut_at(1)).make_dirs("a/b")
    assert (quick_path / "a").is_dir()
    steps = steps_of(quick_path, lambda files: files.make_dirs("a"))
    assert [(step.op, step.path) for step in steps] == [(Op.SYNC_DIR, ""), (Op.CHMOD, "a")]


def test_a_new_directory_is_filled_and_each_file_and_folder_of_it_synced_once(quick_path: Path) -> None:
    contents = {"one": b"1", "after/two": b"2", "after/three": b"3"} | {f"n{number}": b"" for number in range(20)}

    def fill(files: Files) -> None:
        with files.new_dir("d"):
            files.fill("d", contents)

    steps = steps_of(quick_path, fill)
    assert {name: Files(quick_path).read(f"d/{name}") for name in Files(quick_path).walk("d")} == contents
    assert sorted(step.path for step in steps if step.op is Op.SYNC) == sorted(f"d/{name}" for name in contents)
    assert [step.path for step in steps if step.op is Op.SYNC_DIR] == ["d/after", "d"]
    assert stat.S_IMODE((quick_path / "d/after").stat().st_mode) == 0o700


def test_a_directory_moves_with_what_is_in_it(files: Files) -> None:
    files.make_dirs("one/inner")
    files.make_dirs("two")
    files.replace("one/inner/a", b"x")
    files.rename_dir("one/inner", "two/moved")
    assert files.walk("") == ("two/moved/a",)


def test_a_tree_is_removed_with_the_links_in_it_but_not_what_they_lead_to(trapped: Path) -> None:
    files = Files(trapped)
    files.make_dirs("tree/deep")
    files.replace("tree/deep/a", b"x")
    (trapped / "tree" / "deep" / "link").symlink_to(trapped / "dir")
    files.remove_tree("tree")
    assert not files.exists("tree")
    files.remove_tree("tree")


def test_a_sweep_takes_leftovers_only(files: Files, quick_path: Path) -> None:
    files.replace("kept", b"x")
    (quick_path / f"{TEMP}1-1").write_bytes(b"half")
    files.make_dirs(f"{TEMP}dir")
    files.replace(f"{TEMP}dir/a", b"x")
    assert files.sweep("") == 2
    assert sorted(path.name for path in quick_path.iterdir()) == ["kept"]
    assert files.sweep("missing") == 0


def test_a_sweep_leaves_what_somebody_is_still_writing(files: Files) -> None:
    with files.beside("a", b"words"):
        assert files.sweep("") == 0
    with files.new_dir("tmp-1"):
        assert files.sweep("", "tmp-") == 0
    assert files.sweep("", "tmp-") == 1


def test_a_directory_that_a_sweep_took_before_it_was_held_is_made_again(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = os.mkdir

    def make_and_lose_the_first(name: str, mode: int, *, dir_fd: int) -> None:
        make(name, mode, dir_fd=dir_fd)
        made.append(name)
        if len(made) == 1:
            assert Files(files.root).sweep("", "tmp-") == 1

    monkeypatch.setattr(os, "mkdir", make_and_lose_the_first)
    with files.new_dir("tmp-1"):
        assert files.is_folder("tmp-1")
    assert made == ["tmp-1", "tmp-1"]


def _replace_often(root: str, sign: int) -> None:
    files = Files(root)
    for _ in range(50):
        files.replace("a", bytes([sign]) * 5_000)


def test_processes_that_replace_and_sweep_at_once_leave_one_whole_file(quick_path: Path) -> None:
    context = get_context("fork")
    writers = [context.Process(target=_replace_often, args=(str(quick_path), sign)) for sign in (65, 66)]
    for writer in writers:
        writer.start()
    files = Files(quick_path)
    while any(writer.is_alive() for writer in writers):
        files.sweep("")
        data = files.read_or_none("a")
        assert data in (None, b"A" * 5_000, b"B" * 5_000)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    files.sweep("")
    assert leftovers(quick_path) == []


def test_every_file_and_folder_that_is_filled_in_is_really_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        asked.append(os.path.relpath(Path(f"/proc/self/fd/{descriptor}").readlink(), tmp_path))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    files = Files(tmp_path)
    with files.new_dir("new"):
        files.fill("new", {"a": b"1", "b/c": b"2"})
    assert set(asked) == {"new/a", "new/b/c", "new/b", "new"}


def test_a_name_is_gone_for_good_once_its_file_was_removed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a").touch()
    assert steps_of(tmp_path, lambda files: files.remove("folder/a")) == [
        Step(op=Op.UNLINK, path="folder/a"),
        Step(op=Op.SYNC_DIR, path="folder"),
    ]


def test_what_cannot_be_read_says_what_to_type() -> None:
    failed = NotRead("logs", OSError(errno.EIO, "Input/output error"))
    assert failed.sentence == "cannot read logs: Input/output error"
    assert "dmesg" in failed.hint
    assert not NotRead("logs", OSError(errno.ELOOP, "Too many links")).hint
