"""Find: one search over passages, facts and prose of one state, best first, each hit with what became of it.

A passage that a correction or a newer fact overtook is found like any other and says so (P11); prose that no quote
proves says `unproven`.
"""

from collections.abc import Collection, Mapping

from xysq.model.fact import Closed, Fact, Open, Superseded
from xysq.model.index import Index, IndexedPassage, IndexedProse, Mark, MarkKind, Narrowing
from xysq.model.page import Origin
from xysq.pages.escape import plain
from xysq.search.excerpt import WIDTH, excerpts
from xysq.search.hit import Hit, HitKind, Place
from xysq.search.query import Query, parse
from xysq.search.ranking import WEIGHTS, Aim, Weights, rank_passages, rank_texts, telling

EVERYWHERE = frozenset(Place)
NO_NARROWING = Narrowing()


def find(
    index: Index,
    words: str,
    *,
    where: Collection[Place] = EVERYWHERE,
    narrowing: Narrowing = NO_NARROWING,
    limit: int = 10,
    width: int = WIDTH,
    weights: Weights = WEIGHTS,
) -> tuple[Hit, ...]:
    """Return the best hits for plain words; any string may be asked, one without a word finds nothing."""
    query = parse(words)
    if not query.terms or limit < 1:
        return ()
    aim = _aim(index, query, weights)
    found: list[Hit] = []
    if Place.LOGS in where:
        found += _passages(index, aim, narrowing, limit, width, weights)
    if Place.FACTS in where:
        found += _facts(index, aim, narrowing, limit, width, weights)
    if Place.PAGES in where:
        found += _prose(index, aim, narrowing, limit, width, weights)
    return tuple(sorted(found, key=lambda hit: (-hit.score, hit.id)))[:limit]


def _aim(index: Index, query: Query, weights: Weights) -> Aim:
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


def _passages(index: Index, aim: Aim, narrowing: Narrowing, limit: int, width: int, weights: Weights) -> list[Hit]:
    found = index.passages(aim.query.match, narrowing, max(weights.candidates, limit))
    ranked = rank_passages(aim, found, index.near(found, weights.reach), weights)
    if narrowing != NO_NARROWING:
        wanted = {passage.key for passage in found}
        ranked = [(passage, score) for passage, score in ranked if passage.key in wanted]
    ranked = ranked[:limit]
    shown = excerpts({passage.key: passage.text for passage, _ in ranked}, aim.query, width)
    return [_passage_hit(passage, score, shown[passage.key], index.marks(passage)) for passage, score in ranked]


def _facts(index: Index, aim: Aim, narrowing: Narrowing, limit: int, width: int, weights: Weights) -> list[Hit]:
    found = index.facts(aim.query.match, narrowing, max(weights.candidates, limit))
    texts = {fact.n: plain(fact.text) for fact in found}
    scores = rank_texts(aim, [(fact.n, f"{texts[fact.n]} {fact.attribute}") for fact in found], weights)
    ranked = sorted(found, key=lambda fact: (-_fact_score(fact, scores, weights), fact.n))[:limit]
    shown = excerpts({fact.n: texts[fact.n] for fact in ranked}, aim.query, width)
    return [
        Hit(
            kind=HitKind.FACT,
            id=fact.id,
            at=fact.observed or fact.at,
            who=fact.page,
            text=shown[fact.n],
            score=_fact_score(fact, scores, weights),
            marks=fact_marks(fact),
            page=fact.page,
        )
        for fact in ranked
    ]


def _prose(index: Index, aim: Aim, narrowing: Narrowing, limit: int, width: int, weights: Weights) -> list[Hit]:
    found = dict(enumerate(index.prose(aim.query.match, narrowing, max(weights.candidates, limit))))
    texts = {key: plain(block.text) for key, block in found.items()}
    scores = rank_texts(aim, list(texts.items()), weights)
    ranked = sorted(found, key=lambda key: (-scores[key], found[key].block))[:limit]
    shown = excerpts({key: texts[key] for key in ranked}, aim.query, width)
    return [_prose_hit(found[key], scores[key] * weights.prose, shown[key]) for key in ranked]


def _fact_score(fact: Fact, scores: Mapping[int, float], weights: Weights) -> float:
    return scores[fact.n] * (1.0 if fact.is_open else weights.ended)


def _passage_hit(passage: IndexedPassage, score: float, text: str, marks: tuple[Mark, ...]) -> Hit:
    return Hit(
        kind=HitKind.PASSAGE,
        id=str(passage),
        at=passage.moment,
        who=passage.speaker or passage.role.value,
        text=text,
        score=score,
        marks=marks,
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
            return (Mark(kind=MarkKind.SUPERSEDED, by=fact.life.by, fact=fact.id),)
        case Closed():
            return (Mark(kind=MarkKind.CLOSED, by=fact.life.reason.value, fact=fact.id),)
