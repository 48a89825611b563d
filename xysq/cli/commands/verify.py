"""`xysq verify`: judge staged runs by the gates."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render import verdict
from xysq.vault.api import Vault

FOUND = 4


def run(
    ctx: typer.Context,
    runs: Annotated[list[str] | None, typer.Argument(metavar="[RUN…]", help="Staged runs; all without it.")] = None,
) -> int:
    """Judge staged runs by the gates, changing nothing.

    Silent where all may land; otherwise every refusal as RUN: gate: page#anchor: sentence, and 4.
    """
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        verdicts = vault.verify(runs or ())
    desk.answer({"verdicts": verdicts}, (row for judged in verdicts for row in verdict(judged)))
    return FOUND if any(judged.refusals for judged in verdicts) else 0
