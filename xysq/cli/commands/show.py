"""`xysq show`: whatever an id or a title means."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_shown import shown
from xysq.vault.looking import Looking


def run(
    ctx: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="ID", help="An id, the beginning of one, a title, a name.")],
    raw: Annotated[bool, typer.Option("--raw", help="The exact bytes.")] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="REV", help="As it was then.")] = None,
) -> None:
    """Show a page, block, fact, source, version, passage or run, whatever the id or title is."""
    desk = Desk(ctx)
    name = " ".join(what)
    with desk.vault(Looking) as vault:
        if raw:
            desk.output.raw(vault.raw(name, as_of=as_of))
            return
        thing = vault.show(name, as_of=as_of)
    desk.answer(thing, shown(thing))
