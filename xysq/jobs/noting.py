"""Noting: what somebody says now is distilled before they are answered, by whoever comes to it first.

Between its landing and now another process may have taken a note into a run of its own, together with whatever else
was pending, and may be slow, or dead. So it is not asked who distilled it: once no run under way has rows of it, every
run that covers it is told from what is committed, as far as it is about this note.
"""

from dataclasses import replace

from xysq.drafters.port import Drafter
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.record import read_record, run_events
from xysq.jobs.telling import APPLIED, REFUSED, tell
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, SupersededBy
from xysq.model.fact import Evidence
from xysq.model.report import RunReport
from xysq.model.source import SourceId
from xysq.store import wal
from xysq.store.readmodel import RunLine, Snapshot

_TRIES = 5


def distill_noted(opened: Opened, source: SourceId, drafter: Drafter) -> tuple[RunReport, ...]:
    """Distill what a source says; return the runs that did, of it alone, and those that were refused."""
    refused: list[RunReport] = []
    for _ in range(_TRIES):
        reports = distill(opened, DistillOrder(drafter=drafter, only=source))
        refused += (one for one in reports if one.outcome == REFUSED and any(row.source == source for row in one.rows))
        if not _is_under_way(opened, source):
            break
    with readable(opened).reading() as snapshot:
        applied = (_told(opened, snapshot, line, source) for line in snapshot.lists.runs_covering(source))
        return (*applied, *refused)


def _is_under_way(opened: Opened, source: SourceId) -> bool:
    """Tell whether a run that no person is to apply has rows of a source and is not applied yet."""
    runs = (staged for staged in wal.load_readable(opened.files) if not staged.by_hand)
    return any(row.source == source for staged in runs for row in staged.record.rows)


def _told(opened: Opened, snapshot: Snapshot, line: RunLine, source: SourceId) -> RunReport:
    """Tell of an applied run what it took from one source."""
    record, _ = read_record(opened, line.run)
    bodies = tuple(event.body for event in run_events(opened, line.n, line.run) if event.body is not None)
    if any(row.source != source for row in record.rows):
        bodies = tuple(body for body in bodies if any(one.source == source for one in _evidence(body)))
        record = replace(
            record,
            rows=tuple(row for row in record.rows if row.source == source),
            drops=tuple(drop for drop in record.drops if any(row.source == source for row in drop.rows)),
        )
    return tell(record, bodies, snapshot.ledger, APPLIED, commit=line.commit)


def _evidence(body: Body) -> tuple[Evidence, ...]:
    """Return the quotes that an event brings."""
    match body:
        case Asserted() | SupersededBy() | LearnedLate():
            return body.statement.evidence
        case Confirmed() | FactClosed():
            return body.evidence
        case _:
            return ()
