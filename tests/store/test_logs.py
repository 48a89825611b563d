"""Logs: what was pushed is read back byte for byte, by version and by range, and damage is named."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.logs_of import OTHER, SOURCE, digested, land_parts, meta_of, view_of
from tests.store.scratch import scratch
from xysq.errors import Damaged, NotFound
from xysq.model.source import Version, VersionKind
from xysq.store import layout, logs
from xysq.store.disk_error import UnsafePath
from xysq.store.files import Files
from xysq.store.landing import land

DIRECTORY = "logs/2026/11/30/k3/k3f9x2"


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def version(number: int) -> Version:
    return Version(SOURCE, number)


def test_each_version_is_all_bytes_up_to_it(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n", b"three")
    assert [logs.read_bytes(files, version(n)) for n in (1, 2, 3)] == [b"one\n", b"one\ntwo\n", b"one\ntwo\nthree"]


def test_a_whole_version_begins_anew_and_what_follows_is_added_to_it(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n")
    land(files, meta_of(b"uno\n", version=3, kind=VersionKind.CORRECT), b"uno\n")
    land(files, meta_of(b"due\n", b"uno\n", version=4), b"due\n")
    assert logs.read_bytes(files, version(4)) == b"uno\ndue\n"
    assert logs.read_bytes(files, version(2)) == b"one\ntwo\n"


@given(
    parts=st.lists(st.binary(min_size=1, max_size=6), min_size=1, max_size=5),
    start=st.integers(0, 40),
    length=st.integers(0, 40),
)
@settings(max_examples=25)
def test_a_range_is_that_slice_of_the_whole(parts: list[bytes], start: int, length: int) -> None:
    with scratch() as root:
        whole = land_parts(Files(root), *parts)
        piece = logs.read_range(Files(root), version(len(parts)), start, start + length)
    assert piece == whole[start : start + length]


def test_a_range_reads_no_more_parts_than_it_touches(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n", b"three\n")
    files.remove(f"{DIRECTORY}/v1.txt")
    assert logs.read_range(files, version(3), 5, 10) == b"wo\nth"
    with pytest.raises(Damaged, match=r"v1\.txt:0: the file is missing"):
        logs.read_range(files, version(3), 3, 10)


def test_ranges_of_text_views_run_over_all_views(files: Files) -> None:
    first, second = b"caf\xe9 ", b"ol\xe9"
    views = ("café ".encode(), "olé".encode())
    land(files, meta_of(first, text=view_of(views[0])), first, views[0])
    land(files, meta_of(second, first, version=2, text=view_of(views[1], len(views[0]))), second, views[1])
    whole = b"".join(views)
    for start in range(len(whole) + 1):
        for end in range(start, len(whole) + 2):
            assert logs.read_view_range(files, version(2), start, end) == whole[start:end]
    assert logs.read_view_range(files, version(1), 0, 99) == views[0]


def test_a_version_without_a_view_has_an_empty_one(files: Files) -> None:
    land_parts(files, b"one\n")
    assert logs.read_view_range(files, version(1), 0, 10) == b""


def test_versions_are_listed_and_the_newest_is_found(files: Files) -> None:
    assert logs.versions(files, SOURCE) == ()
    assert logs.newest(files, SOURCE) is None
    land_parts(files, b"one\n", b"two\n")
    assert [meta.version for meta in logs.versions(files, SOURCE)] == [1, 2]
    newest = logs.newest(files, SOURCE)
    assert newest is not None
    assert newest.id == version(2)


def test_a_version_that_never_landed_is_not_found(files: Files) -> None:
    land_parts(files, b"one\n")
    with pytest.raises(NotFound):
        logs.read_meta(files, version(2))
    with pytest.raises(NotFound):
        logs.read_bytes(files, Version(OTHER, 1))


def test_all_sources_are_found_and_strangers_are_not_entered(files: Files, quick_path: Path) -> None:
    land_parts(files, b"one\n")
    land_parts(files, b"one\n", source=OTHER)
    (quick_path / "logs" / "README").write_text("mine")
    (quick_path / "logs" / "2026" / "11" / "notes").mkdir()
    assert list(logs.all_sources(files)) == [SOURCE, OTHER]
    assert list(logs.all_sources(Files(quick_path / "nothing"))) == []


def test_a_sound_source_has_no_faults_and_no_strays(files: Files) -> None:
    view = b"view"
    land_parts(files, b"one\n", b"two\n")
    land(files, meta_of(b"\xff", version=3, kind=VersionKind.UPDATE, text=view_of(view)), b"\xff", view)
    assert logs.faults(files, SOURCE) == ()
    assert logs.strays(files, SOURCE) == ()
    for number in (1, 2, 3):
        logs.verify_version(files, version(number))


@pytest.mark.parametrize("name", ["v1.txt", "v2.part.txt", "v3.txt", "v3.text"])
def test_every_altered_byte_is_found(files: Files, name: str) -> None:
    view = b"view"
    land_parts(files, b"one\n", b"two\n")
    land(files, meta_of(b"\xff\xfe", version=3, kind=VersionKind.UPDATE, text=view_of(view)), b"\xff\xfe", view)
    path = f"{DIRECTORY}/{name}"
    good = files.read(path)
    for place in range(len(good)):
        files.replace(path, good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert path in {fault.path for fault in logs.faults(files, SOURCE)}
        with pytest.raises(Damaged, match=r"the bytes are not those that were stored"):
            logs.verify_version(files, version(2 if name < "v3" else 3))


@pytest.mark.parametrize(("data", "where"), [(b"one", "3"), (b"one\n!", "4"), (b"", "0")])
def test_a_file_of_another_size_is_damage_with_its_offset(files: Files, data: bytes, where: str) -> None:
    land_parts(files, b"one\n")
    files.replace(f"{DIRECTORY}/v1.txt", data)
    with pytest.raises(Damaged) as caught:
        logs.read_bytes(files, version(1))
    assert (caught.value.path, caught.value.where) == (f"{DIRECTORY}/v1.txt", where)


def test_an_altered_byte_of_a_meta_is_damage_or_a_lawful_other_meta(files: Files) -> None:
    land_parts(files, b"one\n")
    path = f"{DIRECTORY}/v1.meta.json"
    good = files.read(path)
    unread = 0
    for place in range(0, len(good), 2):
        files.replace(path, good[:place] + bytes([good[place] ^ 0x20]) + good[place + 1 :])
        try:
            assert logs.read_meta(files, version(1)) != meta_of(b"one\n")
        except Damaged:
            unread += 1
    assert unread > len(good) // 4


def test_a_missing_meta_between_two_is_damage(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n", b"three\n")
    files.remove(f"{DIRECTORY}/v2.meta.json")
    for look in (logs.versions, logs.newest, logs.numbers):
        with pytest.raises(Damaged, match=r"v2\.meta\.json"):
            look(files, SOURCE)
    assert [fault.path for fault in logs.faults(files, SOURCE)] == [f"{DIRECTORY}/v2.meta.json"]


def test_a_meta_of_another_version_is_damage(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n")
    files.replace(f"{DIRECTORY}/v1.meta.json", files.read(f"{DIRECTORY}/v2.meta.json"))
    with pytest.raises(Damaged, match="not the meta of"):
        logs.read_meta(files, version(1))


@pytest.mark.parametrize(
    "changes",
    [{"offset": 3}, {"offset": 5}, {"whole": digested(b"one\ntwo\nmore")}, {"kind": VersionKind.UPDATE}],
)
def test_a_part_that_does_not_continue_what_is_before_is_damage(files: Files, changes: dict[str, object]) -> None:
    land_parts(files, b"one\n")
    land(files, meta_of(b"two\n", b"one\n", version=2, **changes), b"two\n")
    with pytest.raises(Damaged):
        logs.read_bytes(files, version(2))
    assert logs.faults(files, SOURCE)


def test_an_append_to_nothing_is_damage(files: Files) -> None:
    land(files, meta_of(b"two\n", b"one\n", version=1), b"two\n")
    with pytest.raises(Damaged, match="does not continue"):
        logs.read_bytes(files, version(1))


def test_a_link_in_the_place_of_a_log_is_refused(files: Files, quick_path: Path) -> None:
    land_parts(files, b"one\n")
    files.remove(f"{DIRECTORY}/v1.txt")
    (quick_path / "outside").write_bytes(b"one\n")
    (quick_path / DIRECTORY / "v1.txt").symlink_to(quick_path / "outside")
    with pytest.raises(UnsafePath):
        logs.read_bytes(files, version(1))


def test_strays_are_listed(files: Files) -> None:
    land_parts(files, b"one\n")
    files.replace(f"{DIRECTORY}/v2.txt", b"half")
    assert logs.strays(files, SOURCE) == (f"{DIRECTORY}/v2.txt",)
    assert layout.meta_path(version(1)) not in logs.strays(files, SOURCE)
