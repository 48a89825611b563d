"""Diff: what changed in the memory between two revs, down to the evidence.

First the facts: asserted, superseded, closed, with their quotes. Then the pages, as unified hunks. Facts come from
the events between the two ends of the ledger, hunks from the two commits.
"""

from xysq.errors import BadInput
from xysq.frozen import frozen
from xysq.jobs.changes import FactChanges, fact_changes
from xysq.jobs.naming import page_named
from xysq.jobs.opened import Opened
from xysq.jobs.past import commit_at, events_between, head_at
from xysq.jobs.readable import readable
from xysq.store import layout
from xysq.store.git_diff import changed_files, hunks
from xysq.store.readmodel import Snapshot


@frozen
class Point:
    """One of the two revs: as it was asked for, its commit ("" before the first), the end of its ledger."""

    rev: str
    commit: str
    events: int


@frozen
class Difference:
    """What changed from one point to the other. `backwards`: the second lies before the first."""

    old: Point
    new: Point
    facts: FactChanges
    pages: tuple[str, ...]
    patch: str
    backwards: bool = False

    def __bool__(self) -> bool:
        """Tell whether anything changed."""
        return bool(self.facts) or bool(self.pages)


def diff(
    opened: Opened,
    rev1: str | None = None,
    rev2: str | None = None,
    *,
    page: str | None = None,
    attribute: str | None = None,
) -> Difference:
    """Compare two revs; without any, the last run with what was before it; with one, it with HEAD."""
    if rev1 is not None and rev2 is None and ".." in rev1:
        rev1, _, rev2 = rev1.partition("..")
        if not rev1 or not rev2:
            raise BadInput("A..B needs a rev on both sides")
    with readable(opened).reading() as snapshot:
        old, new = _points(opened, snapshot, rev1, rev2)
        slug = None if page is None else page_named(snapshot, page)
        backwards = new.events < old.events
        first, last = (new, old) if backwards else (old, new)
        low, high = head_at(opened, first.commit or None), head_at(opened, last.commit or None)
        events = tuple(events_between(opened, low, high))
        changes = _narrowed(fact_changes(events, snapshot.ledger.fact), slug, _attribute(opened, attribute))
        prefix = layout.PAGES if slug is None else layout.page_path(slug)
        paths = _changed_pages(opened, old, new, prefix)
        patch = hunks(opened.repository, old.commit or None, new.commit, paths) if paths and new.commit else ""
    return Difference(old=old, new=new, facts=changes, pages=paths, patch=patch, backwards=backwards)


def _points(opened: Opened, snapshot: Snapshot, rev1: str | None, rev2: str | None) -> tuple[Point, Point]:
    if rev1 is None:
        return _last_run(opened, snapshot)
    return _point(opened, snapshot, rev1), _point(opened, snapshot, "HEAD" if rev2 is None else rev2)


def _point(opened: Opened, snapshot: Snapshot, rev: str) -> Point:
    commit = commit_at(opened, snapshot, rev)
    return Point(rev=rev, commit=commit or "", events=head_at(opened, commit).n)


def _last_run(opened: Opened, snapshot: Snapshot) -> tuple[Point, Point]:
    """Return the points around the newest run."""
    lines = snapshot.lists.runs(limit=1)
    rev = "HEAD" if not lines else lines[0].run
    new = _point(opened, snapshot, rev)
    parent = next(iter(opened.repository.commit(new.commit).parents), None)
    return Point(rev=f"before {rev}", commit=parent or "", events=head_at(opened, parent).n), new


def _changed_pages(opened: Opened, old: Point, new: Point, prefix: str) -> tuple[str, ...]:
    if old.commit == new.commit or not new.commit:
        return ()
    return tuple(changed.path for changed in changed_files(opened.repository, old.commit or None, new.commit, prefix))


def _attribute(opened: Opened, attribute: str | None) -> str | None:
    if attribute is None:
        return None
    return opened.schema().attribute(attribute).name


def _narrowed(changes: FactChanges, page: str | None, attribute: str | None) -> FactChanges:
    """Keep what is about one page, one attribute."""

    def wanted(fact_page: str, fact_attribute: str) -> bool:
        return page in (None, fact_page) and attribute in (None, fact_attribute)

    return FactChanges(
        asserted=tuple(fact for fact in changes.asserted if wanted(fact.page, fact.attribute)),
        superseded=tuple(pair for pair in changes.superseded if wanted(pair.new.page, pair.new.attribute)),
        closed=tuple(end for end in changes.closed if wanted(end.fact.page, end.fact.attribute)),
        confirmed=tuple(fact for fact in changes.confirmed if wanted(fact.page, fact.attribute)),
        late=tuple(fact for fact in changes.late if wanted(fact.page, fact.attribute)),
        passing=tuple(fact for fact in changes.passing if wanted(fact.page, fact.attribute)),
    )
