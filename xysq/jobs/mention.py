"""Mentions: which pages the passages speak of, found through names, never by scanning pages.

Speakers, the session's repository, and runs of words that look like names are looked up one by one; what is found is
shown to the drafter with its open facts, so that it can see what is known.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from xysq.drafters.port import KnownFact, KnownPage
from xysq.model.fact import Fact, Slug
from xysq.model.settings import Me
from xysq.model.source import Passage
from xysq.model.state import LedgerState
from xysq.text import fold

MAX_PAGES = 40
MAX_FACTS = 40
_MAX_LOOKUPS = 4_000
_LONGEST_NAME = 3
_WORD = re.compile(r"[^\W_][\w.'’-]{0,60}")


def mentioned(ledger: LedgerState, passages: Sequence[Passage], project: str, me: Me) -> tuple[KnownPage, ...]:
    """Return the pages that the passages mention, in the order they are met."""
    found: dict[Slug, None] = {}
    asked: set[str] = set()
    for name in _names(passages, project, me):
        folded = fold(name)
        if not folded or folded in asked:
            continue
        asked.add(folded)
        for slug in ledger.named(folded):
            found[slug] = None
        if len(asked) >= _MAX_LOOKUPS or len(found) >= MAX_PAGES:
            break
    return tuple(page for slug in found if (page := _known(ledger, slug)) is not None)


def _names(passages: Sequence[Passage], project: str, me: Me) -> Iterator[str]:
    yield from me.names
    if project:
        yield project.rstrip("/").rpartition("/")[2]
    yield from dict.fromkeys(passage.speaker for passage in passages if passage.speaker)
    for passage in passages:
        yield from _runs(passage.text)


def _runs(text: str) -> Iterator[str]:
    """Yield runs of one to three words; only names have a capital or a digit, or follow "the"."""
    words = [(match.group().rstrip(".'’-"), match.start(), match.end()) for match in _WORD.finditer(text)]
    for place, (word, _, _) in enumerate(words):
        if not _is_name_like(word, words[place - 1][0] if place else ""):
            continue
        for length in range(1, _LONGEST_NAME + 1):
            last = place + length - 1
            if last < len(words):
                yield text[words[place][1] : words[last][1] + len(words[last][0])]


def _is_name_like(word: str, before: str) -> bool:
    return word[:1].isupper() or any(sign.isdigit() for sign in word) or before.lower() in ("the", "our", "my")


def _known(ledger: LedgerState, slug: Slug) -> KnownPage | None:
    page = ledger.page(slug)
    if page is None:
        return None
    facts = [fact for fact in ledger.facts_of(slug) if fact.is_open][-MAX_FACTS:]
    return KnownPage(
        slug=slug,
        title=page.title,
        kind=page.kind,
        aliases=tuple(alias.name for alias in page.aliases),
        facts=tuple(_told(facts)),
    )


def _told(facts: Iterable[Fact]) -> Iterator[KnownFact]:
    for fact in facts:
        yield KnownFact(id=fact.id, attribute=fact.attribute, value=fact.value, text=fact.text, label=fact.label)
