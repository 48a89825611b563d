"""The engine: how many mutants of each operator which gates refuse, and which gate alone.

Work is cut by operator, so that the mutants of one are told apart in one process; two processes share it. What is
counted depends on the seed and the bases alone.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tests.mutants.base import Base, Mutant
from tests.mutants.corpus import OPERATORS, mutants
from tests.mutants.fast import remembering_gates
from tests.mutants.judging import Judgement, judged
from tests.mutants.operator import Operator

WORKERS = 2
_SHOWN = 5


@dataclass(slots=True)
class Tally:
    """What became of the mutants of one operator."""

    operator: str
    family: str
    count: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    survivors: int = 0
    told: list[str] = field(default_factory=list)

    def take(self, judgement: Judgement, base: Base, mutant: Mutant) -> None:
        """Count one mutant in."""
        self.count += 1
        self.refused.update(judgement.gates)
        self.dropped.update(judgement.codes)
        if judgement.alone:
            self.alone[judgement.alone] += 1
        if judgement.survives:
            self.survivors += 1
            if len(self.told) < _SHOWN:
                self.told.append(f"{self.operator} on {base.name}: {'; '.join(judgement.faults) or told(mutant, base)}")


def told(mutant: Mutant, base: Base) -> str:
    """Say what a mutant that nobody refused has and its base has not."""
    run, good = mutant.run, base.run
    new = [repr(body)[:400] for body in run.plan.events if body not in good.plan.events]
    gone = [repr(body)[:200] for body in good.plan.events if body not in run.plan.events]
    pages = [slug for slug in {**run.after, **good.after} if run.after.get(slug) != good.after.get(slug)]
    return f"{run.kind.value} {run.run!r} {run.at!r}: new {new}, gone {gone}, other pages {pages}"


def tallied(operator: Operator, bases: Sequence[Base], seed: int, most: int) -> Tally:
    """Judge so many mutants of an operator, or all it has."""
    tally = Tally(operator.name, operator.family)
    for base, mutant in islice(mutants(operator, bases, seed), most):
        tally.take(judged(mutant, base), base, mutant)
    return tally


_BASES: list[Base] = []  # inherited by the workers


def _work(task: tuple[int, int, int]) -> Tally:
    place, seed, most = task
    with remembering_gates():
        return tallied(OPERATORS[place], _BASES, seed, most)


def tally_all(bases: Sequence[Base], seed: int, quota: Sequence[int], workers: int = WORKERS) -> Iterator[Tally]:
    """Judge mutants of every operator, each up to its quota; yield the counts in the order of the operators."""
    _BASES[:] = bases
    tasks = [(place, seed, most) for place, most in enumerate(quota)]
    if workers == 1:
        yield from map(_work, tasks)
        return
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap(_work, tasks)
