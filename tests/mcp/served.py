"""A server of a vault, started as a client starts it, and a client of the SDK's own."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import TextContent

ROOT = Path(__file__).resolve().parents[2]
_PASSED = ("HOME", "PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TZ", "LANG")


class Caller:
    """Calls tools and gives back what they answer."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401 - JSON is any value
        """Return the data of an answer that is no error."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.structured_content
        return result.structured_content

    async def failing(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401
        """Return the error that a call answers."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        return result.structured_content["error"]

    async def text(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        return content.text


@asynccontextmanager
async def served(vault: Path) -> AsyncIterator[Caller]:
    """Serve a vault for the time of a block."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "xysq.cli", "--vault", str(vault), "--timeout", "5", "mcp"],
        env={name: os.environ[name] for name in _PASSED if name in os.environ} | {"PYTHONPATH": str(ROOT)},
        cwd=vault.parent,
    )
    async with Client(stdio_client(parameters)) as client:
        yield Caller(client)
