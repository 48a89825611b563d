"""Render, differences: what changed in the facts with the words behind it, then the lines of the pages."""

from collections.abc import Iterator

from xysq.cli.line import INDENT, Line, Piece, Tone, counted, faint, flat, ident, line, moment, rows, strong, warning
from xysq.frozen import frozen
from xysq.jobs.changes import FactChanges, FactRef
from xysq.jobs.diff import Difference, Point
from xysq.model.fact import Evidence
from xysq.pages.escape import plain


@frozen(kw_only=False)
class PageCount:
    """How many lines a page lost and gained."""

    path: str
    gained: int
    lost: int


def difference(found: Difference, *, with_facts: bool = True, with_patch: bool = True) -> Iterator[Line]:
    """Yield what changed: the facts with their quotes, then the hunks of the pages."""
    yield line(faint("from "), _point(found.old))
    yield line(faint("to   "), _point(found.new))
    if found.backwards:
        yield line(warning("the second rev is the older one: facts are told in the order they really changed"))
    if not found:
        yield line("no difference")
        return
    if with_facts:
        yield from _facts(found.facts)
    if with_patch and found.patch:
        yield line()
        yield from patch(found.patch)


def stat(found: Difference) -> Iterator[Line]:
    """Yield the numbers alone: facts by what happened to them, lines of each page."""
    for page in page_counts(found.patch):
        yield line(ident(page.path), "  ", Piece(f"+{page.gained}", Tone.COME), " ", Piece(f"-{page.lost}", Tone.GONE))
    facts = found.facts
    told = ", ".join(
        f"{count:,} {word}"
        for count, word in (
            (len(facts.asserted), "asserted"),
            (len(facts.superseded), "superseded"),
            (len(facts.closed), "closed"),
            (len(facts.confirmed), "confirmed"),
            (len(facts.late), "late"),
            (len(facts.passing), "passing"),
        )
        if count
    )
    yield line(f"{counted(len(found.pages), 'page')}; facts: {told or 'none changed'}")


def page_counts(text: str) -> Iterator[PageCount]:
    """Yield how many lines each page of a unified diff lost and gained."""
    path, gained, lost = "", 0, 0
    in_hunk = False
    for row in text.split("\n"):
        if row.startswith("diff --git "):
            if path:
                yield PageCount(path, gained, lost)
            path, gained, lost, in_hunk = row.partition(" b/")[2], 0, 0, False
        elif row.startswith("@@"):
            in_hunk = True
        elif in_hunk:
            gained += row.startswith("+")
            lost += row.startswith("-")
    if path:
        yield PageCount(path, gained, lost)


def patch(text: str) -> Iterator[Line]:
    """Yield a unified diff with the tones of its lines."""
    tones = {"+": Tone.COME, "-": Tone.GONE, "@": Tone.ID, "d": Tone.STRONG}
    for row in text.removesuffix("\n").split("\n"):
        yield from rows(row, tone=tones.get(row[:1], Tone.PLAIN))


def _point(point: Point) -> str:
    commit = f", commit {point.commit[:12]}" if point.commit else ", before the first commit"
    return f"{point.rev} ({counted(point.events, 'event')}{commit})"


def _facts(changes: FactChanges) -> Iterator[Line]:
    for one in changes.asserted:
        yield line()
        yield from change("+ asserted", Tone.COME, one)
        yield from _quotes(one.evidence)
    for pair in changes.superseded:
        yield line()
        yield from change("~ superseded", Tone.COME, pair.new)
        yield line(INDENT, faint("instead of "), ident(pair.old.id), "  ", Piece(_text(pair.old), Tone.GONE))
        yield from _quotes(pair.new.evidence)
    for end in changes.closed:
        yield line()
        yield from change("- closed", Tone.GONE, end.fact)
        yield line(INDENT, faint(f"{end.reason}, cause "), ident(end.cause))
        yield from _quotes(end.evidence)
    for word, facts in (("= confirmed", changes.confirmed), ("< late", changes.late), ("± passing", changes.passing)):
        for one in facts:
            yield line()
            yield from change(word, Tone.FAINT, one)


def change(word: str, tone: Tone, one: FactRef) -> Iterator[Line]:
    """Yield what happened to a fact, and its text."""
    yield line(Piece(word, tone), "  ", ident(one.id), "  ", strong(one.page), faint(f"  {one.attribute}, {one.label}"))
    yield line(INDENT, _text(one))


def _text(one: FactRef) -> str:
    return flat(plain(one.text))


def _quotes(evidence: tuple[Evidence, ...]) -> Iterator[Line]:
    for quote in evidence:
        at = f", {moment(quote.at)}" if quote.at else ""
        told = faint(f"  {quote.speaker or quote.role.value}{at}, {quote.cited}#{quote.passage}")
        yield line(INDENT, Piece(f"«{flat(quote.quote)}»", Tone.QUOTE), told)
