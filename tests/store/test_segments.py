"""Segments: one chain over many files; its end is cheap; damage is located."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import Story
from tests.store.scratch import scratch
from xysq.errors import Damaged, NotFound
from xysq.ledger.line import GENESIS, SEAL_BYTES, to_line
from xysq.model.event import Event, Head
from xysq.store import layout, segments
from xysq.store.files import Files
from xysq.store.segments import Tail, next_segment


def history(runs: int = 6, width: int = 10) -> Story:
    story = Story()
    page = story.page("alice")
    for run in range(runs):
        page.prose(f"b-{run:010d}", "x" * width)
    return story


def runs_of(story: Story) -> list[list[Event]]:
    grouped: dict[str, list[Event]] = {}
    for event in story.events:
        grouped.setdefault(event.run, []).append(event)
    return list(grouped.values())


def lay_down(files: Files, story: Story, *, split_after: tuple[int, ...] = ()) -> None:
    """Write a story's runs into segments, beginning a new one after each of those runs."""
    held: list[bytes] = [b""]
    for number, events in enumerate(runs_of(story)):
        held[-1] += b"".join(map(to_line, events))
        if number in split_after:
            held.append(b"")
    for number, data in enumerate(filter(None, held), start=1):
        files.make_dirs(layout.segment_folder((number - 1) // 256))
        files.replace(layout.segment_path(number), data)


def append(files: Files, events: list[Event]) -> None:
    number, data = next_segment(segments.tail(files), b"".join(map(to_line, events)))
    files.make_dirs(layout.segment_folder((number - 1) // 256))
    files.replace(layout.segment_path(number), data)


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def test_no_ledger_has_no_events_and_ends_before_the_first(files: Files) -> None:
    assert list(segments.read_all(files)) == []
    assert segments.tail(files) == Tail(number=0, data=b"", head=GENESIS)
    assert segments.find(files, 1) is None
    assert next_segment(segments.tail(files), b"line\n") == (1, b"line\n")


def test_runs_are_added_until_a_segment_is_sealed_and_none_straddles_two(files: Files) -> None:
    story = history(runs=9, width=20_000)
    for events in runs_of(story):
        append(files, events)
    assert list(segments.read_all(files)) == story.events
    sizes = [files.size(layout.segment_path(number)) for number in range(1, segments.count(files) + 1)]
    assert len(sizes) == 3
    assert all(size >= SEAL_BYTES for size in sizes[:-1])
    ends = {events[-1].n for events in runs_of(story)}
    for number in range(1, segments.count(files) + 1):
        last = files.read(layout.segment_path(number)).splitlines()[-1]
        assert any(f'"n":{end},'.encode() in last for end in ends)


@settings(max_examples=12)
@given(splits=st.sets(st.integers(0, 7)))
def test_wherever_segments_end_the_chain_is_one(splits: set[int]) -> None:
    story = history()
    with scratch() as root:
        files = Files(root)
        lay_down(files, story, split_after=tuple(splits))
        assert list(segments.read_all(files)) == story.events
        end = segments.tail(files)
        assert end.head == Head(n=story.events[-1].n, hash=story.events[-1].hash)
        assert end.data == files.read(layout.segment_path(end.number))
        for event in story.events:
            assert segments.event(files, event.n) == event
            assert list(segments.read_from(files, event.n)) == story.events[event.n - 1 :]
            number = segments.find(files, event.n)
            assert number is not None
            assert to_line(event) in files.read(layout.segment_path(number))


def test_events_that_are_not_there_are_not_found(files: Files) -> None:
    story = history()
    lay_down(files, story)
    assert list(segments.read_from(files, story.events[-1].n + 1)) == []
    for n in (0, story.events[-1].n + 1):
        with pytest.raises(NotFound):
            segments.event(files, n)


def test_the_end_reads_the_last_segment_alone(files: Files) -> None:
    story = history()
    lay_down(files, story, split_after=(1, 3))
    files.replace(layout.segment_path(1), b"?")
    assert segments.tail(files).head.n == story.events[-1].n


def test_an_altered_byte_is_found_and_located(files: Files) -> None:
    story = history(runs=2)
    lay_down(files, story, split_after=(1,))
    for number in (1, 2):
        path = layout.segment_path(number)
        good = files.read(path)
        for place in range(0, len(good), 7):
            files.replace(path, good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
            with pytest.raises(Damaged) as caught:
                list(segments.read_all(files))
            assert caught.value.path == path
            assert abs(int(caught.value.where) - good.count(b"\n", 0, place) - 1) <= 1
        files.replace(path, good)


@pytest.mark.parametrize("cut", [1, 40, 300])
def test_a_torn_end_is_found(files: Files, cut: int) -> None:
    lay_down(files, history())
    path = layout.segment_path(1)
    files.replace(path, files.read(path)[:-cut])
    for look in (segments.tail, lambda f: list(segments.read_all(f))):
        with pytest.raises(Damaged, match=r"000001\.jsonl:"):
            look(files)


def test_a_torn_end_of_a_sealed_segment_is_found(files: Files) -> None:
    lay_down(files, history(runs=4, width=20_000))
    path = layout.segment_path(1)
    good = files.read(path)
    assert len(good) > SEAL_BYTES
    assert segments.tail(files).data == good
    files.replace(path, good[:-1])
    with pytest.raises(Damaged, match="no end"):
        segments.tail(files)
    files.replace(path, good[:-9] + b"\0" * 8 + b"\n")
    with pytest.raises(Damaged, match="not"):
        segments.tail(files)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_missing_segment_is_found(files: Files, number: int) -> None:
    lay_down(files, history(), split_after=(1, 2, 3))
    files.remove(layout.segment_path(number))
    with pytest.raises(Damaged, match=rf"{number:06d}\.jsonl:0: the segment is missing"):
        list(segments.read_all(files))


def test_an_empty_segment_is_found(files: Files) -> None:
    lay_down(files, history(), split_after=(1,))
    files.replace(layout.segment_path(2), b"")
    for look in (segments.tail, lambda f: list(segments.read_all(f))):
        with pytest.raises(Damaged, match="is empty"):
            look(files)


def test_swapped_segments_are_found(files: Files) -> None:
    lay_down(files, history(), split_after=(1, 3))
    one, two = (files.read(layout.segment_path(number)) for number in (1, 2))
    files.replace(layout.segment_path(1), two)
    files.replace(layout.segment_path(2), one)
    with pytest.raises(Damaged, match="stands where 1 belongs"):
        list(segments.read_all(files))


def test_a_ledger_that_does_not_begin_at_the_beginning_is_found(files: Files) -> None:
    story = history()
    files.make_dirs(layout.segment_folder(0))
    files.replace(layout.segment_path(1), b"".join(map(to_line, story.events[1:])))
    with pytest.raises(Damaged, match="does not begin with event 1"):
        segments.tail(files)


def test_leftovers_and_strangers_beside_segments_are_no_segments(files: Files, quick_path: Path) -> None:
    story = history()
    lay_down(files, story)
    for name in (".xysq-tmp-1-1", "000002.jsonl~", "README", "2.jsonl"):
        (quick_path / layout.segment_folder(0) / name).write_bytes(b"x")
    (quick_path / layout.LEDGER / "notes").mkdir()
    assert list(segments.read_all(files)) == story.events


def test_a_segment_in_the_second_folder_is_counted(files: Files) -> None:
    files.make_dirs(layout.segment_folder(0))
    files.make_dirs(layout.segment_folder(1))
    files.replace(layout.segment_path(257), b"x\n")
    assert segments.count(files) == 257


def test_a_first_line_longer_than_one_reading_is_found_by_its_number(files: Files) -> None:
    story = Story()
    page = story.page("alice")
    with story.run():
        page.prose("b-0000000001", "x" * 50_000)
    lay_down(files, story, split_after=(0, 1))
    files.replace(layout.segment_path(1), b"".join(map(to_line, story.events[:1])))
    assert [segments.find(files, event.n) for event in story.events] == [1, 2, 2, 3, 3]


def test_an_altered_line_that_is_not_the_last_is_found_at_the_end_too(files: Files) -> None:
    lay_down(files, history())
    path = layout.segment_path(1)
    data = files.read(path)
    files.replace(path, data.replace(b"xxx", b"xyx", 1))
    assert files.read(path) != data
    with pytest.raises(Damaged):
        segments.tail(files)
