"""`xysq why`: what a fact rests on."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_fact import why
from xysq.vault.explaining import Explaining


def run(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="FACT", help="A fact's id, or words of its text.")],
) -> None:
    """Show a fact, its quotes in context, who said them when, and what rests on what."""
    desk = Desk(ctx)
    with desk.vault(Explaining) as vault:
        told = vault.why(" ".join(words))
    desk.answer(told, why(told))
