"""A late pattern is an ordinary one, made once."""

import re

import pytest

from xysq.pattern import late


def test_it_matches_as_one_that_was_compiled_at_once() -> None:
    word = late(r"[a-z]+", re.IGNORECASE)
    assert word().findall("One two") == re.findall(r"[a-z]+", "One two", re.IGNORECASE)
    assert late(rb"\d")().search(b"a1") is not None


def test_it_is_compiled_once() -> None:
    word = late("a+")
    assert word() is word()


def test_a_broken_one_is_an_error_when_it_is_used() -> None:
    broken = late("(")
    with pytest.raises(re.error):
        broken()
