"""Proposing: whoever calls drafts itself, and is judged like any drafter."""

from collections.abc import Mapping
from typing import Any

from xysq.jobs import propose as propose_job
from xysq.model.report import RunReport
from xysq.model.run import Drafting
from xysq.text import safe_line
from xysq.vault.core import OpenVault

_LONGEST = 80


class Proposing(OpenVault):
    """A vault that takes proposals."""

    def propose(self, proposal: Mapping[str, Any], *, by: str = "") -> RunReport:
        """Propose facts and closings; return what became of them: the run, what was dropped, why it was refused.

        `proposal` is `{"facts": […], "closes": […]}` as drafts have them (`xysq help draft`), but each quote names its
        passage by its id, and of a fact `ref` and `label` may be left out. `by` is kept as who drafted it. The same
        planner, quarantine and gates judge it; passages it quotes are covered then.
        """
        drafting = Drafting(drafter=self._opened.channel.value, model=safe_line(by)[:_LONGEST])
        return propose_job.propose(self._opened, proposal, drafting)
