from datetime import UTC, datetime

import pytest

from xysq.search.language import human_span
from xysq.search.syntax import moment
from xysq.search.when import span

NOW = datetime(2026, 12, 1, 10, 30, tzinfo=UTC)  # a Tuesday


def spelled(words: str) -> str:
    found = span(words, NOW)
    return "" if found is None else " ".join(f"{at:%Y-%m-%dT%H:%M}".removesuffix("T00:00") for at in found)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2026", "2026-01-01 2027-01-01"),
        ("2026-11", "2026-11-01 2026-12-01"),
        ("2026-12", "2026-12-01 2027-01-01"),
        ("2026-11-30", "2026-11-30 2026-12-01"),
        ("2026-11-30 18:02", "2026-11-30T18:02 2026-11-30T18:03"),
        ("2026-11-30T18:02+02:00", "2026-11-30T16:02 2026-11-30T16:03"),
        ("today", "2026-12-01 2026-12-02"),
        ("Yesterday", "2026-11-30 2026-12-01"),
        ("3 days ago", "2026-11-28 2026-11-29"),
        ("a week  ago", "2026-11-24 2026-11-25"),
        ("2 hours ago", "2026-12-01T08:30 2026-12-01T08:31"),
        ("this week", "2026-11-30 2026-12-07"),
        ("last week", "2026-11-23 2026-11-30"),
        ("last month", "2026-11-01 2026-12-01"),
        ("this year", "2026-01-01 2027-01-01"),
        ("last year", "2025-01-01 2026-01-01"),
        ("monday", "2026-11-30 2026-12-01"),
        ("tuesday", "2026-11-24 2026-11-25"),
        ("2026-13", ""),
        ("2026-02-30", ""),
        ("0000", ""),
        ("9999", ""),
        ("9999 years ago", ""),
        ("soon", ""),
    ],
)
def test_spans_are_read(words: str, expected: str) -> None:
    assert spelled(words) == expected


@pytest.mark.parametrize(
    ("words", "begin", "end"),
    [
        ("june", "2026-06-01", "2026-07-01"),
        ("december", "2026-12-01", "2027-01-01"),
        ("30 nov 2026", "2026-11-30", "2026-12-01"),
        ("last tuesday", "2026-11-24", "2026-11-25"),
        ("2026-11", "2026-11-01", "2026-12-01"),
    ],
)
def test_what_else_people_write_is_read_too(words: str, begin: str, end: str) -> None:
    found = human_span(words, NOW)
    assert found is not None
    assert [f"{at:%Y-%m-%d}" for at in found] == [begin, end]


def test_a_month_without_a_year_is_the_last_one() -> None:
    found = human_span("june", datetime(2027, 1, 15, tzinfo=UTC))
    assert found is not None
    assert found[0].year == 2026


@pytest.mark.parametrize("words", ["fire", "the way", "x" * 300, "31 february 2026", "99 dec"])
def test_what_is_no_time_is_none(words: str) -> None:
    assert human_span(words, NOW) is None


def test_a_bound_is_the_beginning_of_a_time_or_a_whole_one() -> None:
    assert moment("2026-11", NOW) == "2026-11"
    assert moment("yesterday", NOW) == "2026-11-30T00:00:00Z"
    assert moment("june", NOW) == "2026-06-01T00:00:00Z"
    assert moment("garbage", NOW) is None
