"""Batches: pending work cut into what one run takes.

Work is cut at passage boundaries, oldest first, up to a budget of passages and characters. A row that was refused
before runs alone, so it can only take itself down; one that was given up waits for `retry`.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from xysq.drafters.port import Appetite, Choosy, Drafter
from xysq.frozen import frozen
from xysq.jobs.intact import are_intact
from xysq.jobs.opened import Opened
from xysq.jobs.readable import tell_damaged
from xysq.model.settings import Settings
from xysq.model.source import Channel, Meta, Passage, Row, SourceId, Version, VersionKind
from xysq.model.work import pending_rows
from xysq.store import queue, wal
from xysq.store.readmodel import Snapshot

_REPLACING = (VersionKind.UPDATE, VersionKind.CORRECT)
_WHOLE_PUSHES = (Channel.CLI, Channel.PYTHON, Channel.ADOPT, Channel.MCP)


@frozen
class Batch:
    """Rows that are drafted together, and their passages. `project` is the working directory they share, or ""."""

    rows: tuple[Row, ...]
    passages: tuple[Passage, ...]
    project: str

    def halves(self) -> tuple["Batch", "Batch"] | None:
        """Return the batch in two, cut between passages; None where it cannot be cut."""
        chunks = [chunk for row in self.rows for chunk in _chunks(row, self._of(row))]
        if len(chunks) < 2:
            return None
        half = len(chunks) // 2
        return _batch(chunks[:half], self.project), _batch(chunks[half:], self.project)

    def _of(self, row: Row) -> tuple[Passage, ...]:
        return tuple(passage for passage in self.passages if _is_in(passage, row))


@frozen
class _Chunk:
    """The smallest piece of work: a record and the noise behind it."""

    row: Row
    passages: tuple[Passage, ...]


def pending(opened: Opened, snapshot: Snapshot, settings: Settings, only: SourceId | None = None) -> tuple[Row, ...]:
    """Return all pending rows of the vault, oldest source first; rows held by staged runs are not among them.

    `only` one source is looked at where one is named: that costs nothing for what else is pending.
    """
    staged = _staged_rows(opened)
    rows: list[Row] = []
    for source in snapshot.logs.due_sources() if only is None else (only,):
        metas = snapshot.logs.metas(source)
        covered = [*snapshot.logs.covered(source), *(row for row in staged if row.source == source)]
        due = pending_rows(metas, covered, idle=_is_idle(metas[-1], opened.clock(), settings.idle_s))
        replacing = {meta.version for meta in metas if meta.kind in _REPLACING}
        rows += _of_whole_passages(snapshot, due, replacing)
    return tuple(rows)


def _of_whole_passages(snapshot: Snapshot, rows: Sequence[Row], replacing: Collection[int]) -> Iterator[Row]:
    """Widen rows of updates and corrections to the passages they change: a new word means nothing by itself."""
    last: Row | None = None
    for row in rows:
        wide = _widened(snapshot, row) if row.version in replacing else row
        if (
            last is not None
            and (last.version, row.version in replacing) == (wide.version, True)
            and wide.start < last.end
        ):
            last = replace(last, end=max(last.end, wide.end))
            continue
        if last is not None:
            yield last
        last = wide
    if last is not None:
        yield last


def _widened(snapshot: Snapshot, row: Row) -> Row:
    passages = snapshot.logs.passages(Version(row.source, row.version))
    touched = [passage for passage in passages if passage.start < row.end and row.start < passage.end]
    if not touched:
        return row
    return replace(row, start=min(row.start, touched[0].start), end=max(row.end, touched[-1].end))


def batches(
    opened: Opened, snapshot: Snapshot, settings: Settings, drafter: Drafter, only: SourceId | None = None
) -> Iterator[Batch]:
    """Yield the batches that are to be drafted, each once; those of one source where that is asked for.

    They are as large as the vault's settings allow, and no larger than the drafter takes at once.
    """
    attempts = {attempt.row: attempt for attempt in queue.attempts(opened.files)}
    rows = cut_out(pending(opened, snapshot, settings, only), attempts)
    due = (row for row in rows if not (row in attempts and attempts[row].given_up))
    yield from _batches(opened, snapshot, due, _Size(settings, drafter), attempts)


def batches_again(
    opened: Opened, snapshot: Snapshot, settings: Settings, drafter: Drafter, sources: Iterable[SourceId]
) -> Iterator[Batch]:
    """Yield batches of everything these sources say and later corrections kept, as if no run had covered it."""
    rows: list[Row] = []
    for source in sources:
        metas = snapshot.logs.metas(source)
        due = pending_rows(metas, (), idle=_is_idle(metas[-1], opened.clock(), settings.idle_s))
        replacing = {meta.version for meta in metas if meta.kind in _REPLACING}
        rows += _of_whole_passages(snapshot, due, replacing)
    yield from _batches(opened, snapshot, rows, _Size(settings, drafter), ())


def _batches(
    opened: Opened, snapshot: Snapshot, rows: Iterable[Row], size: "_Size", alone: Collection[Row]
) -> Iterator[Batch]:
    """Yield rows as batches, those of `alone` by themselves; rows whose words are damaged are left, and told."""
    waiting: list[_Chunk] = []
    project = ""
    damaged: set[SourceId] = set()
    for row in rows:
        here = _project_of(snapshot, row)
        passages = snapshot.logs.passages(Version(row.source, row.version), row.start, row.end)
        if not are_intact(opened, passages):
            damaged.add(row.source)  # its rows stay pending: what is drafted from broken words would be lost for good
            continue
        chunks = list(_chunks(row, passages))
        if row in alone:
            yield _batch(chunks, here)
            continue
        if waiting and here != project:
            yield _batch(waiting, project)
            waiting = []
        project = here
        for chunk in chunks:
            if waiting and size.is_passed_by([*waiting, chunk]):
                yield _batch(waiting, project)
                waiting = []
            waiting.append(chunk)
    if waiting:
        yield _batch(waiting, project)
    tell_damaged(opened, len(damaged))


def newest_push(snapshot: Snapshot, rows: Iterable[Row]) -> str:
    """Return when the newest of these rows' versions was pushed: no run is made before that, whatever the clock says.

    "" where there are no rows.
    """
    metas = (snapshot.logs.meta(Version(row.source, row.version)) for row in rows)
    return max((meta.pushed_at for meta in metas if meta is not None), default="")


def _staged_rows(opened: Opened) -> tuple[Row, ...]:
    return tuple(row for staged in wal.load_readable(opened.files) for row in staged.record.rows)


def _is_idle(newest: Meta, now: datetime, idle_s: int) -> bool:
    """Tell whether nothing more is expected of a source soon: it was pushed whole, or long ago."""
    if newest.channel in _WHOLE_PUSHES:
        return True
    return (now - datetime.fromisoformat(newest.pushed_at)).total_seconds() >= idle_s


def _project_of(snapshot: Snapshot, row: Row) -> str:
    meta = snapshot.logs.meta(Version(row.source, row.version))
    return "" if meta is None else meta.project


def cut_out(rows: Iterable[Row], tried: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows with those that were tried before cut out of them, as rows of their own."""
    borders = sorted(tried)
    for row in rows:
        at = row.start
        for mark in borders:
            if (mark.source, mark.version) == (row.source, row.version) and at <= mark.start and mark.end <= row.end:
                if at < mark.start:
                    yield Row(row.source, row.version, at, mark.start)
                yield mark
                at = mark.end
        if at < row.end:
            yield Row(row.source, row.version, at, row.end)


