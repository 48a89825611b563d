"""Paging: the names of pages, said by a person."""

from xysq.jobs.page_names import alias_page, merge_pages, rename_page, unalias_page
from xysq.model.report import RunReport
from xysq.vault.core import OpenVault


class Paging(OpenVault):
    """A vault whose pages are renamed and merged."""

    def rename_page(self, page: str, title: str) -> RunReport:
        """Give a page another title. The old one becomes an alias; the slug, and so the file, stays.

        Raises `NameTaken` where another page goes by it.
        """
        return rename_page(self._opened, page, title)

    def alias_page(self, page: str, alias: str, *, remove: bool = False) -> RunReport:
        """Let a page go by one more name, or by one less."""
        return (unalias_page if remove else alias_page)(self._opened, page, alias)

    def merge_pages(self, page: str, other: str) -> RunReport:
        """Merge a second page into the first: facts, prose and names; no fact's text is touched."""
        return merge_pages(self._opened, page, other)
