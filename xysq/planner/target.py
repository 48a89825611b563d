"""Target: what a revert takes back, a run or a source, and which facts, quotes and endings are its doing.

A fact is a run's if the run stated it, and a source's if words of it were cited where the fact was stated: its wording
rests on them. A fact that only gained a quote is somebody else's. What ended by the doing of either is free again: it
was superseded by a fact of theirs, or closed by their words or by that run; so is history that was learned late behind
such a fact, or one that a quote of theirs made newer, and what was closed because such a fact was its premise.
"""

from xysq.frozen import frozen
from xysq.model.fact import Closed, CloseReason, Fact, FactId, Open, Proof, Superseded
from xysq.model.state import LedgerState

_RUN = "r-"
_LONGEST_CHAIN = 1_000


@frozen(kw_only=False)
class Target:
    """A run or a source that is taken back, by its id."""

    name: str

    @property
    def is_run(self) -> bool:
        """True where it is a run."""
        return self.name.startswith(_RUN)

    def stated(self, fact: Fact, ledger: LedgerState) -> bool:
        """Tell whether a fact is its own."""
        if self.is_run:
            return fact.run == self.name
        own = [proof for proof in fact.proofs if proof.n == fact.n]
        if own:
            return any(proof.evidence.source == self.name for proof in own)
        mark = ledger.run_of(fact.n)
        return mark is not None and bool(mark.rows) and all(row.source == self.name for row in mark.rows)

    def leaves(self, fact: Fact, ledger: LedgerState) -> bool:
        """Tell whether a fact is part of what is left without it: nobody's that was reverted."""
        return not is_reverted(fact) and not self.stated(fact, ledger)

    def gave(self, proof: Proof, ledger: LedgerState) -> bool:
        """Tell whether a quote is of its giving."""
        if not self.is_run:
            return proof.evidence.source == self.name
        mark = ledger.run_of(proof.n)
        return mark is not None and mark.run == self.name

    def ended(self, fact: Fact, ledger: LedgerState) -> bool:
        """Tell whether a fact ended by its doing."""
        for _ in range(_LONGEST_CHAIN):
            match fact.life:
                case Open():
                    return False
                case Superseded(by=by, late=True):
                    return self._has_part_in(by, ledger)
                case Superseded(by=by, run=run):
                    return (self.is_run and run == self.name) or self._is_own(by, ledger)
                case Closed(run=run) if self.is_run and run == self.name:
                    return True
                case Closed(reason=CloseReason.PREMISE_CLOSED, cause=cause):
                    premise = ledger.fact(FactId(cause))
                    if premise is None or self.stated(premise, ledger):
                        return premise is not None
                    fact = premise
                case Closed():
                    return self._closed(fact, fact.life, ledger)
        return False

    def _is_own(self, name: FactId, ledger: LedgerState) -> bool:
        fact = ledger.fact(name)
        return fact is not None and self.stated(fact, ledger)

    def _has_part_in(self, name: FactId, ledger: LedgerState) -> bool:
        """Tell whether a fact is its own, or weighs what it does by a quote of its giving."""
        fact = ledger.fact(name)
        return self._is_own(name, ledger) or (fact is not None and any(self.gave(one, ledger) for one in fact.proofs))

    def _closed(self, fact: Fact, life: Closed, ledger: LedgerState) -> bool:
        """Tell whether words of the source, or their correction, closed a fact that is not its own."""
        if self.is_run:
            return False
        if life.reason is CloseReason.CORRECTED:
            return life.cause.startswith(f"{self.name}@") and not self.stated(fact, ledger)
        is_by_words = life.reason is CloseReason.RETRACTED and bool(life.evidence)
        return is_by_words and all(piece.source == self.name for piece in life.evidence)


def is_reverted(fact: Fact) -> bool:
    """Tell whether a fact was taken back."""
    return isinstance(fact.life, Closed) and fact.life.reason is CloseReason.REVERTED
