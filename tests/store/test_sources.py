"""Sources are found by name, key and origin; entries that cannot be believed are derived anew."""

from pathlib import Path

import pytest

from tests.store.logs_of import OTHER, SOURCE, land_parts, meta_of
from xysq.store import layout, sources
from xysq.store.files import Files

NAME = sources.name_key("standup")


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def forget_entries(files: Files) -> None:
    files.remove_tree(layout.SOURCES)


def test_a_source_is_found_by_each_of_its_keys(files: Files) -> None:
    land_parts(files, b"one\n", name="standup", key="claude-code/s1", origin="/a/b.jsonl")
    for key in (NAME, sources.reader_key("claude-code/s1"), sources.origin_key("/a/b.jsonl")):
        assert sources.find(files, key) == SOURCE
    for key in (sources.name_key("other"), sources.reader_key("standup"), sources.origin_key("")):
        assert sources.find(files, key) is None


def test_what_a_version_does_not_have_is_no_key() -> None:
    assert sources.keys_of(meta_of(b"x", origin="")) == ()


def test_a_clone_derives_its_entries_once(files: Files) -> None:
    land_parts(files, b"one\n", name="standup")
    land_parts(files, b"one\n", name="retro", source=OTHER)
    forget_entries(files)
    assert sources.find(files, NAME) == SOURCE
    assert sources.find(files, sources.name_key("retro")) == OTHER
    assert sources.find(files, sources.name_key("nobody")) is None
    files.remove_tree("logs")
    assert files.exists(layout.SOURCES_COMPLETE)
    assert sources.find(files, sources.name_key("nobody")) is None


def test_of_two_sources_with_one_origin_the_one_pushed_last_has_it_also_in_a_clone(files: Files) -> None:
    land_parts(files, b"one\n", pushed_at="2026-12-01T00:00:00Z", source=OTHER)
    land_parts(files, b"one\n", pushed_at="2026-12-02T00:00:00Z")
    key = sources.origin_key("/home/alice/notes.txt")
    assert sources.find(files, key) == SOURCE
    forget_entries(files)
    assert sources.find(files, key) == SOURCE


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"\0" * 90,
        b"{}",
        b'{"key":"00","source":"20261130-k3f9x2"}',
        b'{"key":"00","source":"../../etc"}',
        b"[1]",
        b"x" * 5000,
    ],
)
def test_a_damaged_entry_is_not_believed(files: Files, entry: bytes) -> None:
    land_parts(files, b"one\n", name="standup")
    files.replace(layout.lookup_path(NAME), entry)
    assert sources.find(files, NAME) == SOURCE


@pytest.mark.parametrize("pack", [b"", b"[]", b"{", b'{"a":1}'])
def test_a_damaged_pack_is_derived_anew(files: Files, pack: bytes) -> None:
    land_parts(files, b"one\n", name="standup")
    forget_entries(files)
    sources.rebuild(files)
    path = layout.lookup_path(NAME).rpartition("/")[0] + "/pack.json"
    assert files.exists(path)
    files.replace(
        path, pack if pack != b'{"a":1}' else files.read(path).replace(b"20261130-k3f9x2", b"../../elsewhere")
    )
    assert sources.find(files, NAME) == SOURCE


def test_an_entry_of_a_push_that_never_landed_leads_to_the_source_before_or_nowhere(files: Files) -> None:
    sources.remember(files, meta_of(b"x", name="standup"))
    assert sources.find(files, NAME) is None
    land_parts(files, b"one\n", name="standup", source=OTHER)
    sources.remember(files, meta_of(b"x", name="standup"))
    assert sources.find(files, NAME) == OTHER


def test_a_damaged_source_is_told_of_and_the_others_are_still_found(files: Files) -> None:
    land_parts(files, b"one\n", name="standup")
    land_parts(files, b"one\n", source=OTHER, name="retro")
    files.replace(f"{layout.log_dir(OTHER)}/v1.meta.json", b"?")
    forget_entries(files)
    assert [damage.path for damage in sources.rebuild(files)] == [f"{layout.log_dir(OTHER)}/v1.meta.json"]
    assert sources.find(files, NAME) == SOURCE
    assert not files.exists(layout.SOURCES_COMPLETE)
