"""`xysq init`: make a vault."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import ident, line
from xysq.vault.api import Vault


def run(
    ctx: typer.Context,
    directory: Annotated[str, typer.Argument(metavar="[DIR]", help="Where; this directory without it.")] = "",
    me: Annotated[str | None, typer.Option("--me", metavar="NAME", help="Your name, as logs write it.")] = None,
) -> None:
    """Make a vault: a git repository with settings, a schema and an empty ledger.

    On a vault it changes nothing.
    """
    desk = Desk(ctx)
    with Vault.init(directory or desk.call.vault or ".", me=me, timeout_s=desk.call.timeout_s) as vault:
        desk.answer({"root": str(vault.root), "created": vault.created}, [line(ident(str(vault.root)))])
        desk.tell_notices(vault)
        if vault.created:
            desk.output.say("a new vault. Next: xysq push FILE, then xysq distill")
        else:
            desk.output.say("a vault already; nothing was changed. Next: xysq status")
