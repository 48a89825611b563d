"""`xysq revert`: take back what a run or a poisoned source brought."""

from collections.abc import Iterator
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import INDENT, Line, counted, ident, line
from xysq.cli.render_run import run_report
from xysq.errors import BadInput
from xysq.model.report import Reverted
from xysq.vault.reverting import Reverting

_REFUSED = 5


def run(
    ctx: typer.Context,
    what: Annotated[str | None, typer.Argument(metavar="[RUN]", help="What to take back: r-….")] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="ID", help="Take back everything that came of a source.")
    ] = None,
) -> int:
    """Take back what a run, or a poisoned source, brought: its facts, its names, its sentences. No model is asked.

    What it had superseded or closed holds again where its quotes stand, and what was left out because of it is pending.
    History is not rewritten: a revert is a run, and can be reverted itself. Ends with 5 where the gates refused it.
    """
    desk = Desk(ctx)
    if (what is None) == (source is None):
        raise BadInput("say one thing: a run, or a source", "xysq revert RUN, or xysq revert --source ID")
    with desk.vault(Reverting) as vault:
        done = vault.revert(what, source=source)
    desk.answer(done, _lines(done))
    return _REFUSED if done.run.refusals else 0


def _lines(done: Reverted) -> Iterator[Line]:
    yield from run_report(done.run)
    if done.run.refusals:
        return
    for page in done.removed_pages:
        yield line(INDENT, "removed page ", ident(page), ", which nothing else stands on")
    if done.withdrawn:
        yield line(INDENT, f"withdrew {counted(done.withdrawn, 'quote')} of facts that others prove")
    if done.pending:
        yield line(INDENT, f"{counted(len(done.pending), 'row')} pending again. Next: xysq distill")
    yield line("reverted ", ident(done.target), ". Taken back by: xysq revert ", ident(done.run.run))
