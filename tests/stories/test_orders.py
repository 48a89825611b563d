"""History learned late: the order in which dated sessions are pushed decides nothing; `make crash` tells more."""

from dataclasses import replace
from random import Random

import pytest

from tests.stories import orders
from tests.stories.orders import disagreement
from tests.stories.told import Tale
from xysq.model.fact import Superseded


def said(tale: Tale, text: str, at: str) -> None:
    """Push a dated session of one turn, and distil what is pending."""
    tale.pushed(f"{text}\n\n", f"{at}{len(text)}.txt", at=f"2026-11-{at}T10:00:00Z", form="turns")
    tale.distilled()


@pytest.mark.parametrize("seed", [8])
def test_what_is_open_does_not_depend_on_the_order_of_pushing(seed: int) -> None:
    assert disagreement(seed) == ""


def test_what_disagrees_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "SESSIONS", 3)
    shuffled = orders.shuffled

    def redated(random: Random, sessions: tuple[orders.Session, ...]) -> tuple[orders.Session, ...]:
        return tuple(
            replace(session, at=f"2026-09-{day:02d}T10:00:00Z", text="Tom: I live in Berlin.\n\n")
            for day, session in enumerate(shuffled(random, sessions), 1)
        )

    monkeypatch.setattr(orders, "shuffled", redated)
    assert "not always open" in disagreement(1)


def test_an_older_session_pushed_later_is_history_learned_late(tale: Tale) -> None:
    said(tale, "Tom: I live in Lisbon.", "20")
    said(tale, "Tom: I live in Berlin.", "10")
    assert tale.open() == {"Tom lives in Lisbon."}
    life = tale.fact("Tom lives in Berlin.").life
    assert isinstance(life, Superseded)
    assert (life.by, life.late) == (tale.fact("Tom lives in Lisbon.").id, True)
    assert tale.is_sound()


@pytest.mark.parametrize(
    ("first", "other"), [("I live in Oslo.", "I moved to Lima."), ("I moved to Lima.", "I live in Oslo.")]
)
def test_of_two_values_of_one_moment_the_same_one_is_open_whichever_was_there_before(
    tale: Tale, first: str, other: str
) -> None:
    for text, at in ((first, "10"), (other, "20"), (first, "20")):
        said(tale, f"Nora: {text}", at)
    assert {fact.value for fact in tale.facts() if fact.is_open} == {"Oslo"}


def test_a_value_returns_where_only_somebody_further_off_said_the_other_one_later(tale: Tale) -> None:
    """The other one ended it by words of its own, and hearsay of a later day is not what ended it."""
    said(tale, "Nora: I work at Acme.", "05")
    tale.pushed("Tom: Nora works at Apex.\n\n", "hearsay.txt", at="2026-11-20T10:00:00Z", form="turns")
    said(tale, "Nora: I work at Apex.", "10")
    said(tale, "Nora: I work at Acme.", "15")
    assert {fact.value for fact in tale.facts() if fact.is_open} == {"Acme"}
