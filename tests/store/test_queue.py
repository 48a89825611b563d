"""The queue: markers of landings and what is remembered of refused rows; damage is told and costs a try at most."""

from pathlib import Path

import pytest

from tests.store.logs_of import SOURCE, land_parts
from xysq.model.run import Refusal
from xysq.model.source import Row, Version
from xysq.store import layout, queue
from xysq.store.files import Files
from xysq.store.queue import Attempt

ROW = Row(SOURCE, 1, 0, 90)
REFUSAL = Refusal(gate="one-value", page="alice", anchor="f-1", sentence="two open values", expected="1", found="2")


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def test_a_landing_is_marked_until_it_is_unmarked(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n")
    assert queue.landed(files) == (Version(SOURCE, 1), Version(SOURCE, 2))
    queue.unmark(files, Version(SOURCE, 1))
    queue.unmark(files, Version(SOURCE, 1))
    assert queue.landed(files) == (Version(SOURCE, 2),)


def test_a_marker_without_a_meta_is_of_a_push_that_never_landed(files: Files) -> None:
    queue.mark(files, Version(SOURCE, 1))
    assert queue.landed(files) == ()
    assert queue.faults(files) == ()


def test_an_attempt_is_kept_and_dropped(files: Files) -> None:
    assert queue.attempt_of(files, ROW) == Attempt(row=ROW)
    attempt = Attempt(row=ROW).refused((REFUSAL,), "ab", is_alone=True, most=5)
    queue.keep_attempt(files, attempt)
    assert queue.attempt_of(files, ROW) == attempt
    assert queue.attempts(files) == (attempt,)
    assert queue.drop_attempt(files, ROW) is True
    assert queue.drop_attempt(files, ROW) is False
    assert queue.attempts(files) == ()


def test_only_a_row_that_was_alone_is_counted_and_given_up_in_the_end() -> None:
    attempt = Attempt(row=ROW)
    for _ in range(9):
        attempt = attempt.refused((REFUSAL,), "ab", is_alone=False, most=2)
    assert (attempt.count, attempt.given_up, attempt.refusals) == (0, False, (REFUSAL,))
    attempt = attempt.refused((), "cd", is_alone=True, most=2)
    assert (attempt.count, attempt.given_up) == (1, False)
    attempt = attempt.refused((), "cd", is_alone=True, most=2)
    assert (attempt.count, attempt.given_up, attempt.draft_sha256) == (2, True, "cd")


@pytest.mark.parametrize("data", [b"", b"{}", b"\0\0", b'{"row":"x"}', b"{" * 999])
def test_a_damaged_attempt_is_told_of_and_counts_as_none(files: Files, data: bytes) -> None:
    files.make_dirs(layout.ATTEMPTS)
    files.replace(layout.attempts_path(ROW), data)
    assert queue.attempt_of(files, ROW) == Attempt(row=ROW)
    assert queue.attempts(files) == ()
    assert [fault.path for fault in queue.faults(files)] == [layout.attempts_path(ROW)]


def test_an_attempt_in_the_place_of_another_is_told_of_and_not_believed(files: Files) -> None:
    queue.keep_attempt(files, Attempt(row=ROW, count=3))
    other = Row(SOURCE, 2, 0, 90)
    files.replace(layout.attempts_path(other), files.read(layout.attempts_path(ROW)))
    assert queue.attempt_of(files, other) == Attempt(row=other)
    assert queue.attempts(files) == (Attempt(row=ROW, count=3),)
    assert len(queue.faults(files)) == 1


def test_what_is_no_marker_is_told_of(files: Files) -> None:
    files.make_dirs(layout.LANDED)
    files.replace(f"{layout.LANDED}/what", b"")
    assert queue.landed(files) == ()
    assert [fault.path for fault in queue.faults(files)] == [f"{layout.LANDED}/what"]


def test_a_version_that_a_listing_missed_is_found_by_the_one_behind_it(files: Files) -> None:
    land_parts(files, b"one\n", b"two\n", b"three\n")
    queue.unmark(files, Version(SOURCE, 1))

    class Late(Files):
        def list_dir(self, path: str) -> tuple[str, ...]:
            return tuple(name for name in super().list_dir(path) if not name.endswith("2"))

    late = Late(files.root)
    assert str(Version(SOURCE, 2)) not in late.list_dir(layout.LANDED)
    assert queue.landed(late) == (Version(SOURCE, 2), Version(SOURCE, 3))
