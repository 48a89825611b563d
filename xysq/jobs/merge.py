"""Merge: the deed that makes a page part of another one."""

from xysq.errors import BadInput
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed
from xysq.jobs.history import page_events
from xysq.jobs.opened import Opened
from xysq.model.event import ProseChanged, ProseOp, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.page import BlockId, PageState
from xysq.model.state import State
from xysq.planner.deed import with_conclusions
from xysq.planner.merging import merging
from xysq.store.readmodel import Snapshot


def merge_deed(opened: Opened, base: Ground, snapshot: Snapshot, run: RunId, slugs: tuple[Slug, Slug]) -> Deed:
    """Return the deed that merges a page into another one, both by their slugs."""
    gone, into = (living(slug, base.state) for slug in slugs)
    if gone.slug == into.slug:
        raise BadInput(f"page {gone.slug!r} cannot be merged into itself")
    written: dict[BlockId, ProseChanged] = {}
    for event in page_events(opened, snapshot, gone.slug):
        if isinstance(event.body, ProseChanged) and event.body.op is not ProseOp.REMOVE:
            written.setdefault(event.body.block, event.body)  # the newest comes first
    at, state = opened.now(), base.state
    events = merging(gone, into, written, run, at, state)
    return Deed(
        kind=RunKind.PAGE,
        events=with_conclusions(events, RunKind.PAGE, run, at, state.ledger, state.archive),
    )


def living(slug: Slug, state: State) -> PageState:
    """Return a page that may be changed; `BadInput` where it was removed or merged."""
    page = state.ledger.page(slug)
    if page is None or not page.is_living:
        became = "removed" if page is None or page.merged_into is None else f"merged into {page.merged_into!r}"
        raise BadInput(f"page {slug!r} was {became}")
    return page
