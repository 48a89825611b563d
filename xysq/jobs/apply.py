"""Apply: a staged run becomes part of the vault, or is refused and nothing of it lands.

Under the lock: what a person typed into the pages it touches is adopted first, as a run of its own. Where the draft was
edited or the ledger has moved on, the run is composed again from its draft; the gates judge it; then it is landed.
Before that nothing happened, after it everything will have, whatever stops us.
"""

from collections.abc import Iterable
from dataclasses import replace

from xysq.errors import BadDraft
from xysq.frozen import frozen
from xysq.jobs.adopt import adopt_first
from xysq.jobs.compose import Composed, Drafted, Ground, compose
from xysq.jobs.ground import ground
from xysq.jobs.held import Held
from xysq.jobs.judge import judged
from xysq.jobs.land import land
from xysq.jobs.opened import Opened
from xysq.model.draft import Draft
from xysq.model.fact import RunId
from xysq.model.run import Refusal
from xysq.model.source import Passage, Row, Version
from xysq.model.staging import StagedRun
from xysq.store import queue, segments, wal
from xysq.store.readmodel import Snapshot
from xysq.store.wal import StagedFiles

BAD_DRAFT = "bad-draft"


@frozen
class Applied:
    """The run is in the vault, as this commit."""

    staged: StagedFiles
    commit: str


@frozen
class Refused:
    """Nothing of the run landed; why. Its rows are pending again."""

    staged: StagedFiles
    refusals: tuple[Refusal, ...]


@frozen
class Overtaken:
    """Another run covered the same rows meanwhile; this one was dropped."""

    staged: StagedFiles


Outcome = Applied | Refused | Overtaken


def apply(held: Held, run: RunId, planned: StagedRun | None = None) -> Outcome:
    """Judge a staged run and make it part of the vault.

    `planned` is the run as its own process planned it; where that is not known, the draft is planned once more to
    compare.
    """
    opened = held.opened
    staged = wal.load(opened.files, run)
    adopt_first(held, staged.run.pages)
    with ground(opened, held.model) as (base, snapshot):
        if not staged.run.again and _is_covered(snapshot, staged.run.record.rows):
            wal.discard(opened.files, run)
            return Overtaken(staged=staged)
        try:
            staged, wanted = _restaged(opened, staged, base, snapshot, planned)
        except BadDraft as error:
            refusal = Refusal(gate=BAD_DRAFT, page="", anchor="", sentence=error.sentence)
            return _refused(opened, staged, (refusal,))
        refusals = judged(staged, base, opened.now(), wanted)
    if refusals:
        return _refused(opened, staged, refusals)
    commit = land(held, staged)
    for row in staged.run.record.rows:
        queue.drop_attempt(opened.files, row)
    return Applied(staged=staged, commit=commit)


def stage(opened: Opened, composed: Composed, reply: bytes, *, by_hand: bool, again: bool = False) -> StagedFiles:
    """Put a composed run into the write-ahead log.

    `by_hand`: for a person to apply. `again`: its rows may be covered by other runs.
    """
    run = replace(composed.staged, by_hand=by_hand, again=again)
    staged = StagedFiles(draft=reply, run=run, after=composed.files)
    wal.stage(opened.files, staged)
    return staged


def left_behind(opened: Opened) -> tuple[RunId, ...]:
    """Return the staged runs that no person asked for: of processes that ended before they could apply them."""
    runs = (staged.run for staged in wal.load_readable(opened.files) if not staged.by_hand)
    return tuple(run for run in runs if not wal.is_decided(opened.files, run))


def needs_planning(opened: Opened, staged: StagedFiles, base: Ground) -> bool:
    """Tell whether the draft was edited, or the ledger moved on, since the run was staged.

    A base that never was an end of this ledger was put there by hand: such a run is judged as it lies there.
    """
    if staged.draft.decode("utf-8", "replace") != staged.run.record.reply:
        return True
    begun = staged.run.base
    if begun == base.tail.head or not 0 < begun.n < base.tail.head.n:
        return False
    return segments.event(opened.files, begun.n).hash == begun.hash


def planned_again(opened: Opened, staged: StagedFiles, base: Ground, snapshot: Snapshot) -> Composed:
    """Compose a staged run anew from its draft, on the present state; `BadDraft` where that is none."""
    record = staged.run.record
    drafted = Drafted(
        run=record.run,
        kind=record.kind,
        at=record.at,
        rows=record.rows,
        drafting=record.drafting,
        reply=staged.draft,
        passages=passages_of(snapshot, record.rows),
        project=project_of(snapshot, record.rows),
        refusals=record.refusals,
    )
    return compose(drafted, Draft.parse(staged.draft), base, opened.new_salts)


def passages_of(snapshot: Snapshot, rows: tuple[Row, ...]) -> tuple[Passage, ...]:
    """Return the passages of rows, in the order in which they were numbered for the drafter."""
    return tuple(
        passage
        for row in rows
        for passage in snapshot.logs.passages(Version(row.source, row.version), row.start, row.end)
    )


def project_of(snapshot: Snapshot, rows: Iterable[Row]) -> str:
    """Return the working directory of the first of these rows whose version is known, or ""."""
    for row in rows:
        meta = snapshot.logs.meta(Version(row.source, row.version))
        if meta is not None:
            return meta.project
    return ""


def _restaged(
    opened: Opened, staged: StagedFiles, base: Ground, snapshot: Snapshot, planned: StagedRun | None
) -> tuple[StagedFiles, StagedRun]:
    """Return the run as it is to be judged, staged anew where it must be planned again, and what its draft comes to."""
    if not needs_planning(opened, staged, base):
        return staged, planned or planned_again(opened, staged, base, snapshot).staged
    composed = planned_again(opened, staged, base, snapshot)
    wal.discard(opened.files, staged.run.run)
    run = staged.run
    return stage(opened, composed, staged.draft, by_hand=run.by_hand, again=run.again), composed.staged


def _refused(opened: Opened, staged: StagedFiles, refusals: tuple[Refusal, ...]) -> Refused:
    wal.refuse(opened.files, staged.run.run, refusals)
    return Refused(staged=staged, refusals=refusals)


def _is_covered(snapshot: Snapshot, rows: tuple[Row, ...]) -> bool:
    """Tell whether an applied run already covers a byte of these rows."""
    return any(
        row.version == other.version and row.start < other.end and other.start < row.end
        for row in rows
        for other in snapshot.logs.covered(row.source)
    )
