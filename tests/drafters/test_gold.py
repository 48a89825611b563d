import json
from pathlib import Path
from typing import Any

import pytest

from tests.drafters.asking import facts

GOLD: list[dict[str, Any]] = json.loads(Path(__file__).with_name("gold_en.json").read_text("utf-8"))
TRAPS = [item for item in GOLD if not item["want"]]


def _found(item: dict[str, Any]) -> set[tuple[str, ...]]:
    drafted = facts(item["text"], item["kind"], item["speaker"] or "Nora")
    return {(fact.subject, fact.attribute, fact.value) for fact in drafted}


def test_the_gold_sentences_are_many_and_nearly_half_of_them_traps() -> None:
    assert len(GOLD) >= 60
    assert len(TRAPS) >= 0.45 * len(GOLD)


def test_precision_and_recall_on_the_gold_sentences() -> None:
    found = [(_found(item), {tuple(want) for want in item["want"]}) for item in GOLD]
    right = sum(len(got & want) for got, want in found)
    assert right / sum(len(got) for got, _ in found) >= 0.9
    assert right / sum(len(want) for _, want in found) >= 0.6


@pytest.mark.parametrize("item", TRAPS, ids=lambda item: item["text"][:50])
def test_a_trap_drafts_nothing(item: dict[str, Any]) -> None:
    assert _found(item) == set()
