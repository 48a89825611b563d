"""Records and events of applied runs, as they are kept."""

from collections.abc import Iterator
from itertools import takewhile

from xysq.canonical import parse_json, sha256_hex
from xysq.errors import BadJson, BadWire, Damaged
from xysq.jobs.opened import Opened
from xysq.model.event import Event, RunBegun
from xysq.model.fact import RunId
from xysq.model.run import Record
from xysq.store import layout, segments


def read_record(opened: Opened, run: RunId) -> tuple[Record, bytes]:
    """Return a run's record and its bytes."""
    path = layout.record_path(run)
    data = opened.files.read_or_none(path)
    if data is None:
        raise Damaged(path, "0", "the record is missing")
    try:
        return Record.from_wire("record", parse_json(data)), data
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None


def run_events(opened: Opened, n: int, run: RunId) -> Iterator[Event]:
    """Yield the events of a run that begins with event `n`."""
    return takewhile(lambda event: event.run == run, segments.read_from(opened.files, n))


def record_fault(opened: Opened, begun: RunBegun) -> str:
    """Tell why the record of a run is not the one its first event names; "" where it is."""
    if not begun.record:
        return ""
    data = opened.files.read_or_none(layout.record_path(begun.run))
    if data is None:
        return "is missing"
    return "" if sha256_hex(data) == begun.record else "is not the one that was committed"
