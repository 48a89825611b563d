"""`xysq note`: keep a sentence of yours, and what it says."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import flat, ident, line, strong
from xysq.model.report import Told
from xysq.vault.api import Vault


def run(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="TEXT…", help="What you want remembered.")],
) -> None:
    """Keep a sentence of yours, said now, and print the facts that the built-in rules find in it."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        noted = vault.note(" ".join(words))
    facts: list[Told] = []
    for run in noted.runs:
        facts += [*run.asserted, *run.superseded, *run.confirmed, *run.late]
    desk.answer(noted, [line(ident(told.fact), "  ", strong(told.title), ": ", flat(told.text)) for told in facts])
    if not facts:
        desk.output.say(f"kept as {noted.pushed.version}, searchable; the rules found no fact in it")
