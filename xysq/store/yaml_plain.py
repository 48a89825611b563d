"""Plain YAML: the shape that settings are written in, read without a YAML parser.

One key a line, nested by spaces; behind it nothing, one word without signs, words in double quotes without
backslashes, or a list of such in brackets on the same line; comments on lines of their own. Whatever is not certainly
this is not read here at all (None), so a text means here what it means in YAML, or nothing.
"""

import re
from itertools import takewhile

from xysq.pattern import late
from xysq.store.yaml_node import Entries, Items, Node, Word

_MOST_LINES, _MOST_DEEP = 1_000, 4
_LINE = late(r"(?P<indent> *)(?P<key>[A-Za-z][A-Za-z0-9_]*):(?: (?P<value>[^ ].*))?")
_COMMENT = late(r" *#.*| *")
_BARE = "[A-Za-z0-9](?:[A-Za-z0-9_./@+]|-(?=[A-Za-z0-9]))*"
_WORD = late(rf'"(?P<quoted>[^"\\]*)"|(?P<bare>{_BARE})')
_LIST = late(rf'\[(?:(?:"[^"\\]*"|{_BARE})(?:, (?:"[^"\\]*"|{_BARE}))*)?\]')


class _NotPlainError(Exception):
    """The text may well be YAML, but none of this shape."""


def read_plain(text: str) -> Entries | None:
    """Return what a text says, or None where it takes a YAML parser to know."""
    if not text.replace("\n", "").isprintable():
        return None  # a tab, another control, another line break, what YAML forbids or takes for something else
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if not _COMMENT().fullmatch(line)]
    if len(lines) > _MOST_LINES:
        return None
    try:
        return _entries(lines, 0) if lines else Entries(pairs=(), line=1)
    except _NotPlainError:
        return None


def _entries(lines: list[tuple[int, str]], depth: int) -> Entries:
    """Read the lines of one table, which begin with its first key."""
    indent = _indent(lines[0][1])
    if depth == _MOST_DEEP or (depth == 0 and indent):
        raise _NotPlainError
    pairs: dict[str, tuple[Word, Node]] = {}
    place = 0
    while place < len(lines):
        number, line = lines[place]
        match = _LINE().fullmatch(line)
        if match is None or len(match["indent"]) != indent or match["key"] in pairs:
            raise _NotPlainError
        inside = list(takewhile(lambda other: _indent(other[1]) > indent, lines[place + 1 :]))
        key = Word(text=match["key"], is_bare=True, line=number)
        if (match["value"] is None) != bool(inside):
            raise _NotPlainError  # an empty value, or one that goes on
        pairs[key.text] = key, _entries(inside, depth + 1) if inside else _value(match["value"], number)
        place += 1 + len(inside)
    return Entries(pairs=tuple(pairs.values()), line=lines[0][0])


def _value(text: str, number: int) -> Node:
    if _LIST().fullmatch(text):
        return Items(nodes=tuple(_word(match, number) for match in _WORD().finditer(text)), line=number)
    match = _WORD().fullmatch(text)
    if match is None:
        raise _NotPlainError
    return _word(match, number)


def _word(match: re.Match[str], number: int) -> Word:
    bare = match["bare"]
    return Word(text=match["quoted"] if bare is None else bare, is_bare=bare is not None, line=number)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
