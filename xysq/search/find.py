"""Find: one search over passages, facts and prose of one state, best first, each hit with what became of it.

A passage that a correction or a newer fact overtook is found like any other and says so (P11); prose that no quote
proves says `unproven`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from xysq.model.fact import Closed, Fact, Open, Superseded
from xysq.model.index import Every, Index, IndexedProse, Mark, MarkKind, Narrowing
from xysq.model.page import Origin
from xysq.pages.escape import plain
from xysq.search.excerpt import WIDTH, excerpts
from xysq.search.hit import Hit, HitKind, Place
from xysq.search.overtaken import below, overtaken
from xysq.search.query import Query, parse
from xysq.search.ranking import WEIGHTS, Aim, Ranked, Weights, rank_passages, rank_texts, telling

EVERYWHERE = frozenset(Place)
NO_NARROWING = Narrowing()
_MOST_BESIDE = 2


def find(
    index: Index,
    words: str | Query,
    *,
    where: Collection[Place] = EVERYWHERE,
    narrowing: Narrowing = NO_NARROWING,
    limit: int = 10,
    context: bool = False,
    width: int = WIDTH,
    weights: Weights = WEIGHTS,
) -> tuple[Hit, ...]:
    """Return the best hits for a query, or for plain words; any string may be asked, one without a word finds nothing.

    Passages that only stand near a match are hits too, for answers seldom repeat a question's words. With `context`
    they do not count: `limit` is then the number of hits that match, and a few near each of them come with it.
    """
    query = parse(words) if isinstance(words, str) else words
    if limit < 1 or not (query.terms or query.condition):
        return ()
    narrowing = meeting(narrowing, query)
    aim = aim_of(index, query, weights)
    found = _facts(index, aim, narrowing, limit, width, weights) if Place.FACTS in where else []
    if Place.LOGS in where:
        ranked = passages_ranked(index, aim, narrowing, limit, weights)
        ranked = _cut(
            overtaken(index, ranked, {hit.id: hit.score for hit in found}, limit, weights), limit, context=context
        )
        shown = excerpts({one.passage.key: one.passage.text for one in ranked}, query, width)
        found += [_passage_hit(one, shown[one.passage.key], index.marks(one.passage)) for one in ranked]
    if Place.PAGES in where:
        found += _prose(index, aim, narrowing, limit, width, weights)
    best = sorted(found, key=lambda hit: (-hit.score, hit.id))
    if not context:
        return tuple(best[:limit])
    kept = [hit for hit in best if not hit.beside][:limit]
    ids = {hit.id for hit in kept}
    return tuple(hit for hit in best if (hit.beside or hit.id) in ids)


def meeting(narrowing: Narrowing, query: Query) -> Narrowing:
    """Return a narrowing with what a composed query demands besides."""
    demands = tuple(demand for demand in (narrowing.condition, query.condition) if demand is not None)
    return replace(narrowing, condition=Every(demands)) if demands else narrowing


def aim_of(index: Index, query: Query, weights: Weights = WEIGHTS) -> Aim:
    """Ask the index how telling the terms are, and which of them are somebody's name."""
    size = index.size()
    people = index.speakers(query.names)
    return Aim(
        query=query,
        telling={
            term: telling(index.frequency(term.match), size) * (weights.name if term.words in people else 1.0)
            for term in query.terms
        },
        speakers=frozenset(speaker for speakers in people.values() for speaker in speakers),
    )


def passages_ranked(index: Index, aim: Aim, narrowing: Narrowing, limit: int, weights: Weights) -> list[Ranked]:
    """Return the passages that match and those near them, best first; narrowed, only what matches."""
    found = index.passages(aim.query.match, narrowing, max(weights.candidates, limit))
    if not aim.telling:
        return [Ranked(passage, _placed(place)) for place, passage in enumerate(found)]
    if narrowing == NO_NARROWING:
        return rank_passages(aim, found, index.near(found, weights.reach), weights)
    wanted = {passage.key for passage in found}
    ranked = rank_passages(aim, found, index.near(found, weights.reach), weights)
    return [one for one in ranked if one.passage.key in wanted]


