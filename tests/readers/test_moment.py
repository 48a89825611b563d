"""Times in transcripts: read where they are sure, unknown where they are not."""

import pytest

from xysq.readers.moment import date_line, iso_moment, stamp_moment

DAY = "2026-11-30T08:00:00Z"


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
        ("## 2026-11-30", "2026-11-30T00:00:00Z"),
        ("Date: 2026-11-30", "2026-11-30T00:00:00Z"),
        ("Session 3 — 8 May 2023", "2023-05-08T00:00:00Z"),
        ("**Session 1** (2026-11-30)", "2026-11-30T00:00:00Z"),
        ("DATE: 1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
        ("May 8, 2023 at 3:04 PM", "2023-05-08T15:04:00Z"),
        ("Monday, May 8, 2023", "2023-05-08T00:00:00Z"),
        ("# 2026-01-28 13:36:04Z", "2026-01-28T13:36:04Z"),
        ("--- 2026-11-30T10:00:00+02:00 ---", "2026-11-30T08:00:00Z"),
        ("30.11.2026", "2026-11-30T00:00:00Z"),
        ("Tuesday 8th of May 2023", "2023-05-08T00:00:00Z"),
        ("12:05 am on 1 January 2024", "2024-01-01T00:05:00Z"),
        ("I was born on 8 May 2023", None),
        ("8 May 2023 was a Monday", None),
        ("8/5/2023", None),
        ("31 February 2023", None),
        ("1.2.24", None),
        ("13:00 pm on 8 May, 2023", None),
        ("2023", None),
        ("Session 12", None),
        ("", None),
    ],
)
def test_a_line_is_a_date_only_if_nothing_else_is_on_it(line: str, moment: str | None) -> None:
    assert date_line(line) == moment


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("10:32", "2026-11-30T10:32:00Z"),
        ("3:04:05 PM", "2026-11-30T15:04:05Z"),
        ("2026-12-01 09:00", "2026-12-01T09:00:00Z"),
        ("14/10/2021, 3:34:09\u202fPM", "2021-10-14T15:34:09Z"),
        ("20/6/2017 8:28 p.\u00a0m.", "2017-06-20T20:28:00Z"),
        ("12/30/21 22:01", "2021-12-30T22:01:00Z"),
        ("9/12/20, 23:55", None),
        ("25:00", None),
        ("3s", None),
    ],
)
def test_a_stamp_is_a_moment_where_its_day_is_sure(stamp: str, moment: str | None) -> None:
    assert stamp_moment(stamp, DAY) == moment


def test_a_time_of_day_without_a_day_is_unknown() -> None:
    assert stamp_moment("10:32", None) is None
    assert stamp_moment("10:32", DAY) is not None


def test_a_record_time_is_whole_seconds_in_utc() -> None:
    assert iso_moment("2026-02-10T22:59:46.748Z") == "2026-02-10T22:59:46Z"
    assert iso_moment("2026-02-10T22:59:46+02:00") == "2026-02-10T20:59:46Z"
    assert iso_moment("2026-02-30T22:59:46Z") is None
    assert iso_moment("22:59") is None
    assert iso_moment("yesterday") is None
