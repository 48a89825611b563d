"""Lineage: what an inferred fact rests on, and what falls when a premise does.

A premise holds while it is open, or while the facts that took its place have an equal value. A merge ends no
premise: the same fact lives on under another id. When a premise falls, every open fact inferred from it that has no
standing quote of its own falls too, through the whole chain.
"""

from collections.abc import Callable, Iterable

from xysq.frozen import frozen
from xysq.model.event import FactClosed
from xysq.model.fact import Closed, CloseReason, Fact, FactId, Label, Open, Superseded
from xysq.model.state import Archive, LedgerState
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
                successor = look_up(by)
                if successor is None or fold(successor.value) != fold(fact.value):
                    return None
                fact = successor
            case Closed():
                return None
    return None


def has_fallen(name: FactId, look_up: LookUp) -> bool:
    """Tell whether conclusions from a fact must go: it is not held any more, and was not merely merged."""
    fact = look_up(name)
    if fact is not None and isinstance(fact.life, Closed) and fact.life.reason is CloseReason.MERGED:
        return False
    return holder_of(name, look_up) is None


def fallen(ended: Iterable[FactId], after: LedgerState, archive: Archive) -> tuple[Fallen, ...]:
    """Return the open facts that fall with the ended ones, through the chain; `after` knows that they ended."""
    found: dict[FactId, Fallen] = {}
    queue = [name for name in ended if has_fallen(name, after.fact)]
    for premise in queue:
        for name in after.resting_on(premise):
            fact = after.fact(name)
            if fact is not None and name not in found and _rests_only(fact, archive):
                found[name] = Fallen(fact=fact, premise=premise)
                queue.append(name)
    return tuple(found.values())


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
