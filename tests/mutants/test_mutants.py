"""Two thousand mutants, and none passes; every good run does."""

import pytest

from tests.mutants.base import Base, Mutant
from tests.mutants.court import is_caught, made, verdict
from tests.mutants.operator import OPERATORS
from tests.mutants.recipe import recipe_bases

SEEDS = (71, 72)


@pytest.fixture(scope="module")
def bases() -> list[Base]:
    return list(recipe_bases())


def test_good_runs_are_refused_by_nobody(bases: list[Base]) -> None:
    kinds = {base.run.kind.value for base in bases}
    assert kinds >= {"distill", "correct", "adopt", "revert", "page"}
    for base in bases:
        found = verdict(Mutant(base.run, base.state))
        assert not found.is_caught, (base.name, found)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_mutant_passes(bases: list[Base], seed: int) -> None:
    made_by: dict[str, int] = dict.fromkeys((operator.name for operator in OPERATORS), 0)
    for base in bases:
        for operator in OPERATORS:
            mutant = made(base, operator, seed)
            if mutant is not None:
                made_by[operator.name] += 1
                assert is_caught(mutant), f"{operator.name} on {base.name}, seed {seed}"
    assert min(made_by.values()) > 0
    assert sum(made_by.values()) >= 1000
