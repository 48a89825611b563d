"""`xysq apply`: make staged runs part of the vault."""

from typing import Annotated

import typer

from xysq.cli.commands.distill import tell_runs
from xysq.cli.desk import Desk
from xysq.cli.progress import Progress
from xysq.vault.api import Vault


def run(
    ctx: typer.Context,
    runs: Annotated[list[str] | None, typer.Argument(metavar="[RUN…]", help="Staged runs; all without it.")] = None,
) -> int:
    """Make staged runs part of the vault; the gates judge them once more.

    Ends with 5 where a run was refused; the others landed.
    """
    desk = Desk(ctx)
    with desk.vault(Vault) as vault, Progress(desk.output, "runs") as progress:
        return tell_runs(desk, iter(vault.apply(runs or ())), progress, "nothing staged")[1]
