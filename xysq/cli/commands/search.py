"""`xysq search`: find passages, facts and prose."""

import re
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from xysq.canonical import instant
from xysq.cli.desk import Desk
from xysq.cli.render import hit, hit_cells
from xysq.errors import BadInput
from xysq.search.hit import Place
from xysq.vault.options import SearchOptions
from xysq.vault.searching import Searching

_NOTHING = 6
_BEGINNING = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def run(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="What to look for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="At most so many hits.")] = 10,
    where: Annotated[list[Place] | None, typer.Option("--in", help="Where to look; may be repeated.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Said at that time or later.")] = None,
    before: Annotated[str | None, typer.Option("--before", metavar="TIME", help="Said before that time.")] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="NAME", help="Said by them.")] = None,
    page: Annotated[str | None, typer.Option("--page", metavar="PAGE", help="About that page.")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="SOURCE", help="From that source.")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="DIR", help="Said while working there.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Said while working on the project in this directory.")] = False,
    only_status: Annotated[bool, typer.Option("-q", help="Print nothing; 0 if something was found, else 6.")] = False,
) -> int:
    """Find passages, facts and prose, best first; superseded, corrected and unproven words are marked."""
    desk = Desk(ctx)
    narrow = SearchOptions(
        since=_time("--since", since),
        before=_time("--before", before),
        speaker=speaker,
        page=page,
        source=source,
        project=str(_project()) if here else project,
    )
    with desk.vault(Searching) as vault:
        hits = vault.search(" ".join(words), limit=limit, where=where or (), **narrow)
    if only_status:
        return 0 if hits else _NOTHING
    desk.list("hits", hits, hit, hit_cells)
    if not hits:
        desk.output.say("nothing found")
    return 0


def _time(option: str, words: str | None) -> str | None:
    """Return a time as the index compares it: UTC, or the beginning of one that is taken as it is."""
    if words is None or _BEGINNING.fullmatch(words):
        return words
    try:
        return instant(datetime.fromisoformat(words))
    except (ValueError, OverflowError):
        raise BadInput(
            f"{option} {words!r} is no time", "write it as 2026, 2026-11, 2026-11-30 or with a time"
        ) from None


def _project() -> Path:
    """Return the nearest directory with a repository around this one, or this one."""
    here = Path.cwd()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
