"""JSON text that belongs to somebody else: changed in one place, every other byte left as it is.

A parsed value forgets how it was written; people's settings are written by hand. So the text is kept, and `locate`
tells where its values stand. What is inserted follows the way its neighbours are laid out. Texts are strict JSON.
"""

import json
import re
from typing import Any, NamedTuple

from xysq.canonical import parse_json

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\s,\]}"]+')
_INDENT = 2


class Node(NamedTuple):
    """A value in a text: from where to where it stands, and the children of an object (with keys) or a list."""

    start: int
    end: int
    keys: tuple[str, ...] = ()
    begins: tuple[int, ...] = ()
    children: tuple["Node", ...] = ()

    def child(self, key: str) -> "Node | None":
        """Return the value of a key."""
        return self.children[self.keys.index(key)] if key in self.keys else None


def read(text: str) -> Any:  # noqa: ANN401 - JSON is any value
    """Return the value a text spells. Raises `BadJson`."""
    return parse_json(text.encode("utf-8", "surrogatepass"))


def locate(text: str) -> Node:
    """Return where the values of a text stand; the text is one that `read` takes."""
    return _value(text, _skip(text, 0))


def insert(text: str, into: Node, value: object, key: str | None = None) -> str:
    """Return the text with a value added at the end of an object (under `key`) or of a list."""
    if into.children:
        at = into.children[-1].end
        before = _skip(text, into.children[-2].end) if len(into.children) > 1 else into.start
        lead = text[before + 1 : into.begins[-1]]
        return f"{text[:at]},{lead}{_spelled(value, key, lead)}{text[at:]}"
    outer = _indent_of(text, into.start)
    lead = f"\n{outer}{' ' * _INDENT}"
    return f"{text[: into.start + 1]}{lead}{_spelled(value, key, lead)}\n{outer}{text[into.end - 1 :]}"


def remove(text: str, out_of: Node, place: int) -> str:
    """Return the text without one child of an object or a list, and without the comma it needed."""
    children, begins = out_of.children, out_of.begins
    if len(children) == 1:
        return text[: out_of.start + 1] + text[out_of.end - 1 :]
    if place == 0:
        return text[: begins[0]] + text[begins[1] :]
    return text[: children[place - 1].end] + text[children[place].end :]


def _spelled(value: object, key: str | None, lead: str) -> str:
    """Spell a child on lines of its own where its neighbours have lines of their own."""
    is_laid_out = "\n" in lead
    spelled = json.dumps(value, ensure_ascii=False, indent=_INDENT if is_laid_out else None)
    if is_laid_out:
        spelled = spelled.replace("\n", "\n" + lead.rpartition("\n")[2])
    return spelled if key is None else f"{json.dumps(key)}: {spelled}"


def _indent_of(text: str, place: int) -> str:
    """Return the white space that begins the line a place stands on."""
    begin = text.rfind("\n", 0, place) + 1
    return text[begin : _skip(text, begin)] if begin < place else ""


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return place if found is None else found.end()


def _end(text: str, start: int) -> int:
    """Return where a string, number or word ends."""
    found = _SCALAR.match(text, start)
    return start if found is None else found.end()


def _value(text: str, start: int) -> Node:
    match text[start]:
        case "{" | "[":
            return _container(text, start)
        case _:
            return Node(start, _end(text, start))


def _container(text: str, start: int) -> Node:
    keys: list[str] = []
    begins: list[int] = []
    children: list[Node] = []
    place = _skip(text, start + 1)
    while text[place] not in "}]":
        begins.append(place)
        if text[start] == "{":
            end = _end(text, place)
            keys.append(json.loads(text[place:end]))
            place = _skip(text, _skip(text, end) + 1)
        children.append(_value(text, place))
        place = _skip(text, children[-1].end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return Node(start, place + 1, tuple(keys), tuple(begins), tuple(children))
