"""Gold sentences of each language, half of them traps: what must be drafted of them, and what must not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.drafters.asking import facts

GOLD: dict[str, list[dict[str, Any]]] = {
    path.stem.removeprefix("gold_"): json.loads(path.read_text("utf-8"))
    for path in sorted(Path(__file__).parent.glob("gold_*.json"))
}
LEAST = {"en": (60, 0.6)}  # sentences, recall


def _found(item: dict[str, Any]) -> set[tuple[str, ...]]:
    drafted = facts(item["text"], item["kind"], item["speaker"] or "Nora")
    return {(fact.subject, fact.attribute, fact.value) for fact in drafted}


def _traps() -> Iterator[Any]:
    for language, items in GOLD.items():
        yield from (pytest.param(item, id=f"{language}: {item['text'][:50]}") for item in items if not item["want"])


def test_there_is_gold_of_every_language_with_patterns() -> None:
    assert sorted(GOLD) == ["de", "en", "es", "fr", "ja", "zh"]


@pytest.mark.parametrize("language", GOLD)
def test_the_gold_sentences_are_many_and_nearly_half_of_them_traps(language: str) -> None:
    sentences = GOLD[language]
    assert len(sentences) >= LEAST.get(language, (40, 0))[0]
    assert sum(not item["want"] for item in sentences) >= 0.45 * len(sentences)


@pytest.mark.parametrize("language", GOLD)
def test_precision_and_recall_on_the_gold_sentences(language: str) -> None:
    found = [(_found(item), {tuple(want) for want in item["want"]}) for item in GOLD[language]]
    right = sum(len(got & want) for got, want in found)
    assert right / sum(len(got) for got, _ in found) >= 0.9
    assert right / sum(len(want) for _, want in found) >= LEAST.get(language, (40, 0.4))[1]


@pytest.mark.parametrize("item", tuple(_traps()))
def test_a_trap_drafts_nothing(item: dict[str, Any]) -> None:
    assert _found(item) == set()
