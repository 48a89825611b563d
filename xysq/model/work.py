"""Pending work: which finished bytes of the logs no applied run covers.

Nothing is remembered about work that is due; it is derived from the versions of a source and from the rows of the
runs that were applied, so a row can never be lost. Bytes are work of the version that brought them. What later
corrections removed is no work any more; what an update or a correction kept was work before and is none again.

An unfinished last record is work once its source has been idle. When it is continued later, the whole record is
work again, from its first byte, as part of the version that continued it.
"""

from collections.abc import Iterable, Sequence

from xysq.model.ranges import Range, joined, subtract, surviving
from xysq.model.source import Meta, Row, VersionKind


def pending_rows(versions: Sequence[Meta], covered: Iterable[Row], *, idle: bool) -> tuple[Row, ...]:
    """Return the pending ranges of one source, oldest version first.

    `versions` are all versions in order, `covered` the rows of applied (and staged) runs about this source; `idle`
    tells that nothing more is expected soon, so an unfinished last record counts as finished.
    """
    taken: dict[int, list[Range]] = {}
    for row in covered:
        taken.setdefault(row.version, []).append((row.start, row.end))
    rows: list[Row] = []
    for place, meta in enumerate(versions):
        ranges = subtract(_brought(versions, place, idle=idle), taken.get(meta.version, ()))
        later = [
            (after.kind is VersionKind.CORRECT, after.kept)
            for after in versions[place + 1 :]
            if after.kind in (VersionKind.UPDATE, VersionKind.CORRECT)
        ]
        rows.extend(Row(meta.source, meta.version, start, end) for start, end in surviving(ranges, later))
    return tuple(rows)


def still_covered(rows: Iterable[tuple[Row, bool]]) -> tuple[Row, ...]:
    """Return the rows that are covered behind these, in the order of their runs; a reopened one is work again."""
    covered: list[Row] = []
    for row, is_reopened in rows:
        if is_reopened:
            covered = [left for one in covered for left in _without(one, row)]
        else:
            covered.append(row)
    return tuple(sorted(covered, key=lambda row: (row.source, row.version, row.start, row.end)))


def _without(row: Row, other: Row) -> tuple[Row, ...]:
    """Return what of a row another one leaves."""
    if (row.source, row.version) != (other.source, other.version):
        return (row,)
    return tuple(
        Row(row.source, row.version, start, end)
        for start, end in subtract([(row.start, row.end)], [(other.start, other.end)])
    )


def _brought(versions: Sequence[Meta], place: int, *, idle: bool) -> tuple[Range, ...]:
    """Return the finished ranges that a version brought."""
    meta = versions[place]
    following = versions[place + 1] if place + 1 < len(versions) else None
    continued = following is not None and following.kind is VersionKind.APPEND
    whole = idle if following is None else not continued
    end = meta.whole.size if whole else meta.parsed_to
    if meta.kind is VersionKind.APPEND:
        return ((min(meta.offset, versions[place - 1].parsed_to), end),)
    kept_here = joined(sorted((new, new + old_end - old_start) for old_start, old_end, new in meta.kept))
    return subtract([(0, end)], kept_here)
