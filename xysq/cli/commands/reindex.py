"""`xysq reindex`: make the search index anew."""

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.progress import Progress
from xysq.vault.api import Vault


def run(ctx: typer.Context) -> None:
    """Make the read model and the search index anew from the vault's own files; nothing in the vault changes."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault, Progress(desk.output, "sources and events") as progress:
        passages = vault.reindex(progress)
    desk.answer({"passages": passages}, ())
    desk.output.say(f"indexed {counted(passages, 'passage')}")
