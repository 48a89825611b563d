"""Fences: words that came out of this vault's own recall and went into a session again.

Recall prints its block between the lines `<xysq-recall …>` and `</xysq-recall>`. Whoever pastes it pastes the
fence with it, so the planner can tell memory from new words: what stands inside is never evidence, or one
invention would confirm itself for ever.
"""

import re
from collections.abc import Sequence

from xysq.model.ranges import Range
from xysq.model.source import Passage

_FENCE = re.compile(r"^[ \t>|*-]{0,40}<(/?)xysq-recall\b[^\n]*", re.MULTILINE)


def fences(passages: Sequence[Passage]) -> tuple[tuple[Range, ...], ...]:
    """Return, for each passage, the characters of its text that are recall output.

    A fence may run over several passages of one source where a later one closes it; one that is never closed ends
    with its passage.
    """
    result: list[tuple[Range, ...]] = []
    inside = False
    for place, passage in enumerate(passages):
        if place and passages[place - 1].source != passage.source:
            inside = False
        ranges, stays_open = fence_ranges(passage.text, inside=inside)
        inside = stays_open and _is_closed_later(passages, place)
        result.append(ranges)
    return tuple(result)


def fence_ranges(text: str, *, inside: bool = False) -> tuple[tuple[Range, ...], bool]:
    """Return the fenced characters of a text, and whether its end is inside a fence."""
    ranges: list[Range] = []
    begin = 0 if inside else None
    for match in _FENCE.finditer(text):
        is_end = match[1] == "/"
        if is_end and begin is not None:
            ranges.append((begin, match.end()))
            begin = None
        elif not is_end and begin is None:
            begin = match.start()
    if begin is not None:
        ranges.append((begin, len(text)))
    return tuple(ranges), begin is not None


def _is_closed_later(passages: Sequence[Passage], place: int) -> bool:
    source = passages[place].source
    for passage in passages[place + 1 :]:
        if passage.source != source:
            return False
        first = _FENCE.search(passage.text)
        if first is not None:
            return first[1] == "/"
    return False
