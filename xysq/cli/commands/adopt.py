"""`xysq adopt`: take over what was typed into pages."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_adopted import adopted_lines, status_of
from xysq.vault.adopting import Adopting


def run(
    ctx: typer.Context,
    pages: Annotated[list[str] | None, typer.Argument(metavar="[PAGE…]", help="Only these pages.")] = None,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Also an older state of a page, a missing file, more than two deleted facts."),
    ] = False,
) -> int:
    """Take over what you typed into the files of pages: a run for each page.

    A fact's line in other words supersedes the fact, or closes it and stays as your own prose; a deleted line closes
    its fact; other text is yours, word for word. Title, kind and aliases are taken from the front matter, and a file
    whose only line is `Merged into [[page]].` merges its page into that one. What cannot be taken over is told with its
    line and stays in the file. Ends with 4 where something stays, with 5 where the gates refused it.
    """
    desk = Desk(ctx)
    with desk.vault(Adopting) as vault:
        done = vault.adopt(pages or (), yes=yes)
    desk.answer({"pages": done}, adopted_lines(done))
    if not done:
        desk.output.say("nothing to adopt: every page is as the ledger has it")
    return status_of(done)
