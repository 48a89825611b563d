"""Days, months and years that a query names, and how well a moment fits them.

English month names and numbers only; `may` is a month where a number or a preposition stands beside it.
"""

from xysq.frozen import frozen
from xysq.pattern import late

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NAMES = {name: number for number, name in enumerate(_MONTHS, start=1)} | {
    name[:3]: number for number, name in enumerate(_MONTHS, start=1) if name != "may"
}
_MONTH = "|".join(sorted(_NAMES, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"
_WRITTEN = late(rf"\b(?:{_DAY}\s+(?:of\s+)?)?({_MONTH})\b\.?(?:\s+{_DAY}\b(?!\s*[:%]))?(?:,?\s+(?:of\s+)?{_YEAR}\b)?")
_ISO = late(rf"\b{_YEAR}-(\d\d)(?:-(\d\d))?\b")
_BARE_YEAR = late(rf"\b{_YEAR}\b")
_BEFORE_MAY = late(r"\b(?:in|on|of|since|until|by|during|last|this|next|early|late|mid|before|after)\s+$")


@frozen(kw_only=False)
class Day:
    """A time as far as it was named."""

    year: int | None
    month: int | None
    day: int | None


def named_days(lowered: str) -> tuple[Day, ...]:
    """Return the times a lower-case text names."""
    if not any(letter.isdecimal() for letter in lowered) and not any(month in lowered for month in _NAMES):
        return ()
    found: list[Day] = []
    spent: list[tuple[int, int]] = []
    for match in _ISO().finditer(lowered):
        found.append(_day(match[1], int(match[2]), match[3]))
        spent.append(match.span())
    for match in _WRITTEN().finditer(lowered):
        is_word = match[2] == "may" and not (match[1] or match[3] or match[4])
        if is_word and not _BEFORE_MAY().search(lowered, max(0, match.start() - 12), match.start()):
            continue
        found.append(_day(match[4], _NAMES[match[2]], match[1] or match[3]))
        spent.append(match.span())
    years = _BARE_YEAR().finditer(lowered)
    found += [_day(y[1], None, None) for y in years if not any(start <= y.start() < end for start, end in spent)]
    return tuple(day for day in found if day != Day(None, None, None))


def fit(moment: str, days: tuple[Day, ...]) -> float:
    """Tell how well a moment (`2026-11-30T…`) fits the days: 0 not at all, 0.5 a year, 1 a month, 2 a day."""
    return max((_fit(moment, day) for day in days), default=0.0)


def _fit(moment: str, day: Day) -> float:
    year, month, number = moment[:4], moment[5:7], moment[8:10]
    if day.year is not None and year != f"{day.year:04d}":
        return 0.0
    if day.month is None:
        return 0.5
    if month != f"{day.month:02d}":
        return 0.0
    return 2.0 if day.day is not None and number == f"{day.day:02d}" else 1.0


def _day(year: str | None, month: int | None, day: str | None) -> Day:
    is_month = month is not None and 1 <= month <= 12
    is_day = day is not None and is_month and 1 <= int(day) <= 31
    return Day(None if year is None else int(year), month if is_month else None, int(day or 0) if is_day else None)
