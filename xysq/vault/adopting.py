"""Adopting: what a person typed into pages is taken over."""

from collections.abc import Iterable

from xysq.jobs.adopt import adopt, edit_page, page_text
from xysq.model.report import Adopted
from xysq.vault.core import OpenVault


class Adopting(OpenVault):
    """A vault whose pages are edited in their files."""

    def adopt(self, pages: Iterable[str] = (), *, yes: bool = False) -> tuple[Adopted, ...]:
        """Take over what was typed into the files of pages (of all, where none is named): each page is a run.

        What cannot be taken over is told with file, line and code, and stays in its file. `yes`: also bytes that are an
        older state of their page, a missing file (the page is removed), more than two deleted facts.
        """
        return adopt(self._opened, pages, yes=yes)

    def page_text(self, page: str) -> bytes:
        """Return the file of a page as it lies there, edits included."""
        return page_text(self._opened, page)

    def edit_page(self, page: str, old: bytes, new: bytes) -> Adopted:
        """Put new bytes in the place of a page's file, which had the `old` ones, and take them over."""
        return edit_page(self._opened, page, old, new)
