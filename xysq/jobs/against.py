"""Against: what another vault says otherwise, such as one that was redistilled from the same logs.

Facts that are open are compared by what they say: page, attribute, value. Their ids say nothing between two vaults.
"""

from collections.abc import Iterator
from difflib import unified_diff

from xysq.jobs.changes import Ended, FactChanges, FactRef, Replaced, ref_of
from xysq.jobs.diff import Difference, Point
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.model.fact import Slug
from xysq.pages.render import render
from xysq.store import layout
from xysq.store.readmodel import FactFilter, Snapshot
from xysq.text import fold

_Said = tuple[str, str, str]
_GONE = "not-there"


def diff_against(here: Opened, there: Opened, *, page: Slug | None = None, attribute: str | None = None) -> Difference:
    """Compare the last state of a vault with that of another: what the other has is what came."""
    with readable(here).reading() as old, readable(there).reading() as new:
        narrow = FactFilter(is_open=True, page=page, attribute="" if attribute is None else attribute)
        changes = _changes(_facts(old, narrow), _facts(new, narrow))
        slugs = _slugs(old, new) if page is None else (page,)
        hunks = {layout.page_path(slug): hunk for slug in slugs if (hunk := _hunk(old, new, slug))}
        return Difference(
            old=_point(here, old),
            new=_point(there, new),
            facts=changes,
            pages=tuple(hunks),
            patch="".join(hunks.values()),
        )


def _point(opened: Opened, snapshot: Snapshot) -> Point:
    stamp = snapshot.stamp()
    return Point(rev=str(opened.root), commit=stamp.commit, events=stamp.head.n)


def _facts(snapshot: Snapshot, narrow: FactFilter) -> dict[_Said, FactRef]:
    facts = snapshot.lists.facts(narrow)
    return {(fact.page, fact.attribute, fold(fact.value)): ref_of(fact) for fact in facts}


def _changes(old: dict[_Said, FactRef], new: dict[_Said, FactRef]) -> FactChanges:
    """Return what only one of both says; where each says one other value of a page's attribute, one gave way."""
    come = {said: fact for said, fact in new.items() if said not in old}
    gone = {said: fact for said, fact in old.items() if said not in new}
    replaced: list[Replaced] = []
    for said in tuple(gone):
        heirs = [other for other in come if other[:2] == said[:2]]
        rivals = [other for other in gone if other[:2] == said[:2]]
        if len(heirs) == len(rivals) == 1:
            replaced.append(Replaced(old=gone.pop(said), new=come.pop(heirs[0])))
    ended = (Ended(fact=fact, reason=_GONE, cause="", evidence=()) for fact in gone.values())
    return FactChanges(asserted=tuple(come.values()), superseded=tuple(replaced), closed=tuple(ended))


def _slugs(old: Snapshot, new: Snapshot) -> tuple[Slug, ...]:
    return tuple(sorted({line.slug for snapshot in (old, new) for line in snapshot.lists.pages(with_ended=True)}))


def _hunk(old: Snapshot, new: Snapshot, slug: Slug) -> str:
    before, after = (_lines(snapshot, slug) for snapshot in (old, new))
    path = layout.page_path(slug)
    names = (f"a/{path}" if before else "/dev/null", f"b/{path}" if after else "/dev/null")
    return "".join(_with_heading(path, unified_diff(before, after, *names)))


def _with_heading(path: str, lines: Iterator[str]) -> Iterator[str]:
    for place, text in enumerate(lines):
        if not place:
            yield f"diff --git a/{path} b/{path}\n"
        yield text


def _lines(snapshot: Snapshot, slug: Slug) -> list[str]:
    page = snapshot.ledger.page(slug)
    text = "" if page is None else render(page).decode("utf-8")
    return [f"{line}\n" for line in text.split("\n")[:-1]]
