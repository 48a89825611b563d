"""Front matter: title, kind and aliases of a page as YAML, in exactly one spelling.

A name is written plain where it provably reads back as itself in YAML 1.1 and 1.2, else as a JSON string, which is
a YAML double-quoted scalar. `kind` and `aliases` are left out where they are empty. Reading is strict: front
matter is what `front_lines` writes, or it is not understood.
"""

import json
import re
from collections.abc import Sequence

from xysq.frozen import frozen

FENCE = "---"
_PLAIN = re.compile(r"[^\W\d_](?:[\w .+/'-]*[\w])?")
_DOUBLE_SPACE = "  "
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"})
_HIDDEN = re.compile("[\x7f-\xa0\u00ad\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@frozen
class Front:
    """What the front matter says."""

    title: str
    kind: str
    aliases: tuple[str, ...]


def front_lines(title: str, kind: str, aliases: Sequence[str]) -> tuple[str, ...]:
    """Spell the front matter, both fences included; one item a line."""
    lines = [FENCE, f"title: {_scalar(title)}"]
    if kind:
        lines.append(f"kind: {_scalar(kind)}")
    if aliases:
        lines.append(f"aliases: [{', '.join(_scalar(alias) for alias in aliases)}]")
    return (*lines, FENCE)


def parse_front(lines: Sequence[str]) -> Front | None:
    """Read the lines from fence to fence; None where they are not exactly what `front_lines` writes."""
    inner = list(lines[1:-1])
    title = _value(inner, "title")
    kind = _value(inner, "kind")
    listed = _value(inner, "aliases")
    aliases = () if listed is None else _items(listed)
    names = tuple(None if text is None else _name(text) for text in (title, kind or '""'))
    if aliases is None or names[0] is None or names[1] is None:
        return None
    front = Front(title=names[0], kind=names[1], aliases=aliases)
    return front if front_lines(front.title, front.kind, front.aliases) == tuple(lines) else None


def _scalar(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) and _DOUBLE_SPACE not in text and text.casefold() not in _RESERVED
    if is_plain and text.isprintable():
        return text
    return _HIDDEN.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))


def _value(lines: list[str], key: str) -> str | None:
    """Take the first line off if it has that key."""
    if lines and lines[0].startswith(f"{key}: "):
        return lines.pop(0)[len(key) + 2 :]
    return None


def _name(text: str) -> str | None:
    if not text.startswith('"'):
        return text
    try:
        value = json.loads(text, strict=True)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _items(text: str) -> tuple[str, ...] | None:
    """Read a flow list of names; None where it is none."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    inner, place = text[1:-1], 0
    names: list[str] = []
    while place < len(inner):
        string = _STRING.match(inner, place)
        comma = inner.find(", ", place)
        end = string.end() if string else comma if comma >= 0 else len(inner)
        name = _name(inner[place:end])
        if name is None:
            return None
        names.append(name)
        place = end + 2
    return tuple(names)
