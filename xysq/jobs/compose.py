"""Compose: from what a drafter answered to a whole staged run, in memory.

Draft → plan → quarantine → chained events → the rebuilt bytes of every page the run touches → every other file it
leaves. The same drafted answer on another base gives another run with the same ids, so a run whose base has moved
is simply composed again, without asking the drafter.
"""

from collections import defaultdict
from collections.abc import Callable

from xysq.canonical import canonical_json, sha256_hex
from xysq.frozen import frozen
from xysq.gates.quarantine import quarantine
from xysq.ledger.fold import Fold
from xysq.ledger.line import RENDER, chain, to_line
from xysq.model.draft import Draft
from xysq.model.event import Body, Event, RunBegun, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.plan import Edit, Plan
from xysq.model.run import Candidate, Drafting, Record, Refusal
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Passage, Row
from xysq.model.staging import StagedRun
from xysq.model.state import LedgerState, State
from xysq.pages.changelog import compose_changelog
from xysq.pages.edit import rebuild, tail_of
from xysq.pages.render import render
from xysq.planner.order import PlanOrder, Raw
from xysq.planner.plan import plan
from xysq.store import layout
from xysq.store.segments import Tail, next_segment


@frozen
class Drafted:
    """A drafter's answer and everything needed to plan it, now or again later."""

    run: RunId
    kind: RunKind
    at: str
    rows: tuple[Row, ...]
    drafting: Drafting
    reply: bytes
    passages: tuple[Passage, ...]
    project: str
    refusals: tuple[Refusal, ...] = ()


@frozen
class Ground:
    """What a run is planned on: the state, the schema, the owner, the end of the ledger, the logs' bytes."""

    state: State
    schema: Schema
    me: Me
    tail: Tail
    raw: Raw


@frozen
class Composed:
    """A whole run in memory: as it is staged, as the gates see it, and the files it leaves by path (None: gone)."""

    staged: StagedRun
    candidate: Candidate
    files: dict[str, bytes | None]


def compose(drafted: Drafted, draft: Draft, ground: Ground, new_salts: Callable[[int], tuple[str, ...]]) -> Composed:
    """Plan a draft on the present state and build the run."""
    planned = plan(
        PlanOrder(
            run=drafted.run,
            kind=drafted.kind,
            at=drafted.at,
            rows=drafted.rows,
            drafter=drafted.drafting.drafter,
            draft=draft,
            passages=drafted.passages,
            project=drafted.project,
            state=ground.state,
            schema=ground.schema,
            me=ground.me,
            raw=ground.raw,
        )
    )
    cleared = quarantine(planned.plan, drafted.run, ground.state, drafted.rows)
    record = Record(
        run=drafted.run,
        kind=drafted.kind,
        at=drafted.at,
        rows=drafted.rows,
        drafting=drafted.drafting,
        reply=drafted.reply.decode("utf-8", "replace"),
        drops=(*planned.drops, *cleared.drops),
        refusals=drafted.refusals,
    )
    return build(record, cleared.plan, ground, new_salts(len(cleared.plan.events) + 1))


def build(record: Record, planned: Plan, ground: Ground, salts: tuple[str, ...]) -> Composed:
    """Turn a plan into events, pages and files."""
    ledger = ground.state.ledger
    bodies: tuple[Body, ...] = (opening(record, planned), *planned.events)
    events = chain(ledger.head(), record.at, record.run, bodies, salts)
    fold = Fold(ledger).extend(events)
    before, after = _pages(ledger, fold, planned.edits)
    staged = StagedRun(
        base=ledger.head(),
        record=record,
        plan=planned,
        salts=salts,
        pages=tuple(after),
    )
    candidate = Candidate(
        run=record.run,
        kind=record.kind,
        at=record.at,
        base=ledger.head(),
        rows=record.rows,
        drafter=record.drafting.drafter,
        plan=planned,
        events=events,
        before=before,
        after=after,
    )
    return Composed(staged=staged, candidate=candidate, files=_files(record, events, after, ground.tail))


def record_bytes(record: Record) -> bytes:
    """Return the file of a record."""
    return canonical_json(record.to_wire()) + b"\n"


def opening(record: Record, planned: Plan) -> RunBegun:
    """Return the first event of a run."""
    return RunBegun(
        run=record.run,
        kind=record.kind,
        rows=record.rows,
        drafter=record.drafting.drafter,
        render=RENDER,
        events=len(planned.events),
        record=sha256_hex(record_bytes(record)),
        reverts=record.reverts,
    )


def committed_page(ledger: LedgerState, slug: Slug) -> bytes:
    """Return the bytes of a page's file as the ledger has it; b"" where it has none."""
    page = ledger.page(slug)
    return b"" if page is None else render(page)


def _pages(ledger: LedgerState, fold: Fold, edits: tuple[Edit, ...]) -> tuple[dict[Slug, bytes], dict[Slug, bytes]]:
    """Return the files of the touched pages, before and rebuilt from their declared edits."""
    declared: dict[Slug, list[Edit]] = defaultdict(list)
    for edit in edits:
        declared[edit.page].append(edit)
    before = {slug: committed_page(ledger, slug) for slug in fold.pages_touched}
    after = {}
    for slug in fold.pages_touched:
        page = fold.page(slug)
        lines = () if page is None else compose_changelog(page.changelog)
        after[slug] = rebuild(before[slug], declared[slug], lines, tail_of(ledger.page(slug)))
    return before, after


def _files(record: Record, events: tuple[Event, ...], after: dict[Slug, bytes], tail: Tail) -> dict[str, bytes | None]:
    number, segment = next_segment(tail, b"".join(to_line(event) for event in events))
    pages = {layout.page_path(slug): data or None for slug, data in after.items()}
    return {layout.segment_path(number): segment, layout.record_path(record.run): record_bytes(record), **pages}
