"""Distilling: what was pushed becomes facts, by whoever is to draft, for no more than may be spent."""

import os
from collections.abc import Iterator
from typing import Unpack

from xysq.drafters import UnknownDrafter, choose
from xysq.drafters.port import Drafter, Price
from xysq.jobs.distill import DistillOrder, distill, price
from xysq.jobs.meter import Caps
from xysq.model.report import RunReport
from xysq.vault import place
from xysq.vault.core import OpenVault
from xysq.vault.options import DistillOptions


class Distilling(OpenVault):
    """A vault that is distilled."""

    def drafter(self, name: str | None = None) -> Drafter:
        """Return the drafter of a name, of the user's configuration, or of the vault's settings, in this order.

        The first two may be `ollama:MODEL`; what the vault names, which may come from somebody else, is defined in the
        user's configuration, or is `rules`.
        """
        config = place.user_config()
        own = name or config.drafter
        if own is None:
            own = self._opened.settings().drafter
            if own not in config.drafters and own != "rules":
                raise UnknownDrafter(own, ("rules", *sorted(config.drafters)))
        return choose(own, config.drafters, os.environ)

    def distill(self, drafter: str | None = None, **options: Unpack[DistillOptions]) -> tuple[RunReport, ...]:
        """Work through what is pending; return a report for every run."""
        return tuple(self.distill_iter(drafter, **options))

    def distill_iter(self, drafter: str | None = None, **options: Unpack[DistillOptions]) -> Iterator[RunReport]:
        """Work through what is pending; yield a report as each run ends.

        What is spent is bounded by the options, and by the day's budgets of the user's configuration.
        """
        return distill(self._opened, self._order(drafter, options))

    def price(self, drafter: str | None = None) -> Price:
        """Estimate what it costs to distill what is pending: calls and tokens; nothing where no model is asked."""
        return price(self._opened, self.drafter(drafter))

    def _order(self, drafter: str | None, options: DistillOptions) -> DistillOrder:
        caps = Caps(
            calls=options.get("max_calls"),
            tokens=options.get("max_tokens"),
            seconds=options.get("max_seconds"),
            day=place.user_config().budgets,
        )
        return DistillOrder(
            drafter=self.drafter(drafter),
            stage=options.get("stage", False),
            dry_run=options.get("dry_run", False),
            limit=options.get("limit"),
            caps=caps,
            progress=options.get("progress"),
            spending=options.get("spending"),
        )
