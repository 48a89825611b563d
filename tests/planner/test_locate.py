"""Typed words are found exactly, or in the one place that is equal after folding."""

from hypothesis import given
from hypothesis import strategies as st

from xysq.planner.locate import locate
from xysq.text import fold


def found(words: str, text: str) -> str | None:
    place = locate(words, text)
    return None if place is None else text[place[0] : place[1]]


def test_exact_words_are_found_where_they_first_stand() -> None:
    assert locate("tea", "no tea, more tea") == (3, 6)


def test_exact_words_win_over_words_that_are_only_equal_after_folding() -> None:
    assert locate("Tea", "tea or Tea or TEA") == (7, 10)


def test_quotation_marks_dashes_case_and_white_space_do_not_count() -> None:
    assert (
        found("i'm  a 'senior' e-mail person", "So I’m a\n‘senior’ e–mail person.") == "I’m a\n‘senior’ e–mail person"
    )


def test_words_equal_in_two_places_only_after_folding_are_in_none() -> None:
    assert found("TEA", "tea and Tea") is None


def test_words_that_are_not_there_are_in_none() -> None:
    assert found("coffee", "tea and milk") is None


def test_no_words_are_in_no_place() -> None:
    assert found("  ", "tea and milk") is None


def test_a_place_never_cuts_a_letter_that_folds_to_several() -> None:
    assert found("stras", "Große Straße") is None
    assert found("STRASSE", "Große Straße") == "Straße"


def test_a_mark_is_not_left_behind() -> None:
    assert found("CAFE", "cafe\u0301") is None
    assert found("CAFÉ", "cafe\u0301 noir") == "cafe\u0301"


@given(st.text(max_size=40), st.text(max_size=10), st.text(max_size=40))
def test_what_is_found_is_equal_after_folding(before: str, words: str, after: str) -> None:
    place = locate(words, f"{before}{words}{after}")
    if place is None:
        assert not words.strip()
    else:
        text = f"{before}{words}{after}"[place[0] : place[1]]
        assert fold(text) == fold(words)


@given(st.text(alphabet="aA bB'’\u0301ßﬁ\n", max_size=30), st.text(alphabet="aA bB'’\u0301ßﬁ\n", max_size=6))
def test_a_folded_place_holds_the_words_and_nothing_else(text: str, words: str) -> None:
    place = locate(words, text)
    if place is not None:
        assert fold(text[place[0] : place[1]]) == fold(words)
