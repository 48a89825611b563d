"""Syntax: whether a query is composed, and reading it either way.

Plain words are most of all queries, so they never wait for the package that reads composed ones: that is loaded here,
when a query has an operator in it (`AND OR NOT` between words), a phrase in double quotes, a field such as `speaker:`
with its value, or a word that ends in `*` or `~`.
"""

from collections.abc import Callable
from datetime import datetime

from xysq.frozen import frozen
from xysq.model.fact import Slug
from xysq.model.index import Index
from xysq.model.source import SourceId
from xysq.pattern import late
from xysq.search.query import Query, parse

FIELDS = ("speaker", "page", "source", "before", "after", "on")
MAX_COMPOSED = 1_000
MAX_PARENTHESES = 20
_COMPOSED = late(
    r'"[^"\w]*\w[^"]*"'
    r"|\S\s+(?:AND|OR|AND NOT|OR NOT|NOT)\s+\S|^\s*NOT\s+\S"
    rf"|(?<!\w)(?:{'|'.join(FIELDS)}):[\w\"(]"
    r"|\w\*(?=[\s)]|$)"
    r"|\w~\d?(?=[\s)]|$)"
)


@frozen
class Setting:
    """What a query may refer to: the index it is for, the present moment, and what pages and sources go by."""

    index: Index
    now: datetime
    page: Callable[[str], Slug | None]
    source: Callable[[str], SourceId | None]


def is_composed(words: str) -> bool:
    """Tell whether words use the query language. What is too long or too deep for a person's query is plain words."""
    if len(words) > MAX_COMPOSED or words.count("(") > MAX_PARENTHESES:
        return False
    return _COMPOSED().search(words) is not None and not _is_shouted(words)


def read(words: str, setting: Setting) -> Query:
    """Read a query, composed or plain; every string is one."""
    if not is_composed(words):
        return parse(words)
    from xysq.search.language import compose

    return compose(words, setting)


def suggest(words: str, index: Index) -> str:
    """Return the words with what was probably meant in the place of those nobody said; "" where nothing is near."""
    from xysq.search.spelling import suggestion

    return suggestion(words, index)


def _is_shouted(words: str) -> bool:
    """Tell whether all is in capitals and nothing but AND, OR and NOT would be syntax: then these are words."""
    return words.isupper() and not any(sign in words for sign in '"*~:') and len(words.split()) > 3
