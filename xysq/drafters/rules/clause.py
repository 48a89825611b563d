"""Clauses: where in a sentence a statement can begin.

A clause begins at the sentence's start and behind punctuation and conjunctions. Openings a language allows there
("Yeah,", "Last week") are passed over. Where two clauses share their "I" ("I moved to Rome and opened a bar") the
second is read as if the word stood there again.
"""

import re
from collections.abc import Iterator

from xysq.drafters.rules.language import Language, Pattern
from xysq.frozen import frozen

MAX_CLAUSES = 8
MAX_FINDS = 3


@frozen(kw_only=False)
class Clause:
    """A place where a pattern may match; its clause begins at `begin`. `shared`: its "I" is the clause's before."""

    begin: int
    place: int
    shared: bool


@frozen(kw_only=False)
class Hit:
    """A match: `clause` is where its clause begins, `start` the match and `value` the value in the sentence."""

    match: re.Match[str]
    clause: int
    start: int
    value: int


def clauses(words: str, language: Language) -> list[Clause]:
    """Return the places of a sentence where a pattern is to be tried, in order, each once."""
    found: dict[int, Clause] = {}
    begin, shared = 0, False
    for match in (*language.words["boundary"].finditer(words), None):
        place = begin
        opening = language.words["openings"].match(words, begin)
        for place in dict.fromkeys((begin, opening.end() if opening else begin)):
            found.setdefault(place, Clause(begin, place, shared=False))
        if shared:
            found[begin] = Clause(begin, begin, shared=True)
        if match is None or len(found) >= MAX_CLAUSES:
            break
        joins = language.words["joining"].fullmatch(match.group()) is not None
        speaks = language.words["own_subject"].match(words, place) is not None
        bars = language.words["unshared"].search(words, begin, match.start()) is not None
        verb = language.words["shared_verb"].match(words, match.end()) is not None
        shared = joins and speaks and verb and not bars
        begin = match.end()
    return list(found.values())


def hits(pattern: Pattern, words: str, places: list[Clause], language: Language) -> Iterator[Hit]:
    """Try a pattern on a sentence."""
    if pattern.anywhere:
        for count, match in enumerate(pattern.match.finditer(words)):
            if count == MAX_FINDS:
                return
            yield Hit(match, 0, match.start(), match.start("value"))
        return
    for clause in places:
        if clause.shared and pattern.subject != "speaker":
            continue
        match_ = _tried(pattern, words, clause, language)
        if match_ is not None:
            yield match_


def _tried(pattern: Pattern, words: str, clause: Clause, language: Language) -> Hit | None:
    if not clause.shared:
        match = pattern.match.match(words, clause.place)
        return None if match is None else Hit(match, clause.begin, match.start(), match.start("value"))
    match = pattern.match.match(language.own_word + words[clause.place :])
    if match is None:
        return None
    shift = clause.place - len(language.own_word)
    return Hit(match, clause.begin, clause.place, match.start("value") + shift)
