"""Segments: the files the ledger's lines lie in.

A segment is `ledger/FFF/NNNNNN.jsonl`; the numbers run from 1 without gaps, 256 to a folder. The lines of all
segments are one chain, and a run never straddles two: a run's lines are added to the last segment, or begin the next
one where the last has reached `SEAL_BYTES`. A segment is replaced whole, by a temp and a rename, never appended to in
place: an appended tail that was not synced came back from a power loss as zeros, even with a line end in it.

So the present end of the ledger costs one small file to read and one to write, however long the history is. What is
sealed is never written again; `tail` believes it by its last line and leaves proving all of it to `read_all`.

Every line is believed by its hash alone. What does not continue the chain, or is missing, is `Damaged`, with file and
line (P12).
"""

from bisect import bisect_right
from collections.abc import Iterator

from xysq.errors import Damaged, NotFound
from xysq.frozen import frozen
from xysq.ledger.line import GENESIS, MAX_LINE_BYTES, SEAL_BYTES, from_line, read_segment
from xysq.model.event import Event, Head
from xysq.store import layout
from xysq.store.files import Files
from xysq.store.path import join

_FIRST_READ = 16 * 1024


@frozen
class Tail:
    """The last segment: its number (0 where there is none), its bytes, and the end of the ledger."""

    number: int
    data: bytes
    head: Head


def read_all(files: Files) -> Iterator[Event]:
    """Yield every event of the ledger, the whole chain proved."""
    return _read_on(files, 1, GENESIS)


def read_from(files: Files, n: int) -> Iterator[Event]:
    """Yield the events from number `n` on, the chain proved from the beginning of the segment that holds it."""
    number = find(files, n)
    if number is None:
        return
    for event in _read_on(files, number, _before(_first(files, number))):
        if event.n >= n:
            yield event


def tail(files: Files) -> Tail:
    """Read the last segment and prove it; of a sealed one, which is never written again, its last line."""
    number = count(files)
    if number == 0:
        return Tail(number=0, data=b"", head=GENESIS)
    path = layout.segment_path(number)
    data = _read(files, path)
    if len(data) >= SEAL_BYTES:
        last = _last(path, data)
    else:
        first = _first(files, number)
        if number == 1 and _before(first) != GENESIS:
            raise Damaged(path, "1", "the ledger does not begin with event 1")
        *_, last = read_segment(data, path, _before(first))
    return Tail(number=number, data=data, head=Head(n=last.n, hash=last.hash))


def next_segment(end: Tail, lines: bytes) -> tuple[int, bytes]:
    """Return the segment that a run's lines belong to, and its bytes with them: the last, or a new one behind it."""
    if end.number == 0 or len(end.data) >= SEAL_BYTES:
        return end.number + 1, lines
    return end.number, end.data + lines


def find(files: Files, n: int) -> int | None:
    """Return the number of the segment that holds event `n`, or would be the last to; None where there is none."""
    last = count(files)
    if last == 0 or n < 1:
        return None
    return max(bisect_right(range(1, last + 1), n, key=lambda number: _first(files, number).n), 1)


def event(files: Files, n: int) -> Event:
    """Return one event; `NotFound` where the ledger has none of that number."""
    for found in read_from(files, n):
        return found
    raise NotFound("event", str(n))


def count(files: Files) -> int:
    """Return how many segments there are; a missing one is damage."""
    folders = [name for name in files.list_dir(layout.LEDGER) if name.isascii() and name.isdigit()]
    if not folders:
        return 0
    last = max(folders, key=int)
    folder = join(layout.LEDGER, last)
    inside = sorted(filter(None, (layout.segment_number(join(folder, name)) for name in files.list_dir(folder))))
    first = int(last) * layout.SEGMENTS_IN_FOLDER + 1
    expected = range(first, inside[-1] + 1) if inside else range(first, first + 1)
    missing = sorted(set(expected) - set(inside))
    if missing:
        raise Damaged(layout.segment_path(missing[0]), "0", "the segment is missing")
    return inside[-1]


def faults(files: Files) -> Iterator[Damaged]:
    """Yield what is wrong with each segment; behind a damaged one the chain is taken up where the next begins."""
    try:
        last = count(files)
    except Damaged as damage:
        yield damage
        last = _last_there(files)
    head: Head | None = GENESIS
    for number in range(1, last + 1):
        path = layout.segment_path(number)
        if not files.exists(path):
            head = None  # told as missing, here or by who compares with the history
            continue
        try:
            data = _read(files, path)
            for found in read_segment(data, path, _before(_first(files, number)) if head is None else head):
                head = Head(n=found.n, hash=found.hash)
        except Damaged as damage:
            yield damage
            head = None


def _last_there(files: Files) -> int:
    found = (layout.segment_number(f"{layout.LEDGER}/{name}") for name in files.walk(layout.LEDGER))
    return max(filter(None, found), default=0)


def _read_on(files: Files, number: int, head: Head) -> Iterator[Event]:
    """Yield the events of a segment and all behind it, continuing `head`."""
    for place in range(number, count(files) + 1):
        path = layout.segment_path(place)
        for found in read_segment(_read(files, path), path, head):
            head = Head(n=found.n, hash=found.hash)
            yield found


def _read(files: Files, path: str) -> bytes:
    data = files.read_or_none(path)
    if data is None:
        raise Damaged(path, "0", "the segment is missing")
    if not data:
        raise Damaged(path, "1", "the segment is empty")
    return data


def _first(files: Files, number: int) -> Event:
    """Read the first line of a segment alone."""
    path = layout.segment_path(number)
    size = _FIRST_READ
    while True:
        try:
            data = files.read_range(path, 0, size)
        except NotFound:
            raise Damaged(path, "0", "the segment is missing") from None
        line, end, _ = data.partition(b"\n")
        if end:
            return from_line(line, path, 1)
        if len(data) < size or size > MAX_LINE_BYTES:
            raise Damaged(path, "1", "the first line has no end")
        size *= 8


def _last(path: str, data: bytes) -> Event:
    begin = data.rfind(b"\n", 0, -1) + 1
    number = data.count(b"\n", 0, begin) + 1
    if not data.endswith(b"\n"):
        raise Damaged(path, str(data.count(b"\n") + 1), "the last line has no end")
    return from_line(data[begin:-1], path, number)


def _before(first: Event) -> Head:
    return Head(n=first.n - 1, hash=first.prev)
