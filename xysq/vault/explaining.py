"""Explaining: what a fact rests on."""

from xysq.jobs import why as why_job
from xysq.model.report import Why
from xysq.vault.core import OpenVault


class Explaining(OpenVault):
    """A vault whose facts are explained."""

    def why(self, fact: str) -> Why:
        """Explain a fact down to the words somebody said."""
        return why_job.why(self._opened, fact)
