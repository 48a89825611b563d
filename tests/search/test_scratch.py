import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.search.scratch import Scratch
from xysq.terms import quoted, spelled


def test_terms_are_counted_where_they_stand() -> None:
    with Scratch([(1, "run, ran, running"), (7, "a walk"), (9, "runs")]) as scratch:
        assert scratch.counts('"run"') == {1: 2, 9: 1}
        assert scratch.counts('"walks"') == {7: 1}
        assert scratch.counts('"swim"') == {}


def test_places_are_those_of_the_words() -> None:
    text = "She runs. Nobody ran; running is fun"
    with Scratch([(1, text)]) as scratch:
        assert [text[start:end] for start, end in scratch.places('"run" OR "fun"')[1]] == ["runs", "running", "fun"]


@pytest.mark.parametrize("text", ["\x01run\x02 \x00run", "\x02run\x01\x01"])
def test_marks_of_ours_in_a_text_are_no_trouble(text: str) -> None:
    with Scratch([(1, text)]) as scratch:
        places = scratch.places('"run"')[1]
    assert [text[start:end] for start, end in places] == ["run"] * text.count("run")


@given(st.lists(st.sampled_from(["run", "北京", "É", "x", "\x01", " ", "’", "\u0301"]), max_size=12).map("".join))
def test_places_lie_in_the_text(text: str) -> None:
    match = quoted("run x")
    with Scratch([(1, text), (2, spelled(text))]) as scratch:
        for start, end in scratch.places(match).get(1, ()):
            assert 0 <= start < end <= len(text)
