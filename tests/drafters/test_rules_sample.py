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


def test_every_judged_fact_is_still_drafted_from_the_same_bytes(
    drawn: tuple[int, int, list[Drawn]], verdicts: list[dict[str, Any]]
) -> None:
    now = {(item.path, item.start, item.end, item.attribute, item.digest) for item in drawn[2]}
    judged = {(v["path"], v["start"], v["end"], v["attribute"], v["digest"]) for v in verdicts}
    assert judged <= now


def test_nearly_all_that_is_drawn_was_judged(
    drawn: tuple[int, int, list[Drawn]], verdicts: list[dict[str, Any]]
) -> None:
    assert len(verdicts) >= 0.9 * len(drawn[2])


def test_at_least_85_of_100_judged_facts_are_true(verdicts: list[dict[str, Any]]) -> None:
    assert sum(verdict["verdict"] for verdict in verdicts) / len(verdicts) >= 0.85


def test_at_least_5_facts_are_drafted_from_100_passages(drawn: tuple[int, int, list[Drawn]]) -> None:
    passages, facts, _ = drawn
    assert 100 * facts / passages >= 5
