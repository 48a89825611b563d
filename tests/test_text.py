"""Folding is one notion of the same words; safe text cannot drive a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.text import fold, safe_line, safe_text

UNSAFE = st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"]) | st.characters(), max_size=20)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Boston", "BOSTON"),
        ("a  b\n\tc", " a b c "),
        ("it’s", "it's"),
        ("it´s", "it's"),
        ("it`s", "it's"),
        ("“so”", '"so"'),
        ("«so»", '"so"'),
        ("6″", '6"'),
        ("a—b", "a-b"),
        ("a−b", "a-b"),
        ("ﬁle", "file"),
        ("Ａ１", "a1"),
        ("Straße", "STRASSE"),
        ("e\u0301", "é"),
        ("non\u00a0breaking", "non breaking"),
        ("ＡＢ　Ｃ", "ab c"),
    ],
)
def test_the_same_words_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("resume", "résumé"), ("ab", "a b"), ("1,2", "1.2"), ("a-b", "ab")])
def test_other_words_fold_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(codec="ascii")))
def test_plain_ascii_takes_a_short_way_to_the_same_end(text: str) -> None:
    assert fold(text) == fold(text + "é")[:-1].strip()


@given(UNSAFE)
def test_nothing_unsafe_is_left_in_safe_text(text: str) -> None:
    visible_formats = {"\u0600", "\u06dd", "\u070f", "\u08e2"}  # signs of their own, though Unicode calls them format
    for sign in safe_text(text):
        if sign in "\t\n":
            continue
        category = unicodedata.category(sign)
        assert category not in {"Cc", "Cs", "Zl", "Zp"}
        if category == "Cf":
            assert unicodedata.bidirectional(sign) in {"AN", "AL", "L"} or sign in visible_formats


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\rb", "a\\x0db"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("\u202eabc", "\\u202eabc"),
        ("a\u200bb", "a\\u200bb"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("\ufeff", "\\ufeff"),
        ("\u3164", "\\u3164"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("Zoë 日本 👍", "Zoë 日本 👍"),
        ("العربية", "العربية"),
    ],
)
def test_what_drives_a_terminal_is_shown_instead(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@given(st.text())
def test_a_safe_line_is_one_line(text: str) -> None:
    line = safe_line(text)
    assert line.splitlines() in ([], [line])
    assert safe_line(line) == line


def test_a_safe_line_keeps_the_words_in_order() -> None:
    assert safe_line("  one\r\n two\tthree\x1b ") == "one two three\\x1b"
