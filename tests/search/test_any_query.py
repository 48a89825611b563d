"""Any string is a query: a short form of `python -m tests.bench.queries`."""

import random

import pytest
from hypothesis import given, settings

from tests.bench.queries import NAUGHTY, QUERIES, ask, asked, naughty, wrapped


def test_no_string_raises_anything() -> None:
    with asked() as writer:

        @given(QUERIES)
        @settings(max_examples=200, deadline=None)
        def made_up(words: str) -> None:
            ask(writer, words)

        made_up()


@pytest.mark.skipif(not NAUGHTY.is_dir(), reason="needs ../shared/transcripts/nasty/naughty")
def test_no_naughty_string_does() -> None:
    queries = [query for words in naughty() for query in wrapped(words)]
    with asked() as writer:
        for query in random.Random(7).sample(queries, min(100, len(queries))):
            ask(writer, query)
