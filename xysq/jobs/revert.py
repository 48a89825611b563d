"""Revert: take back what a run, or a poisoned source, brought. No model is asked, and nothing is erased.

A revert is a run like any other: judged, decided and replayed as one, and itself revertible. It closes the facts that
it takes back, and states again what had ended because of them. Rows that were left out because of them are work again;
the rows of a source that is taken back are none from then on, so it is not distilled anew.
"""

from typing import ClassVar

from xysq.errors import NotFound, XysqError
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.held import Held
from xysq.jobs.hold import hold
from xysq.jobs.naming import meaning, source_named
from xysq.jobs.opened import Opened
from xysq.jobs.past import versions_of
from xysq.jobs.record import run_events
from xysq.jobs.reopening import reopened_rows
from xysq.jobs.reverted import standing_revert
from xysq.jobs.reword import Rewording
from xysq.jobs.undoing import undoing_run, undoing_source
from xysq.model.event import Body, PageChanged, PageOp, RunKind, Withdrawn
from xysq.model.fact import RunId
from xysq.model.report import Reverted
from xysq.model.source import Row, SourceId, Version, VersionKind
from xysq.model.work import pending_rows
from xysq.planner.deed import behind
from xysq.planner.sheet import Undoing
from xysq.planner.target import Target
from xysq.planner.undo import undo
from xysq.store import logs, wal
from xysq.store.readmodel import RunLine, Snapshot


class CannotRevert(XysqError):
    """A run that cannot be taken back."""

    code: ClassVar[str] = "cannot-revert"

    def __init__(self, run: str, why: str, hint: str) -> None:
        """Say why not, and what to type instead."""
        super().__init__(f"{run} cannot be reverted: {why}", hint)


class AlreadyReverted(XysqError):
    """What was taken back already."""

    code: ClassVar[str] = "already-reverted"

    def __init__(self, target: str, by: str) -> None:
        """Name the run that did it."""
        super().__init__(f"{target} was reverted by {by}", f"xysq revert {by} takes that back")


class NothingToRevert(XysqError):
    """Of what is to be taken back nothing is left."""

    code: ClassVar[str] = "nothing-to-revert"

    def __init__(self, target: str, hint: str) -> None:
        """Say so."""
        super().__init__(f"nothing that {target} brought is left", hint)


def revert_run(opened: Opened, words: str) -> Reverted:
    """Take back what a run brought; `words` are its id, or a unique beginning of it.

    Raises `CannotRevert`, `AlreadyReverted` or `NothingToRevert`.
    """
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            line = _line(opened, snapshot, words)
            _prove_revertible(opened, snapshot, line)
        return _carry_out(held, _OfRun(opened, line))


def revert_source(opened: Opened, words: str) -> Reverted:
    """Take back everything that came of the words of a source, and distil it no more.

    Raises `AlreadyReverted` or `NothingToRevert`.
    """
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            source = source_named(snapshot, words)
        return _carry_out(held, _OfSource(opened, source))


# Which run


def _line(opened: Opened, snapshot: Snapshot, words: str) -> RunLine:
    """Return the applied run that words name."""
    staged = wal.list_runs(opened.files)
    meant = meaning(snapshot, words, staged)
    if meant.kind != "run":
        raise NotFound("run", words[:200], f"a source is reverted by: xysq revert --source {words[:40]}")
    run = RunId(str(meant.name))
    line = snapshot.lists.run(run)
    if line is None:
        raise CannotRevert(run, "it is staged, and no part of the vault yet", f"xysq discard {run}")
    return line


def _prove_revertible(opened: Opened, snapshot: Snapshot, line: RunLine) -> None:
    """Raise where a run did what no later run can undo, or was undone already."""
    by = standing_revert(snapshot, line.run)
    if by is not None:
        raise AlreadyReverted(line.run, by.run)
    if line.kind == RunKind.INIT.value:
        raise CannotRevert(line.run, "the vault begins with it", "xysq init makes another vault")
    if line.kind == RunKind.FORGET.value:
        raise CannotRevert(line.run, "what it forgot is gone for good", "")
    bodies = [event.body for event in run_events(opened, line.n, line.run)]
    merged = next((body for body in bodies if isinstance(body, PageChanged) and body.op is PageOp.MERGE), None)
    if merged is not None:
        raise CannotRevert(line.run, f"it merged page {merged.page!r}, and its facts are one page's now", "")
    corrected = _correction_in(opened, snapshot, line)
    if corrected is not None:
        old = Version(corrected.source, corrected.number - 1)
        hint = f"xysq show {old} --raw | xysq correct {corrected.source} -"
        raise CannotRevert(line.run, f"it brought {corrected}, and a log is never changed; put the words back", hint)


