"""Units: a page's bytes cut where changes may happen, for the second way of looking at a change.

Used by `xysq.pages.compare` and by the gate that weighs what a page lost. It shares no code with `parse`, on
purpose: a mistake about where a block ends would have to be made twice, in two ways, to go unseen.
"""

import json
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from xysq.frozen import frozen


class UnitKind(StrEnum):
    """What a unit is."""

    FRONT = "front"
    TITLE = "title"
    HEADING = "heading"
    FACT = "fact"
    PROSE = "prose"
    LOOSE = "loose"
    CHANGELOG = "changelog"


BODY = frozenset({UnitKind.HEADING, UnitKind.FACT, UnitKind.PROSE, UnitKind.LOOSE})
_ANCHORED = re.compile(rb"(?:.* )?\^(b-[0-9a-hjkmnp-tv-z]{10})", re.DOTALL)
_ITEM = re.compile(rb"- .+ \^(f-[0-9a-hjkmnp-tv-z]{10})")
_OPENER = re.compile(rb" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)", re.DOTALL)
_BACKSLASH = re.compile(r"\\([!-/:-@\[-`{-~])")
_NAMES = re.compile(r'"(?:[^"\\]|\\.)*"|[^",\[\]\s][^",\[\]]*')


@frozen
class Unit:
    """A run of bytes that changes as one: what it is, its anchor ("" without), the heading it stands under."""

    kind: UnitKind
    anchor: str
    body: bytes
    heading: bytes


@lru_cache(maxsize=16)  # the gates of a run cut the same few pages again and again
def units(data: bytes) -> tuple[Unit, ...]:
    """Cut a page into units; blank lines between them belong to none."""
    if not data:
        return ()
    lines = data.split(b"\n")
    found: list[Unit] = []
    at, heading = 0, b""
    if lines[0] == b"---" and b"---" in lines[1:]:
        at = lines.index(b"---", 1) + 1
        found.append(_unit(UnitKind.FRONT, lines[:at]))
    log = _changelog_start(lines)
    while at < log:
        if not lines[at].strip():
            at += 1
            continue
        end = _end_of_unit(lines, at, log)
        kind, anchor = _kind(lines[at:end], is_first=all(unit.kind is UnitKind.FRONT for unit in found[:2]))
        heading = lines[at] if kind is UnitKind.HEADING else heading
        found.append(_unit(kind, lines[at:end], anchor, heading))
        at = end
    if log < len(lines):
        found.append(_unit(UnitKind.CHANGELOG, [b"\n".join(lines[log:]).rstrip(b"\n")]))
    return tuple(found)


def words_of(body: bytes) -> str:
    """Return the words of a heading or label: backslashes undone."""
    return _BACKSLASH.sub(r"\1", body.decode("utf-8", "replace"))


def folded(text: str) -> str:
    """Return the text with white space as single spaces."""
    return " ".join(text.split())


def named(page: Sequence[Unit]) -> tuple[str, str, tuple[str, ...], str] | None:
    """Return title, kind, aliases and the words of the heading `# …`; None where they are unreadable.

    Names are compared by what they say: whether one is quoted, or a sign in it escaped, is told by the render.
    """
    front = next((unit for unit in page if unit.kind is UnitKind.FRONT), None)
    title = next((unit for unit in page if unit.kind is UnitKind.TITLE), None)
    if front is None or title is None:
        return None
    values = dict.fromkeys(("title", "kind", "aliases"), "")
    order = list(values)
    for line in front.body.decode("utf-8", "replace").split("\n")[1:-1]:
        key, colon, value = line.partition(": ")
        if not colon or key not in order or not value:
            return None
        del order[: order.index(key) + 1]
        values[key] = value
    listed = _NAMES.findall(values["aliases"])
    if values["aliases"] != (f"[{', '.join(listed)}]" if listed else ""):
        return None
    try:
        aliases = tuple(_read(name) for name in listed)
        return _read(values["title"]), _read(values["kind"]), aliases, words_of(title.body[2:])
    except ValueError:
        return None


def _read(spelled: str) -> str:
    """Read a name; a quoted one has one spelling unless it holds what cannot be seen."""
    if not spelled.startswith('"'):
        return spelled
    name = json.loads(spelled)
    if not isinstance(name, str) or (name.isprintable() and json.dumps(name, ensure_ascii=False) != spelled):
        raise ValueError(spelled)
    return name


def _unit(kind: UnitKind, lines: Sequence[bytes], anchor: str = "", heading: bytes = b"") -> Unit:
    return Unit(kind=kind, anchor=anchor, body=b"\n".join(lines), heading=heading)


def _changelog_start(lines: Sequence[bytes]) -> int:
    for place in range(len(lines) - 1, -1, -1):
        if lines[place] == b"## Changelog":
            return place
        if lines[place] and not lines[place].startswith(b"- "):
            break
    return len(lines)


def _end_of_unit(lines: Sequence[bytes], start: int, log: int) -> int:
    """Return the line behind the unit that begins at a line."""
    if lines[start].startswith((b"# ", b"## ")) or _ITEM.fullmatch(lines[start]):
        return start + 1
    fence = b""
    for place in range(start, log):
        line = lines[place]
        opener = _OPENER.fullmatch(line)
        signs = (opener[1] or opener[2]) if opener else b""
        if fence:
            fence = b"" if signs.startswith(fence) and line.strip() == signs else fence
        elif place > start and (not line.strip() or line.startswith(b"## ") or _ITEM.fullmatch(line)):
            return place
        elif _ANCHORED.fullmatch(line):
            return place + 1
        else:
            fence = signs
    return log


def _kind(lines: Sequence[bytes], *, is_first: bool) -> tuple[UnitKind, str]:
    if lines[0].startswith(b"# ") and is_first:
        return UnitKind.TITLE, ""
    if lines[0].startswith(b"## "):
        return UnitKind.HEADING, ""
    item = _ITEM.fullmatch(lines[0])
    if item:
        return UnitKind.FACT, item[1].decode("ascii")
    anchored = _ANCHORED.fullmatch(lines[-1])
    return (UnitKind.PROSE, anchored[1].decode("ascii")) if anchored else (UnitKind.LOOSE, "")
