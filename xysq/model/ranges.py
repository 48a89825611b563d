"""Half-open byte ranges and how corrections carry them: small pure arithmetic.

A range is `(start, end)`. Lists of ranges are sorted and do not overlap. `kept` is the map of an update or a
correction: pieces `(old start, old end, new start)` of the version before that stand in the new one.
"""

from collections.abc import Iterable, Sequence

from xysq.frozen import frozen

Range = tuple[int, int]
Kept = tuple[int, int, int]


def subtract(ranges: Iterable[Range], taken: Iterable[Range]) -> tuple[Range, ...]:
    """Return what is left of the ranges without the bytes of the others."""
    left = [piece for piece in ranges if piece[0] < piece[1]]
    for start, end in taken:
        left = [
            part for low, high in left for part in ((low, min(high, start)), (max(low, end), high)) if part[0] < part[1]
        ]
    return tuple(left)


@frozen(kw_only=False)
class _Followed:
    """A piece of an older version: where it began there, how long it is, where it stands now (None: not shown)."""

    origin: int
    size: int
    now: int | None


def surviving(ranges: Sequence[Range], steps: Iterable[tuple[bool, Sequence[Kept]]]) -> tuple[Range, ...]:
    """Return the parts of the ranges that later corrections did not remove, in their own offsets.

    `steps` are the later versions that replaced bytes, oldest first: whether it was a correction, and its map. What
    an update does not show any more is out of later corrections' reach and survives.
    """
    pieces = [_Followed(start, end - start, start) for start, end in ranges]
    for is_correction, kept in steps:
        pieces = [after for piece in pieces for after in _step(piece, is_correction, kept)]
    found = sorted((piece.origin, piece.origin + piece.size) for piece in pieces)
    return tuple(joined(found))


def _step(piece: _Followed, is_correction: bool, kept: Sequence[Kept]) -> Iterable[_Followed]:  # noqa: FBT001 - a step is the pair
    if piece.now is None:
        yield piece
        return
    place, end = piece.now, piece.now + piece.size
    for old_start, old_end, new_start in sorted(kept):
        low, high = max(place, old_start), min(end, old_end)
        if low >= high:
            continue
        if low > place and not is_correction:
            yield _Followed(piece.origin + place - piece.now, low - place, None)
        yield _Followed(piece.origin + low - piece.now, high - low, new_start + low - old_start)
        place = high
    if place < end and not is_correction:
        yield _Followed(piece.origin + place - piece.now, end - place, None)


def joined(ranges: Iterable[Range]) -> list[Range]:
    """Return sorted ranges with those that touch or overlap made one."""
    result: list[Range] = []
    for start, end in ranges:
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result
