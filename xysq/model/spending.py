"""Spending: what drafting cost, and what it brought."""

from collections.abc import Mapping
from typing import Self

from xysq.frozen import frozen
from xysq.model.wire import Fields


@frozen
class Spending:
    """Calls of a drafter, tokens read and written, time, and the facts that came of it."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0
    facts: int = 0

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.tokens_in + self.tokens_out

    @property
    def seconds(self) -> float:
        """The time that calls took."""
        return self.milliseconds / 1000

    @property
    def tokens_a_fact(self) -> int | None:
        """What an accepted fact cost; None where there is none."""
        return self.tokens // self.facts if self.facts else None

    def __add__(self, other: "Spending") -> "Spending":
        """Return both together."""
        return Spending(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            milliseconds=self.milliseconds + other.milliseconds,
            facts=self.facts + other.facts,
        )

    def to_wire(self) -> Mapping[str, int]:
        """Spell it."""
        return {
            "calls": self.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "milliseconds": self.milliseconds,
            "facts": self.facts,
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            calls=fields.number("calls"),
            tokens_in=fields.number("tokens_in"),
            tokens_out=fields.number("tokens_out"),
            milliseconds=fields.number("milliseconds"),
            facts=fields.number("facts"),
        )
        fields.done()
        return result
