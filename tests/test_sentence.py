"""Sentences are slices of a text, cut by one rule."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.sentence import sentences


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ("It costs 3.5 now. Fine.", ["It costs 3.5 now.", "Fine."]),
        ("Use v1.2.3 of foo.py please.", ["Use v1.2.3 of foo.py please."]),
        ("Dr. Smith and J. Doe met Mrs. Lee.", ["Dr. Smith and J. Doe met Mrs. Lee."]),
        ("Hello.\nDr. Smith came.", ["Hello.", "Dr. Smith came."]),
        ("I said (e.g. here) no. Yes.", ["I said (e.g. here) no.", "Yes."]),
        ("Many things, e.g. this. Then that.", ["Many things, e.g. this.", "Then that."]),
        ("He came at 5 p.m. We left.", ["He came at 5 p.m. We left."]),
        ("Is it? Mr. X knows.", ["Is it?", "Mr. X knows."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("(Really.) Yes.", ["(Really.)", "Yes."]),
        ("first line\nsecond line\n\nthird", ["first line", "second line", "third"]),
        ("今日は晴れ。明日は雨！「そう。」はい", ["今日は晴れ。", "明日は雨！", "「そう。」", "はい"]),
        ("Wait... what?! No", ["Wait...", "what?!", "No"]),
        ("See No. 5 and Fig. 2 there. So.", ["See No. 5 and Fig. 2 there.", "So."]),
        ("I said no. Then I ate a fig. Good.", ["I said no.", "Then I ate a fig.", "Good."]),
        ("Cats, dogs, etc... Then more.", ["Cats, dogs, etc...", "Then more."]),
        ("end.", ["end."]),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, cut: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == cut


@given(st.text(st.sampled_from("aB1. !?…。\n\"')”」\t"), max_size=40) | st.text(max_size=40))
def test_sentences_are_slices_in_order_that_lose_nothing_but_white_space(text: str) -> None:
    found = sentences(text)
    assert all(text[sentence.start : sentence.end] == sentence.text == sentence.text.strip() for sentence in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    gaps = [0, *(place for sentence in found for place in (sentence.start, sentence.end)), len(text)]
    assert not "".join(text[start:end] for start, end in zip(gaps[::2], gaps[1::2], strict=True)).strip()


@pytest.mark.parametrize("text", ["." * 300_000, '."' * 150_000, "。」" * 100_000, "a. " * 100_000, "\n" * 300_000])
def test_a_hostile_text_is_cut_in_one_walk(text: str) -> None:
    assert len(sentences(text)) <= len(text)
