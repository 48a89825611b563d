"""A refusal keeps both texts whole, or cuts very long ones around the place where they differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.model.run import Refusal, refusal
from xysq.text import differing, spelled_out

MOST = 2 * 2_000 + 2


def test_texts_of_a_usual_length_are_kept_whole() -> None:
    found = refusal("verbatim", "alice", "f-1", "is not there", "x" * 1_999 + "a", "x" * 1_999 + "b")
    assert (found.expected, found.found) == ("x" * 1_999 + "a", "x" * 1_999 + "b")
    assert Refusal.from_wire("refusal", found.to_wire()) == found
    assert set(found.to_wire()) == {"code", "page", "anchor", "sentence", "expected", "found"}


def test_very_long_ones_are_cut_and_the_difference_stays() -> None:
    found = refusal("verbatim", "alice", "f-1", "is not there", "x" * 9_000 + "a" + "y" * 9_000, "x" * 9_000 + "b")
    assert (len(found.expected), len(found.found)) == (MOST, 2_002)
    assert found.expected[2_001] == "a"
    assert found.found[2_001] == "b"


@pytest.mark.parametrize("side", [1, 7])
@given(head=st.text(), one=st.text(), other=st.text())
def test_what_differs_is_always_seen(side: int, head: str, one: str, other: str) -> None:
    shown, seen = differing(head + one, head + other, side)
    assert (shown == seen) == (one == other) or "…" in head + one + other
    assert max(len(shown), len(seen)) <= 2 * side + 2


@given(st.text())
def test_nothing_that_leaves_no_mark_is_left_in_a_text_spelled_out(text: str) -> None:
    assert spelled_out(text).isprintable()