def _correction_in(opened: Opened, snapshot: Snapshot, line: RunLine) -> Version | None:
    """Return the correction of a log that came with a run."""
    if line.kind != RunKind.CORRECT.value:
        return None
    brought = (logs.read_meta(opened.files, version) for version in versions_of(opened, snapshot, line.run))
    return next((meta.id for meta in brought if meta.kind is VersionKind.CORRECT), None)


# The deed


class _OfRun:
    """A run that is taken back."""

    def __init__(self, opened: Opened, line: RunLine) -> None:
        self.name = str(line.run)
        self._opened = opened
        self._line = line

    def undoing(self, snapshot: Snapshot, run: RunId, base: Ground) -> Undoing:
        return undoing_run(self._opened, snapshot, self._line, run, base.state)

    def since(self, _: Snapshot) -> int:
        return self._line.n

    def covers(self, _: Snapshot) -> tuple[Row, ...]:
        """Return the rows that it had taken out of work, if it reverted a source."""
        return tuple(row for row in self._line.rows if row.source == self._line.reverts)

    def nothing(self, snapshot: Snapshot) -> XysqError:
        once = snapshot.lists.revert_of(self.name)
        again = None if once is None else standing_revert(snapshot, once.run)
        if again is not None:
            return NothingToRevert(self.name, f"what was given back by {again.run} goes by: xysq revert {again.run}")
        return NothingToRevert(self.name, f"xysq show {self.name} shows what it did")


class _OfSource:
    """A source that is taken back, with what of it was never distilled."""

    def __init__(self, opened: Opened, source: SourceId) -> None:
        self.name = str(source)
        self._opened = opened
        self._source = source

    def undoing(self, snapshot: Snapshot, run: RunId, base: Ground) -> Undoing:
        return undoing_source(self._opened, snapshot, self._source, run, base.state)

    def since(self, snapshot: Snapshot) -> int:
        return min((line.n for line in snapshot.lists.runs_covering(self._source)), default=snapshot.stamp().head.n + 1)

    def covers(self, snapshot: Snapshot) -> tuple[Row, ...]:
        """Return the rows of it that are pending."""
        return pending_rows(snapshot.logs.metas(self._source), snapshot.logs.covered(self._source), idle=True)

    def nothing(self, snapshot: Snapshot) -> XysqError:
        by = standing_revert(snapshot, self.name)
        if by is not None:
            return AlreadyReverted(self.name, by.run)
        return NothingToRevert(self.name, f"xysq history {self.name} shows what became of it")


def _carry_out(held: Held, what: _OfRun | _OfSource) -> Reverted:
    """Take it back, as one run."""
    opened = held.opened
    done: list[Body] = []

    def deed_of(base: Ground, snapshot: Snapshot, run: RunId) -> Deed:
        drafts = Rewording(opened, snapshot, base, what.name)
        events = undo(what.undoing(snapshot, run, base), drafts.wording, drafts.name)
        after = behind(events, RunKind.REVERT, run, opened.now(), base.state.ledger)
        again = reopened_rows(opened, snapshot, base, Target(what.name), after, what.since(snapshot))
        rows = (*what.covers(snapshot), *again)
        if not events and not rows:
            raise what.nothing(snapshot)
        done.extend(events)
        return Deed(kind=RunKind.REVERT, events=events, rows=rows, reverts=what.name)

    report = carry_out(held, deed_of)
    return Reverted(
        target=what.name,
        run=report,
        pending=tuple(row for row in report.rows if row.source != what.name),
        removed_pages=tuple(body.page for body in done if isinstance(body, PageChanged) and body.op is PageOp.REMOVE),
        withdrawn=sum(isinstance(body, Withdrawn) for body in done),
    )
