"""Kept: where bytes of a version stand in the next one.

`kept` of an update or a correction is a list of pieces `(old start, old end, new start)`. Offsets count what quotes
cite: the raw bytes, or the text view where the version has one. A range went along only if it lies wholly inside
one piece; words that were cut in two are not the same words.
"""

from collections.abc import Iterable, Sequence

from xysq.model.ranges import Kept, Range


def follow(kept: Iterable[Kept], start: int, end: int) -> Range | None:
    """Return where `[start, end)` stands in the new version, or None where it was not kept in one piece."""
    for old_start, old_end, new_start in kept:
        if old_start <= start and end <= old_end:
            return new_start + start - old_start, new_start + end - old_start
    return None


def follow_all(steps: Iterable[Sequence[Kept]], start: int, end: int) -> Range | None:
    """Return where a range stands after several versions, oldest first."""
    place: Range | None = (start, end)
    for kept in steps:
        if place is None:
            return None
        place = follow(kept, *place)
    return place
