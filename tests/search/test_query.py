import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.search.query import MAX_TERMS, parse
from xysq.terms import TOKENIZER


def words(text: str) -> list[str]:
    return [term.words for term in parse(text).terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where does Alice live?", ["alice", "live"]),
        ("Alice's cat", ["alice", "cat"]),
        ("coffee coffee COFFEE", ["coffee"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("state-of-the-art", ["state", "art", "state-of-the-art"]),
        ("src/run.py", ["src", "run", "py", "src/run.py"]),
        ("snake_case", ["snake", "case", "snake_case"]),
        ("don't", ["don", "don't"]),
        ("北京喝茶", ["北京", "京喝", "喝茶"]),
        ("用Python写", ["用", "python", "写"]),
        ("ＦＵＬＬ", ["full"]),
        ("जयपुर में", ["जयपुर", "में"]),
        ("İzmir'de", ["i̇zmir", "de", "i̇zmir'de"]),
        ("", []),
        ("?! … —", []),
    ],
)
def test_telling_words_are_what_is_looked_for(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ['"', '" OR 1', "NEAR(a b)", "a* AND -b", "words : x", "col:^x", "(((", "a\x00b", "\udc80"]
)
def test_syntax_of_the_index_is_words_like_any(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize="{TOKENIZER}")')
    query = parse(text)
    if query.terms:
        connection.execute("SELECT 1 FROM words WHERE words MATCH ?", (query.match,)).fetchall()
    connection.close()


@given(st.text(st.characters(), max_size=80))
def test_every_string_is_a_query(text: str) -> None:
    query = parse(text)
    assert len(query.terms) <= MAX_TERMS
    if query.terms:
        connection = sqlite3.connect(":memory:")
        connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize="{TOKENIZER}")')
        connection.execute("SELECT 1 FROM words WHERE words MATCH ?", (query.match,)).fetchall()
        connection.close()


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a-" * 50_000, "北" * 100_000, "_" * 100_000, "a'" * 50_000, "🙂" * 100_000]
)
def test_a_hostile_string_becomes_a_small_query(text: str) -> None:
    assert len(parse(text).match) < 4_000


@pytest.mark.parametrize("text", ["When did she move?", "how long has he", "What year was it", "since when"])
def test_questions_about_time_are_known(text: str) -> None:
    assert parse(text).asks_when


@pytest.mark.parametrize("text", ["Whenever", "Where is it", "I know when"])
def test_other_questions_are_not(text: str) -> None:
    assert not parse(text).asks_when


def test_words_that_may_be_names_are_kept_apart() -> None:
    assert parse("What did Bob say about room 12?").names == ("bob", "say", "room")


def test_days_are_read() -> None:
    assert [day.month for day in parse("What did Bob do in June?").days] == [6]
