"""The vault's private part: the write-ahead log, what was set aside, the queue, runs that wait to be finished."""

from collections.abc import Iterator
from contextlib import suppress

from xysq.errors import Damaged
from xysq.jobs.proof.view import View, fault, note, told
from xysq.model.report import Finding
from xysq.store import layout, queue, wal


def write_ahead(view: View) -> Iterator[Finding]:
    """Find runs in the log that cannot be read, and files of staged runs that are not as they were staged (P12)."""
    try:
        yield from map(told, wal.faults(view.files))
        for run in wal.list_runs(view.files):
            for path in wal.altered(view.files, run):
                if path.endswith("/draft.json"):
                    yield note(path, "edited", "is not as it was answered; the run is planned again from it")
                else:
                    sentence = f"is not as it was staged; xysq verify {run} judges it, xysq discard {run} drops it"
                    yield fault(path, "staged", sentence)
    except Damaged as damage:
        yield told(damage)


def queued(view: View) -> Iterator[Finding]:
    """Find what in the queue is damaged or in the wrong place."""
    try:
        yield from map(told, queue.faults(view.files))
    except Damaged as damage:
        yield told(damage)


def unfinished(view: View) -> Iterator[Finding]:
    """Tell of decided runs that recovery has not finished, or cannot (P3)."""
    for run in wal.list_runs(view.files):
        with suppress(Damaged):  # told by `write_ahead`
            if wal.read_decision(view.files, run) is not None:
                yield fault(layout.wal_dir(run), "unfinished", "was decided and is not finished; run xysq recover")
