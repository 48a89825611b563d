"""Times as people and programs write them into transcripts: stamps of turns, and lines that only give a date.

What has no zone is taken as it stands, as UTC; how sure that is, is the version's `certainty`. A date whose order
of day and month cannot be told, or a time without a day, is unknown, never guessed.
"""

import re
from datetime import UTC, datetime, time

from xysq.canonical import instant
from xysq.pattern import late

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
            "sep sept september", "oct october", "nov november", "dec december",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_SPACE = "[ \t\u00a0\u202f]"
_TIME = (
    rf"(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}})(?:[.,][0-9]{{1,9}})?)?"
    rf"(?:{_SPACE}?(?P<half>[AaPp])\.?{_SPACE}?[Mm]\b\.?)?(?:{_SPACE}?(?P<zone>Z|UTC|GMT|[+-][0-9]{{2}}:?[0-9]{{2}}))?"
)
_DATE = (
    r"(?:(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"
    r"|(?P<first>[0-9]{1,2})(?P<sign>[/.-])(?P<second_part>[0-9]{1,2})[/.-](?P<late_year>[0-9]{4}|[0-9]{2}))"
)
_STAMP = late(rf"{_DATE}(?:(?:,?{_SPACE}{{1,3}}|T){_TIME})?")
_TIME_ONLY = late(_TIME)
_WORDS = late(
    r"(?:(?:[A-Za-z]{3,9}),?[ ]+)?"
    r"(?:(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?:[ ]+of)?[ ]+(?P<month>[A-Za-z]{3,9})\.?"
    r"|(?P<month_first>[A-Za-z]{3,9})\.?[ ]+(?P<day_behind>[0-9]{1,2})(?:st|nd|rd|th)?)"
    r",?[ ]+(?P<year>[0-9]{4})"
)
_TIME_BEFORE = late(rf"{_TIME}[ ]+(?:on[ ]+)?")
_TIME_BEHIND = late(rf"[ ]*(?:,|at|-|–)?[ ]*{_TIME}")
_LABEL = late(
    r"(?:(?:session|conversation|chat|meeting|day|part|date|date[ ]and[ ]time|time|when|started|recorded)"
    r"(?:[ ]+(?:[0-9]{1,4}|date|time|started|on))?[ ]*(?:[-–—:,|(]|[ ])+)*",
    re.IGNORECASE,
)
_EMPHASIS = str.maketrans("", "", "*_`")
_DECORATION = " \t#*_=-–—[]()>|"


def stamp_moment(stamp: str, previous: str | None) -> str | None:
    """Return the moment a turn's stamp names; a time of day alone is on the day of the moment before."""
    text = stamp.strip()
    dated = _STAMP().fullmatch(text)
    if dated:
        day = _numeric_day(dated)
        return None if day is None else _moment(day, dated)
    timed = _TIME_ONLY().fullmatch(text)
    if not timed or previous is None:
        return None
    return _moment((int(previous[:4]), int(previous[5:7]), int(previous[8:10])), timed)


def date_line(line: str) -> str | None:
    """Return the moment of a line that says nothing but a date (and time); None for every other line."""
    if len(line) > 100 or not any(letter.isdigit() for letter in line):
        return None
    text = line.translate(_EMPHASIS).strip(_DECORATION)
    label = _LABEL().match(text)
    text = text[label.end() :].strip(_DECORATION) if label else text
    numeric = _STAMP().fullmatch(text)
    if numeric:
        day = _numeric_day(numeric) if numeric["year"] or len(numeric["late_year"]) == 4 else None
        return None if day is None else _moment(day, numeric)
    before = _TIME_BEFORE().match(text)
    text = text[before.end() :] if before else text
    words = _WORDS().match(text)
    day = _worded_day(words) if words else None
    if words is None or day is None:
        return None
    behind = _TIME_BEHIND().fullmatch(text, words.end())
    if words.end() < len(text) and (before is not None or behind is None):
        return None
    return _moment(day, before or behind)


def _numeric_day(match: re.Match[str]) -> tuple[int, int, int] | None:
    if match["year"]:
        return int(match["year"]), int(match["month"]), int(match["day"])
    first, second, year = int(match["first"]), int(match["second_part"]), int(match["late_year"])
    year += 2000 if year < 100 else 0
    if match["sign"] == "." or first > 12 or first == second:
        return year, second, first
    return (year, first, second) if second > 12 else None


def _worded_day(match: re.Match[str]) -> tuple[int, int, int] | None:
    month = _MONTHS.get((match["month"] or match["month_first"]).lower())
    return None if month is None else (int(match["year"]), month, int(match["day"] or match["day_behind"]))


def _moment(day: tuple[int, int, int], timed: re.Match[str] | None) -> str | None:
    try:
        clock = _clock(timed)
        return None if clock is None else instant(datetime.combine(datetime(*day, tzinfo=UTC), clock))
    except (ValueError, OverflowError):
        return None


def _clock(timed: re.Match[str] | None) -> time | None:
    if timed is None or not timed["hour"]:
        return time(tzinfo=UTC)
    hour = int(timed["hour"])
    if timed["half"]:
        if hour > 12:
            return None
        hour = hour % 12 + (12 if timed["half"] in "pP" else 0)
    written = f"{hour:02}:{timed['minute']}:{timed['second'] or '00'}"
    zone = timed["zone"]
    return time.fromisoformat(written + (zone if zone and zone[0] in "+-" else "+00:00"))


def iso_moment(text: str) -> str | None:
    """Return an RFC 3339 time in our spelling; None where it is none."""
    match = _STAMP().fullmatch(text)
    return stamp_moment(text, None) if match and match["year"] and match["hour"] else None
