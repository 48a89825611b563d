import re

import pytest

from xysq.drafters.rules.language import WORD, Pattern, load
from xysq.errors import BadInput
from xysq.model.schema import Schema

ENGLISH = load("en")


def _named(pattern: Pattern) -> str:
    return pattern.name


def test_a_language_without_patterns_is_refused() -> None:
    with pytest.raises(BadInput):
        load("tlh")


def test_pattern_names_are_unique() -> None:
    names = [pattern.name for pattern in ENGLISH.patterns]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=_named)
def test_a_pattern_captures_a_value_and_fills_its_text(pattern: Pattern) -> None:
    groups = set(pattern.match.groupindex)
    assert "value" in groups
    assert ("subject" in groups) == (pattern.subject == "named")
    filled = groups | {"subject", "object", "value", "Value", "verb_s"}
    assert set(re.findall(r"\{(\w+)\}", pattern.text)) <= filled
    assert "{value}" in pattern.text or "{Value}" in pattern.text
    assert set(re.findall(r"\{(\w+)\}", pattern.attribute)) <= groups
    assert pattern.kinds <= {"talk", "work", "text"}


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=_named)
def test_a_pattern_has_no_unbounded_wildcard(pattern: Pattern) -> None:
    without_sets = re.sub(r"\[(?:\\.|[^\]])*\]", "_", pattern.source)
    assert not re.search(r"(?<!\\)\.[*+]", without_sets)


@pytest.mark.parametrize("pattern", ENGLISH.patterns, ids=_named)
def test_triggers_are_words_as_sentences_are_cut_into(pattern: Pattern) -> None:
    assert pattern.triggers
    assert all(WORD.fullmatch(trigger) for trigger in pattern.triggers)


def test_attributes_of_single_facts_are_those_of_the_schema() -> None:
    schema = Schema()
    single = {pattern.attribute for pattern in ENGLISH.patterns if schema.attribute(pattern.attribute).single}
    assert {"name", "role", "employer", "location", "birthday", "email", "timezone", "deadline", "owner"} <= single


@pytest.mark.parametrize(
    ("words", "spoken"),
    [
        ("i moved to lisbon last spring and i like it", True),
        ("tomasz moved to gdansk", True),
        ("ich wohne seit drei jahren in berlin und arbeite bei siemens als ingenieur", False),
        ("je suis ingenieur et je travaille chez dassault depuis dix ans", False),
        ("", False),
    ],
)
def test_a_language_is_told_by_its_function_words(words: str, spoken: bool) -> None:
    assert ENGLISH.spoken_in(words.split()) is spoken


@pytest.mark.parametrize(
    "text", ["昨日、東京に引っ越しました。", "Я живу в Москве и работаю в Acme.", "أعيش في القاهرة"]
)
def test_other_scripts_wake_no_pattern(text: str) -> None:
    assert not ENGLISH.spoken_in(WORD.findall(text.lower()))
