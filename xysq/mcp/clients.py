"""Clients: what each one wants written in its configuration, so that it starts the server."""

import json
import shlex
from collections.abc import Sequence
from enum import StrEnum

NAME = "xysq"


class Client(StrEnum):
    """Whose configuration."""

    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    CURSOR = "cursor"


_PLACES = {
    Client.CLAUDE_CODE: "type this, or put the object into .mcp.json of a project",
    Client.CLAUDE_DESKTOP: "put this into claude_desktop_config.json (Settings, Developer, Edit Config)",
    Client.CURSOR: "put this into ~/.cursor/mcp.json",
}


def config(client: Client, argv: Sequence[str]) -> str:
    """Return what to write, or to type, for a client that is to start a program with these arguments."""
    if client is Client.CLAUDE_CODE:
        return f"claude mcp add --scope user {NAME} -- {shlex.join(argv)}\n"
    entry = {"command": argv[0], "args": list(argv[1:])}
    if client is Client.CURSOR:
        entry = {"type": "stdio", **entry}
    return json.dumps({"mcpServers": {NAME: entry}}, indent=2) + "\n"


def place_of(client: Client) -> str:
    """Return where that is written."""
    return _PLACES[client]
