"""Where the strings of a JSON line stand in its bytes.

`json.loads` tells what a string is, not where; a quote needs where. The line has been parsed strictly before, so
this only walks its tokens, once, and needs no stack of the interpreter's. A string that holds half of a surrogate
pair is no text: `without_lone_surrogates` makes such a line readable without moving a byte.
"""

import json
import re
from typing import TypeAlias

Place: TypeAlias = "dict[str, Place] | list[Place] | tuple[int, int] | None"

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]++|"', re.DOTALL)
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)


def string_places(line: bytes, start: int = 0) -> Place:
    """Return the shape of the JSON value at `start`, with the inside of each string literal as (start, end).

    `line` holds valid JSON there; objects and lists keep their shape, numbers and words are None.
    """
    holder: list[Place] = []
    stack: list[dict[str, Place] | list[Place]] = [holder]
    keys: list[str] = [""]
    awaits_key = False
    for match in _TOKEN.finditer(line, start):
        sign = line[match.start()]
        if sign in b"}]":
            stack.pop()
            keys.pop()
            awaits_key = False
        elif sign == 0x2C:  # a comma
            awaits_key = isinstance(stack[-1], dict)
        elif sign == 0x22 and awaits_key:
            key = match.group()
            keys[-1] = json.loads(key) if b"\\" in key else key[1:-1].decode("utf-8")
            awaits_key = False
        elif sign != 0x3A:  # a colon
            place: Place = (match.start() + 1, match.end() - 1) if sign == 0x22 else None
            if sign in b"{[":
                place = {} if sign == 0x7B else []
            top = stack[-1]
            if isinstance(top, dict):
                top[keys[-1]] = place
            else:
                top.append(place)
            if isinstance(place, dict | list):
                stack.append(place)
                keys.append("")
                awaits_key = isinstance(place, dict)
        if len(stack) == 1 and holder:
            break
    return holder[0] if holder else None


def object_end(line: bytes, start: int) -> int | None:
    """Return the end of the object that begins at `start` by its brackets alone; None where it does not end."""
    depth = 0
    for match in _TOKEN.finditer(line, start):
        token = match.group()
        if token in {b"{", b"["}:
            depth += 1
        elif token in {b"}", b"]"}:
            depth -= 1
        elif token == b'"':
            return None
        if depth == 0:
            return match.end()
    return None


def without_lone_surrogates(line: bytes) -> bytes:
    """Return the line with U+FFFD in place of each escape that is half of a surrogate pair; no byte moves."""
    return _ESCAPE.sub(_mend, line) if b"\\ud" in line or b"\\uD" in line else line


def _mend(match: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if match[1] else match.group()


def inside(place: Place, *path: str) -> Place:
    """Return the place at a path of keys; None where there is none."""
    for name in path:
        if not isinstance(place, dict):
            return None
        place = place.get(name)
    return place
