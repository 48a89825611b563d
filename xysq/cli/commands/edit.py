"""`xysq edit`: open a page in your editor, and take over what was typed."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.editor import edited
from xysq.cli.render_adopted import adopted_lines, status_of
from xysq.errors import BadInput
from xysq.vault.adopting import Adopting


def run(
    ctx: typer.Context, page: Annotated[str, typer.Argument(metavar="PAGE", help="A page by any of its names.")]
) -> int:
    """Open a page in your editor; what you saved is adopted at once, as xysq adopt does it.

    What cannot be taken over is told with its line and stays in the page's file.
    """
    desk = Desk(ctx)
    if not desk.may_ask:
        raise BadInput("edit needs a terminal", "edit the file under pages/ with any program, then: xysq adopt")
    with desk.vault(Adopting) as vault:
        old = vault.page_text(page)
        try:
            text = old.decode("utf-8")
        except UnicodeDecodeError:
            raise BadInput(f"the file of {page} is not UTF-8", "xysq repair puts the page back") from None
        new = edited(text, "md").encode("utf-8")
        done = vault.edit_page(page, old, new)
    desk.answer(done, adopted_lines((done,)))
    return status_of((done,))
