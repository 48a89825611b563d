"""Operators: every kind of damage, each a small pure function of a base and a source of luck.

An operator returns None where the base has nothing it could damage. Its docstring says what the damage is. What is
left alone on purpose, because no rule forbids it: the passage number of a quote (a hint), the order of edits on
different pages, a sentence filed under the wrong page.
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
    """A kind of damage: its name, its family, what it does."""

    name: str
    family: str
    damage: Damage


class Family:
    """The operators of one module, by name."""

    def __init__(self, name: str) -> None:
        """Begin with none."""
        self.name = name
        self.operators: list[Operator] = []

    def __call__(self, damage: Damage) -> Damage:
        """Take a function in as an operator."""
        self.operators.append(Operator(damage.__name__.replace("_", "-"), self.name, damage))
        return damage


def pick(luck: Random, items: Sequence[T]) -> T | None:
    """Return one of some items; None of none."""
    return luck.choice(items) if items else None
