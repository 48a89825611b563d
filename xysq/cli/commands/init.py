"""`xysq init`: make a vault."""

from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import ident, line
from xysq.vault import place
from xysq.vault.api import Vault
from xysq.vault.own import set_own


def run(
    ctx: typer.Context,
    directory: Annotated[str, typer.Argument(metavar="[DIR]", help="Where; this directory without it.")] = "",
    me: Annotated[str | None, typer.Option("--me", metavar="NAME", help="Your name, as logs write it.")] = None,
) -> None:
    """Make a vault: a git repository with settings, a schema and an empty ledger.

    On a vault it changes nothing. The first vault becomes the one that is used wherever no other is found.
    """
    desk = Desk(ctx)
    path = Path(directory or desk.call.vault or ".").expanduser()
    if me is None and desk.may_ask and not (path / ".git").exists():
        me = str(typer.prompt("Your name, as logs write it", default=place.owner(), err=True))
    with Vault.init(path, me=me, timeout_s=desk.call.timeout_s) as vault:
        desk.answer({"root": str(vault.root), "created": vault.created}, [line(ident(str(vault.root)))])
        desk.tell_notices(vault)
        if vault.created and place.user_config().default_vault is None:
            set_own("vault", str(vault.root))
            desk.output.say(f"{vault.root} is your default vault now")
        if vault.created:
            if me is None:
                desk.output.say(f"user turns without a speaker are by {vault.me}. Change: xysq config set me.name NAME")
            desk.output.say("a new vault. Next: xysq push FILE, then xysq distill")
        else:
            desk.output.say("a vault already; nothing was changed. Next: xysq status")
