"""The gates: pure functions `(run, state) -> refusals`. All are asked; one refusal refuses the whole run."""

from collections.abc import Callable
from dataclasses import replace

from xysq.gates.blocks import bijection, changelog, closed_shown, fact_behind_block, frozen_text, value_shown
from xysq.gates.bounds import fresh_base, limits
from xysq.gates.bytes import conflict_markers, declared_bytes, shrinkage, structure
from xysq.gates.entitlement import authority
from xysq.gates.meaning import lineage, one_value, returned, verbatim
from xysq.model.run import Candidate, Refusal
from xysq.model.state import State
from xysq.planner.lookup import remembering

Gate = Callable[[Candidate, State], tuple[Refusal, ...]]

GATES: tuple[Gate, ...] = (
    declared_bytes,
    frozen_text,
    verbatim,
    changelog,
    bijection,
    fact_behind_block,
    closed_shown,
    one_value,
    value_shown,
    conflict_markers,
    shrinkage,
    lineage,
    authority,
    returned,
    structure,
    fresh_base,
    limits,
)


def judge(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Return every reason why a run may not land, in the order of the gates; none: it may."""
    asked = remembering(state)
    return tuple(refusal for gate in GATES for refusal in gate(run, asked))


def judge_again(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Return every reason against a run that passed before; settings may have changed since, so they are not asked."""
    asked = remembering(replace(state, schema=None))
    return tuple(refusal for gate in GATES if gate is not limits for refusal in gate(run, asked))