def _cut(ranked: list[Ranked], limit: int, *, context: bool) -> list[Ranked]:
    """Return the first `limit`; with `context` so many that match, and the first few near each of them."""
    if not context:
        return ranked[:limit]
    room = {one.passage.key: _MOST_BESIDE for one in [one for one in ranked if one.beside is None][:limit]}
    kept: list[Ranked] = []
    for one in ranked:
        key = (one.beside or one.passage).key
        if room.get(key, 0) > 0:
            room[key] -= one.beside is not None
            kept.append(one)
    return kept


def _placed(place: int) -> float:
    """Return the score of a hit where no word tells one from another: they come newest first."""
    return 1 / (1 + place)


def _facts(index: Index, aim: Aim, narrowing: Narrowing, limit: int, width: int, weights: Weights) -> list[Hit]:
    found = index.facts(aim.query.match, narrowing, max(weights.candidates, limit))
    texts = {fact.n: plain(fact.text) for fact in found}
    scores = rank_texts(aim, [(fact.n, f"{texts[fact.n]} {fact.attribute}") for fact in found], weights)
    if not aim.telling:
        scores = {fact.n: _placed(place) for place, fact in enumerate(found)}
    scores = _settled(found, {fact.n: _fact_score(fact, scores, weights) for fact in found})
    ranked = sorted(found, key=lambda fact: (-scores[fact.n], fact.n))[:limit]
    shown = excerpts({fact.n: texts[fact.n] for fact in ranked}, aim.query, width)
    return [
        Hit(
            kind=HitKind.FACT,
            id=fact.id,
            at=fact.observed or fact.at,
            who=fact.page,
            text=shown[fact.n],
            score=scores[fact.n],
            marks=fact_marks(fact),
            page=fact.page,
        )
        for fact in ranked
    ]


def _settled(facts: Sequence[Fact], scores: Mapping[int, float]) -> Mapping[int, float]:
    """Return the scores of facts, no superseded one's above that of its successor."""
    known = {fact.id: scores[fact.n] for fact in facts}
    by = {fact.id: fact.life.by for fact in facts if isinstance(fact.life, Superseded)}
    return {fact.n: below(fact.id, known, by) for fact in facts}


def _prose(index: Index, aim: Aim, narrowing: Narrowing, limit: int, width: int, weights: Weights) -> list[Hit]:
    found = dict(enumerate(index.prose(aim.query.match, narrowing, max(weights.candidates, limit))))
    texts = {key: plain(block.text) for key, block in found.items()}
    scores = rank_texts(aim, list(texts.items()), weights) if aim.telling else {key: _placed(key) for key in texts}
    ranked = sorted(found, key=lambda key: (-scores[key], found[key].block))[:limit]
    shown = excerpts({key: texts[key] for key in ranked}, aim.query, width)
    return [_prose_hit(found[key], scores[key] * weights.prose, shown[key]) for key in ranked]


def _fact_score(fact: Fact, scores: Mapping[int, float], weights: Weights) -> float:
    return scores[fact.n] * (1.0 if fact.is_open else weights.ended)


def _passage_hit(ranked: Ranked, text: str, marks: tuple[Mark, ...]) -> Hit:
    passage = ranked.passage
    return Hit(
        kind=HitKind.PASSAGE,
        id=str(passage),
        at=passage.moment,
        who=passage.speaker or passage.role.value,
        text=text,
        score=ranked.score,
        marks=marks,
        beside="" if ranked.beside is None else str(ranked.beside),
    )


def _prose_hit(block: IndexedProse, score: float, text: str) -> Hit:
    return Hit(
        kind=HitKind.PROSE,
        id=block.block,
        at=block.moment,
        who=block.page,
        text=text,
        score=score,
        unproven=block.origin is not Origin.YOURS,
        page=block.page,
    )


def fact_marks(fact: Fact) -> tuple[Mark, ...]:
    """Return what became of a fact; nothing of one that is open."""
    match fact.life:
        case Open():
            return ()
        case Superseded():
            return (Mark(kind=MarkKind.SUPERSEDED, by=fact.life.by, fact=fact.id, on=fact.life.at[:10]),)
        case Closed():
            return (Mark(kind=MarkKind.CLOSED, by=fact.life.reason.value, fact=fact.id),)
