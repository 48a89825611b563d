"""Recall: what is worth telling a model about something: open facts first, then passages with the turns beside them.

Unlike a search it says nothing rather than something unrelated: a fact has to meet most of what was asked and be about
whom it was asked of; a passage, with the turns beside it, a good part of it. Prose is never recalled. What no longer
holds is marked, and closed facts are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from xysq.frozen import frozen
from xysq.model.fact import Fact, Slug
from xysq.model.index import Index, IndexedPassage, Mark, Narrowing
from xysq.pages.escape import plain
from xysq.search.excerpt import excerpts
from xysq.search.find import NO_NARROWING, aim_of, meeting, passages_ranked
from xysq.search.overtaken import overtaken
from xysq.search.query import Query, Term
from xysq.search.ranking import WEIGHTS, Aim, rank_texts
from xysq.search.scratch import Scratch
from xysq.terms import findable
from xysq.text import fold


@frozen
class Floors:
    """The figures of recall.

    `fact` and `passage` are the least shares of what was asked, by how telling the words are, that a fact, or a passage
    with the turns beside it, has to meet. The others say how much is looked at, taken and shown.
    """

    fact: float = 0.5
    passage: float = 0.34
    looked_at: int = 40
    facts: int = 12
    passages: int = 12
    width: int = 600
    width_beside: int = 240


FLOORS = Floors()


@frozen
class RecalledFact:
    """An open fact, with its page and who said it last."""

    id: str
    at: str
    who: str
    page: Slug
    title: str
    text: str


@frozen
class RecalledPassage:
    """A passage that was asked for, or of one that stands beside it the id of that in `beside`."""

    id: str
    at: str
    who: str
    text: str
    marks: tuple[Mark, ...]
    beside: str


@frozen
class LeftOut:
    """Something that was looked at and is not recalled, and why."""

    id: str
    reason: str


@frozen
class Chosen:
    """What is worth recalling, best first, and what was left out. A group is a passage with what stands beside it."""

    facts: tuple[RecalledFact, ...]
    groups: tuple[tuple[RecalledPassage, ...], ...]
    left_out: tuple[LeftOut, ...]


@frozen
class Subjects:
    """Whom a query is about: names of people and pages in it, and the pages that go by them."""

    names: frozenset[str]
    pages: frozenset[Slug]


def choose(
    index: Index,
    query: Query,
    *,
    pages: Callable[[str], Sequence[Slug]],
    title: Callable[[Slug], str],
    narrowing: Narrowing = NO_NARROWING,
    floors: Floors = FLOORS,
) -> Chosen:
    """Choose what to recall for a query; `pages` are those that go by a folded name, `title` what a page is called."""
    if not (query.terms or query.condition):
        return Chosen(facts=(), groups=(), left_out=())
    aim = aim_of(index, query)
    wanted = meeting(narrowing, query)
    left_out: list[LeftOut] = []
    facts = _facts(index, aim, wanted, _subjects(aim, pages), floors, left_out)
    groups = _groups(index, aim, wanted, floors, left_out)
    return Chosen(
        facts=tuple(recalled(fact, title(fact.page)) for fact in facts), groups=groups, left_out=tuple(left_out)
    )


def _subjects(aim: Aim, pages: Callable[[str], Sequence[Slug]]) -> Subjects:
    """Return whom the query names. A name may be one word or several that stand side by side."""
    words = aim.query.names
    named = {name: frozenset(pages(name)) for name in (*words, *map(" ".join, pairwise(words)))}
    names = {name for name, found in named.items() if found}
    names |= {word for word in words if any(word in speaker.split() for speaker in aim.speakers)}
    slugs = {slug for found in named.values() for slug in found} | {slug for one in aim.speakers for slug in pages(one)}
    return Subjects(names=frozenset(names), pages=frozenset(slugs))


def _facts(
    index: Index, aim: Aim, narrowing: Narrowing, subjects: Subjects, floors: Floors, left_out: list[LeftOut]
) -> list[Fact]:
    """Return the open facts that meet enough of what was asked, of the right subject, best first."""
    found = {
        fact.n: fact for fact in index.facts(aim.query.match, replace(narrowing, only_open=True), floors.looked_at)
    }
    texts = {n: f"{plain(fact.text)} {fact.attribute}" for n, fact in found.items()}
    scores = rank_texts(aim, list(texts.items()))
    asked = {term: worth for term, worth in aim.telling.items() if term.words not in subjects.names}
    shares = _shares(asked, texts)
    kept: list[Fact] = []
    for n in sorted(found, key=lambda n: (-scores.get(n, 0.0), n)):
        reason = _too_little(shares[n], floors.fact)
        if not reason and not _is_about(found[n], subjects):
            reason = f"is about {found[n].page}, not whom it was asked of"
        if not reason and len(kept) == floors.facts:
            reason = f"comes behind {floors.facts} others"
        if reason:
            left_out.append(LeftOut(id=found[n].id, reason=reason))
        else:
            kept.append(found[n])
    return kept


def _is_about(fact: Fact, subjects: Subjects) -> bool:
    """Tell whether a fact is on a page that was named or names somebody who was; true where nobody was."""
    if not subjects.names:
        return True
    text = fold(plain(fact.text))
    return fact.page in subjects.pages or any(name in text for name in subjects.names)


def _groups(
    index: Index, aim: Aim, narrowing: Narrowing, floors: Floors, left_out: list[LeftOut]
) -> tuple[tuple[RecalledPassage, ...], ...]:
    """Return the passages that meet enough of what was asked, best first, each with the turns beside it."""
    ranked = passages_ranked(index, aim, narrowing, floors.looked_at, WEIGHTS)
    ranked = overtaken(index, ranked, {}, floors.looked_at, WEIGHTS)
    matches = [one.passage for one in ranked if one.beside is None][: floors.looked_at]
    near = {(p.source, p.base, p.until, p.number): p for p in index.near(matches, 1)}
    beside = {match.key: [near[at] for at in _around(match) if at in near] for match in matches}
    whole = {match.key: "\n".join(p.text for p in (match, *beside[match.key])) for match in matches}
    shares = _shares(aim.telling, whole)
    kept: list[IndexedPassage] = []
    for match in matches:
        reason = _too_little(shares[match.key], floors.passage)
        if not reason and len(kept) == floors.passages:
            reason = f"comes behind {floors.passages} others"
        if reason:
            left_out.append(LeftOut(id=str(match), reason=reason))
        else:
            kept.append(match)
    return _shown(index, aim.query, kept, beside, floors)


def _around(passage: IndexedPassage) -> list[tuple[str, int, int | None, int]]:
    return [(passage.source, passage.base, passage.until, passage.number + step) for step in (-1, 1)]


def _shown(
    index: Index,
    query: Query,
    kept: Sequence[IndexedPassage],
    beside: Mapping[int, Sequence[IndexedPassage]],
    floors: Floors,
) -> tuple[tuple[RecalledPassage, ...], ...]:
    """Return groups as they are read, each passage once: a match, and what stands beside it, in order."""
    taken = {match.key for match in kept}
    texts = excerpts({match.key: match.text for match in kept}, query, floors.width)
    groups: list[tuple[RecalledPassage, ...]] = []
    for match in kept:
        context = [passage for passage in beside[match.key] if passage.key not in taken]
        taken.update(passage.key for passage in context)
        shown = {**texts, **excerpts({p.key: p.text for p in context}, query, floors.width_beside)}
        inside = sorted([match, *context], key=lambda passage: passage.number)
        groups.append(
            tuple(
                RecalledPassage(
                    id=str(passage),
                    at=passage.moment,
                    who=passage.speaker or passage.role.value,
                    text=shown[passage.key],
                    marks=index.marks(passage),
                    beside="" if passage is match else str(match),
                )
                for passage in inside
            )
        )
    return tuple(groups)


def _shares(asked: Mapping[Term, float], texts: Mapping[int, str]) -> Mapping[int, float]:
    """Return how much of what was asked each text meets, by how telling the words are; all, where nothing was."""
    total = sum(asked.values())
    if not total:
        return dict.fromkeys(texts, 1.0)
    shares = dict.fromkeys(texts, 0.0)
    with Scratch((key, findable(text)) for key, text in texts.items()) as scratch:
        for term, worth in asked.items():
            for key in scratch.counts(term.match):
                shares[key] += worth / total
    return shares


def _too_little(share: float, floor: float) -> str:
    return "" if share >= floor else f"meets {share:.0%} of what was asked, less than {floor:.0%}"


def recalled(fact: Fact, title: str) -> RecalledFact:
    """Return a fact as it is recalled, with the title of its page."""
    said = max(fact.evidence, key=lambda quote: quote.at or "", default=None)
    return RecalledFact(
        id=fact.id,
        at=fact.observed or fact.at,
        who="" if said is None else said.speaker or said.role.value,
        page=fact.page,
        title=title,
        text=plain(fact.text),
    )
