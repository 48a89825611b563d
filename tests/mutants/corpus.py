"""The corpus: operators applied to bases with luck that is the same every time, each distinct mutant once."""

from collections.abc import Iterator, Sequence
from random import Random

from tests.mutants.base import Base, Mutant
from tests.mutants.deeds import DEEDS
from tests.mutants.edits import EDITS
from tests.mutants.index import INDEX
from tests.mutants.judging import same_in_effect
from tests.mutants.meaning import MEANING
from tests.mutants.operator import Operator
from tests.mutants.pages import PAGES
from tests.mutants.quoting import QUOTING
from tests.mutants.remit import REMIT
from tests.mutants.shrinking import SHRINKING
from tests.mutants.wording import WORDING

FAMILIES = (PAGES, SHRINKING, EDITS, QUOTING, MEANING, WORDING, REMIT, DEEDS, INDEX)
OPERATORS: tuple[Operator, ...] = tuple(operator for family in FAMILIES for operator in family.operators)
_TRIES = 40  # without a new mutant, before an operator has shown all it has


def mutants(operator: Operator, bases: Sequence[Base], seed: int) -> Iterator[tuple[Base, Mutant]]:
    """Yield distinct mutants of one operator, until hardly any are new."""
    luck = Random(f"{seed} {operator.name}")
    seen: set[int] = set()
    missed = 0
    while missed < _TRIES * len(bases) ** 0.5:
        base = luck.choice(bases)
        mutant = operator.damage(base, luck)
        if mutant is None or same_in_effect(mutant, base):
            missed += 1
            continue
        mark = _mark(mutant, base)
        if mark in seen:
            missed += 1
            continue
        seen.add(mark)
        missed = 0
        yield base, mutant


def _mark(mutant: Mutant, base: Base) -> int:
    run = mutant.run
    events = tuple((event.hash, event.digest, event.salt, event.n, event.body is None) for event in run.events)
    pages = tuple(sorted(run.after.items())), tuple(sorted(run.before.items()))
    frame = run.run, run.kind, run.at, run.base, run.rows, run.drafter
    return hash((base.name, mutant.key, events, pages, frame, run.plan.edits, len(run.plan.events)))
