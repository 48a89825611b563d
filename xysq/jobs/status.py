"""Status: where the vault stands. It changes nothing but what every reader may bring up to date."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

from xysq.canonical import instant
from xysq.errors import Damaged
from xysq.jobs.batch import cut_out, pending
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.model.fact import Evidence, Fact, FactId
from xysq.model.kept import follow_all
from xysq.model.report import Status, Tried
from xysq.model.settings import Budgets
from xysq.model.source import Version
from xysq.model.spending import Spending
from xysq.pages.render import render
from xysq.planner.deed import AGENT
from xysq.store import layout, problems, queue, spent, wal
from xysq.store.disk_error import UnsafePath
from xysq.store.readmodel import FactFilter, Snapshot

_LATELY = 30
_CORRECTIONS = 50


def status(opened: Opened, drafter: str, *, drafter_trouble: str = "", budgets: Budgets | None = None) -> Status:
    """Look at everything a person wants to know before typing the next command."""
    settings = opened.settings()
    with readable(opened).reading() as snapshot:
        totals, stamp = snapshot.lists.totals(), snapshot.stamp()
        attempts = queue.attempts(opened.files)
        given_up = {attempt.row for attempt in attempts if attempt.given_up}
        rows = cut_out(pending(opened, snapshot, settings), given_up)
        return Status(
            root=str(opened.root),
            commit=stamp.commit,
            events=stamp.head.n,
            sources=totals.sources,
            passages=totals.passages,
            pages=totals.pages,
            open_facts=totals.open_facts,
            facts=totals.open_facts + totals.ended_facts,
            pending=tuple(row for row in rows if row not in given_up),
            landed=queue.landed(opened.files),
            staged=tuple(run for run in wal.list_runs(opened.files) if not wal.is_decided(opened.files, run)),
            refused=wal.list_refused(opened.files),
            given_up=tuple(_tried(attempt) for attempt in attempts if attempt.given_up),
            tried=tuple(_tried(attempt) for attempt in attempts if attempt.count and attempt.row in rows),
            unsaved_pages=tuple(unsaved_pages(opened, snapshot)),
            outdated_facts=_outdated(snapshot),
            drafter=drafter,
            drafter_trouble=drafter_trouble,
            spent_today=spent.on_day(opened.files, opened.now()[:10]),
            spent_lately=sum(
                (spent.on_day(opened.files, day) for day in spent.days(opened.files)[-_LATELY:]), Spending()
            ),
            budgets=budgets or Budgets(),
            by_agents=tuple(line.run for line in snapshot.lists.runs(drafter=AGENT, limit=_CORRECTIONS)),
            problems=problems.problems(opened.files),
            damaged=tuple(str(damage) for damage in _damages(opened)),
        )


def _spent_lately(opened: Opened) -> Spending:
    """Return what was spent in the last month, as far as days are remembered."""
    first = instant(opened.clock() - timedelta(days=_LATELY))[:10]
    return sum((spent.on_day(opened.files, day) for day in spent.days(opened.files) if day > first), Spending())


def _tried(attempt: queue.Attempt) -> Tried:
    return Tried(row=attempt.row, attempts=attempt.count, refusals=attempt.refusals)


def unsaved_pages(opened: Opened, snapshot: Snapshot) -> Iterator[str]:
    """Yield the paths of pages whose file is not as committed: edits of a person's that no run knows of yet."""
    for line in snapshot.lists.pages():
        path = layout.page_path(line.slug)
        page = snapshot.ledger.page(line.slug)
        if page is not None and not _is_as(opened, path, render(page)):
            yield path


def _is_as(opened: Opened, path: str, data: bytes) -> bool:
    """Tell whether a file holds these bytes; what was planted in its place does not."""
    with suppress(UnsafePath):
        return opened.files.read_or_none(path) == data
    return False


def _outdated(snapshot: Snapshot) -> int:
    """Count open facts none of whose words stand in the newest version of their source any more."""
    facts: dict[FactId, Fact] = {}
    for line in snapshot.logs.sources():
        if line.newest > 1 and snapshot.logs.bases_after(Version(line.source, 1)):
            wanted = FactFilter(source=line.source, is_open=True)
            facts |= {fact.id: fact for fact in snapshot.lists.facts(wanted)}
    return sum(
        bool(fact.evidence) and not any(_is_shown(snapshot, e) for e in fact.evidence) for fact in facts.values()
    )


def _is_shown(snapshot: Snapshot, evidence: Evidence) -> bool:
    """Tell whether the newest version of a source still has the quoted bytes."""
    steps = (meta.kept for meta in snapshot.logs.bases_after(evidence.cited))
    return follow_all(steps, evidence.start, evidence.end) is not None


def _damages(opened: Opened) -> tuple[Damaged, ...]:
    return (*wal.faults(opened.files), *queue.faults(opened.files), *spent.faults(opened.files))
