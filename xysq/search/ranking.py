"""Ranking: how well texts answer a query, with every number that decides in one place.

The plain relevance of the index (BM25) only picks candidates. Among them and the passages around them each term
counts by how telling it is and how often it stands in the passage itself and in the turns beside it, since an answer
seldom repeats the question's words (BM25F, the turns around being a second field). On top come small factors: the
share of the question that is met, the best of the same sitting, whom and which day the question names. The figures
are tuned on conversations; `tests/bench/locomo.py` measures them.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from xysq.frozen import frozen
from xysq.model.index import IndexedPassage
from xysq.model.source import Role
from xysq.pattern import late
from xysq.search.date import fit
from xysq.search.query import Query, Term
from xysq.search.scratch import Scratch
from xysq.terms import findable
from xysq.text import fold


@frozen
class Weights:
    """The figures of the ranking.

    `saturation` and `length` are BM25's k1 and b for the passage itself, `usual_words` the length that costs
    nothing; `around…` the same for the passage with its neighbours, `around` what that is worth. The others are
    factors: `covered` an exponent, `sitting` a share of the best score of the same source and day.
    """

    candidates: int = 40
    reach: int = 2
    saturation: float = 0.9
    length: float = 0.2
    usual_words: float = 20.0
    around: float = 0.8
    around_saturation: float = 1.0
    around_length: float = 0.5
    name: float = 0.2
    speaker: float = 0.4
    covered: float = 0.5
    sitting: float = 0.3
    day: float = 0.6
    time_words: float = 0.4
    asking: float = 0.25
    tool: float = 0.6
    ended: float = 0.5
    prose: float = 0.8


WEIGHTS = Weights()
_TIME_WORDS = late(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|weeks?|months?|years?|weekend|morning|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SIDE_ROLES = (Role.TOOL, Role.SYSTEM)


@frozen(kw_only=False)
class Ranked:
    """A passage and its score; of one that only stands near a match, `beside` is that match."""

    passage: IndexedPassage
    score: float
    beside: IndexedPassage | None = None


@frozen
class Aim:
    """A query with what the index knows about it: how telling each term is, and whom it names, folded."""

    query: Query
    telling: Mapping[Term, float]
    speakers: frozenset[str]

    @property
    def total(self) -> float:
        """What all terms together are worth."""
        return sum(self.telling.values()) or 1.0


def telling(frequency: int, size: int) -> float:
    """Return how telling a term is that stands in `frequency` of `size` passages."""
    return math.log1p((max(size, frequency) - frequency + 0.5) / (frequency + 0.5))


def rank_texts(aim: Aim, texts: Sequence[tuple[int, str]], weights: Weights = WEIGHTS) -> Mapping[int, float]:
    """Score texts that stand alone, by key; 1 would be a text that has every term, again and again."""
    lengths = {key: _length(text) for key, text in texts}
    worth: dict[int, list[tuple[float, float]]] = {key: [] for key in lengths}
    for telling_, counts in _counts(aim, texts):
        for key, count in counts.items():
            worth[key].append((telling_, _own(count, lengths[key], weights)))
    return {key: _score(pairs, aim.total, weights) for key, pairs in worth.items()}


def rank_passages(
    aim: Aim, found: Sequence[IndexedPassage], near: Iterable[IndexedPassage], weights: Weights = WEIGHTS
) -> list[Ranked]:
    """Score the passages found and those near them, best first."""
    pool = {passage.key: passage for passage in (*near, *found)}
    lengths = {key: _length(passage.text) for key, passage in pool.items()}
    beside = _beside(pool.values(), weights.reach)
    around = {key: lengths[key] + sum([lengths[other] for other in others]) for key, others in beside.items()}
    worth: dict[int, list[tuple[float, float]]] = {key: [] for key in pool}
    held = {passage.key: 0 for passage in found}
    for telling_, counts in _counts(aim, [(key, passage.text) for key, passage in pool.items()]):
        totals = dict(counts)
        for key, count in counts.items():
            held[key] = held.get(key, 0) + 1
            for other in beside[key]:
                totals[other] = totals.get(other, 0) + count
        for key, total in totals.items():
            value = _around(total, around[key], weights)
            if key in counts:
                value += _own(counts[key], lengths[key], weights)
            worth[key].append((telling_, value))
    scores = {
        key: _score(pairs, aim.total, weights) / (1 + weights.around) * _role(pool[key], weights)
        for key, pairs in worth.items()
    }
    best = _sittings(pool.values(), scores)
    ranked = [
        Ranked(
            passage,
            (scores[key] + weights.sitting * best[sitting_of(passage)]) * _factor(aim, passage, weights),
            None if key in held else pool[max(beside[key], key=lambda other: held.get(other, -1))],
        )
        for key, passage in pool.items()
        if scores[key] > 0
    ]
    ranked.sort(key=lambda one: (-one.score, one.passage.moment, str(one.passage)))
    return ranked


def _counts(aim: Aim, texts: Iterable[tuple[int, str]]) -> Iterator[tuple[float, Mapping[int, int]]]:
    """Yield for each term how telling it is, and how often it stands in each text where it does."""
    with Scratch((key, findable(text)) for key, text in texts) as scratch:
        for term, worth in aim.telling.items():
            yield worth, scratch.counts(term.match)


def _score(worth: Sequence[tuple[float, float]], possible: float, weights: Weights) -> float:
    """Return what the terms are worth together, and the more the larger their share of the question is."""
    total = share = 0.0
    for telling_, value in worth:
        total += telling_ * value
        share += telling_ * min(1.0, value)
    return total * math.pow(share / possible, weights.covered) / (possible * (1 + weights.saturation))


def _own(count: int, length: float, weights: Weights) -> float:
    norm = 1 - weights.length + weights.length * length / weights.usual_words
    return count * (1 + weights.saturation) / (count + weights.saturation * norm)


def _around(count: int, length: float, weights: Weights) -> float:
    usual = weights.usual_words * (1 + 2 * weights.reach)
    norm = 1 - weights.around_length + weights.around_length * length / usual
    return weights.around * count * (1 + weights.around_saturation) / (count + weights.around_saturation * norm)


def _beside(passages: Iterable[IndexedPassage], reach: int) -> Mapping[int, tuple[int, ...]]:
    """Return for each passage the keys of those up to `reach` places away in the same sitting."""
    places = {(sitting_of(passage), passage.base, passage.until, passage.number): passage.key for passage in passages}
    return {
        key: tuple(
            places[sitting, base, until, number + step]
            for step in range(-reach, reach + 1)
            if step and (sitting, base, until, number + step) in places
        )
        for (sitting, base, until, number), key in places.items()
    }


def sitting_of(passage: IndexedPassage) -> tuple[str, str]:
    """Return what the turns of one sitting have in common: their source and day."""
    return passage.source, passage.moment[:10]


def _sittings(passages: Iterable[IndexedPassage], scores: Mapping[int, float]) -> Mapping[tuple[str, str], float]:
    best: dict[tuple[str, str], float] = {}
    for passage in passages:
        sitting = sitting_of(passage)
        best[sitting] = max(best.get(sitting, 0.0), scores[passage.key])
    return best


def _role(passage: IndexedPassage, weights: Weights) -> float:
    return weights.tool if passage.role in _SIDE_ROLES else 1.0


def _factor(aim: Aim, passage: IndexedPassage, weights: Weights) -> float:
    return math.prod(factor for _, factor in factors(aim, passage, weights))


def factors(aim: Aim, passage: IndexedPassage, weights: Weights) -> Iterator[tuple[str, float]]:
    """Yield what weighs in besides the words: why, and by how much the score is multiplied."""
    if aim.query.days and (fits := fit(passage.moment, aim.query.days)):
        yield "of the time that is named", 1.0 + weights.day * fits
    if aim.speakers and fold(passage.speaker) in aim.speakers:
        yield "said by whom it names", 1 + weights.speaker
    if aim.query.asks_when and _TIME_WORDS().search(passage.text):
        yield "tells a time", 1 + weights.time_words
    if passage.text.rstrip().endswith(("?", "？")):
        yield "a question", 1 - weights.asking


def _length(text: str) -> float:
    """Return about how many words a text has, whatever its script; beyond a page it costs no more."""
    return min(len(text) / 5.5, 600.0)
