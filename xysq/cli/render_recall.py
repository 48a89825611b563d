"""Render: what was recalled, and why a search found what it found."""

from collections.abc import Iterator

from xysq.cli.line import INDENT, Line, faint, ident, line, strong
from xysq.cli.render_hit import below_matches, hit
from xysq.search.block import Recall
from xysq.search.explain import Explained


def explained(told: Explained) -> Iterator[Line]:
    """Yield the hits with why they came, then what was left out and why."""
    if told.terms:
        yield line(faint(f"words by what they are worth: {', '.join(told.terms)}"))
    for found in below_matches(told.hits):
        yield from hit(found)
        for reason in found.why:
            yield line(INDENT, INDENT, faint(reason))
    if told.left_out:
        yield line(strong("left out"))
    for out in told.left_out:
        yield line(INDENT, ident(out.hit.id), f"  {out.reason}")


def left_out(told: Recall) -> Iterator[Line]:
    """Yield what was looked at and is not recalled, and why."""
    for out in told.left_out:
        yield line("left out  ", ident(out.id), f"  {out.reason}")
