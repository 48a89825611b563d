"""Due: whether a source may have bytes that no applied run covers. Pure; errs on the side of yes.

Which bytes those are, and whether they are finished, is derived from the versions where work is planned; this only
lets that look at the sources that matter, however many there are.
"""

from collections.abc import Iterable, Sequence

from xysq.model.ranges import Range, joined, subtract, surviving
from xysq.model.source import Meta, Row, VersionKind

_REPLACING = (VersionKind.UPDATE, VersionKind.CORRECT)


def is_due(versions: Sequence[Meta], covered: Iterable[Row]) -> bool:
    """Tell whether some byte was brought by a version, kept by later corrections and covered by no row."""
    taken: dict[int, list[Range]] = {}
    for row in covered:
        taken.setdefault(row.version, []).append((row.start, row.end))
    for place, meta in enumerate(versions):
        left = subtract(_brought(versions, place), taken.get(meta.version, ()))
        later = versions[place + 1 :]
        steps = [(after.kind is VersionKind.CORRECT, after.kept) for after in later if after.kind in _REPLACING]
        if surviving(left, steps):
            return True
    return False


def _brought(versions: Sequence[Meta], place: int) -> tuple[Range, ...]:
    """Return the bytes a version brought, without an unfinished tail that an append continued."""
    meta = versions[place]
    continued = place + 1 < len(versions) and versions[place + 1].kind is VersionKind.APPEND
    end = meta.parsed_to if continued else meta.whole.size
    if meta.kind is VersionKind.APPEND:
        begin = meta.offset if place == 0 else min(meta.offset, versions[place - 1].parsed_to)
        return ((begin, end),)
    kept = joined(sorted((new, new + old_end - old_start) for old_start, old_end, new in meta.kept))
    return subtract([(0, end)], kept)
