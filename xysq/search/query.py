"""Queries in plain words: what is looked for, from any string.

Any of the words may match and the more telling ones weigh more, so a question can be typed as it is asked. Stop
words go, unless nothing is left. A word with joints (`state-of-the-art`, `src/run.py`) is looked for whole and by
part; a run of characters that no spaces part, by its pairs. No user's text is ever syntax to the index: each term is
quoted by `xysq.terms.quoted`.
"""

import re
import unicodedata

from xysq.frozen import frozen
from xysq.model.index import Condition
from xysq.search.date import Day, named_days
from xysq.search.stop import STOP_WORDS
from xysq.terms import UNSPACED_RUN, is_unspaced, pairs, quoted
from xysq.text import encodable

MAX_QUERY = 4_096
MAX_TERMS = 24
_MAX_WORD = 80
_LETTER, _PART = r"\w", r"[^\W_]"
_JOINTS = r"[-'’./:@#+&\\,]+"
_CHUNK = re.compile(f"{_LETTER}+(?:{_JOINTS}{_LETTER}+)*")
_PIECE = re.compile(f"{_PART}+")
_POSSESSIVE = re.compile(r"['’]s$")
_WHEN = re.compile(r"\s*(?:when|since when|how long|what (?:day|date|month|year|time))\b")


@frozen(kw_only=False)
class Term:
    """One thing to look for: the words, folded in case, and the expression the index finds them by."""

    words: str
    match: str


@frozen
class Query:
    """What is looked for. `names` are the words that may be somebody's name; `days` the times it speaks of.

    Of a query that was composed, `condition` is what every hit has to meet, and `notes` say in one line each what of it
    could not be understood.
    """

    terms: tuple[Term, ...]
    names: tuple[str, ...]
    asks_when: bool
    days: tuple[Day, ...]
    condition: Condition | None = None
    notes: tuple[str, ...] = ()

    @property
    def match(self) -> str:
        """The expression that finds any of the terms; "" where there is none."""
        return " OR ".join(term.match for term in self.terms)


def parse(text: str) -> Query:
    """Read a query; every string is one."""
    clean = unicodedata.normalize("NFKC", encodable(text[:MAX_QUERY])).casefold()
    chunk_pattern, piece_pattern = _patterns(clean)
    chunks = [_POSSESSIVE.sub("", match.group()) for match in chunk_pattern.finditer(clean)]
    telling: dict[str, Term] = {}
    spare: dict[str, Term] = {}
    for chunk in chunks:
        pieces = [part for piece in piece_pattern.findall(chunk) for part in _parts(piece)]
        for piece in pieces:
            _add(spare if piece in STOP_WORDS else telling, piece)
        if 1 < len(pieces) <= 12 and not is_unspaced(chunk):
            _add(telling, chunk)
    terms = telling or spare
    return Query(
        terms=tuple(terms.values())[:MAX_TERMS],
        names=tuple(word for word in telling if word.isalpha())[:MAX_TERMS],
        asks_when=_WHEN.match(clean) is not None,
        days=named_days(clean),
    )


def _patterns(text: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of chunks and pieces. Marks put on letters, as Hindi does, belong to them."""
    marks = "" if text.isascii() else "".join({letter for letter in text if unicodedata.category(letter)[0] == "M"})
    if not marks:
        return _CHUNK, _PIECE
    letter, part = f"(?:{_LETTER}|[{marks}])", f"(?:{_PART}|[{marks}])"
    return re.compile(f"{letter}+(?:{_JOINTS}{letter}+)*"), re.compile(f"{part}+")


def _parts(piece: str) -> list[str]:
    """Cut a piece where characters that no spaces part begin and end; those come as pairs."""
    if not is_unspaced(piece):
        return [piece]
    parts: list[str] = []
    place = 0
    for run in UNSPACED_RUN().finditer(piece):
        parts += [piece[place : run.start()], *pairs(run.group())]
        place = run.end()
    return [part for part in (*parts, piece[place:]) if part]


def _add(terms: dict[str, Term], words: str) -> None:
    match = quoted(words[:_MAX_WORD])
    if match and len(terms) < MAX_TERMS:
        terms.setdefault(words, Term(words, match))
