"""Judging a staged run: quarantine once more, the gates, and whether its files are what its plan says.

Nothing that lies in a staged run's directory is believed. The events are chained again from the plan and the salts;
ledger segment and record must be exactly those bytes; every page the run leaves is judged by the gates against the
state, and the pass that takes out bad facts must find nothing left to take.
"""

from collections.abc import Iterator, Mapping

from xysq.canonical import sha256_hex
from xysq.gates import judge
from xysq.gates.quarantine import quarantine
from xysq.jobs.compose import Ground, committed_page, opening, record_bytes
from xysq.ledger.line import chain, to_line
from xysq.model.event import Event
from xysq.model.fact import Slug
from xysq.model.run import Candidate, Refusal
from xysq.model.staging import StagedRun
from xysq.store import layout
from xysq.store.segments import next_segment
from xysq.store.wal import StagedFiles

STAGED_FILES = "staged-files"


def judged(staged: StagedFiles, ground: Ground) -> tuple[Refusal, ...]:
    """Return every reason why a staged run may not land; none: it may."""
    candidate = candidate_of(staged, ground)
    return (
        *_quarantine_findings(staged.run, ground),
        *judge(candidate, ground.state),
        *_file_findings(staged, candidate.events, ground),
    )


def candidate_of(staged: StagedFiles, ground: Ground) -> Candidate:
    """Return a staged run as the gates see it: its own files, and the committed pages before them."""
    run, record = staged.run, staged.run.record
    ledger = ground.state.ledger
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


def _file_findings(staged: StagedFiles, events: tuple[Event, ...], ground: Ground) -> Iterator[Refusal]:
    """Every file beside the pages is exactly what the plan and the record come to, and there is no other."""
    record = staged.run.record
    number, segment = next_segment(ground.tail, b"".join(to_line(event) for event in events))
    expected: Mapping[str, bytes] = {
        layout.segment_path(number): segment,
        layout.record_path(record.run): record_bytes(record),
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
