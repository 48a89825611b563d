"""`xysq mcp`: the memory as tools for agents."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import rows
from xysq.cli.own import own_argv
from xysq.errors import XysqError
from xysq.mcp.clients import Client, config, place_of
from xysq.vault import place


class SdkMissing(XysqError):
    """The package that speaks the protocol is not installed."""

    code = "mcp-missing"
    exit_status = 1

    def __init__(self) -> None:
        """Say how to get it."""
        super().__init__("the package mcp is not installed", "type: pip install 'xysq[mcp]'")


def run(
    ctx: typer.Context,
    client: Annotated[
        Client | None, typer.Option("--print-config", help="Print what that client wants in its configuration.")
    ] = None,
) -> None:
    """Serve the memory to an agent over the Model Context Protocol, on standard input and output.

    It ends when the client closes its end. It also starts where there is no vault: each call says so then.
    """
    desk = Desk(ctx)
    if client is not None:
        text = config(client, own_argv(place.find_root(desk.call.vault), "mcp"))
        desk.answer({"client": client.value, "config": text, "place": place_of(client)}, rows(text))
        desk.output.say(place_of(client))
        return
    try:
        from xysq.mcp.serve import serve
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise SdkMissing from None
    serve(desk.call.vault, desk.call.timeout_s)
