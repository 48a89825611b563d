"""`xysq ls`: lists of pages, facts, sources and runs."""

from enum import StrEnum
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_list import (
    fact_cells,
    fact_row,
    page_cells,
    page_row,
    run_cells,
    run_row,
    source_cells,
    source_row,
)
from xysq.errors import BadInput
from xysq.model.fact import Label
from xysq.vault.listing import Listing
from xysq.vault.options import FactOptions
from xysq.vault.place import project_here


class What(StrEnum):
    """What to list."""

    PAGES = "pages"
    FACTS = "facts"
    SOURCES = "sources"
    RUNS = "runs"


def run(
    ctx: typer.Context,
    what: Annotated[What, typer.Argument(help="What to list.")] = What.PAGES,
    page: Annotated[str | None, typer.Option("--page", metavar="PAGE", help="Facts of that page.")] = None,
    attribute: Annotated[
        str | None, typer.Option("--attribute", metavar="NAME", help="Facts of that attribute.")
    ] = None,
    only_open: Annotated[bool, typer.Option("--open", help="Facts that hold.")] = False,
    only_closed: Annotated[bool, typer.Option("--closed", help="Facts that were superseded or closed.")] = False,
    label: Annotated[Label | None, typer.Option("--label", help="Facts with that label.")] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="SOURCE", help="Facts that quote that source.")
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", metavar="DIR", help="Facts and sources said while working there.")
    ] = None,
    here: Annotated[bool, typer.Option("--here", help="Facts and sources of the project in this directory.")] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="REV", help="Facts as they were then.")] = None,
) -> None:
    """List pages, facts, sources or runs; in a pipe as ID, time, who and text with tabs between."""
    desk = Desk(ctx)
    if only_open and only_closed:
        raise BadInput("--open and --closed exclude each other")
    if what is not What.FACTS and (page or attribute or only_open or only_closed or label or source or as_of):
        raise BadInput("these options narrow facts only", "try: xysq ls facts")
    if what in (What.PAGES, What.RUNS) and (project or here):
        raise BadInput("a project narrows facts and sources only", "try: xysq ls facts")
    project = str(project_here()) if here else project
    with desk.vault(Listing) as vault:
        match what:
            case What.PAGES:
                desk.list("pages", vault.pages(), lambda one: (page_row(one),), page_cells)
            case What.SOURCES:
                desk.list("sources", vault.sources(project=project), lambda one: (source_row(one),), source_cells)
            case What.RUNS:
                desk.list("runs", vault.runs(), lambda one: (run_row(one),), run_cells)
            case What.FACTS:
                wanted = FactOptions(
                    page=page,
                    attribute=attribute,
                    is_open=True if only_open else False if only_closed else None,
                    label=label,
                    source=source,
                    project=project,
                    as_of=as_of,
                )
                desk.list("facts", vault.facts(**wanted), lambda one: (fact_row(one),), fact_cells)
