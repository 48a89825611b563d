"""Syntax: whether a query is composed, and reading it either way.

Plain words are most of all queries, so they never wait for the package that reads composed ones: that is loaded here,
when a query has an operator in it (`AND OR NOT` between words), a phrase in double quotes, a field such as `speaker:`
with its value, or a word that ends in `*` or `~`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from importlib import import_module

from xysq.canonical import instant
from xysq.frozen import frozen
from xysq.model.fact import Slug
from xysq.model.index import Index
from xysq.model.source import SourceId
from xysq.pattern import late
from xysq.search.query import Query, parse

FIELDS = ("speaker", "page", "source", "before", "after", "on")
MAX_COMPOSED = 1_000
MAX_PARENTHESES = 20
_SIGNS = ('"', "*", "~", ":", "AND", "OR", "NOT")
_COMPOSED = late(
    r'"[^"\w]*\w[^"]*"'
    r"|\S\s+(?:AND|OR|AND NOT|OR NOT|NOT)\s+\S|^\s*NOT\s+\S"
    rf"|(?<!\w)(?:{'|'.join(FIELDS)}):[\w\"(]"
    r"|\w\*(?=[\s)]|$)"
    r"|\w~\d?(?=[\s)]|$)"
)


@frozen
class Setting:
    """What a query may refer to: the index it is for, the present moment, and which pages and sources go by a name."""

    index: Index
    now: datetime
    pages: Callable[[str], Sequence[Slug]]
    sources: Callable[[str], Sequence[SourceId]]


def is_composed(words: str) -> bool:
    """Tell whether words use the query language. What is too long or too deep for a person's query is plain words."""
    if len(words) > MAX_COMPOSED or words.count("(") > MAX_PARENTHESES:
        return False
    if not any(sign in words for sign in _SIGNS):
        return False  # told without the pattern, which has to be compiled
    return _COMPOSED().search(words) is not None and not _is_shouted(words)


def read(words: str, setting: Setting) -> Query:
    """Read a query, composed or plain; every string is one."""
    if not is_composed(words):
        return parse(words)
    query: Query = import_module("xysq.search.language").compose(words, setting)
    return query


def suggest(words: str, index: Index) -> str:
    """Return the words with what was probably meant in the place of those nobody said; "" where nothing is near."""
    suggestion: str = import_module("xysq.search.spelling").suggestion(words, index)
    return suggestion


def moment(words: str, now: datetime) -> str | None:
    """Return the begin of the time that words name, as the index compares it; None where they name none."""
    if _BEGINNING().fullmatch(words):
        return words
    named = import_module("xysq.search.when").span(words, now)
    found: tuple[datetime, datetime] | None = named or import_module("xysq.search.language").human_span(words, now)
    return None if found is None else instant(found[0])


_BEGINNING = late(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def _is_shouted(words: str) -> bool:
    """Tell whether all is in capitals and nothing but AND, OR and NOT would be syntax: then these are words."""
    return words.isupper() and not any(sign in words for sign in '"*~:') and len(words.split()) > 3
