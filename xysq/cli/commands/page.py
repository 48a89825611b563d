"""`xysq page`: give pages other names, and make two pages one."""

from enum import StrEnum
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.render_run import run_report
from xysq.errors import BadInput
from xysq.model.report import RunReport
from xysq.vault.paging import Paging

_REFUSED = 5


class Act(StrEnum):
    """What to do."""

    RENAME = "rename"
    ALIAS = "alias"
    MERGE = "merge"


def run(
    ctx: typer.Context,
    act: Annotated[Act, typer.Argument(help="What to do.")],
    page: Annotated[str, typer.Argument(metavar="PAGE", help="A page by its slug or any of its names.")],
    other: Annotated[str, typer.Argument(metavar="NAME|PAGE", help="The new name; the page that is merged into it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Of alias: take the name away.")] = False,
) -> int:
    """Rename a page, give it another name (alias), or merge a second page into it.

    A renamed page keeps its old title as an alias, and its file. Of a merged page all facts and prose go over, with
    their evidence; its names lead to the other page from then on. The same can be typed into a page's front matter:
    see xysq adopt. Ends with 5 where the gates refused it.
    """
    desk = Desk(ctx)
    if remove and act is not Act.ALIAS:
        raise BadInput("--remove belongs to alias")
    with desk.vault(Paging) as vault:
        report = _done(vault, act, page, other, remove=remove)
    desk.answer(report, run_report(report))
    return _REFUSED if report.refusals else 0


def _done(vault: Paging, act: Act, page: str, other: str, *, remove: bool) -> RunReport:
    match act:
        case Act.RENAME:
            return vault.rename_page(page, other)
        case Act.ALIAS:
            return vault.alias_page(page, other, remove=remove)
        case Act.MERGE:
            return vault.merge_pages(page, other)
