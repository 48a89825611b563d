"""`xysq recall`: what is known about something, for a model to read."""

from enum import StrEnum
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import rows
from xysq.cli.render_recall import left_out
from xysq.search.block import BUDGET
from xysq.vault.options import SearchOptions
from xysq.vault.place import project_here
from xysq.vault.recalling import Recalling


class Format(StrEnum):
    """How recall is spelled."""

    MD = "md"
    JSON = "json"


def run(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="What to recall; see: xysq help query.")],
    budget: Annotated[int, typer.Option("--budget", metavar="TOKENS", help="At most so many tokens.")] = BUDGET,
    form: Annotated[Format, typer.Option("--format", help="A block of lines, or JSON.")] = Format.MD,
    project: Annotated[str | None, typer.Option("--project", metavar="DIR", help="Said while working there.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Said while working on the project in this directory.")] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="REV", help="In what the vault held then.")] = None,
    why: Annotated[bool, typer.Option("--explain", help="Tell what was left out, and why, on standard error.")] = False,
) -> None:
    """Print what is known about something: open facts, then passages, each line with its id; or that nothing is.

    The block is fenced: pasted into a session that is pushed later, it is not taken for new words.
    """
    desk = Desk(ctx)
    narrow = SearchOptions(project=str(project_here()) if here else project, as_of=as_of)
    with desk.vault(Recalling) as vault:
        recalled = vault.recall(" ".join(words), budget=budget, **narrow)
    if form is Format.JSON or desk.is_json:
        desk.output.document(recalled)
        return
    desk.output.lines(rows(recalled.text))
    if why:
        for line in left_out(recalled):
            desk.output.say(str(line))
