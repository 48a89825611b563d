"""`xysq status`: where the vault stands."""

import typer

from xysq.cli.desk import Desk
from xysq.cli.render import status
from xysq.vault.api import Vault


def run(ctx: typer.Context) -> None:
    """Show where the vault stands, and what waits for you."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        now = vault.status()
    desk.answer(now, status(now))
