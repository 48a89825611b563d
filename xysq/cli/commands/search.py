"""`xysq search`: find passages, facts and prose."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_hit import below_matches, hit, hit_cells
from xysq.search.hit import Place
from xysq.vault.options import SearchOptions
from xysq.vault.place import project_here
from xysq.vault.searching import Searching

_NOTHING = 6


def run(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="What to look for; see: xysq help query.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="At most so many that match.")] = 10,
    where: Annotated[list[Place] | None, typer.Option("--in", help="Where to look; may be repeated.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="At that time or later.")] = None,
    before: Annotated[str | None, typer.Option("--before", metavar="TIME", help="Before that time.")] = None,
    committed: Annotated[
        bool, typer.Option("--committed", help="Times are when the vault got it, not when it was said.")
    ] = False,
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="NAME", help="Said by them.")] = None,
    page: Annotated[str | None, typer.Option("--page", metavar="PAGE", help="About that page.")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="SOURCE", help="From that source.")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="DIR", help="Said while working there.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Said while working on the project in this directory.")] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="REV", help="In what the vault held then.")] = None,
    why: Annotated[bool, typer.Option("--explain", help="Tell why each hit came and why others did not.")] = False,
    only_status: Annotated[bool, typer.Option("-q", help="Print nothing; 0 if something was found, else 6.")] = False,
) -> int:
    """Find passages, facts and prose, best first; superseded, corrected and unproven words are marked.

    What only stands beside a passage that matches is shown below it, for an answer seldom repeats a question.
    """
    desk = Desk(ctx)
    text = " ".join(words)
    narrow = SearchOptions(
        since=since,
        before=before,
        time="committed" if committed else "said",
        speaker=speaker,
        page=page,
        source=source,
        project=str(project_here()) if here else project,
        as_of=as_of,
    )
    if why:
        return _explain(desk, text, limit, where or (), narrow)
    with desk.vault(Searching) as vault:
        hits = vault.search(text, limit=limit, where=where or (), context=True, **narrow)
        meant = "" if hits or only_status else vault.suggestion(text)
    if only_status:
        return 0 if hits else _NOTHING
    if not desk.is_json:
        hits = below_matches(hits) if desk.output.is_for_people else tuple(one for one in hits if not one.beside)
    desk.list("hits", hits, hit, hit_cells)
    if not hits:
        desk.output.say("nothing found")
        if meant:
            desk.output.say(f"did you mean: {meant}")
    return 0


def _explain(desk: Desk, text: str, limit: int, where: list[Place] | tuple[()], narrow: SearchOptions) -> int:
    from xysq.cli.render_recall import explained
    from xysq.vault.recalling import Recalling

    with desk.vault(Recalling) as vault:
        told = vault.explain(text, limit=limit, where=where, context=True, **narrow)
    desk.answer(told, explained(told))
    return 0
