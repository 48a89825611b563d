"""Render of what a search finds: as lines for people, and as cells for programs."""

from collections.abc import Iterator, Sequence

from xysq.cli.line import INDENT, Line, Piece, faint, ident, line, moment, strong, tabbed, warning
from xysq.search.hit import Hit, HitKind


def hit(found: Hit) -> Iterator[Line]:
    """Yield a hit: where it is, who said it when, what became of it, the words; indented where it stands beside one."""
    indent = INDENT if found.beside else ""
    parts: list[str | Piece] = [ident(found.id), "  ", faint(moment(found.at)), "  ", strong(found.who)]
    for mark in marks_of(found):
        parts += ["  ", warning(f"[{mark}]")]
    yield line(indent, faint("beside  ") if found.beside else "", *parts)
    yield line(indent, INDENT, found.text)


def below_matches(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits that match, each followed by those that stand beside it."""
    return tuple(one for match in hits if not match.beside for one in hits if match.id in (one.id, one.beside))


def hit_cells(found: Hit) -> Line:
    """Return a hit for programs; what became of it stands before its words."""
    marks = "".join(f"[{mark}] " for mark in marks_of(found))
    return tabbed(found.id, found.at, found.who, f"{marks}{found.text}")


def marks_of(found: Hit) -> tuple[str, ...]:
    """Return what a hit is marked with."""
    unproven = ("unproven",) if found.kind is HitKind.PROSE and found.unproven else ()
    return (*unproven, *map(str, found.marks))
