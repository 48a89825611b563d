"""Good runs pass, damaged ones do not: the short form of `make mutants`, every kind of damage in it."""

from collections.abc import Sequence

import pytest

from tests.mutants.base import Base
from tests.mutants.corpus import FAMILIES, OPERATORS
from tests.mutants.engine import tally_all
from tests.mutants.lived import lived_bases
from tests.mutants.owners import OWNERS
from tests.mutants.recipe import recipe_bases
from tests.mutants.table import NAMES, shirking, totals
from xysq.gates import judge
from xysq.gates.quarantine import quarantine

_SEED, _EACH, _LEAST = 7, 22, 2_000


@pytest.fixture(scope="module")
def bases() -> Sequence[Base]:
    return (*recipe_bases(), *lived_bases(20))


def test_no_good_run_is_refused_or_loses_a_fact(bases: Sequence[Base]) -> None:
    assert len(bases) > 50
    for base in bases:
        assert (base.name, judge(base.run, base.state)) == (base.name, ())
        assert quarantine(base.run.plan, base.run.run, base.state, base.run.rows).drops == ()


def test_every_damaged_run_is_refused_or_loses_what_was_damaged(bases: Sequence[Base]) -> None:
    tallies = list(tally_all(bases, _SEED, [_EACH] * len(OPERATORS), workers=1))
    assert [line for tally in tallies for line in tally.told] == []
    assert [tally.operator for tally in tallies if not tally.count] == []
    assert sum(tally.count for tally in tallies) >= _LEAST
    assert shirking(tallies) == []
    _, alone, _ = totals(tallies)
    assert [name for name in NAMES if not alone[name]] == []


def test_every_operator_says_what_it_damages() -> None:
    assert len({operator.name for operator in OPERATORS}) == len(OPERATORS) >= 80
    assert all((operator.damage.__doc__ or "").endswith(".") for operator in OPERATORS)
    assert all(family.operators for family in FAMILIES)
    assert OWNERS.keys() <= {operator.name for operator in OPERATORS}
    assert {name for names in OWNERS.values() for name in names} == set(NAMES)
