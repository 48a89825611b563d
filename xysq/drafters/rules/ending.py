"""Endings: sentences that say something is over, and corrections that put another value in an old one's place.

Both only ever speak about facts that are open on a page the request shows, and only where the old value itself
stands in the sentence: what exactly has ended must not be a guess.
"""

import re
from collections.abc import Iterator

from xysq.drafters.port import KnownFact, KnownPage
from xysq.drafters.rules.language import Language
from xysq.drafters.rules.mood import in_quotes
from xysq.drafters.rules.statement import Speaking
from xysq.frozen import frozen
from xysq.model.fact import FactId
from xysq.text import fold

_SHORTEST = 2
_MOST_WORDS = 6


@frozen
class Corrected:
    """An open fact, its page, and the value that a sentence gives instead."""

    page: KnownPage
    fact: KnownFact
    value: str


def ended(
    words: str, tokens: set[str], speaking: Speaking, pages: tuple[KnownPage, ...], language: Language
) -> list[FactId]:
    """Return the ids of the open facts that a sentence plainly ends."""
    found: list[FactId] = []
    if not any(page.facts for page in pages):
        return found
    for ending in language.endings:
        if speaking.session_kind not in ending.kinds or tokens.isdisjoint(ending.triggers):
            continue
        match = ending.match.search(words)
        if match is None or in_quotes(words, match.start()) or _doubted(words, match, language):
            continue
        if language.words["reported"].search(words, 0, match.start()):
            continue
        about = words[_clause_begin(words, match.start(), language) : match.start("rest")]
        for page in _meant(about, speaking, pages, language):
            found += [
                fact.id
                for fact in page.facts
                if fact.attribute.partition(":")[0] in ending.attributes
                and fact.id not in found
                and _is_all(fact.value, match["rest"], language)
            ]
    return found


def corrected(words: str, pages: tuple[KnownPage, ...], language: Language) -> Corrected | None:
    """Return the one open fact whose value a sentence replaces, as in "it's X, not Y"."""
    if " not " not in f" {words.lower()}" or not any(page.facts for page in pages):
        return None
    for source in language.corrections:
        match = source.search(words)
        if match is None or language.words["doubt"].search(words) or in_quotes(words, match.start()):
            continue
        old, new = fold(_bare(match["old"], language)), _bare(match["new"], language)
        hits = [(page, fact) for page in pages for fact in page.facts if fold(fact.value) == old]
        if len(hits) == 1 and _may_replace(old, new, language):
            page, fact = hits[0]
            return Corrected(page=page, fact=fact, value=new)
    return None


def _doubted(words: str, match: re.Match[str], language: Language) -> bool:
    """Tell whether there is doubt before an ending or behind it; "used to" itself would look like doubt."""
    doubt = language.words["doubt"]
    return doubt.search(words, 0, match.start()) is not None or doubt.search(words, match.start("rest")) is not None


def _may_replace(old: str, new: str, language: Language) -> bool:
    """Tell whether a value may stand where `old` stood: short, of itself, and a number for a number."""
    if not 0 < len(new.split()) <= _MOST_WORDS or fold(new) == old or language.words["pronoun"].search(new):
        return False
    return any(sign.isdigit() for sign in old) == any(sign.isdigit() for sign in new)


def _clause_begin(words: str, place: int, language: Language) -> int:
    begin = 0
    for boundary in language.words["boundary"].finditer(words, 0, place):
        begin = boundary.end()
    opening = language.words["openings"].match(words, begin, place)
    return opening.end() if opening else begin


def _meant(about: str, speaking: Speaking, pages: tuple[KnownPage, ...], language: Language) -> Iterator[KnownPage]:
    """Yield the pages a clause is about, by the words before what has ended: "I", "we", a page's name, or none."""
    folded = fold(about)
    mine, project = [], []
    named = False
    for page in pages:
        names = {fold(name) for name in (page.slug, page.title, *page.aliases)} - {""}
        if any(_stands(name, folded) for name in names):
            named = True
            yield page
        elif fold(speaking.speaker) in names:
            mine.append(page)
        elif fold(speaking.project) in names and (speaking.session_kind == "work" or not speaking.speaker):
            project.append(page)
    if named or language.words["subclause"].search(about):
        return
    own = language.words["own_subject"].match(about) is not None
    if own:
        yield from mine
    if own or language.words["of_project"].match(about):
        yield from project


def _bare(text: str, language: Language) -> str:
    stripped = text.strip(" \"'`.!")
    lead = language.words["before_value"].match(stripped)
    return stripped[lead.end() :] if lead else stripped


def _is_all(value: str, rest: str, language: Language) -> bool:
    """Tell whether what has ended is the value: it stands in `rest`, and nothing that could narrow it follows."""
    folded, wanted = fold(rest), fold(value)
    if len(wanted) < _SHORTEST:
        return False
    match = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded)
    return match is not None and language.words["after_ending"].match(folded, match.end()) is not None


def _stands(name: str, folded: str) -> bool:
    """Tell whether a folded name stands in folded words, as whole words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None
