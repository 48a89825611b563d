"""Past: revs, and the state of the memory at one of them.

A rev is what git takes, a run, a day or `"3 days ago"`; it means a commit, and a commit means an end of the ledger.
The state there is a fold of the events up to that end.
"""

from collections.abc import Iterator
from itertools import takewhile

from xysq.errors import Damaged
from xysq.jobs.brought import brought_versions
from xysq.jobs.opened import Opened
from xysq.ledger.fold import Fold
from xysq.ledger.line import GENESIS, from_line, read_segment
from xysq.model.event import Event, Head
from xysq.model.fact import Fact, RunId
from xysq.model.index import Index, Past
from xysq.model.source import Version
from xysq.store import layout, segments
from xysq.store.git_rev import BeforeBeginning, resolve_rev
from xysq.store.readmodel import FactFilter, Snapshot
from xysq.store.segments import Tail


def commit_at(opened: Opened, snapshot: Snapshot, rev: str) -> str | None:
    """Return the commit a rev means; None for a time before the first."""

    def run_commit(run: str) -> str | None:
        line = snapshot.lists.run(RunId(run))
        return None if line is None else line.commit or None

    head = snapshot.stamp().commit
    try:
        return resolve_rev(opened.repository, rev, head=head, now=opened.clock(), run_commit=run_commit)
    except BeforeBeginning:
        return None


def versions_of(opened: Opened, snapshot: Snapshot, run: RunId) -> tuple[Version, ...]:
    """Return the versions of logs that came with a run."""
    commit = commit_at(opened, snapshot, run)
    parents = () if commit is None else opened.repository.commit(commit).parents
    return tuple(brought_versions(opened, parents[0], commit)) if commit is not None and parents else ()


def head_at(opened: Opened, commit: str | None) -> Head:
    """Return the end of the ledger in a commit."""
    if commit is None:
        return GENESIS
    return end_at(opened, commit).head


def segments_at(opened: Opened, commit: str) -> list[str]:
    """Return the paths of the segments that a commit has, in order."""
    numbered = (
        (layout.segment_number(file.path), file.path) for file in opened.repository.ls_tree(commit, layout.LEDGER)
    )
    return [path for _, path in sorted((number, path) for number, path in numbered if number is not None)]


def end_at(opened: Opened, commit: str) -> Tail:
    """Return the last segment as a commit has it."""
    paths = segments_at(opened, commit)
    if not paths:
        return Tail(number=0, data=b"", head=GENESIS)
    data, place = opened.repository.read_blob(commit, paths[-1]), f"{commit[:12]}:{paths[-1]}"
    if not data.endswith(b"\n"):
        raise Damaged(place, "0", "the last line has no end")
    last = from_line(data[data.rfind(b"\n", 0, -1) + 1 : -1], place, data.count(b"\n"))
    return Tail(number=len(paths), data=data, head=Head(n=last.n, hash=last.hash))


def events_at(opened: Opened, commit: str) -> Iterator[Event]:
    """Yield the events of the ledger as a commit has it."""
    head = GENESIS
    for path in segments_at(opened, commit):
        for event in read_segment(opened.repository.read_blob(commit, path), path, head):
            yield event
            head = Head(n=event.n, hash=event.hash)


def events_between(opened: Opened, after: Head, until: Head) -> Iterator[Event]:
    """Yield the events behind one end of the ledger up to another."""
    if until.n <= after.n:
        return iter(())
    return takewhile(lambda event: event.n <= until.n, segments.read_from(opened.files, after.n + 1))


def past_state(opened: Opened, snapshot: Snapshot, rev: str) -> Fold:
    """Return the state of the memory at a rev."""
    until = head_at(opened, commit_at(opened, snapshot, rev))
    return Fold().extend(events_between(opened, GENESIS, until))


def past_index(opened: Opened, snapshot: Snapshot, rev: str) -> Index:
    """Return the index as it was at a rev. Prose of the past is not in it."""
    commit = commit_at(opened, snapshot, rev)
    if commit is None:
        return snapshot.index_at(None)
    later = brought_versions(opened, commit, snapshot.stamp().commit)
    return snapshot.index_at(Past(n=head_at(opened, commit).n, later=frozenset(map(str, later))))


def past_facts(state: Fold, wanted: FactFilter, snapshot: Snapshot) -> tuple[Fact, ...]:
    """List the facts of a past state as the read model lists those of the present."""
    made_there = {line.source for line in snapshot.logs.sources(project=wanted.project)} if wanted.project else ()
    return tuple(
        fact
        for fact in state.every_fact()
        if wanted.page in (None, fact.page)
        and wanted.attribute in ("", fact.attribute)
        and wanted.is_open in (None, fact.is_open)
        and wanted.label in (None, fact.label)
        and (wanted.source is None or any(piece.source == wanted.source for piece in fact.evidence))
        and (not wanted.project or any(piece.source in made_there for piece in fact.evidence))
    )
