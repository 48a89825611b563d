"""`xysq edit`: open a page in your editor, and take over what was typed."""

import sys
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.editor import edited
from xysq.cli.render_adopted import adopted_lines, status_of
from xysq.errors import BadInput
from xysq.vault import place
from xysq.vault.adopting import Adopting

_STDIN = "-"


def run(
    ctx: typer.Context,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="A page by any of its names.")],
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Its new text (- for standard input), instead of an editor.")
    ] = None,
) -> int:
    """Open a page in your editor; what you saved is adopted at once, as xysq adopt does it.

    What cannot be taken over is told with its line and stays in the page's file.
    """
    desk = Desk(ctx)
    if file is None and not desk.may_ask:
        raise BadInput("edit needs a terminal, or a file", "edit pages with any program, then: xysq adopt")
    with desk.vault(Adopting) as vault:
        old = vault.page_text(page)
        if file is None:
            new = _edited(old, page)
        else:
            new = sys.stdin.buffer.read() if file == _STDIN else place.read_file(place.path_of(file))
        done = vault.edit_page(page, old, new)
    desk.answer(done, adopted_lines((done,)))
    return status_of((done,))


def _edited(old: bytes, page: str) -> bytes:
    try:
        text = old.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"the file of {page} is not UTF-8", "xysq repair puts the page back") from None
    return edited(text, "md").encode("utf-8")
