import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.terms import TOKENIZER, bare, findable, pairs, parts, quoted, spelled


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize="{TOKENIZER}")')
    yield connection
    connection.close()


def found(index: sqlite3.Connection, text: str, query: str) -> bool:
    index.execute("DELETE FROM words")
    index.execute("INSERT INTO words VALUES (?)", (spelled(text),))
    match = quoted(query)
    return bool(match) and index.execute("SELECT 1 FROM words WHERE words MATCH ?", (match,)).fetchone() is not None


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我住在北京，喜欢喝茶。", "北京"),
        ("我住在北京，喜欢喝茶。", "喝茶"),
        ("我住在北京，喜欢喝茶。", "京"),
        ("我用 Python 写代码", "我用 Python 写"),
        ("東京タワーに行きました", "タワー"),
        ("ﾀﾜｰ", "タワー"),
        ("서울에서 살아요", "서울"),
        ("ผมอยู่ที่กรุงเทพ", "กรุงเทพ"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("She went running in Zürich", "zurich"),
        ("She went running in Zürich", "run"),
        ("cafe\u0301 au lait", "café"),
        ("edit src/store/run_header.py now", "src/store/run_header.py"),
        ("the state-of-the-art thing", "state of the art"),
        ("ＦＵＬＬ width", "full"),
    ],
)
def test_words_of_every_script_are_found(index: sqlite3.Connection, text: str, query: str) -> None:
    assert found(index, text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [("我住在北京", "京北"), ("我住在北京", "南京"), ("a b", "b a"), ("running", "runner up"), ("ไทย", "ยไ")],
)
def test_what_is_not_there_is_not_found(index: sqlite3.Connection, text: str, query: str) -> None:
    assert not found(index, text, query)


@given(st.text(max_size=60))
def test_any_string_is_a_phrase_the_index_takes(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize="{TOKENIZER}")')
    match = quoted(text)
    if match:
        connection.execute("SELECT 1 FROM words WHERE words MATCH ?", (match,)).fetchall()
    connection.execute("INSERT INTO words VALUES (?)", (spelled(text),))
    connection.close()


@given(st.text("我住在北京喝茶", min_size=1, max_size=12), st.data())
def test_every_stretch_of_a_run_without_spaces_is_found(run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(text, tokenize="{TOKENIZER}")')
    connection.execute("INSERT INTO words VALUES (?)", (spelled(run),))
    assert connection.execute("SELECT 1 FROM words WHERE words MATCH ?", (quoted(run[start:end]),)).fetchone()
    connection.close()


@pytest.mark.parametrize("text", ["", " ", "!!", '"', "…", "\x00", "🙂"])
def test_a_text_without_a_word_is_no_phrase(text: str) -> None:
    assert quoted(text) == ""


def test_lone_surrogates_from_an_argument_are_no_trouble() -> None:
    assert quoted("caf\udc80e") == '"caf?e"'


def test_the_pieces_of_identifiers_are_known() -> None:
    assert parts("call parseRunHeader, then HTTPServer2Go") == "parse Run Header HTTP Server 2 Go"


def test_words_without_joints_have_no_pieces() -> None:
    assert parts("Plain Words, ALL CAPS, snake_case") == ""


def test_pieces_of_a_hostile_text_are_bounded() -> None:
    assert len(parts("aB" * 50_000)) == 0
    assert len(parts(" ".join(f"a{chr(65 + n % 26)}b{n}C{n}" for n in range(5_000)))) < 10_000


def test_pairs_overlap() -> None:
    assert pairs("北京市") == ("北京", "京市")
    assert pairs("京") == ("京",)


@given(st.text())
def test_bare_keeps_every_character_in_its_place(text: str) -> None:
    assert len(bare(text)) == len(text)


def test_bare_takes_accents_and_case_away() -> None:
    assert bare("Ünïcode ＡＢＣ Straße") == "unicode abc straße"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Straße", "strasse"),
        ("STRASSE", "straße"),
        ("Θεσσαλονίκη", "ΘΕΣΣΑΛΟΝΙΚΗ"),
        ("ένας λόγος", "λογοσ"),
        ("ещё раз", "еще"),
        ("Łódź", "lodz"),
        ("Færøerne", "faeroerne"),
        ("Đà Nẵng", "da nang"),
        ("ısı", "isi"),
        ("जयपुर", "जयपुर"),
    ],
)
def test_what_people_write_both_ways_is_found_both_ways(index: sqlite3.Connection, text: str, query: str) -> None:
    assert found(index, text, query)


def test_a_letter_with_a_mark_stays_itself_where_it_is_another_letter(index: sqlite3.Connection) -> None:
    assert not found(index, "май", "маи")


def test_identifiers_are_findable_by_their_pieces() -> None:
    assert findable("call parseRunHeader") == "call parseRunHeader parse Run Header"
    assert findable("call it") == "call it"
