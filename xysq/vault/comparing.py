"""Comparing: what changed between two states of a vault, or is otherwise in another one."""

import os

from xysq.jobs import against as against_job
from xysq.jobs import diff as diff_job
from xysq.jobs.diff import Difference
from xysq.jobs.naming import page_named
from xysq.jobs.readable import readable
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.core import OpenVault


class Comparing(OpenVault):
    """A vault whose states are compared."""

    def diff(
        self, rev1: str | None = None, rev2: str | None = None, *, page: str | None = None, attribute: str | None = None
    ) -> Difference:
        """Return what changed between two revs; without any, what the last run changed."""
        return diff_job.diff(self._opened, rev1, rev2, page=page, attribute=attribute)

    def diff_against(
        self, path: str | os.PathLike[str], *, page: str | None = None, attribute: str | None = None
    ) -> Difference:
        """Return what another vault says otherwise, as both stand now."""
        other = place.opened(place.find_root(path), self._opened.timeout_s, Channel.PYTHON)
        with readable(self._opened).reading() as snapshot:
            slug = None if page is None else page_named(snapshot, page)
        name = None if attribute is None else self._opened.schema().attribute(attribute).name
        return against_job.diff_against(self._opened, other, page=slug, attribute=name)
