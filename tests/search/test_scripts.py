"""Whatever the script, and whatever the identifier: what somebody types finds the passage that has it."""

from collections.abc import Iterator

import pytest

from tests.modelled import modelled, put_turns
from tests.search.corpus import QUERIES, TALKS
from tests.store.scratch import scratch
from xysq.model.source import SourceId
from xysq.search.find import find
from xysq.search.hit import Place
from xysq.search.query import parse
from xysq.store.readmodel.writer import Writer

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_SOURCES = {talk: SourceId(f"20261130-00000{_LETTERS[place]}") for place, talk in enumerate(TALKS)}


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    with scratch() as path, modelled(path) as model, model.writing() as writing:
        for talk, turns in TALKS.items():
            put_turns(writing, *turns, source=_SOURCES[talk])
        yield writing


def rank(writer: Writer, words: str, passage: str) -> int:
    """Return the place of a passage among the first ten hits, from 1; 99 where it is none of them."""
    talk = passage.rstrip("0123456789")
    wanted = f"{_SOURCES[talk]}@1#{passage.removeprefix(talk)}"
    ids = [hit.id for hit in find(writer.state.index, words, where=(Place.LOGS,))]
    return ids.index(wanted) + 1 if wanted in ids else 99


def test_what_is_typed_finds_what_was_said(writer: Writer) -> None:
    ranks = {(words, passage): rank(writer, words, passage) for words, passage in QUERIES}
    late = {query: place for query, place in ranks.items() if place > 3}
    share = 100 * (1 - len(late) / len(ranks))
    assert len(ranks) >= 120
    assert share >= 95, f"{share:.1f} % of {len(ranks)} queries find their passage at rank 1 to 3; not so {late}"


def test_most_of_it_comes_first(writer: Writer) -> None:
    firsts = sum(rank(writer, words, passage) == 1 for words, passage in QUERIES)
    assert firsts >= 0.85 * len(QUERIES), f"only {firsts} of {len(QUERIES)} come first"


@pytest.mark.parametrize("passage", ["long1", "long3", "long4"])
def test_a_long_passage_is_shown_where_it_was_found(writer: Writer, passage: str) -> None:
    words = next(words for words, wanted in QUERIES if wanted == passage)
    hit = find(writer.state.index, words, where=(Place.LOGS,))[0]
    assert parse(words).terms[0].words in hit.text.casefold()
    assert len(hit.text) < 300
