"""Paths follow from ids, ids from paths, and nothing that is no id becomes a path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.errors import BadInput
from xysq.model.fact import RunId, Slug
from xysq.model.source import Row, SourceId, Version, VersionKind
from xysq.store import layout

SOURCE = SourceId("20261130-k3f9x2")
RUN = RunId("r-20261130T180400Z-ab12")


def test_paths_are_those_of_the_format() -> None:
    first, second = Version(SOURCE, 1), Version(SOURCE, 2)
    assert layout.part_path(first, VersionKind.PUSH, "jsonl") == "logs/2026/11/30/k3/k3f9x2/v1.jsonl"
    assert layout.part_path(second, VersionKind.APPEND, "jsonl") == "logs/2026/11/30/k3/k3f9x2/v2.part.jsonl"
    assert layout.part_path(second, VersionKind.CORRECT, "md") == "logs/2026/11/30/k3/k3f9x2/v2.md"
    assert layout.view_path(first, VersionKind.PUSH) == "logs/2026/11/30/k3/k3f9x2/v1.text"
    assert layout.view_path(second, VersionKind.APPEND) == "logs/2026/11/30/k3/k3f9x2/v2.part.text"
    assert layout.meta_path(first) == "logs/2026/11/30/k3/k3f9x2/v1.meta.json"
    assert layout.record_path(RUN) == "runs/2026/11/30/r-20261130T180400Z-ab12.json"
    assert layout.page_path(Slug("alice-chen")) == "pages/al/alice-chen.md"
    assert layout.page_path(Slug("x")) == "pages/x/x.md"
    assert layout.wal_dir(RUN) == ".git/xysq/wal/r-20261130T180400Z-ab12"
    assert layout.landed_path(first) == ".git/xysq/queue/landed/20261130-k3f9x2@1"
    assert layout.attempts_path(Row(SOURCE, 1, 0, 9)) == ".git/xysq/queue/attempts/20261130-k3f9x2@1_0-9.json"


def test_segments_are_numbered_from_one_and_256_lie_in_a_folder() -> None:
    assert layout.segment_path(1) == "ledger/000/000001.jsonl"
    assert layout.segment_path(256) == "ledger/000/000256.jsonl"
    assert layout.segment_path(257) == "ledger/001/000257.jsonl"
    with pytest.raises(BadInput):
        layout.segment_path(0)


@given(st.integers(1, 10**7))
def test_a_segment_path_leads_back_to_its_number(number: int) -> None:
    assert layout.segment_number(layout.segment_path(number)) == number


@pytest.mark.parametrize("path", ["ledger/000/000257.jsonl", "ledger/000/000000.jsonl", "ledger/000/1.jsonl", "x"])
def test_a_segment_in_the_wrong_place_has_no_number(path: str) -> None:
    assert layout.segment_number(path) is None


@given(
    st.text("0123456789", min_size=8, max_size=8), st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=6, max_size=6)
)
def test_a_log_path_leads_back_to_its_source(day: str, letters: str) -> None:
    source = f"{day}-{letters}"
    directory = layout.log_dir(SourceId(source))
    assert layout.source_of(directory) == source
    assert layout.source_of(f"{directory}/v1.jsonl") == source
    assert layout.source_of(f"{directory}x") is None


def test_a_log_directory_below_the_wrong_letters_is_nobodys() -> None:
    assert layout.source_of("logs/2026/11/30/k3/k3f9x2") == SOURCE
    assert layout.source_of("logs/2026/11/30/zz/k3f9x2") is None
    assert layout.source_of("logs/2026/11/30/k3") is None


@pytest.mark.parametrize(
    "text", ["", "../x", "20261130-k3f9x", "20261130-k3f9x2/..", "20261130-K3F9X2", "٢٠٢٦١١٣٠-k3f9x2"]
)
def test_what_is_no_source_id_has_no_directory(text: str) -> None:
    with pytest.raises(BadInput):
        layout.log_dir(SourceId(text))
    with pytest.raises(BadInput):
        layout.landed_path(Version(SourceId(text), 1))


@pytest.mark.parametrize("text", ["", "..", "r-20261130T180400Z-ab12/../x", "r-1", "tmp-r-20261130T180400Z-ab12"])
def test_what_is_no_run_id_has_no_path(text: str) -> None:
    assert not layout.is_run_id(text)
    for path in (layout.wal_dir, layout.refused_dir, layout.damaged_dir, layout.record_path):
        with pytest.raises(BadInput):
            path(RunId(text))


@pytest.mark.parametrize(
    "slug", ["", ".", "..", "a/b", "a.md", "a\\b", "a\0b", "a\nb", "\u202eab", "é" * 41, "\ud800a"]
)
def test_what_can_be_no_slug_has_no_path(slug: str) -> None:
    with pytest.raises(BadInput):
        layout.page_path(Slug(slug))


@given(st.text("abzäöü0-一龥", min_size=1, max_size=20))
def test_a_page_path_leads_back_to_its_slug(slug: str) -> None:
    assert layout.slug_of(layout.page_path(Slug(slug))) == slug


def test_paths_of_other_things_are_no_pages_and_no_records() -> None:
    assert layout.slug_of("pages/xx/alice.md") is None
    assert layout.slug_of("pages/al/alice.txt") is None
    assert layout.run_of(layout.record_path(RUN)) == RUN
    assert layout.run_of(f"runs/2026/11/29/{RUN}.json") is None
    assert layout.run_of("runs/2026/11/30/x.json") is None


@pytest.mark.parametrize(
    ("name", "extension"),
    [
        ("a.jsonl", "jsonl"),
        ("A.TXT", "txt"),
        ("notes.text", "txt"),
        ("README", "bin"),
        ("dir.d/README", "bin"),
        ("a.tar.gz", "gz"),
        ("a.we ird", "bin"),
        ("a.", "bin"),
        ("a.ü", "bin"),
        ("v1.meta.json", "json"),
    ],
)
def test_the_extension_of_a_pushed_file_is_plain(name: str, extension: str) -> None:
    assert layout.extension_of(name) == extension
    layout.part_path(Version(SOURCE, 1), VersionKind.PUSH, extension)


@pytest.mark.parametrize("extension", ["", "text", "a/b", "..", "a.b", "JSON"])
def test_other_extensions_are_refused(extension: str) -> None:
    with pytest.raises(BadInput):
        layout.part_path(Version(SOURCE, 1), VersionKind.PUSH, extension)


def test_look_up_keys_become_digests() -> None:
    path = layout.lookup_path("origin\0/home/\ud800\udcff")
    assert path.startswith(".git/xysq/sources/")
    assert layout.source_lock_path("origin\0/home/\ud800\udcff") == path.replace(".json", ".lock")
