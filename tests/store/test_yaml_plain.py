"""What is read without a YAML parser is what a YAML parser reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.model.settings import Me
from xysq.store.schema_file import schema_text
from xysq.store.settings import settings_text
from xysq.store.yaml_full import read as read_full
from xysq.store.yaml_node import BadSettings, Entries
from xysq.store.yaml_plain import read_plain

OURS = (settings_text(Me(name="Zoë 東", aliases=("z", "zo"))), schema_text(), "", "# nothing\n\n", "a: 1")
NOT_PLAIN = (
    "a: b # why",
    "a: b: c",
    "a:\n",
    "a:\n  b: 1\n c: 2",
    "a: 1\n  b: 2",
    " a: 1",
    "a: [b, [c]]",
    'a: "x\\n"',
    "a: 'b'",
    "- a",
    "a: &x b",
    "a: *x",
    "a: !t b",
    "a: |\n  b",
    "a: b\na: c",
    "a: two words",
    "---\na: b",
    "a:\tb",
    "a: b\r\n",
    "a: b\u2028",
    "a: b\u0085",
    "\ufeffa: b",
    "a: [b,c]",
    "a: b-",
    "a: ~",
    "a: b:",
)


@pytest.mark.parametrize("text", OURS)
def test_what_we_write_is_plain_and_means_the_same(text: str) -> None:
    assert read_plain(text) == read_full(text, "x.yaml")


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_everything_else_is_left_to_the_parser(text: str) -> None:
    assert read_plain(text) is None


def _parsed(text: str) -> Entries | None:
    try:
        return read_full(text, "x.yaml")
    except BadSettings:
        return None


_WORDS_AND_SPACES = ("a", "b1", "key", "no", "007", "1e3", "# c", "é", " ", "  ", "\n", "\n  ", "\n    ", "\t", "- ")
_PIECES = st.sampled_from((*_WORDS_AND_SPACES, ": ", ", ", "<<", *":\"[]-.@+_'|&*!%{}?~\\"))


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_no_text_is_read_otherwise_than_by_the_parser(text: str) -> None:
    plain = read_plain(text)
    assert plain is None or plain == _parsed(text)


_WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_./@+]{0,6}|\"[a-z #:,\[\]{}é-]{0,8}\"", fullmatch=True)
_VALUES = _WORDS | st.lists(_WORDS, max_size=3).map(lambda words: f"[{', '.join(words)}]")
_KEYS = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True)


@given(
    st.dictionaries(_KEYS, _VALUES | st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=3), min_size=1, max_size=4)
)
def test_tables_of_words_and_lists_are_plain(table: dict[str, str | dict[str, str]]) -> None:
    lines = []
    for key, value in table.items():
        lines += (
            [f"{key}: {value}"] if isinstance(value, str) else [f"{key}:", *(f"  {k}: {v}" for k, v in value.items())]
        )
    text = "\n".join(lines)
    plain = read_plain(text)
    assert plain is not None
    assert plain == read_full(text, "x.yaml")
