"""The court: what the gates and the pass before them say of a mutant, and the tally of many."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from tests.mutants import edits, meaning, pages, quotes
from tests.mutants.base import Base, Mutant
from tests.mutants.operator import OPERATORS, Operator
from tests.mutants.recipe import recipe_bases
from xysq.gates import GATES
from xysq.gates.blocks import bijection
from xysq.gates.bounds import fresh_base, limits
from xysq.gates.bytes import declared_bytes
from xysq.gates.meaning import verbatim
from xysq.gates.quarantine import quarantine
from xysq.model.event import RunKind
from xysq.planner.lookup import remembering

FAMILIES = (edits, quotes, pages, meaning)
_CHEAP_FIRST = (verbatim, bijection, declared_bytes, fresh_base, limits)
WHOLE_PAGE = frozenset({"bijection", "declared-bytes", "structure"})
"""Gates that compare the bytes of whole pages: they see whatever any gate about pages sees."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which gates refuse a run, and what quarantine would take out of it."""

    gates: frozenset[str]
    drops: tuple[str, ...]

    @property
    def is_caught(self) -> bool:
        return bool(self.gates or self.drops)


def verdict(mutant: Mutant) -> Verdict:
    """Ask every gate; a distilled run is also passed through quarantine, where a new drop is a finding."""
    state = remembering(mutant.state)
    gates = {refusal.gate for gate in GATES for refusal in gate(mutant.run, state)}
    if mutant.run.kind is not RunKind.DISTILL:
        return Verdict(frozenset(gates), ())
    cleared = quarantine(mutant.run.plan, mutant.run.run, mutant.state, mutant.run.rows)
    return Verdict(frozenset(gates), tuple(drop.code.value for drop in cleared.drops))


def is_caught(mutant: Mutant) -> bool:
    """Tell whether a mutant is refused or loses something; no more gates are asked than it takes."""
    state = remembering(mutant.state)
    return any(gate(mutant.run, state) for gate in _CHEAP_FIRST) or verdict(mutant).is_caught


@dataclass
class Tally:
    """What became of many mutants."""

    made: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    alone_but_whole_pages: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    survivors: list[str] = field(default_factory=list)

    def take(self, base: Base, operator: Operator, seed: int, found: Verdict) -> None:
        self.made[operator.name] += 1
        self.refused.update(found.gates)
        self.dropped.update(set(found.drops))
        if len(found.gates) == 1:
            self.alone.update(found.gates)
        others = found.gates - WHOLE_PAGE
        if len(others) == 1:
            self.alone_but_whole_pages.update(others)
        elif not others and found.gates:
            self.alone_but_whole_pages.update(found.gates if len(found.gates) == 1 else WHOLE_PAGE)
        if not found.is_caught:
            self.survivors.append(f"{operator.name} on {base.name}, seed {seed}")

    def add(self, other: "Tally") -> None:
        for name in ("made", "refused", "alone", "alone_but_whole_pages", "dropped"):
            getattr(self, name).update(getattr(other, name))
        self.survivors += other.survivors


def made(base: Base, operator: Operator, seed: int) -> Mutant | None:
    """Make one mutant; None where the base has nothing to damage, or the damage changed nothing."""
    mutant = operator.damage(base, Random(f"{base.name} {operator.name} {seed}"))
    if mutant is None:
        return None
    is_same = mutant.state.ledger is base.state.ledger and (
        mutant.run.events == base.run.events
        and mutant.run.plan == base.run.plan
        and mutant.run.after == base.run.after
        and mutant.run.before == base.run.before
    )
    return None if is_same else mutant


@cache
def _bases() -> tuple[Base, ...]:
    return tuple(recipe_bases())


def judge_seed(seed: int) -> Tally:
    """Damage every base of the recipes once by every operator; in a process of a pool."""
    return judge_all(_bases(), range(seed, seed + 1))


def judge_all(bases: Sequence[Base], seeds: range) -> Tally:
    """Damage every base by every operator, once a seed."""
    tally = Tally()
    for seed in seeds:
        for base in bases:
            for operator in OPERATORS:
                mutant = made(base, operator, seed)
                if mutant is not None:
                    tally.take(base, operator, seed, verdict(mutant))
    return tally
