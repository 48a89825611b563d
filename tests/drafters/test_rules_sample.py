import json
from typing import Any

import pytest

from tests.bench.rules_sample import DATA, VERDICTS, Drawn, sample

pytestmark = pytest.mark.skipif(not DATA.is_file(), reason="needs ../shared/bench/locomo_dev.json")


@pytest.fixture(scope="module")
def drawn() -> tuple[int, int, list[Drawn]]:
    return sample()


@pytest.fixture(scope="module")
def verdicts() -> list[dict[str, Any]]:
    return [json.loads(line) for line in VERDICTS.read_text("utf-8").splitlines()]


def _judged(verdict: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(verdict[key] for key in ("path", "start", "end", "attribute", "digest"))


def _now(drawn: tuple[int, int, list[Drawn]]) -> set[tuple[Any, ...]]:
    return {(item.path, item.start, item.end, item.attribute, item.digest) for item in drawn[2]}


def test_every_fact_judged_true_is_still_drafted_from_the_same_bytes(
    drawn: tuple[int, int, list[Drawn]], verdicts: list[dict[str, Any]]
) -> None:
    assert {_judged(verdict) for verdict in verdicts if verdict["verdict"]} <= _now(drawn)


def test_nearly_all_that_is_drawn_now_was_judged(
    drawn: tuple[int, int, list[Drawn]], verdicts: list[dict[str, Any]]
) -> None:
    now = _now(drawn)
    assert len(now & {_judged(verdict) for verdict in verdicts}) >= 0.9 * len(now)


def test_at_least_85_of_100_judged_facts_are_true(verdicts: list[dict[str, Any]]) -> None:
    assert sum(verdict["verdict"] for verdict in verdicts) / len(verdicts) >= 0.85


def test_at_least_5_facts_are_drafted_from_100_passages(drawn: tuple[int, int, list[Drawn]]) -> None:
    passages, facts, _ = drawn
    assert 100 * facts / passages >= 5
