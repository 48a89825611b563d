"""Landing: acknowledged means durable, and what was not acknowledged is no hindrance."""

import os
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.store.logs_of import OTHER, SOURCE, land_parts, meta_of, view_of
from xysq.model.source import SourceId, Version
from xysq.store import layout, logs, queue, sources
from xysq.store.disk_error import AlreadyThere
from xysq.store.files import Files
from xysq.store.landing import land
from xysq.store.step import Op, Step

DATA = b"caf\xe9\n"
VIEW = "café\n".encode()
DIRECTORY = layout.log_dir(SOURCE)


class Cut(Exception):
    """The process ends here."""


def landing(files: Files, part: bytes = DATA, view: bytes = VIEW) -> None:
    land(files, meta_of(part, text=view_of(view), name="notes"), part, view)


def count_steps(root: Path) -> int:
    steps: list[Step] = []
    landing(Files(root, steps.append))
    return len(steps)


def cut_at(root: Path, number: int) -> Files:
    passed = iter(range(number))

    def watch(_step: Step) -> None:
        if next(passed, None) is None:
            raise Cut

    return Files(root, watch)


def found(root: Path) -> SourceId | None:
    return sources.find(Files(root), sources.name_key("notes"))


@pytest.mark.parametrize(("part", "view"), [(DATA, VIEW), (b"na\xefve\n", "naïve\n".encode())])
def test_cut_anywhere_a_push_has_landed_whole_or_not_at_all_and_can_be_done_again(
    quick_path: Path, part: bytes, view: bytes
) -> None:
    (quick_path / "whole").mkdir()
    for number in range(count_steps(quick_path / "whole")):
        root = quick_path / str(number)
        root.mkdir()
        with pytest.raises(Cut):
            landing(cut_at(root, number))
        files = Files(root)
        landed_before = logs.newest(files, SOURCE) is not None
        if not landed_before:
            assert queue.landed(files) == ()
            assert found(root) is None
            landing(files, part, view)
        assert logs.read_bytes(files, Version(SOURCE, 1)) == (DATA if landed_before else part)
        assert logs.faults(files, SOURCE) == ()
        assert logs.strays(files, SOURCE) == ()
        assert queue.landed(files) == (Version(SOURCE, 1),)
        assert found(root) == SOURCE


def test_the_meta_comes_last_and_the_marker_before_it(quick_path: Path) -> None:
    steps: list[Step] = []
    landing(Files(quick_path, steps.append))
    named = [step.to for step in steps if step.op in (Op.LINK, Op.RENAME)]
    assert named[:2] == [f"{DIRECTORY}/v1.txt", f"{DIRECTORY}/v1.text"]
    assert named[-2:] == [layout.landed_path(Version(SOURCE, 1)), f"{DIRECTORY}/v1.meta.json"]
    assert Step(op=Op.SYNC_DIR, path=DIRECTORY) in steps[-2:]


def test_every_name_is_synced_before_the_meta_is_begun(quick_path: Path) -> None:
    steps: list[Step] = []
    landing(Files(quick_path, steps.append))
    begun = max(place for place, step in enumerate(steps) if step.op is Op.CREATE)
    unsynced: set[str] = set()
    for step in steps[:begun]:
        if step.op in (Op.LINK, Op.RENAME, Op.MKDIR):
            unsynced.add((step.to or step.path).rpartition("/")[0])
        elif step.op is Op.SYNC_DIR:
            unsynced.discard(step.path)
    assert unsynced == set()


@pytest.mark.parametrize("left", [b"one\n", b"on", b""])
def test_what_a_cut_push_left_is_written_anew_even_where_it_is_equal(quick_path: Path, left: bytes) -> None:
    files = Files(quick_path)
    files.make_dirs(DIRECTORY)
    (quick_path / DIRECTORY / "v1.txt").write_bytes(left)
    steps: list[Step] = []
    land_parts(Files(quick_path, steps.append), b"one\n")
    assert b"one\n" in {step.data for step in steps if step.op is Op.WRITE}
    assert logs.read_bytes(files, Version(SOURCE, 1)) == b"one\n"


def test_what_a_cut_push_of_another_kind_left_goes(quick_path: Path) -> None:
    files = Files(quick_path)
    land_parts(files, b"one\n")
    files.replace(f"{DIRECTORY}/v2.jsonl", b"half")
    files.replace(f"{DIRECTORY}/v2.part.text", b"half")
    files.replace(f"{DIRECTORY}/v20.txt", b"somebody else's")
    land(files, meta_of(b"two\n", b"one\n", version=2), b"two\n")
    assert logs.strays(files, SOURCE) == (f"{DIRECTORY}/v20.txt",)


def test_a_version_lands_once(quick_path: Path) -> None:
    files = Files(quick_path)
    land_parts(files, b"one\n")
    with pytest.raises(AlreadyThere):
        land_parts(files, b"other\n")
    assert logs.read_bytes(files, Version(SOURCE, 1)) == b"one\n"


def test_bytes_that_are_not_those_of_the_meta_do_not_land(quick_path: Path) -> None:
    files = Files(quick_path)
    for meta, part, view in (
        (meta_of(b"one\n"), b"two\n", None),
        (meta_of(b"one\n", text=view_of(b"x")), b"one\n", b"y"),
        (meta_of(b"one\n", text=view_of(b"x")), b"one\n", None),
        (meta_of(b"one\n"), b"one\n", b"x"),
    ):
        with pytest.raises(ValueError, match="digest"):
            land(files, meta, part, view)
    assert not files.exists("logs")


def _land_one(root: str, number: int) -> None:
    part = f"writer {number}\n".encode()
    try:
        land(Files(root), meta_of(part), part)
    except AlreadyThere:
        os._exit(7)
    os._exit(0)


def test_of_processes_that_chose_one_number_one_lands_and_the_others_know(quick_path: Path) -> None:
    children = [get_context("fork").Process(target=_land_one, args=(str(quick_path), number)) for number in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert sorted(child.exitcode or 0 for child in children) == [0, 7, 7, 7]
    winner = next(number for number, child in enumerate(children) if child.exitcode == 0)
    assert logs.read_bytes(Files(quick_path), Version(SOURCE, 1)) == f"writer {winner}\n".encode()
    assert logs.faults(Files(quick_path), SOURCE) == ()


def test_two_sources_land_side_by_side(quick_path: Path) -> None:
    files = Files(quick_path)
    land_parts(files, b"one\n")
    land_parts(files, b"one\n", source=OTHER)
    assert queue.landed(files) == (Version(SOURCE, 1), Version(OTHER, 1))