def _chunks(row: Row, passages: Sequence[Passage]) -> Iterator[_Chunk]:
    """Cut a row between records; bytes without words go with the record before them, or the first."""
    groups: list[list[Passage]] = []
    for passage in passages:
        if groups and passage.start < groups[-1][-1].end:
            groups[-1].append(passage)
        else:
            groups.append([passage])
    starts = [row.start, *(group[0].start for group in groups[1:]), row.end]
    for place, group in enumerate(groups or [[]]):
        yield _Chunk(row=Row(row.source, row.version, starts[place], starts[place + 1]), passages=tuple(group))


class _Size:
    """How large a batch may be. What the drafter does not read only counts against the vault's settings."""

    def __init__(self, settings: Settings, drafter: Drafter) -> None:
        self._settings = settings
        self._choosy = drafter if isinstance(drafter, Choosy) else None
        self._appetite = Appetite() if self._choosy is None else self._choosy.appetite

    def is_passed_by(self, chunks: Sequence[_Chunk]) -> bool:
        passages = [passage for chunk in chunks for passage in chunk.passages]
        if _is_over(passages, self._settings.run_passages, self._settings.run_characters):
            return True
        if self._choosy is None:
            return False
        read = [passage for passage in passages if self._choosy.reads(passage)]
        return _is_over(read, self._appetite.passages, self._appetite.characters)


def _is_over(passages: Sequence[Passage], most: int, most_characters: int) -> bool:
    """Tell whether passages are more than allowed; 0 allows any number."""
    characters = sum(len(span.text) for passage in passages for span in passage.spans)
    return 0 < most < len(passages) or 0 < most_characters < characters


def _is_in(passage: Passage, row: Row) -> bool:
    same = (passage.source, passage.version) == (row.source, row.version)
    return same and row.start <= passage.start < row.end


def _batch(chunks: Sequence[_Chunk], project: str) -> Batch:
    """Join chunks that follow each other into rows."""
    rows: list[Row] = []
    for chunk in chunks:
        row = chunk.row
        if rows and (rows[-1].source, rows[-1].version, rows[-1].end) == (row.source, row.version, row.start):
            rows[-1] = Row(row.source, row.version, rows[-1].start, row.end)
        else:
            rows.append(row)
    return Batch(
        rows=tuple(rows), passages=tuple(passage for chunk in chunks for passage in chunk.passages), project=project
    )
