"""Judging a staged run: quarantine once more, the gates, and whether its files are what its plan says.

Nothing that lies in a staged run's directory is believed. The events are chained again from the plan and the salts;
ledger segment and record must be exactly those bytes; the record's moment and rows must be possible ones; every page
the run leaves is judged by the gates against the state, and the pass that takes out bad facts must find nothing left
to take.
"""

import re
from collections.abc import Iterator, Mapping

from xysq.canonical import sha256_hex
from xysq.gates import judge
from xysq.gates.quarantine import quarantine
from xysq.jobs.compose import Ground, committed_page, opening, record_bytes
from xysq.ledger.line import chain, to_line
from xysq.model.event import RunKind
from xysq.model.fact import Slug
from xysq.model.run import Candidate, Record, Refusal
from xysq.model.source import Row, Version
from xysq.model.staging import StagedRun
from xysq.model.state import Archive, LedgerState
from xysq.planner.lineage import ENGINE
from xysq.store import layout
from xysq.store.arrival import Arrival
from xysq.store.segments import next_segment
from xysq.store.wal import StagedFiles

STAGED_FILES = "staged-files"
STAGED_KINDS = (RunKind.DISTILL,)  # a person's deeds are done at once: none waits to be judged
DECIDED_KINDS = (*STAGED_KINDS, RunKind.CORRECT, RunKind.ADOPT, RunKind.PAGE, RunKind.REVERT)
_NOT_DRAFTERS = ("user", "agent", ENGINE)
_INSTANT = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")


def judged(staged: StagedFiles, ground: Ground, now: str, wanted: StagedRun) -> tuple[Refusal, ...]:
    """Return every reason why a staged run may not land at the moment `now`; none: it may.

    `wanted` is the run that its draft comes to on the same ground.
    """
    impossible = tuple(_record_faults(staged.run.record, ground.state.archive, now))
    if impossible:
        return impossible
    candidate = candidate_of(staged, ground.state.ledger)
    number, segment = next_segment(ground.tail, b"".join(to_line(event) for event in candidate.events))
    return (
        *_plan_faults(staged.run, wanted),
        *_quarantine_findings(staged.run, ground),
        *judge(candidate, ground.state),
        *file_faults(staged, number, segment),
    )


def _record_faults(record: Record, archive: Archive, now: str) -> Iterator[Refusal]:
    """Find what a record claims and no run can have: its kind, bytes that never landed, a moment it was not made in."""
    if record.kind not in STAGED_KINDS:
        yield _impossible(f"a {record.kind.value} run is not staged")
    if record.drafting.drafter in _NOT_DRAFTERS:
        yield _impossible(f"no drafter is called {record.drafting.drafter!r}")
    strays = tuple(str(row) for row in record.rows if not _is_landed(row, archive))
    if strays:
        yield _impossible(f"{strays[0]} is no part of any log", found=str(len(strays)))
    metas = (archive.meta(Version(row.source, row.version)) for row in record.rows)
    pushed = max((meta.pushed_at for meta in metas if meta is not None), default="")
    if not _INSTANT.fullmatch(record.at) or not pushed <= record.at <= max(now, pushed):
        yield _impossible("it was not made when it says", f"{pushed or 'any time'} to {now}", record.at)


def _is_landed(row: Row, archive: Archive) -> bool:
    meta = archive.meta(Version(row.source, row.version))
    return meta is not None and row.end <= meta.whole.size


def _impossible(sentence: str, expected: str = "", found: str = "") -> Refusal:
    return Refusal(gate=STAGED_FILES, page="", anchor="", sentence=sentence, expected=expected, found=found)


def _plan_faults(run: StagedRun, wanted: StagedRun) -> Iterator[Refusal]:
    """Find a plan that no planner made: the draft alone decides what a run does."""
    hint = "unless schema.yaml or xysq.yaml was edited since, it was changed by hand"
    for name, found, expected in (
        ("plan", (run.plan.edits, run.plan.events), (wanted.plan.edits, wanted.plan.events)),
        ("list of drops", run.record.drops, wanted.record.drops),
    ):
        if found != expected:
            yield _impossible(f"the {name} is not what the draft comes to; {hint}")


def candidate_of(staged: StagedFiles, ledger: LedgerState) -> Candidate:
    """Return a staged run as the gates see it: its own files, and the committed pages before them."""
    run, record = staged.run, staged.run.record
    after = {slug: data or b"" for path, data in staged.after.items() if (slug := layout.slug_of(path)) is not None}
    return Candidate(
        run=record.run,
        kind=record.kind,
        at=record.at,
        base=run.base,
        rows=record.rows,
        drafter=record.drafting.drafter,
        plan=run.plan,
        events=chain(run.base, record.at, record.run, (opening(record, run.plan), *run.plan.events), run.salts),
        before={slug: committed_page(ledger, slug) for slug in after},
        after=after,
    )


def _quarantine_findings(run: StagedRun, ground: Ground) -> Iterator[Refusal]:
    cleared = quarantine(run.plan, run.run, ground.state, run.record.rows)
    for drop in cleared.drops:
        yield Refusal(gate=drop.code.value, page=drop.subject, anchor=drop.fact, sentence=drop.reason, found=drop.text)


def file_faults(staged: StagedFiles, number: int, segment: bytes, arrival: Arrival | None = None) -> Iterator[Refusal]:
    """Every file beside the pages is exactly what the plan and the record come to, and there is no other.

    `number` and `segment` are what the ledger's last file will be with the run; `arrival` is the version it may bring.
    """
    record = staged.run.record
    expected: Mapping[str, bytes] = {
        layout.segment_path(number): segment,
        layout.record_path(record.run): record_bytes(record),
        **({} if arrival is None else arrival.files()),
    }
    for path in sorted({*expected, *staged.after}):
        if layout.slug_of(path) is not None:
            continue
        found = staged.after.get(path)
        if path not in expected:
            yield _differs(path, "no file of a run", "absent", _digest(found))
        elif found != expected[path]:
            yield _differs(path, "not what the plan comes to", _digest(expected[path]), _digest(found))
    declared = {edit.page for edit in staged.run.plan.edits}
    for slug in sorted(_pages_of(staged) - declared):
        yield _differs(layout.page_path(slug), "left without an edit that declares it", "absent", "present")


def _pages_of(staged: StagedFiles) -> set[Slug]:
    return {slug for path in staged.after if (slug := layout.slug_of(path)) is not None}


def _differs(path: str, what: str, expected: str, found: str) -> Refusal:
    return Refusal(
        gate=STAGED_FILES, page=path, anchor="", sentence=f"the file is {what}", expected=expected, found=found
    )


def _digest(data: bytes | None) -> str:
    return "absent" if data is None else f"{len(data)} bytes, sha256 {sha256_hex(data)[:16]}"
