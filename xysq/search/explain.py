"""Explain: why each hit came, and why others were left out.

A search is done once more, with the same figures, to tell what they were; so a search that nobody asks about pays
nothing for it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from xysq.frozen import frozen
from xysq.model.index import Index, IndexedPassage, Narrowing
from xysq.search.find import EVERYWHERE, NO_NARROWING, aim_of, find, meeting, passages_ranked
from xysq.search.hit import Hit, HitKind, Place
from xysq.search.query import Query
from xysq.search.ranking import WEIGHTS, Aim, Ranked, Weights, factors
from xysq.search.scratch import Scratch
from xysq.terms import findable

MOST_LEFT_OUT = 5


@frozen
class LeftOut:
    """Something that was not shown, and why."""

    hit: Hit
    reason: str


@frozen
class Explained:
    """The hits of a search, each with why it came; the nearest of those that were left out; what words were worth."""

    hits: tuple[Hit, ...]
    left_out: tuple[LeftOut, ...]
    terms: tuple[str, ...]


def explain(
    index: Index,
    query: Query,
    *,
    where: Collection[Place] = EVERYWHERE,
    narrowing: Narrowing = NO_NARROWING,
    limit: int = 10,
    context: bool = False,
    weights: Weights = WEIGHTS,
) -> Explained:
    """Search as `find` does, and tell why."""
    shown = find(index, query, where=where, narrowing=narrowing, limit=limit, context=context, weights=weights)
    aim = aim_of(index, query, weights)
    wanted = meeting(narrowing, query)
    ranked = {str(one.passage): one for one in passages_ranked(index, aim, wanted, limit, weights)}
    more = find(index, query, where=where, narrowing=narrowing, limit=limit + MOST_LEFT_OUT, weights=weights)
    out = [LeftOut(hit=hit, reason=_ranked_lower(hit, shown, limit)) for hit in _behind(more, shown)]
    if wanted != NO_NARROWING and query.terms:
        free = find(index, replace(query, condition=None), where=where, limit=limit, weights=weights)
        inside = {hit.id for hit in more}
        out += [LeftOut(hit=hit, reason="not what was asked for besides the words") for hit in free
                if hit.id not in inside and not hit.beside][:MOST_LEFT_OUT]  # fmt: skip
    reasons = _Reasons(aim, weights)
    hits = tuple(replace(hit, why=tuple(reasons.of(hit, ranked.get(hit.id)))) for hit in shown)
    worth = sorted(aim.telling.items(), key=lambda pair: -pair[1])
    return Explained(hits=hits, left_out=tuple(out), terms=tuple(f"{term.words} {value:.1f}" for term, value in worth))


def _behind(more: Sequence[Hit], shown: Sequence[Hit]) -> list[Hit]:
    ids = {hit.id for hit in shown}
    return [hit for hit in more if hit.id not in ids][:MOST_LEFT_OUT]


def _ranked_lower(hit: Hit, shown: Sequence[Hit], limit: int) -> str:
    least = min((one.score for one in shown), default=0.0)
    if hit.beside and hit.score >= least:
        return f"stands beside {hit.beside} and has none of the words itself"
    return f"scored {hit.score:.2f}, below the {limit} that are shown"


class _Reasons:
    """Reasons why hits of one search came."""

    def __init__(self, aim: Aim, weights: Weights) -> None:
        self._aim = aim
        self._weights = weights

    def of(self, hit: Hit, ranked: Ranked | None) -> Iterator[str]:
        yield f"score {hit.score:.2f}"
        passage = None if ranked is None else ranked.passage
        has = tuple(self._held(hit.text if passage is None else passage.text))
        yield f"has {', '.join(has)}" if has else "has none of the words"
        if hit.beside:
            yield f"stands beside {hit.beside}"
        if passage is not None:
            yield from self._factors(passage)
        elif hit.kind is HitKind.FACT and hit.marks:
            yield f"no longer open: x {self._weights.ended:g}"
        elif hit.kind is HitKind.PROSE:
            yield f"prose: x {self._weights.prose:g}"

    def _factors(self, passage: IndexedPassage) -> Iterator[str]:
        for why, factor in factors(self._aim, passage, self._weights):
            yield f"{why}: x {factor:g}"

    def _held(self, text: str) -> Iterator[str]:
        with Scratch([(0, findable(text))]) as scratch:
            for term in self._aim.telling:
                count = scratch.counts(term.match).get(0, 0)
                if count:
                    yield term.words if count == 1 else f"{term.words} ({count} times)"
