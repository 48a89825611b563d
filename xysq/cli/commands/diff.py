"""`xysq diff`: what changed between two points of the history."""

from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_diff import difference, page_counts, patch, stat
from xysq.cli.render_versions import versions, versions_patch, versions_stat
from xysq.errors import BadInput
from xysq.jobs.naming import is_version
from xysq.vault.api import Vault
from xysq.vault.looking import Looking

_SAME = 6


def run(
    ctx: typer.Context,
    rev1: Annotated[str | None, typer.Argument(metavar="[REV1]", help="From; the last run without it.")] = None,
    rev2: Annotated[str | None, typer.Argument(metavar="[REV2]", help="To; now without it.")] = None,
    only_stat: Annotated[bool, typer.Option("--stat", help="Numbers only.")] = False,
    only_facts: Annotated[bool, typer.Option("--facts", help="Facts only.")] = False,
    only_patch: Annotated[bool, typer.Option("--patch", help="The lines of the pages only, as a patch.")] = False,
    page: Annotated[str | None, typer.Option("--page", metavar="PAGE", help="Of that page.")] = None,
    attribute: Annotated[
        str | None, typer.Option("--attribute", metavar="NAME", help="Facts of that attribute.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="DIR", help="What another vault says otherwise.")
    ] = None,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 6 where nothing changed.")] = False,
) -> int:
    """Show what changed: facts asserted, superseded and closed with the words behind them, then the pages.

    A REV is HEAD~3, the beginning of a commit id, a run (the state after it), 2026-11-30 or "3 days ago"; A..B is two.
    Two versions of a source, as SOURCE@1 SOURCE@2, are compared word by word; --patch: the lines of their bytes.
    """
    desk = Desk(ctx)
    if only_stat + only_facts + only_patch > 1:
        raise BadInput("--stat, --facts and --patch exclude each other")
    if against is not None and rev1 is not None:
        raise BadInput("--against compares what holds now, without revs", f"xysq diff --against {against}")
    if rev1 is not None and is_version(rev1):
        if page is not None or attribute is not None:
            raise BadInput("--page and --attribute are about pages; versions of a source have none")
        with desk.vault(Looking) as looking:
            between = looking.diff_versions(rev1, rev2)
        if only_stat:
            lines = versions_stat(between)
        elif only_patch:
            lines = versions_patch(between)
        else:
            lines = versions(between, with_words=not only_facts)
        desk.answer(between, lines)
        return _SAME if exit_code and not between else 0
    with desk.vault(Vault) as vault:
        if against is None:
            found = vault.diff(rev1, rev2, page=page, attribute=attribute)
        else:
            found = vault.diff_against(against, page=page, attribute=attribute)
    if only_stat:
        desk.answer({"old": found.old, "new": found.new, "pages": tuple(page_counts(found.patch))}, stat(found))
    elif only_patch:
        desk.answer({"patch": found.patch}, patch(found.patch) if found.patch else ())
    else:
        desk.answer(found, difference(found, with_patch=not only_facts))
    return _SAME if exit_code and not found else 0
