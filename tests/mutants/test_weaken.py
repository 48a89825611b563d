"""No gate can be taken out unseen, and whoever looks for weakened gates sees them."""

import ast
from types import ModuleType

import pytest

from tests.mutants import weaken
from tests.mutants.equivalents import EQUIVALENTS
from tests.mutants.fast import remembering_gates
from tests.mutants.weakening import Weakened, Weakening, weakenings
from xysq.gates import GATES, Gate, bounds, entitlement

BY_NAME = {module.__name__: module for module, _ in weaken.MODULES.values()}


def named(module: ModuleType, *words: str) -> Weakening:
    """Return the first weakening of a module whose name has all the words."""
    return next(found for found in weakenings(module) if all(word in str(found) for word in words))


def test_nothing_is_noticed_while_no_gate_is_weakened() -> None:
    with remembering_gates():
        assert weaken.noticed(GATES, weaken.corpus(1, 2)) == ""


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.__name__)
def test_a_gate_that_finds_nothing_is_noticed_by_a_mutant(gate: Gate) -> None:
    module = BY_NAME[gate.__module__]
    with Weakened(module, named(module, f": {gate.__name__}: finds nothing")), remembering_gates():
        found = weaken.noticed((gate,), weaken.corpus(1, 2))
    assert "survives" in found or "is not refused by" in found


def test_a_weakened_module_is_itself_again_afterwards() -> None:
    code = bounds.fresh_base.__code__
    with Weakened(bounds, named(bounds, "fresh_base: finds nothing")):
        assert bounds.fresh_base.__code__ is not code
        assert GATES[-2] is bounds.fresh_base
    assert bounds.fresh_base.__code__ is code


def test_weakenings_turn_conditions_and_leave_sentences_alone() -> None:
    found = [str(weakening).split(": ", 2)[2] for weakening in weakenings(entitlement)]
    assert "run.kind is RunKind.REVERT: IsNot" in found
    assert "kind in _BY_HAND and new.observation.at == held.observation.at: without kind in _BY_HAND" in found
    assert len(found) > 90
    assert all(isinstance(weakening.tree(), ast.Module) for weakening in weakenings(bounds))


def test_every_equivalent_weakening_exists_and_has_a_reason() -> None:
    every = {weaken.key(str(found)) for module, _ in weaken.MODULES.values() for found in weakenings(module)}
    assert EQUIVALENTS.keys() <= every
    assert all(EQUIVALENTS.values())
