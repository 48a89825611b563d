"""Overtaken: passages whose words were superseded or corrected stand below what took their place.

What was overtaken counts for less, and never for as much as a hit that took its place: the newer fact, a passage that
proves it, a passage that a correction put in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xysq.model.fact import FactId
from xysq.model.index import Index, Mark, MarkKind
from xysq.search.ranking import Ranked, Weights

_BELOW = 0.99
_ENDED = frozenset({MarkKind.SUPERSEDED, MarkKind.CLOSED, MarkKind.CORRECTED})


def overtaken(
    index: Index, ranked: Sequence[Ranked], facts: Mapping[str, float], limit: int, weights: Weights
) -> list[Ranked]:
    """Return ranked passages with those lowered whose words something overtook, best first.

    `facts` are the scores of the facts found beside them. Passages far beyond `limit` stay as they are.
    """
    looked_at = ranked[: 2 * limit + weights.reach]
    marks = {one.passage.key: _ends(index.marks(one.passage)) for one in looked_at}
    if not any(marks.values()):
        return list(ranked)
    scores = {one.passage.key: one.score * (weights.ended if marks.get(one.passage.key) else 1) for one in ranked}
    heirs = {one.passage.key: _Heirs(one, marks[one.passage.key], looked_at, index) for one in looked_at}
    for _ in looked_at:
        lowered = {key: one.below(scores, facts) for key, one in heirs.items()}
        if all(scores[key] == score for key, score in lowered.items()):
            break
        scores |= lowered
    again = [replace(one, score=scores[one.passage.key]) for one in ranked]
    return sorted(again, key=lambda one: (-one.score, one.passage.moment, str(one.passage)))


def below(fact: FactId, scores: Mapping[FactId, float], by: Mapping[FactId, FactId]) -> float:
    """Return the score of a fact, which is below that of every successor in its chain that was found."""
    score, heir = scores[fact], by.get(fact)
    for step in range(1, len(scores) + 1):
        if heir is None or heir not in scores:
            break
        score, heir = min(score, scores[heir] * _BELOW**step), by.get(heir)
    return score


class _Heirs:
    """What took the place of one passage's words, among the hits of a search."""

    def __init__(self, one: Ranked, marks: Sequence[Mark], pool: Sequence[Ranked], index: Index) -> None:
        passage = one.passage
        own = index.proves(passage) if marks else frozenset()
        self._key = passage.key
        self._facts = {mark.by for mark in marks if mark.kind is MarkKind.SUPERSEDED and mark.by not in own}
        corrected = [int(mark.by.partition("@")[2]) for mark in marks if mark.kind is MarkKind.CORRECTED]
        self._passages = [
            other.passage.key
            for other in pool
            if marks and other.beside is None and other.passage.key != passage.key
            if (self._facts and self._facts & index.proves(other.passage))
            or (corrected and other.passage.source == passage.source and other.passage.base >= min(corrected))
        ]

    def below(self, scores: Mapping[int, float], facts: Mapping[str, float]) -> float:
        """Return the score of the passage, below that of each hit that took its place."""
        above = [scores[key] for key in self._passages] + [facts[fact] for fact in self._facts if fact in facts]
        return min([scores[self._key], *(score * _BELOW for score in above)])


def _ends(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(mark for mark in marks if mark.kind in _ENDED)
