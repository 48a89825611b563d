"""Strays: files in the folder of pages that are no page: made by hand, or left after their page ended."""

from collections.abc import Iterator

from xysq.jobs.opened import Opened
from xysq.pages.render import render
from xysq.store import layout
from xysq.store.disk_error import UnsafePath
from xysq.store.readmodel import Snapshot

_PAGE = ".md"


def strays(opened: Opened, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield path and sentence of each Markdown file that no page has, or that says what its page no longer does."""
    pages = {layout.page_path(line.slug): line for line in snapshot.lists.pages(with_ended=True)}
    for name in opened.files.walk(layout.PAGES):
        path = f"{layout.PAGES}/{name}"
        line = pages.get(path)
        if line is None and name.endswith(_PAGE):
            yield path, "no page has this file; xysq note or xysq push keeps what it says"
        elif line is not None and not line.living:
            page = snapshot.ledger.page(line.slug)
            if page is not None and _bytes(opened, path) != render(page):
                became = "was removed" if page.removed else f"was merged into {page.merged_into!r}: type there"
                yield path, f"its page {became}"


def _bytes(opened: Opened, path: str) -> bytes | None:
    try:
        return opened.files.read_or_none(path)
    except UnsafePath:
        return None
