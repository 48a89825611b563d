"""Words from outside become one line of Markdown that says exactly these words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from xysq.model.fact import Slug
from xysq.pages.escape import compose, escape, fold_space, is_shown, plain, respell, stands_in, text_fault

ANCHOR = "^f-7k2m9qx4aa"
COMMONMARK = MarkdownIt("commonmark")
SIGNS = st.text(alphabet="\\`*_[]<>&#;=~%$^+-.()!|:@/'\" ab1é日", max_size=24)
OPENERS = (
    *[
        "[[",
        "]]",
        "|",
        "[",
        "](",
        ")",
        "![",
        "<!--",
        "<b>",
        "</b>",
        "<a@b.c>",
        "<http://x>",
        "&amp;",
        "&#35;",
        "**",
        "__",
        "_",
        "*",
        "`",
        "```",
        "~~",
        "~~~",
        "==",
        "%%",
        "$",
        "$$",
        "#",
    ],
    *[
        "##",
        "#tag",
        "#1",
        "1.",
        "2)",
        "-",
        "+",
        ">",
        "^abc",
        "^",
        "\\",
        "\\\\",
        "a",
        "b1",
        "é",
        "日",
        "---",
        "===",
        ":",
        "]",
        "!",
        "(",
        ")",
        "<?",
        "<![CDATA[",
    ],
    " ",
    "  ",
)
PIECES = st.lists(st.sampled_from(OPENERS), max_size=12).map("".join)
LEGAL = (SIGNS | PIECES | st.text(max_size=40)).filter(lambda text: text_fault(text) is None)


def known(name: str) -> tuple[Slug, str] | None:
    """Know the names that begin with a letter of the first half of the alphabet."""
    return (Slug("alice-chen"), "Alice Chen") if name[:1].lower() in "abcdefghijklm" else None


def words_of(markdown: str, opener: str) -> str:
    """Return what CommonMark reads in the one block a line makes; fails on anything but one block of words."""
    tokens = COMMONMARK.parse(f"{opener}{markdown} {ANCHOR}\n")
    shape = [token.type for token in tokens]
    expected = {
        "- ": "bullet_list_open list_item_open paragraph_open inline paragraph_close list_item_close bullet_list_close",
        "": "paragraph_open inline paragraph_close",
        "## ": "heading_open inline heading_close",
    }
    assert " ".join(shape) == expected[opener]
    inline = next(token for token in tokens if token.type == "inline")
    assert {child.type for child in inline.children or []} == {"text"}
    return "".join(child.content for child in inline.children or []).removesuffix(f" {ANCHOR}")


@pytest.mark.parametrize("opener", ["- ", "", "## "])
@given(text=LEGAL)
def test_commonmark_reads_exactly_the_words(opener: str, text: str) -> None:
    assert words_of(escape(text), opener) == fold_space(text)


@given(text=LEGAL)
def test_a_heading_without_anchor_keeps_its_words(text: str) -> None:
    tokens = COMMONMARK.parse(f"# {escape(text)}\n")
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close"]
    assert "".join(child.content for child in tokens[1].children or []) == fold_space(text)


@given(text=LEGAL)
def test_plain_is_the_inverse_of_escape(text: str) -> None:
    assert plain(escape(text)) == fold_space(text)


@given(text=LEGAL)
def test_nothing_opens_in_obsidian(text: str) -> None:
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "\0", escape(text))
    assert "[" not in bare
    assert "%%" not in bare
    assert "~~" not in bare
    assert not re.search(r"==+[^\s=]", bare)
    assert not re.search(r"[^\s=]==+", bare)
    assert not re.search(r"(?:^|\s)#(?!\d+(?:[\s.,;:!?)'\"]|$))[^\s#]", bare)
    assert not re.search(r"\S\$", bare)
    assert not re.search(r"(?:^|\s)\^[A-Za-z0-9-]+$", bare)


@given(text=LEGAL)
def test_composed_text_says_the_labels_and_is_its_own_respelling(text: str) -> None:
    composed = compose(text, known)
    assert respell(composed) == composed
    assert words_of(composed, "- ") == re.sub(
        r"\\([!-/:-@\[-`{-~])", r"\1", composed
    )  # links are plain words to CommonMark


@given(text=LEGAL)
def test_names_nobody_knows_are_plain_words(text: str) -> None:
    composed = compose(text, lambda _name: None)
    assert words_of(composed, "- ") == plain(composed)
    assert "[[" not in re.sub(r"\\\[", "", composed)


@given(text=SIGNS | PIECES | st.text(max_size=40))
def test_respelling_settles_at_once(text: str) -> None:
    assert respell(respell(text)) == respell(text)


@pytest.mark.parametrize(
    "text",
    [
        "Alice's role is staff engineer at Acme (since 2024).",
        "The flag snake_case_name and a < b, x > y, 3 * 4, a == b, 100%, ~/bin, C#, F# and issue #42.",
        "It costs $5 and not $10; e-mail a.b@example.com; see https://example.com/a?b=c&d=e",
        "Version 1.2.3 -> 2.0, key: value, 'x' | \"y\"; Tom & Jerry!",
        "これは日本語です。",
    ],
)
def test_ordinary_sentences_stay_as_they_are(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a list", r"\- a list"),
        ("12. a list", r"12\. a list"),
        ("# a heading", r"\# a heading"),
        ("see #tag", r"see \#tag"),
        ("__init__", r"\_\_init\_\_"),
        ("x==1==y", r"x\=\=1\=\=y"),
        ("C:\\Users\\", "C:\\Users\\\\"),
        ("<div>", r"\<div>"),
        ("&amp;", r"\&amp;"),
        ("a ^word", r"a \^word"),
    ],
)
def test_a_sign_that_would_open_something_is_escaped(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_links_resolve_or_become_words() -> None:
    def resolve(name: str) -> tuple[Slug, str] | None:
        return {
            "PostgreSQL": (Slug("postgresql"), "PostgreSQL"),
            "alice-chen": (Slug("alice-chen"), "Alice Chen"),
            "bad": (Slug("../etc"), "bad"),
        }.get(name)

    assert compose("uses [[PostgreSQL]].", resolve) == "uses [[postgresql|PostgreSQL]]."
    assert compose("uses [[PostgreSQL|the *database*]].", resolve) == r"uses [[postgresql|the \*database\*]]."
    assert compose("uses [[PostgreSQL|a|b]]", resolve) == r"uses \[\[PostgreSQL|a|b]]"
    assert compose("knows [[alice-chen]] well", resolve) == "knows [[alice-chen|Alice Chen]] well"
    assert compose("uses [[Redis]] and [[Kafka|a bus]]", resolve) == "uses Redis and a bus"
    assert compose("is [[bad]]", resolve) == "is bad"
    assert compose("![[PostgreSQL]](x)", resolve) == r"\![[postgresql|PostgreSQL]]\(x)"
    assert plain("uses [[postgresql|the *database*]] and [[redis]]") == "uses the *database* and redis"


def test_a_label_no_link_can_hold_is_plain_words() -> None:
    assert compose("[[a]]", lambda _name: (Slug("a"), "x]] [[b")) == r"x]] \[\[b"
    assert compose("[[a]]", lambda _name: (Slug("a"), "x b")) == "[[a|x b]]"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        (" \t ", "empty"),
        ("a\nb", "line break"),
        ("a\rb", "line break"),
        ("a\u2028b", "line break"),
        ("a\x00b", "control"),
        ("a\x1b[31mb", "control"),
        ("a\x85b", "line break"),
        ("a\u202eb", "bidirectional"),
        ("a\u200fb", "bidirectional"),
        ("a\u2066b", "bidirectional"),
        ("a\u200bb", "invisible"),
        ("a\ufeffb", "invisible"),
        ("a\u00adb", "invisible"),
        ("a\u3164b", "invisible"),
        ("a\U000e0041b", "invisible"),
        ("a\u200db", "joiner"),
        ("\u200dа", "joiner"),
        ("a\ufe0fb", "variation"),
        ("é\ufe01\ufe02", "variation"),
        ("a\ufffeb", "no character"),
        ("a\ud800b", "surrogate"),
        ("says so ^f-7k2m9qx4aa", "anchor"),
        ("says ^b-7k2m9qx4aa so", "anchor"),
        ("says so ^word", "anchor"),
        ("^word ", "anchor"),
        ("<<<<<<< HEAD", "conflict"),
        ("- > >>>>>>> theirs", "conflict"),
        ("1. |||||||", "conflict"),
    ],
)
def test_a_text_that_may_not_be_a_block_is_named(text: str, word: str) -> None:
    fault = text_fault(text)
    assert fault is not None
    assert word in fault


@pytest.mark.parametrize(
    "text",
    [
        "a\tb",
        "می\u200cخواهم",
        "👩\u200d👩\u200d👧 and ❤\ufe0f and 1\ufe0f⃣",
        "葛\U000e0100城",
        "2^10 and ^ alone",
        "a <<<<<<< b",
        "=======",
        "<<<<<< six",
        ">>>>>>> ".strip() + "x",
        "\u0601\u0661",
        "C\u0327a va",
    ],
)
def test_a_text_that_may_be_a_block_has_no_fault(text: str) -> None:
    assert text_fault(text) is None


@pytest.mark.parametrize(
    ("value", "words", "shown"),
    [
        ("Acme", "works at Acme.", True),
        ("acme", "works at ACME, Inc", True),
        ("Acme", "works at Acmeville", False),
        ("art", "the party started", False),
        ("staff  engineer", "a Staff\nEngineer", True),
        ("10:30", "at 10:30", True),
        ("5", "version 1.5", False),
        ("1.5", "version 1.5.", True),
        ("5", "5, or so", True),
        ("foo", "foo_bar", False),
        ("C++", "likes C++", True),
        ("東京", "東京都に住んでいます", True),
        ("서울", "서울에 산다", True),
        ("กรุงเทพ", "อยู่กรุงเทพฯ", True),
        ("it's", "it’s so", True),
        ("", "anything", False),
        ("  ", "any thing", False),
        ("gone", "", False),
    ],
)
def test_a_value_stands_at_word_bounds_where_the_script_has_them(value: str, words: str, *, shown: bool) -> None:
    assert stands_in(value, words) is shown


def test_a_value_is_looked_for_in_the_words_and_not_in_the_spelling() -> None:
    assert is_shown("__init__", escape("calls __init__ first"))
    assert is_shown("PostgreSQL", "uses [[pg-main|PostgreSQL]]")
    assert not is_shown("pg-main", "uses [[pg-main|PostgreSQL]]")


def test_hostile_lengths_cost_linear_time() -> None:
    for seed in ("<", "[[", "^", "\\", "_*", "&#", "$", "<a@", "#", ">", "- ", "[[a|"):
        text = seed * (10_000 // len(seed))
        assert plain(escape(text)) == fold_space(text)
        compose(text, known)
        text_fault(text)
