"""Operators: kinds of damage, each a function from a good run and chance to a damaged one.

`None` where the run has nothing that the damage could be done to. An operator belongs to a family, for the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from tests.mutants.base import Base, Mutant

T = TypeVar("T")
Damage = Callable[[Base, Random], Mutant | None]


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of damage by its name."""

    family: str
    name: str
    damage: Damage


OPERATORS: list[Operator] = []


def operator(family: str) -> Callable[[Damage], Damage]:
    """Put a function into the table of operators."""

    def put(damage: Damage) -> Damage:
        OPERATORS.append(Operator(family, damage.__name__, damage))
        return damage

    return put


def pick(random: Random, choices: Sequence[T]) -> T | None:
    """Return one of several things; None where there is none."""
    return random.choice(choices) if choices else None
