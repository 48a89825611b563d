"""`xysq redistill`: distil what was distilled before once more."""

from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.commands.distill import tell_runs
from xysq.cli.desk import Desk
from xysq.cli.progress import Progress
from xysq.errors import BadInput
from xysq.vault.api import Vault
from xysq.vault.options import DistillOptions


def run(
    ctx: typer.Context,
    sources: Annotated[list[str] | None, typer.Argument(metavar="[SOURCE…]", help="What to distil once more.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every source.")] = False,
    drafter: Annotated[str | None, typer.Option("--drafter", metavar="NAME", help="Who drafts the facts.")] = None,
    from_drafts: Annotated[
        bool, typer.Option("--from-drafts", help="From the answers that were kept; no model is asked.")
    ] = False,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Into a second vault, made in a new directory.")
    ] = None,
    stage: Annotated[bool, typer.Option("--stage", help="Leave the runs staged, to verify and apply by hand.")] = False,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=1, metavar="N", help="Ask the drafter at most so often.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, metavar="N", help="Spend at most so many tokens.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option("--max-seconds", min=0, metavar="N", help="Begin nothing new after so long.")
    ] = None,
) -> int:
    """Distil what was distilled before once more: known facts are confirmed, new ones added, closed ones stay closed.

    With --into, a second vault is made from all logs, and this one is left as it is. With --from-drafts its pages are
    those of this one, to the byte.
    """
    desk = Desk(ctx)
    if (into is None) == (not sources and not every):
        raise BadInput("name sources, or --all, or a directory for a second vault with --into", "xysq redistill --all")
    if from_drafts and (drafter is not None or stage):
        raise BadInput("--from-drafts asks no drafter and stages nothing", "leave out --drafter and --stage")
    word = "runs" if from_drafts else "passages"
    with desk.vault(Vault) as vault, Progress(desk.output, word) as progress:
        options = DistillOptions(
            stage=stage,
            max_calls=max_calls,
            max_tokens=max_tokens,
            max_seconds=max_seconds,
            progress=progress,
            spending=progress.spending,
        )
        if into is None:
            chosen = None if every else sources
            reports = vault.redistill(chosen, drafter, from_drafts=from_drafts, **options)
        else:
            reports = vault.redistill_into(into, drafter, from_drafts=from_drafts, **options)
        _, status = tell_runs(desk, reports, progress, "nothing was distilled before")
    if into is not None:
        desk.output.say(f"made {into}. Next: xysq diff --against {into}")
    return status
