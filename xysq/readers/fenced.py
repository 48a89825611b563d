"""Fenced lines of a transcript: what stands between two code fences begins nobody's turn.

People paste logs and other talks between fences; who seems to speak there does not. A fence opens on a line of its
own or behind a speaker's name, and counts only where it is closed again within some hundred lines: one that is never
closed would make everything behind it the words of whoever opened it.
"""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from xysq.readers.material import Line, Material

LONGEST_LINES = 400
_OPENS = re.compile(rb"(?:[^`~]{0,80}:)?[ \t>*]{0,8}(`{3,40}|~{3,40})[\w+#. -]{0,40}\r?")
_CLOSES = re.compile(rb"[ \t>]{0,8}(`{3,40}|~{3,40})[ \t]*\r?")


class Fences(NamedTuple):
    """The places `[start, end)` behind an opening fence, up to the line behind the closing one.

    `undecided` is where the first fence opens that may still be closed by lines to come; None where none does.
    """

    closed: tuple[tuple[int, int], ...] = ()
    undecided: int | None = None

    def hold(self, place: int) -> bool:
        """Tell whether a line that begins there is fenced; the closing fence is."""
        number = bisect_right(self.closed, place, key=lambda fence: fence[0])
        return number > 0 and place < self.closed[number - 1][1]

    def allow(self, place: int) -> bool:
        """Tell whether a reading may begin anew at a place: not inside a fence, nor behind one still undecided."""
        return not self.hold(place) and (self.undecided is None or place <= self.undecided)


def fences(material: Material) -> Fences:
    """Find the fences of the material."""
    data = material.data
    if b"```" not in data and b"~~~" not in data:
        return Fences()
    lines = list(material.lines(material.first))
    closings = [(at, found[1]) for at, line in enumerate(lines) if (found := _matched(_CLOSES, data, line)) is not None]
    closed: list[tuple[int, int]] = []
    number = 0
    while number < len(lines):
        opening = _matched(_OPENS, data, lines[number])
        number += 1
        if opening is None:
            continue
        end = _closed_at(closings, opening[1], number)
        if end is not None:
            closed.append((lines[number - 1].next, lines[end].next))
            number = end + 1
        elif len(lines) - number < LONGEST_LINES:
            return Fences(tuple(closed), lines[number - 1].start)
    return Fences(tuple(closed))


def _matched(form: re.Pattern[bytes], data: bytes, line: Line) -> re.Match[bytes] | None:
    return form.fullmatch(data, line.start, line.end)


def _closed_at(closings: list[tuple[int, bytes]], opening: bytes, first: int) -> int | None:
    """Return which line, from `first` on and near enough, closes a fence."""
    for place in range(bisect_left(closings, (first,)), len(closings)):
        number, signs = closings[place]
        if number >= first + LONGEST_LINES:
            return None
        if signs.startswith(opening):
            return number
    return None
