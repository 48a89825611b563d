"""Cutting a passage into sentences: one deterministic rule for drafters that point and the planner that looks up.

A sentence is a slice of a passage's text without the white space around it. It ends at `.`, `!`, `?`, `…` or
their CJK forms (with closing quotes and brackets behind them) before white space, or at a line end. A full stop
inside a number, after one letter or after a common abbreviation ends nothing; after `No.` or `Fig.` it ends nothing
where a number follows, after the number of a day where the German name of a month does.
"""

import re

from xysq.frozen import frozen

# Possessive, and never begun inside a run of marks: a long run is looked at once, not once a mark.
_END = re.compile(r"""(?<![.!?…])[.!?…]++["'”’)\]]*+(?=\s)|[。！？]+[」』”’）]*|\n+""")
_SHORT = r"(?:^|[\s(])(?:{})$"
_ABBREVIATION = re.compile(
    _SHORT.format(
        r"[A-Za-z]|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Jj]r|[Ss]r|vs|etc|e\.g|i\.e|approx|[Ii]nc|[Ll]td|[Cc]o|a\.m|p\.m"
    )
)
_NUMBERED = re.compile(_SHORT.format("[Nn]o|[Ff]ig|[Vv]ol|pp"))
_NUMBER = re.compile(r"\s+[0-9]")
_DAY = re.compile(r"(?:^|[\s(])[0-9]{1,2}$")
_GERMAN_MONTH = re.compile(
    r" (?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
_REACH = 12  # longer than any abbreviation


@frozen(kw_only=False)
class Sentence:
    """Characters `[start, end)` of a passage's text."""

    start: int
    end: int
    text: str


def sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text; sentence k of a drafter's quote is item k - 1."""
    found: list[Sentence] = []
    begin = 0
    for match in _END.finditer(text):
        if match.group().startswith(".") and _shortens(text, begin, match):
            continue
        _add(found, text, begin, match.end())
        begin = match.end()
    _add(found, text, begin, len(text))
    return tuple(found)


def _shortens(text: str, begin: int, match: re.Match[str]) -> bool:
    """Tell whether the full stop belongs to an abbreviation."""
    before = text[max(begin, match.start() - _REACH) : match.start()]
    if match.group().startswith(".."):
        return False
    if _NUMBERED.search(before):
        return _NUMBER.match(text, match.end()) is not None
    if _DAY.search(before):
        return _GERMAN_MONTH.match(text, match.end()) is not None
    return _ABBREVIATION.search(before) is not None


def _add(found: list[Sentence], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    start = begin + len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    if stripped:
        found.append(Sentence(start, start + len(stripped), stripped))
