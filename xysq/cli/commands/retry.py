"""`xysq retry`: try given-up rows again."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import ident, line
from xysq.vault.api import Vault


def run(
    ctx: typer.Context,
    rows: Annotated[list[str] | None, typer.Argument(metavar="[ROW…]", help="Given-up rows; all without it.")] = None,
) -> None:
    """Make given-up rows pending again, and print them."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        again = vault.retry(rows or ())
    desk.answer({"rows": again}, (line(ident(str(row))) for row in again))
    desk.output.say("pending again. Next: xysq distill" if again else "nothing was given up")
