"""`xysq history`: what happened, newest first."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render import happening, happening_cells
from xysq.vault.listing import Listing


def run(
    ctx: typer.Context,
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[PAGE|FACT|SOURCE]", help="To what; the whole vault without it.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="At most so many lines.")] = 50,
) -> None:
    """Show what happened, newest first: to the vault, a page, a fact or a source."""
    desk = Desk(ctx)
    with desk.vault(Listing) as vault:
        found = vault.history(" ".join(what) if what else None, limit=limit + 1)
    desk.list("history", found[:limit], lambda one: (happening(one),), happening_cells)
    if len(found) > limit:
        desk.output.say(f"older lines are left out: xysq history --limit {limit * 10}")
