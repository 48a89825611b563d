import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.search.excerpt import excerpts
from xysq.search.query import parse

FILLER = "Nothing of interest is said here. " * 40


def excerpt(text: str, words: str, width: int = 120) -> str:
    return excerpts({1: text}, parse(words), width)[1]


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert excerpt("I live\n\n  in Boston.", "boston") == "I live in Boston."


@pytest.mark.parametrize(
    ("needle", "words"),
    [
        ("She moved to Boston last May.", "boston"),
        ("She is RUNNING again.", "run"),
        ("Sie wohnt in Zürich.", "zurich"),
        ("我住在北京，喜欢喝茶。", "北京"),
        ("call parse_run_header() first", "parse_run_header"),
    ],
)
def test_a_long_text_is_shown_where_the_words_stand(needle: str, words: str) -> None:
    shown = excerpt(FILLER + needle + " " + FILLER, words)
    assert needle in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= 122


def test_the_place_with_the_most_different_words_wins() -> None:
    text = f"tea tea tea tea. {FILLER} tea and coffee {FILLER} coffee coffee"
    assert "tea and coffee" in excerpt(text, "tea coffee")


def test_words_at_the_end_are_shown_with_what_leads_to_them() -> None:
    shown = excerpt(FILLER + "He said yes", "yes")
    assert shown.endswith("He said yes")
    assert len(shown) > 80


def test_where_no_word_stands_the_beginning_is_shown() -> None:
    assert excerpt("First. " + FILLER, "zebra").startswith("First. Nothing")


def test_no_word_is_cut_where_there_are_spaces() -> None:
    shown = excerpt(FILLER + "needle " + FILLER, "needle").strip("…")
    assert set(shown.split()) <= {*FILLER.split(), "needle"}


@given(st.text(max_size=400), st.text(max_size=20), st.integers(10, 80))
def test_any_text_has_an_excerpt_of_about_that_size(text: str, words: str, width: int) -> None:
    shown = excerpt(text, words, width)
    assert "\n" not in shown
    assert len(shown) <= width + 2


@pytest.mark.parametrize("text", ["a " * 50_000, "b" * 100_000, "a\n" * 50_000, "北京" * 50_000])
def test_a_huge_text_is_no_trouble(text: str) -> None:
    assert len(excerpt(text, "a b 北京")) <= 122
