"""Reverting: what a run or a poisoned source brought is taken back; no model is asked, and nothing is erased."""

from xysq.errors import BadInput
from xysq.jobs.revert import revert_run, revert_source
from xysq.model.report import Reverted
from xysq.vault.core import OpenVault


class Reverting(OpenVault):
    """A vault whose runs and sources are taken back."""

    def revert(self, run: str | None = None, *, source: str | None = None) -> Reverted:
        """Take back what a run brought, or everything that came of a source, in a run of its own.

        Facts are closed, what had ended because of them is stated again where its quotes stand, and rows that were left
        out because of them are pending. A revert is reverted by its own id. Raises `XysqError`s of the codes
        `cannot-revert`, `already-reverted` and `nothing-to-revert`, and `not-found` or `ambiguous` for a name.
        """
        if (run is None) == (source is None):
            raise BadInput("say one thing: a run, or a source", "xysq revert RUN, or xysq revert --source ID")
        return revert_source(self._opened, source) if source is not None else revert_run(self._opened, run or "")
