"""Render, adopted: what became of edits of pages."""

from collections.abc import Iterator, Sequence

from xysq.cli.line import Line, faint, flat, ident, line, strong, warning
from xysq.cli.render_run import run_report
from xysq.model.report import Adopted

_STAYS, _REFUSED = 4, 5


def adopted_lines(done: Sequence[Adopted]) -> Iterator[Line]:
    """Yield what became of each page's edits; what stays, as `FILE:LINE: code: sentence`."""
    for one in done:
        if one.run is not None and not one.run.refusals:
            yield line(ident(one.file), faint("  adopted"))
            yield from run_report(one.run)
        elif one.laid_out:
            yield line(ident(one.file), faint("  says nothing new; laid out as the ledger has it"))
        elif not one.unadopted:
            yield line(ident(one.file), faint("  is as the ledger has it"))
        for stays in one.unadopted:
            yield line(
                ident(f"{stays.file}:{stays.line}"), ": ", warning(stays.code), ": ", strong(flat(stays.sentence))
            )


def status_of(done: Sequence[Adopted]) -> int:
    """Return the status to end with: whether the gates refused a run, or edits stay."""
    if any(one.run is not None and one.run.refusals for one in done):
        return _REFUSED
    return _STAYS if any(one.unadopted for one in done) else 0
