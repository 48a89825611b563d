"""Lineage: what an inferred fact rests on, and what falls when a premise does.

A premise holds while it is open, or while the facts that took its place have an equal value. A merge ends no
premise: the same fact lives on under another id, and falls with that. When a premise falls, every open fact inferred
from it that has no standing quote of its own falls too, through the whole chain; what rests on a fact that it took the
place of rests on it.
"""

from collections.abc import Callable, Iterable, Iterator

from xysq.frozen import frozen
from xysq.model.event import FactClosed
from xysq.model.fact import Closed, CloseReason, Fact, FactId, Label, Open, Superseded
from xysq.model.state import Archive, LedgerState
from xysq.planner.returned import united
from xysq.planner.witness import is_standing
from xysq.text import fold

ENGINE = "engine"
_LONGEST_CHAIN = 1_000
LookUp = Callable[[FactId], Fact | None]


@frozen
class Fallen:
    """An open fact that can no longer be concluded, and the premise it lost."""

    fact: Fact
    premise: FactId


def holder_of(name: FactId, look_up: LookUp) -> FactId | None:
    """Return the open fact that a premise is now: itself, or its successor of equal value; None where it fell."""
    fact = look_up(name)
    for _ in range(_LONGEST_CHAIN):
        if fact is None:
            return None
        match fact.life:
            case Open():
                return fact.id
            case Superseded(by=by):
                fact = _of_value(look_up(by), fact.value)
            case Closed(reason=CloseReason.MERGED, cause=cause):
                fact = _of_value(look_up(FactId(cause)), fact.value)
            case Closed():
                return None
    return None


def _of_value(successor: Fact | None, value: str) -> Fact | None:
    return successor if successor is not None and fold(successor.value) == fold(value) else None


def has_fallen(name: FactId, look_up: LookUp) -> bool:
    """Tell whether conclusions from a fact must go: neither it nor what took its place is held any more."""
    return holder_of(name, look_up) is None


def fallen(ended: Iterable[FactId], after: LedgerState, archive: Archive) -> tuple[Fallen, ...]:
    """Return the open facts that fall with the ended ones, through the chain; `after` knows that they ended."""
    found: dict[FactId, Fallen] = {}
    queue = [name for name in ended if has_fallen(name, after.fact)]
    for ended_fact in queue:
        for premise in _stood_for(ended_fact, after):
            for name in after.resting_on(premise):
                fact = after.fact(name)
                if fact is not None and name not in found and _rests_only(fact, archive):
                    found[name] = Fallen(fact=fact, premise=premise)
                    queue.append(name)
    return tuple(found.values())


def _stood_for(name: FactId, ledger: LedgerState) -> Iterator[FactId]:
    """Yield a fact, and those of equal value that it took the place of: by superseding them, or by a merge."""
    found = [name]
    for place in found:
        fact = ledger.fact(place)
        if fact is None:
            continue
        yield place
        old = None if fact.supersedes is None else _of_value(ledger.fact(fact.supersedes), fact.value)
        found += (
            other.id for other in (*_merged_into(fact, ledger), old) if other is not None and other.id not in found
        )


def _merged_into(fact: Fact, ledger: LedgerState) -> Iterator[Fact]:
    for slug in united(fact.page, ledger)[1:]:
        for other in ledger.facts_of(slug):
            if isinstance(other.life, Closed) and other.life.cause == fact.id:
                yield other


def premise_closings(ended: Iterable[FactId], after: LedgerState, archive: Archive) -> tuple[FactClosed, ...]:
    """Return the closings that follow from the ending of facts; each names the premise it lost as its cause."""
    return tuple(
        FactClosed(fact=gone.fact.id, reason=CloseReason.PREMISE_CLOSED, cause=gone.premise, by=ENGINE)
        for gone in fallen(ended, after, archive)
    )


def _rests_only(fact: Fact, archive: Archive) -> bool:
    """Tell whether an open fact has nothing but its premises."""
    is_conclusion = fact.is_open and fact.label is Label.INFERRED
    return is_conclusion and not any(is_standing(piece, archive) for piece in fact.evidence)
