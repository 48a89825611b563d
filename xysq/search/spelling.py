"""Spelling: words of the index that are a few letters away from one that somebody typed.

Whoosh's correctors walk a Levenshtein automaton along the index's vocabulary. The vocabulary is stems, so a word is
compared by its stem, and what is suggested is the word that a passage really has.
"""

import re
from collections.abc import Mapping

from whoosh.lang.porter import stem
from whoosh.spelling import ListCorrector

from xysq.model.index import Index, Narrowing
from xysq.search.query import Term, parse
from xysq.search.scratch import Scratch
from xysq.terms import bare, quoted

_MOST = 60
_MOST_LETTERS = 40
_LAST = "\U0010fffe"  # the corrector reads one place beyond what it has found
_BEYOND = {ord(_LAST): None, ord(_LAST) + 1: None}
_LEAST_LETTERS = 4
_FAR_LETTERS = 7
_WORD = re.compile(r"\w+")


def near(word: str, counts: Mapping[str, int], distance: int, keep: int = 0) -> tuple[str, ...]:
    """Return the words of a vocabulary up to `distance` letters from one, nearest and then most usual first.

    The first `keep` letters are taken for right.
    """
    low = bare(word).translate(_BEYOND)
    meant = {form for form in (low, stem(low)) if 0 < len(form) <= _MOST_LETTERS}
    corrector = ListCorrector([*sorted(counts), _LAST])
    found: dict[str, None] = {}
    for step in range(1, distance + 1):
        kept = [(form, min(keep, len(form))) for form in meant]
        more = {one for form, same in kept for one in corrector.suggest(form, _MOST, maxdist=step, prefix=same)}
        found.update(dict.fromkeys(other for _, other in sorted((-counts[other], other) for other in more - {_LAST})))
    return tuple(found)


def suggestion(words: str, index: Index) -> str:
    """Return the words with the likeliest ones of the index in the place of those it does not know; "" if none is."""
    counts = index.vocabulary()
    meant: dict[str, str] = {}
    for term in parse(words).terms:
        if term.words.isalpha() and len(term.words) >= _LEAST_LETTERS and not index.frequency(term.match):
            meant[term.words] = _meant(term, index, counts) or term.words
    changed = _WORD.sub(lambda word: meant.get(word[0].casefold(), word[0]), words)
    return "" if changed.casefold() == words.casefold() else changed


def _meant(term: Term, index: Index, counts: Mapping[str, int]) -> str:
    distance = 2 if len(term.words) >= _FAR_LETTERS else 1
    candidates = near(term.words, counts, distance, keep=1) or near(term.words, counts, distance)
    return next(filter(None, (_spoken(word, index) for word in candidates[:5])), "")


def _spoken(stemmed: str, index: Index) -> str:
    """Return a word as a passage has it; "" where it stands in a form of its own only."""
    match = quoted(stemmed)
    texts = [(passage.key, passage.text) for passage in index.passages(match, Narrowing(), 1)] if match else []
    with Scratch(texts) as scratch:
        for key, text in texts:
            for start, end in scratch.places(match).get(key, ()):
                return text[start:end].casefold()
    return ""
