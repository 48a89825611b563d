"""When: spans of time as people write them, `[begin, end)`, in UTC like every time in a vault.

`2026`, `2026-11`, `2026-11-30`, a time of day behind it; `today`, `yesterday`, `3 days ago`, `last week`, `this month`,
`monday` (the last one). What else a person may write, `xysq.search.language` asks Whoosh about.
"""

import re
from datetime import UTC, datetime, timedelta

from xysq.pattern import late

Span = tuple[datetime, datetime]

_DAY = timedelta(days=1)
_DATE = late(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?")
_CLOCK = late(r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?")
_AGO = late(r"(an?|\d{1,4}) (minute|hour|day|week|month|year)s? ago")
_NEAR = late(r"(this|last) (week|month|year)")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MINUTES = {"minute": 1, "hour": 60}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def span(words: str, now: datetime) -> Span | None:
    """Return the time that words name; None where they name none that is known here."""
    low = re.sub(r"\s+", " ", words.strip().casefold())
    now = now.astimezone(UTC)
    try:
        if match := _DATE().fullmatch(low):
            return _calendar(*(int(part) if part else 0 for part in match.groups()))
        if _CLOCK().fullmatch(low):
            at = datetime.fromisoformat(low.upper())
            at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
            return at, at + timedelta(minutes=1)
        if match := _AGO().fullmatch(low):
            return _ago(1 if match[1].startswith("a") else int(match[1]), match[2], now)
        if match := _NEAR().fullmatch(low):
            return _near(match[2], now, back=match[1] == "last")
    except (ValueError, OverflowError):
        return None
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if low in ("today", "yesterday"):
        begin = today - _DAY * (low == "yesterday")
        return begin, begin + _DAY
    if low in _WEEKDAYS:
        begin = today - _DAY * ((today.weekday() - _WEEKDAYS.index(low)) % 7 or 7)
        return begin, begin + _DAY
    return None


def _calendar(year: int, month: int, day: int) -> Span:
    begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if day:
        return begin, begin + _DAY
    if month:
        return begin, (begin + 31 * _DAY).replace(day=1)
    return begin, begin.replace(year=year + 1)


def _ago(count: int, unit: str, now: datetime) -> Span:
    """Return a minute, for days and more the whole day, that long before now."""
    if unit in _MINUTES:
        begin = now - timedelta(minutes=count * _MINUTES[unit])
        return begin, begin + timedelta(minutes=1)
    begin = (now - count * _DAYS[unit] * _DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    return begin, begin + _DAY


def _near(unit: str, now: datetime, *, back: bool) -> Span:
    """Return the week (from Monday), month or year that now is in, or the one before it."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        begin = today - today.weekday() * _DAY - back * 7 * _DAY
        return begin, begin + 7 * _DAY
    begin = today.replace(day=1) if unit == "month" else today.replace(day=1, month=1)
    before = (begin - _DAY).replace(day=1) if unit == "month" else begin.replace(year=begin.year - 1)
    if back:
        return before, begin
    after = (begin + 31 * _DAY).replace(day=1) if unit == "month" else begin.replace(year=begin.year + 1)
    return begin, after
