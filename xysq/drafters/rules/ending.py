"""Endings: sentences that say something is over, and corrections that put another value in an old one's place.

Both only ever speak about facts that are open on a page the request shows, and only where the old value itself
stands in the sentence: what exactly has ended must not be a guess.
"""

import re
from dataclasses import dataclass

from xysq.drafters.port import KnownFact, KnownPage
from xysq.drafters.rules.language import Language
from xysq.drafters.rules.mood import in_quotes
from xysq.text import fold

_SHORTEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """An open fact, its page, and the value that a sentence gives instead."""

    page: KnownPage
    fact: KnownFact
    value: str


def ended(words: str, tokens: set[str], kind: str, pages: tuple[KnownPage, ...], language: Language) -> list[str]:
    """Return the ids of the open facts that a sentence plainly ends."""
    found: list[str] = []
    for ending in language.endings:
        if kind not in ending.kinds or tokens.isdisjoint(ending.triggers):
            continue
        match = ending.match.search(words)
        if match is None or in_quotes(words, match.start()) or language.words["doubt"].search(words):
            continue
        if language.words["reported"].search(words, 0, match.start()):
            continue
        rest = fold(match["rest"])
        for page in pages:
            for fact in page.facts:
                if _base(fact.attribute) in ending.attributes and _stands(fact.value, rest) and fact.id not in found:
                    found.append(fact.id)
    return found


def corrected(words: str, pages: tuple[KnownPage, ...], language: Language) -> Corrected | None:
    """Return the one open fact whose value a sentence replaces, as in "it's X, not Y"."""
    if " not " not in f" {words.lower()}" or not any(page.facts for page in pages):
        return None
    for source in language.corrections:
        match = source.search(words)
        if match is None or language.words["doubt"].search(words) or in_quotes(words, match.start()):
            continue
        old, new = fold(_bare(match["old"])), _bare(match["new"])
        hits = [(page, fact) for page in pages for fact in page.facts if fold(fact.value) == old]
        if len(hits) == 1 and new and fold(new) != old and not language.words["pronoun"].search(new):
            page, fact = hits[0]
            return Corrected(page=page, fact=fact, value=new)
    return None


def _base(attribute: str) -> str:
    return attribute.partition(":")[0]


def _bare(text: str) -> str:
    return re.sub(r"^(?:the|a|an|at|in|on|with|by)\s+", "", text.strip(" \"'`.!"), flags=re.IGNORECASE)


def _stands(value: str, folded: str) -> bool:
    wanted = fold(value)
    if len(wanted) < _SHORTEST:
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded) is not None
