"""In which language a text is, and that one without patterns drafts nothing and says so."""

import pytest

from tests.drafters.asking import asked, said
from xysq.drafters.rules.drafter import RulesDrafter
from xysq.drafters.rules.tongue import language_of
from xysq.model.plan import DropCode

RUSSIAN = "Я живу в Москве и работаю инженером."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I moved to Lisbon last spring and I like it.", "en"),
        ("Ich wohne seit dem Frühjahr in Lissabon.", "de"),
        ("Vivo en Sevilla desde hace dos años.", "es"),
        ("J'habite à Lyon depuis trois ans.", "fr"),
        ("我现在住在新加坡。", "zh"),
        ("私は大阪に住んでいます。", "ja"),
        ("我们用Postgres和Kubernetes。", "zh"),
        (RUSSIAN, ""),
        ("나는 서울에 살아요.", ""),
        ("ฉันอยู่กรุงเทพ", ""),
        ("Asun Helsingissä siskoni kanssa, työskentelen sairaalassa, harrastan hiihtoa.", ""),
        ("ls -lh /tmp", None),
        ("12 + 34", None),
        ("", None),
    ],
)
def test_a_language_is_told_by_script_and_common_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_language_without_patterns_drafts_nothing_and_says_so_once() -> None:
    answer = RulesDrafter().draft(asked(said(RUSSIAN), said("I live in Lisbon."), said(RUSSIAN)))
    (drop,) = answer.drafting.drops
    assert drop.code is DropCode.NO_PATTERNS
    assert len(drop.rows) == 2
    assert b"Lisbon" in answer.reply
    assert "2 in a language" in drop.reason


def test_each_passage_is_read_in_its_own_language_and_the_record_says_which() -> None:
    answer = RulesDrafter().draft(asked(said("I live in Lisbon."), said("Ich arbeite bei der Charité.")))
    assert answer.drafting.parameters is not None
    assert answer.drafting.parameters["language"] == "de,en"
    assert b"Lisbon" in answer.reply
    assert "Charité".encode() in answer.reply
    assert answer.drafting.drops == ()


def test_rules_and_decisions_come_from_sessions_of_work_alone() -> None:
    talk, work = (RulesDrafter().draft(asked(said("Immer erst testen.", kind))).reply for kind in ("talk", "work"))
    assert b"Immer" not in talk
    assert b'"rule"' in work
