"""YAML is read strictly and changed with its comments."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.store import yaml, yaml_full
from xysq.store.table import Table
from xysq.store.yaml import BadSettings, Entries, Items, Word


def plain(node: yaml.Node) -> object:
    match node:
        case Word():
            return node.text
        case Items():
            return [plain(inner) for inner in node.nodes]
        case Entries():
            return {key.text: plain(inner) for key, inner in node.pairs}


def read(text: str) -> object:
    return plain(yaml.read(text.encode(), "x.yaml"))


def test_tables_lists_and_words_are_read_as_they_stand() -> None:
    text = "# c\na: 1\nb: [x, 'y z', \"q\\n\"]\nc:\n  d: no\n  e: |\n    two\n    lines\nf:\n- 007\n- 1e3\n"
    assert read(text) == {
        "a": "1",
        "b": ["x", "y z", "q\n"],
        "c": {"d": "no", "e": "two\nlines\n"},
        "f": ["007", "1e3"],
    }


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "--- {}\n"])
def test_an_empty_file_has_no_entries(text: str) -> None:
    assert read(text) == {}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: &x 2\n", 2, "anchors"),
        ("a: 1\nb: *a\n", 2, "anchors"),
        ("a: &x [1]\nb: *x\n", 1, "anchors"),
        ("a: !!python/object:os.system x\n", 1, "tags"),
        ("a: !!int 3\n", 1, "tags"),
        ("a: ! x\n", 1, "tags"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("a: 1\nb: 2\na: 3\n", 3, "second time"),
        ("? [a]\n: 1\n", 1, "a key is a word"),
        ("- a\n", 1, "no table"),
        ("just words\n", 1, "no table"),
        ("a: [1\n", 2, "is not YAML"),
        ("a: b: c\n", 1, "is not YAML"),
        ("a: '\n", 2, "is not YAML"),
        ("a: \x00\n", 1, "is not YAML"),
        ("a: \x1b[31m\n", 1, "is not YAML"),
        ("a: " + "[" * 9 + "]" * 9 + "\n", 1, "deeper"),
        ("[" * 5000, 1, "deeper"),
    ],
)
def test_what_settings_do_not_need_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadSettings, match=reason) as caught:
        read(text)
    assert (caught.value.file, caught.value.line) == ("x.yaml", line)


def test_too_many_bytes_and_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadSettings, match="more than"):
        yaml.read(b"a: " + b"x" * yaml.MAX_BYTES, "x.yaml")
    with pytest.raises(BadSettings, match="UTF-8") as caught:
        yaml.read(b"a: 1\nb: \xff\n", "x.yaml")
    assert caught.value.line == 2
    assert yaml.read(b"a: " + b"x" * (yaml.MAX_BYTES - 3), "x.yaml").pairs


@given(st.binary(max_size=60) | st.text(alphabet="ab:-[]{}#&*!|>'\"\n %?,~", max_size=60).map(str.encode))
def test_any_bytes_are_settings_or_bad_settings(data: bytes) -> None:
    with suppress(BadSettings):
        assert isinstance(yaml.read(data, "x.yaml"), Entries)


def test_more_entries_than_settings_have_are_refused() -> None:
    with pytest.raises(BadSettings, match="more entries"):
        yaml.read(b"a: [" + b"x," * yaml_full.MAX_EVENTS + b"]", "x.yaml")


TEXT = """\
# at the top
a: 1   # beside

# before the table
t:
  # inside
  x: one
  y: 'quoted'
list: [p, q]
# at the end
"""


def test_a_change_leaves_comments_order_and_quotes_alone() -> None:
    assert yaml.change(TEXT, ["t", "x"], "two") == TEXT.replace("x: one", "x: two")
    assert yaml.change(TEXT, ["a"], 2) == TEXT.replace("a: 1", "a: 2")
    assert yaml.change(TEXT, ["list"], ["r"]) == TEXT.replace("[p, q]", "[r]")


def test_a_change_makes_the_tables_on_its_way() -> None:
    changed = yaml.change(TEXT, ["new", "deep", "key"], "v")
    assert read(changed) == {
        "a": "1",
        "t": {"x": "one", "y": "quoted"},
        "list": ["p", "q"],
        "new": {"deep": {"key": "v"}},
    }
    assert all(line in changed for line in TEXT.splitlines())
    assert read(yaml.change("t:\n", ["t", "x"], 1)) == {"t": {"x": "1"}}


def test_a_change_of_a_file_of_comments_keeps_them() -> None:
    assert yaml.change("# mine\n", ["a"], "x") == "# mine\n\na: x\n"
    assert yaml.change("", ["a"], "x") == "a: x\n"


WORDS = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff"), max_size=30
)
TRAPS = st.sampled_from(["no", "007", "~", "a: b", "# x", "*a", "!t", "- a", "'", '"', "[", "|", "a #b", "true"])


@given(WORDS | TRAPS)
def test_any_word_that_is_set_is_read_back(value: str) -> None:
    changed = yaml.change("# c\na: x # d\n", ["a"], value)
    assert read(changed) == {"a": value}
    assert changed.startswith("# c\n")


def table(text: str) -> Table:
    return Table(yaml.read(text.encode(), "x.yaml"), "x.yaml")


def test_a_table_gives_values_or_their_defaults() -> None:
    taken = table("w: word\nn: 7\nl: [a, b]\nt:\n  x: 1\ne:\nc: one\n")
    assert taken.word("w", "-") == "word"
    assert taken.number("n", 1) == 7
    assert taken.words("l") == ("a", "b")
    assert taken.table("t").number("x", 0) == 1
    assert taken.table("e").names() == ()
    assert taken.choice("c", ("one", "two"), "two") == "one"
    assert (taken.word("no", "-"), taken.number("no", 3), taken.words("no", ("d",))) == ("-", 3, ("d",))
    assert taken.choice("no", ("one", "two"), "two") == "two"
    taken.done()


@pytest.mark.parametrize(
    ("text", "take", "reason"),
    [
        ("w: [a]", lambda t: t.word("w", ""), "w: is not a word"),
        ('w: "a\\nb"', lambda t: t.word("w", ""), "one plain line"),
        ('w: "a\\u202eb"', lambda t: t.word("w", ""), "one plain line"),
        ("w: " + "x" * 1025, lambda t: t.word("w", ""), "one plain line"),
        ("n: '7'", lambda t: t.number("n", 1), "whole number from 1 to"),
        ("n: 0", lambda t: t.number("n", 1), "whole number from 1 to"),
        ("n: -1", lambda t: t.number("n", 1), "whole number"),
        ("n: 1_000", lambda t: t.number("n", 1), "whole number"),
        ("n: ٧", lambda t: t.number("n", 1), "whole number"),
        ("n: 99999999999", lambda t: t.number("n", 1), "whole number"),
        ("n: [1]", lambda t: t.number("n", 1), "whole number"),
        ("l: a", lambda t: t.words("l"), r"not a list, such as \[one, two\]"),
        ("l: [a, [b]]", lambda t: t.words("l"), "not a list of words"),
        ("t: 1", lambda t: t.table("t"), "not a table"),
        ("c: three", lambda t: t.choice("c", ("one", "two"), "one"), "not one of one, two"),
        ("a: 1\nb: 2", lambda t: (t.word("a", ""), t.done()), r"x.yaml:2: b: is no setting; there are: a"),
    ],
)
def test_a_table_refuses_other_values_with_key_and_line(text: str, take: object, reason: str) -> None:
    assert callable(take)
    with pytest.raises(BadSettings, match=reason):
        take(table(text))
