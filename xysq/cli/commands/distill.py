"""`xysq distill`: turn what was pushed into facts."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.progress import Progress
from xysq.cli.render_run import run_report, told_sum
from xysq.errors import Refused, XysqError
from xysq.jobs.telling import STAGED
from xysq.model.report import RunReport
from xysq.vault.api import Vault
from xysq.vault.options import DistillOptions

_RULES = "drafter: rules (no model). For more facts: xysq config set --user drafter ollama:MODEL"


def run(
    ctx: typer.Context,
    drafter: Annotated[str | None, typer.Option("--drafter", metavar="NAME", help="Who drafts the facts.")] = None,
    stage: Annotated[bool, typer.Option("--stage", help="Leave the runs staged, to verify and apply by hand.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come of it; change nothing.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="At most so many runs.")] = None,
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
    """Turn what was pushed into facts: drafted by a drafter, proven and applied by code.

    Ends with 5 where the gates refused a run; everything else landed. At a cap, or the day's budget of your own
    configuration, it ends with 0 and what is left stays pending.
    """
    desk = Desk(ctx)
    with desk.vault(Vault) as vault, Progress(desk.output, "passages") as progress:
        expected = vault.price(drafter)
        if expected.calls:
            desk.output.say(f"about {counted(expected.calls, 'call')} and {counted(expected.tokens, 'token')}")
        options = DistillOptions(
            stage=stage,
            dry_run=dry_run,
            limit=limit,
            max_calls=max_calls,
            max_tokens=max_tokens,
            max_seconds=max_seconds,
            progress=progress,
            spending=progress.spending,
        )
        done, status = tell_runs(desk, vault.distill_iter(drafter, **options), progress, "nothing pending")
    if done and all(report.drafter == "rules" for report in done):
        desk.output.say(_RULES)
    return status


def tell_runs(
    desk: Desk, reports: Iterator[RunReport], progress: Progress, nothing: str
) -> tuple[Sequence[RunReport], int]:
    """Tell of each run as it ends, and of all together; return the runs and the status to end with."""
    done: list[RunReport] = []
    try:
        for report in reports:
            done.append(report)
            progress.clear()
            if not desk.is_json:
                desk.output.lines(run_report(report))
    except XysqError as error:
        if not desk.is_json:
            raise
        desk.output.document({"runs": done, "error": error.told()})
        return (), error.exit_status
    if desk.is_json:
        desk.output.document({"runs": done})
    if not done:
        desk.output.say(nothing)
        return (), 0
    desk.output.say(told_sum(done))
    if any(report.outcome == STAGED for report in done):
        desk.output.say("staged. Next: xysq verify, then xysq apply")
    return done, Refused.exit_status if any(report.refusals for report in done) else 0
