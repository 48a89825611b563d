"""Outlook: which facts are open behind a list of event bodies, whether or not they are lawful.

Quarantine judges plans that anybody may have written, so it cannot fold them. It only needs to know which facts are
new, which have ended and by what, and in which order they come.
"""

from collections.abc import Iterable
from dataclasses import replace

from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, Statement, SupersededBy
from xysq.model.fact import Closed, Fact, FactId, Life, Open, Proof, RunId, Superseded
from xysq.model.state import LedgerState
from xysq.planner.lineage import has_fallen, holder_of

_NO_RUN = RunId("")


class Outlook:
    """The facts of a ledger as they would be behind some bodies."""

    def __init__(self, ledger: LedgerState, bodies: Iterable[Body]) -> None:
        """Take the bodies in order; the first word about a fact counts."""
        self._ledger = ledger
        self._facts: dict[FactId, Fact] = {}
        self._places: dict[FactId, int] = {}
        self._lives: dict[FactId, Life] = {}
        for place, body in enumerate(bodies):
            self._take(place, body)

    def fact(self, name: FactId) -> Fact | None:
        """Return a fact with the life it would have."""
        found = self._facts.get(name) or self._ledger.fact(name)
        life = self._lives.get(name)
        return found if found is None or life is None else replace(found, life=life)

    def take_back(self, body: Asserted | SupersededBy | LearnedLate) -> None:
        """Let a statement not have been made; what it superseded is open again."""
        self._facts.pop(body.statement.fact, None)
        if isinstance(body, SupersededBy):
            self._lives.pop(body.supersedes, None)

    def holds(self, name: FactId, *, before: FactId) -> bool:
        """Tell whether a premise is open, itself or in a successor of equal value, and stands before another fact."""
        if holder_of(name, self.fact) is None:
            return False
        return name not in self._places or self._places[name] < self._places.get(before, -1)

    def lost_a_premise(self, name: FactId) -> bool:
        """Tell whether some premise of a fact has fallen."""
        fact = self.fact(name)
        return fact is not None and any(has_fallen(premise, self.fact) for premise in fact.derived_from)

    def _take(self, place: int, body: Body) -> None:
        match body:
            case Asserted(statement=stated):
                self._state(place, stated, Open())
            case SupersededBy(statement=stated):
                self._state(place, stated, Open())
                self._lives.setdefault(body.supersedes, _superseded(stated.fact, late=False))
            case LearnedLate(statement=stated):
                self._state(place, stated, _superseded(body.superseded_by, late=True))
            case FactClosed():
                self._lives.setdefault(body.fact, _closed(body))
            case _:
                pass

    def _state(self, place: int, stated: Statement, life: Life) -> None:
        if stated.fact in self._facts:
            return
        self._places[stated.fact] = place
        self._facts[stated.fact] = Fact(
            id=stated.fact,
            page=stated.page,
            attribute=stated.attribute,
            single=stated.single,
            section=stated.section,
            value=stated.value,
            text=stated.text,
            label=stated.label,
            proofs=tuple(Proof(n=0, evidence=piece) for piece in stated.evidence),
            derived_from=stated.derived_from,
            supersedes=None,
            revives=stated.revives,
            at="",
            run=_NO_RUN,
            n=0,
            life=life,
        )


def _superseded(by: FactId, *, late: bool) -> Superseded:
    return Superseded(by=by, at="", run=_NO_RUN, n=0, late=late)


def _closed(body: FactClosed) -> Closed:
    return Closed(reason=body.reason, cause=body.cause, by=body.by, evidence=body.evidence, at="", run=_NO_RUN, n=0)
