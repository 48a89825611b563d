"""Reopening: which rows a revert makes work again: those of which something was dropped because of what is reverted.

A value that a poisoned source held kept words of lower authority out; a name it gave made another ambiguous; what it
closed could not be said again. Such a drop names its subject, and the pages that a revert touches are known. A drop
that would have been made anyway is only made once more.
"""

from collections.abc import Iterator

from xysq.jobs.apply import passages_of, project_of
from xysq.jobs.compose import Ground
from xysq.jobs.opened import Opened
from xysq.jobs.record import read_record
from xysq.ledger.fold import Fold
from xysq.model.event import RunKind
from xysq.model.fact import Slug
from xysq.model.plan import Drop, DropCode
from xysq.model.source import Row
from xysq.model.state import LedgerState
from xysq.planner.subject import NewPage, OnPage, Setting, resolve
from xysq.planner.target import Target
from xysq.store.readmodel import Snapshot
from xysq.text import fold

_BECAUSE_OF_OTHERS = frozenset(
    {
        DropCode.LOWER_AUTHORITY,
        DropCode.WEAKER_LABEL,
        DropCode.RETURNED,
        DropCode.AMBIGUOUS,
        DropCode.CLOSE_NOT_SHOWN,
        DropCode.UNFOUNDED,
    }
)
_OF_A_PROJECT = "decision"


def reopened_rows(
    opened: Opened, snapshot: Snapshot, base: Ground, target: Target, after: Fold, since: int
) -> tuple[Row, ...]:
    """Return the covered rows that runs from event `since` on dropped something of, about a page the revert touches."""
    touched = _Touched(base, after)
    found: dict[Row, None] = {}
    for line in reversed(snapshot.lists.runs()):
        if line.n < since or line.kind != RunKind.DISTILL.value or line.run == target.name:
            continue
        for drop in read_record(opened, line.run)[0].drops:
            if drop.code in _BECAUSE_OF_OTHERS and touched.is_about(drop, snapshot):
                found |= dict.fromkeys(row for row in drop.rows if row.source != target.name)
    return tuple(sorted(found, key=lambda row: (row.source, row.version, row.start, row.end)))


class _Touched:
    """The pages that a revert touches, and every name they had or have."""

    def __init__(self, base: Ground, after: Fold) -> None:
        self._base = base
        self._slugs = frozenset(after.pages_touched) | frozenset(_of_facts(after))
        states: tuple[LedgerState, ...] = (base.state.ledger, after)
        pages = (state.page(slug) for state in states for slug in self._slugs)
        self._names = frozenset(fold(name) for page in pages if page is not None for name in page.names)

    def is_about(self, drop: Drop, snapshot: Snapshot) -> bool:
        """Tell whether a dropped fact is about one of the pages, for all that is known of its subject."""
        if fold(drop.subject) in self._names:
            return True
        attribute = self._base.schema.attribute(_OF_A_PROJECT)
        limits = self._base.state.limits
        setting = Setting(
            ledger=self._base.state.ledger,
            me=self._base.me,
            project=project_of(snapshot, drop.rows),
            name_bytes=limits.name_bytes,
        )
        for passage in passages_of(snapshot, drop.rows):
            match resolve(drop.subject, "", attribute, passage, setting):
                case OnPage(slug=slug) if slug in self._slugs:
                    return True
                case NewPage(title=title) if fold(title) in self._names:
                    return True
                case _:
                    pass
        return False


def _of_facts(after: Fold) -> Iterator[Slug]:
    facts = (after.fact(name) for name in after.facts_touched)
    return (fact.page for fact in facts if fact is not None)
