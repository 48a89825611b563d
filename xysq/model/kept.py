"""Kept: where bytes of a version stand in the next one.

`kept` of an update or a correction is a list of pieces `(old start, old end, new start)`. Offsets count what quotes
cite: the raw bytes, or the text view where the version has one. Words went along only if they lie wholly inside one
piece: what was cut in two, by words put in between, does not say the same any more.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from xysq.model.ranges import Kept, Range


class KeptMap:
    """The pieces of one version, those made one that continue each other in both versions."""

    __slots__ = ("_pieces", "_starts")

    def __init__(self, kept: Iterable[Kept]) -> None:
        """Take the pieces in any order; they do not overlap."""
        pieces: list[Kept] = []
        for old_start, old_end, new_start in sorted(kept):
            if pieces:
                before_start, before_end, before_new = pieces[-1]
                if before_end == old_start and before_new + before_end - before_start == new_start:
                    pieces[-1] = (before_start, old_end, before_new)
                    continue
            pieces.append((old_start, old_end, new_start))
        self._pieces = pieces
        self._starts = [piece[0] for piece in pieces]

    def follow(self, start: int, end: int) -> Range | None:
        """Return where `[start, end)` stands in the new version, or None where it was not kept in one piece."""
        place = bisect_right(self._starts, start) - 1
        if place < 0:
            return None
        old_start, old_end, new_start = self._pieces[place]
        return (new_start + start - old_start, new_start + end - old_start) if end <= old_end else None

    def parts(self, start: int, end: int) -> Iterable[Range]:
        """Yield where the parts of a range stand that were kept."""
        for old_start, old_end, new_start in self._pieces[max(0, bisect_right(self._starts, start) - 1) :]:
            if old_start >= end:
                return
            low, high = max(start, old_start), min(end, old_end)
            if low < high:
                yield new_start + low - old_start, new_start + high - old_start


def follow(kept: Iterable[Kept], start: int, end: int) -> Range | None:
    """Return where `[start, end)` stands in the new version, or None where it was not kept in one piece."""
    return KeptMap(kept).follow(start, end)


def follow_all(steps: Iterable[Sequence[Kept]], start: int, end: int) -> Range | None:
    """Return where a range stands after several versions, oldest first."""
    place: Range | None = (start, end)
    for kept in steps:
        if place is None:
            return None
        place = follow(kept, *place)
    return place


def stands(steps: Iterable[tuple[bool, Sequence[Kept]]], start: int, end: int) -> bool:
    """Tell whether every later correction kept the bytes `[start, end)`.

    `steps` are the later versions that replaced bytes, oldest first: whether it was a correction, and its map. What
    an update does not show any more is out of later corrections' reach.
    """
    pieces: list[Range] = [(start, end)]
    for is_correction, kept in steps:
        pieces_now = KeptMap(kept)
        if not is_correction:
            pieces = [part for low, high in pieces for part in pieces_now.parts(low, high)]
            continue
        places = [pieces_now.follow(low, high) for low, high in pieces]
        pieces = [place for place in places if place is not None]
        if len(pieces) < len(places):
            return False
    return True
