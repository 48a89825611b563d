"""Dated sessions, told in any order: which facts of single-valued attributes are open does not depend on it.

A life is told as it happened and in two random orders; `python -m tests.crash.orders` tells many.
"""

from dataclasses import dataclass
from random import Random

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from tests.store.scratch import scratch
from tests.stories.told import Tale
from xysq.model.fact import Fact, FactId, Superseded

SESSIONS = 20
PEOPLE = ("Maya", "Tom", "Nora")
CITIES, ORGS = ("Berlin", "Lisbon", "Lima", "Oslo"), ("Acme", "Apex", "Umbra")
SAID = (
    *(f"I live in {city}." for city in CITIES),
    *(f"I moved to {city}." for city in CITIES),
    *(f"I work at {org}." for org in ORGS),
    *(f"Tom lives in {city}." for city in CITIES),
    *(f"Nora works at {org}." for org in ORGS),
    "I like jazz.",
    "It rained all day.",
)


@dataclass(frozen=True)
class Session:
    """What was said at one sitting, and when."""

    name: str
    at: str
    text: str


@dataclass(frozen=True)
class Ended:
    """How a life ended: the open values of single-valued attributes, and what a newer value had to give way to."""

    open: frozenset[tuple[str, str, str]]
    wrong: tuple[str, ...]


def life(random: Random) -> tuple[Session, ...]:
    """Return sessions in the order they took place; a few at the same moment."""
    days = sorted(random.randint(1, 28) for _ in range(SESSIONS))
    return tuple(
        Session(name=f"talk{number}.txt", at=f"2026-10-{day:02d}T10:00:00Z", text=_talk(random))
        for number, day in enumerate(days)
    )


def shuffled(random: Random, sessions: tuple[Session, ...]) -> tuple[Session, ...]:
    """Return the sessions in another order."""
    return tuple(random.sample(sessions, len(sessions)))


def told(random: Random, sessions: tuple[Session, ...]) -> Ended:
    """Push sessions in the order they are given, distil every now and then, and return how it ended."""
    with scratch() as root:
        clock = Clock()
        tale = Tale(made_vault(root, clock, Entropy()), clock)
        for session in sessions:
            tale.pushed(session.text, session.name, at=session.at, form="turns")
            if random.random() < 0.5:
                tale.distilled()
        tale.distilled()
        assert tale.is_sound()
        facts = {fact.id: fact for fact in tale.facts() if fact.single}
        return Ended(
            open=frozenset((fact.page, fact.attribute, fact.value) for fact in facts.values() if fact.is_open),
            wrong=tuple(fact.text for fact in facts.values() if _was_newer(fact, facts)),
        )


def disagreement(seed: int) -> str:
    """Return what two orders make of a life otherwise than the order it had; "" where it is nothing."""
    random = Random(seed)
    sessions = life(random)
    ends = [told(random, order) for order in (sessions, shuffled(random, sessions), shuffled(random, sessions))]
    odd = sorted({value for end in ends for value in end.open ^ ends[0].open})
    wrong = sorted({text for end in ends for text in end.wrong})
    return " ".join(
        [*(f"not always open: {value}." for value in odd), *(f"wrongly superseded: {text}" for text in wrong)]
    )


def _talk(random: Random) -> str:
    return "".join(f"{random.choice(PEOPLE)}: {random.choice(SAID)}\n\n" for _ in range(random.randint(1, 3)))


def _was_newer(fact: Fact, facts: dict[FactId, Fact]) -> bool:
    """Tell whether a fact gave way to one that weighs less: said by somebody further off, or else earlier."""
    if not isinstance(fact.life, Superseded) or fact.life.by not in facts:
        return False
    return _weight(fact) > _weight(facts[fact.life.by])


def _weight(fact: Fact) -> tuple[bool, str]:
    """Return the best of what proves it: whether the owner or the person themselves said so, and when."""
    return max((piece.speaker in ("Maya", fact.page.title()), piece.at or "") for piece in fact.evidence)
