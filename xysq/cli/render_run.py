"""Render, runs: what a run brought, what it left out and why, and how it ended."""

from collections.abc import Iterable, Iterator, Sequence

from xysq.cli.line import INDENT, Line, Piece, Tone, counted, faint, flat, ident, line, strong, warning
from xysq.cli.render import refusal_words
from xysq.model.plan import Drop
from xysq.model.report import RunReport, Told
from xysq.model.source import Row

_NAMED_ROWS = 3


def run_report(report: RunReport) -> Iterator[Line]:
    """Yield everything a run did, grouped by what happened to the facts."""
    yield line(ident(report.run), "  ", _outcome(report.outcome), faint(f"  by {report.drafter}{_from(report.rows)}"))
    yield from _told("+", "asserted", Tone.COME, report.asserted)
    yield from _told("~", "superseded", Tone.COME, report.superseded)
    yield from _told("-", "closed", Tone.GONE, report.closed)
    yield from _told("=", "confirmed", Tone.FAINT, report.confirmed)
    yield from _told("<", "late", Tone.FAINT, report.late)
    for drop in report.drops:
        yield from _dropped(drop)
    for refusal in report.refusals:
        yield line(INDENT, Piece("refused", Tone.GONE), f": {refusal_words(refusal)}")
    for row in report.gave_up:
        yield line(INDENT, warning("given up"), ": ", ident(str(row)), ". Try again with: xysq retry")
    facts = (report.asserted, report.superseded, report.closed, report.confirmed, report.late)
    if not any((*facts, report.drops, report.refusals)):
        yield line(INDENT, faint("no fact in it"))


def told_sum(reports: Sequence[RunReport]) -> str:
    """Say what several runs came to."""
    groups: tuple[tuple[int, str], ...] = (
        (sum(len(report.asserted) for report in reports), "asserted"),
        (sum(len(report.superseded) for report in reports), "superseded"),
        (sum(len(report.closed) for report in reports), "closed"),
        (sum(len(report.confirmed) for report in reports), "confirmed"),
        (sum(len(report.late) for report in reports), "late"),
        (sum(len(report.drops) for report in reports), "dropped"),
        (sum(1 for report in reports if report.refusals), "refused"),
    )
    told = ", ".join(f"{count:,} {word}" for count, word in groups if count) or "no fact"
    return f"{counted(len(reports), 'run')}: {told}"


def _outcome(outcome: str) -> Piece:
    return Piece(outcome, Tone.GONE if outcome == "refused" else Tone.STRONG)


def _from(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    named = ", ".join(str(row) for row in rows[:_NAMED_ROWS])
    return f" from {named}" + (f" and {len(rows) - _NAMED_ROWS:,} more" if len(rows) > _NAMED_ROWS else "")


def _told(sign: str, word: str, tone: Tone, facts: Iterable[Told]) -> Iterator[Line]:
    for told in facts:
        parts: list[str | Piece] = [INDENT, Piece(f"{sign} {word:<10} ", tone), ident(told.fact), "  "]
        yield line(*parts, strong(told.title), ": ", flat(told.text))
        if told.replaced:
            yield line(INDENT, INDENT, faint("instead of: "), Piece(flat(told.replaced), Tone.GONE))


def _dropped(drop: Drop) -> Iterator[Line]:
    kept = f"; its sentence stays on {drop.kept_on}, unproven" if drop.kept_on else ""
    yield line(INDENT, warning(f"! {'dropped':<10} "), f"{drop.subject}: {flat(drop.text)}")
    yield line(INDENT, INDENT, faint(f"{drop.code.value}: {flat(drop.reason)}{kept}"))
