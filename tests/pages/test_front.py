"""Front matter reads back as the names it was given, whatever they hold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from xysq.pages.front import Front, front_lines, parse_front

ODD = (
    *(
        "",
        " ",
        "yes",
        "No",
        "TRUE",
        "null",
        "~",
        "12",
        "1.5",
        ".inf",
        "0x1F",
        "2026-11-30",
        "12:30:00",
        "1_000",
        "-",
        "?",
    ),
    *(":", "[a]", "{a}", "&a", "*a", "!a", "|", ">", "%x", "@x", "`x", "#x", "a: b", "a #b", "'a'", '"a"', ",", "a, b"),
    *("a\\b", "a/b", "\u2028", "\x85", "\ufeff", "\x00", "a  b", "---", "..."),
)
NAMES = st.sampled_from(ODD) | st.text(max_size=20).filter(lambda name: not re.search("[\ud800-\udfff]", name))


@given(title=NAMES, kind=NAMES, aliases=st.lists(NAMES, max_size=4))
def test_yaml_reads_the_names_back(title: str, kind: str, aliases: list[str]) -> None:
    lines = front_lines(title, kind, aliases)
    assert lines[0] == lines[-1] == "---"
    assert not any("\n" in line for line in lines)
    for version in ("1.1", "1.2"):
        yaml = YAML(typ="safe", pure=True)
        yaml.version = version
        read = yaml.load("\n".join(lines[1:-1]) + "\n")
        assert read["title"] == title
        assert read.get("kind", "") == kind
        assert read.get("aliases", []) == aliases


@given(title=NAMES, kind=NAMES, aliases=st.lists(NAMES, max_size=4))
def test_parsing_gives_the_names_back(title: str, kind: str, aliases: list[str]) -> None:
    assert parse_front(front_lines(title, kind, aliases)) == Front(title=title, kind=kind, aliases=tuple(aliases))


def test_ordinary_names_stay_plain() -> None:
    assert front_lines("Billing service", "service", ("billing-svc", "Zoë O'Hara", "東京")) == (
        "---",
        "title: Billing service",
        "kind: service",
        "aliases: [billing-svc, Zoë O'Hara, 東京]",
        "---",
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("---", "---"),
        ("---", "kind: x", "---"),
        ("---", "title: a", "title: a", "---"),
        ("---", "kind: x", "title: a", "---"),
        ("---", "title:  a", "---"),
        ("---", "title: a", "kind: ", "---"),
        ("---", "title: a", "aliases: []", "---"),
        ("---", "title: a", "aliases: [x,y]", "---"),
        ("---", "title: a", 'aliases: ["x]', "---"),
        ("---", "title: a", "aliases: [x", "---"),
        ("---", 'title: "a"', "---"),
        ("---", "title: yes", "---"),
        ("---", "title: a: b", "---"),
        ("---", "title: !!python/object x", "---"),
        ("---", "title: 12", "---"),
        ("---", "title: a", "tags: [x]", "---"),
        ("---", "title: a", "aliases:", "  - x", "---"),
    ],
)
def test_front_matter_in_any_other_spelling_is_not_understood(lines: tuple[str, ...]) -> None:
    assert parse_front(lines) is None


def test_long_lists_are_read_in_linear_time() -> None:
    names = [f'a "{number}"' for number in range(5_000)]
    front = parse_front(front_lines("x", "", names))
    assert front is not None
    assert front.aliases == tuple(names)
