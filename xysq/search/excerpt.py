"""Excerpts: the part of a text that shows why it was found, never merely its beginning."""

import re
from collections.abc import Mapping

from xysq.search.query import Query
from xysq.search.scratch import Scratch
from xysq.terms import bare, is_unspaced

WIDTH = 240
_MAX_TEXT = 40_000
_LEAD = 40
_SPACE = re.compile(r"\s+")
_ELLIPSIS = "…"


def excerpts(texts: Mapping[int, str], query: Query, width: int = WIDTH) -> Mapping[int, str]:
    """Return of each text about `width` characters, on one line, around the most different words of the query."""
    lowered = {key: bare(text[:_MAX_TEXT]) for key, text in texts.items()}
    found: Mapping[int, tuple[tuple[int, int], ...]] = {}
    spaced = " OR ".join(term.match for term in query.terms if not is_unspaced(term.words))
    if spaced:
        with Scratch(lowered.items()) as scratch:
            found = scratch.places(spaced)
    return {key: _excerpt(text, _hits(lowered[key], query, found.get(key, ())), width) for key, text in texts.items()}


def _hits(lowered: str, query: Query, spaced: tuple[tuple[int, int], ...]) -> list[tuple[int, int, str]]:
    """Return where the query's words stand, in order, with what tells one word from another."""
    hits = [(start, end, lowered[start:end][:4]) for start, end in spaced]
    for term in query.terms:
        if not spaced or is_unspaced(term.words):  # pieces of identifiers stand inside words
            words = bare(term.words)
            hits += [(found.start(), found.end(), words) for found in re.finditer(re.escape(words), lowered)]
    return sorted(hits)


def _excerpt(text: str, hits: list[tuple[int, int, str]], width: int) -> str:
    if len(text) <= width:
        return _SPACE.sub(" ", text).strip()
    start = _best_start(hits, width)
    start = max(0, min(start - _LEAD, len(text) - width))
    end = min(len(text), start + width)
    start, end = _at_word(text, start, 1), _at_word(text, end, -1)
    shown = _SPACE.sub(" ", text[start:end]).strip()
    return f"{_ELLIPSIS if start else ''}{shown}{_ELLIPSIS if end < len(text) else ''}"


def _best_start(hits: list[tuple[int, int, str]], width: int) -> int:
    """Return where the first stretch begins that holds the most different words."""
    best, most, last = 0, 0, 0
    counts: dict[str, int] = {}
    for first, (start, _, word) in enumerate(hits):
        while last < len(hits) and hits[last][1] <= start + width - _LEAD:
            counts[hits[last][2]] = counts.get(hits[last][2], 0) + 1
            last += 1
        if len(counts) > most:
            best, most = start, len(counts)
        if first < last:
            counts[word] -= 1
            if not counts[word]:
                del counts[word]
        else:
            last = first + 1
    return best


def _at_word(text: str, place: int, step: int) -> int:
    """Move a cut inwards to the nearest space, a few characters at most."""
    if place in (0, len(text)):
        return place
    for moved in range(place, place + 24 * step, step):
        if not 0 < moved < len(text):
            break
        if text[moved].isspace() or text[moved - 1].isspace():
            return moved
    return place
