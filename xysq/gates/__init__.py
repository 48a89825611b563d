"""The gates: pure functions `(run, state) -> refusals`. All are asked; one refusal refuses the whole run."""

from collections.abc import Callable

from xysq.gates.bounds import fresh_base, limits
from xysq.gates.entitlement import authority
from xysq.gates.meaning import lineage, one_value, returned, verbatim
from xysq.model.run import Candidate, Refusal
from xysq.model.state import State

Gate = Callable[[Candidate, State], tuple[Refusal, ...]]

GATES: tuple[Gate, ...] = (verbatim, one_value, lineage, authority, returned, fresh_base, limits)


def judge(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Return every reason why a run may not land, in the order of the gates; none: it may."""
    return tuple(refusal for gate in GATES for refusal in gate(run, state))
