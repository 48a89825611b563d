"""Page bases: from which state of a page an edit of its file began.

The newest line of the file's own changelog names the run that left it so. Where the changelog was deleted, the base
that was noted when a run met the edit says it; where none was, the edit began from the page as it is.
"""

import re

from xysq.canonical import sha256_hex
from xysq.jobs.compose import committed_page
from xysq.jobs.opened import Opened
from xysq.jobs.past import events_between
from xysq.ledger.fold import Fold
from xysq.ledger.line import GENESIS
from xysq.model.event import Head
from xysq.model.fact import RunId, Slug
from xysq.model.page import PageState
from xysq.pages.typed import TypedPage
from xysq.store import bases, layout
from xysq.store.readmodel import Snapshot

_RUN = re.compile(r"- [-0-9]{10} [:0-9]{5}Z (r-[0-9A-Za-z-]+): ")


def base_bytes(opened: Opened, snapshot: Snapshot, page: PageState, typed: TypedPage) -> bytes | None:
    """Return the committed bytes that an edit began from; None where that cannot be told."""
    now = committed_page(snapshot.ledger, page.slug)
    named = next((found[1] for _, line in typed.changelog if (found := _RUN.match(line))), None)
    if named is not None:
        if page.changelog and page.changelog[0].run == named:
            return now
        data = page_after(opened, snapshot, page.slug, RunId(named))
        return data if data is not None and f" {named}: ".encode() in data else None
    noted = bases.base_of(opened.files, page.slug)
    if noted is None:
        return now
    states = (page_after(opened, snapshot, page.slug, entry.run) for entry in page.changelog)
    return next((data for data in states if data is not None and sha256_hex(data) == noted), None)


def page_after(opened: Opened, snapshot: Snapshot, slug: Slug, run: RunId) -> bytes | None:
    """Return a page's file as it was behind a run; None where there was none."""
    line, last = snapshot.lists.run(run), snapshot.lists.head_after(run)
    if line is None or last is None:
        return None
    if line.commit:
        with opened.repository.reader() as reader:
            path = layout.page_path(slug)
            return reader.blob(line.commit, path) if reader.blob_id(line.commit, path) is not None else None
    state = Fold().extend(events_between(opened, GENESIS, Head(n=last, hash="")))
    return committed_page(state, slug) or None
