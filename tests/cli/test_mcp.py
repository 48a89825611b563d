"""`xysq mcp`, as far as it needs no client."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq


def test_clients_are_told_how_to_start_the_server(fresh: Xysq, tmp_path: Path) -> None:
    told = fresh("mcp", "--print-config", "cursor")
    entry = json.loads(told.out)["mcpServers"]["xysq"]
    assert entry["args"][-3:] == ["--vault", str(tmp_path), "mcp"]
    assert "~/.cursor/mcp.json" in told.err
    assert fresh("mcp", "--print-config", "claude-code").out.startswith("claude mcp add --scope user xysq -- ")
    assert json.loads(fresh("mcp", "--print-config", "claude-desktop", "--json").out)["client"] == "claude-desktop"


def test_without_the_sdk_it_says_what_to_install(xysq: Xysq, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("mcp.", "xysq.mcp."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = xysq("mcp")
    assert (ran.status, "pip install 'xysq[mcp]'" in ran.err) == (1, True)
    assert json.loads(xysq("mcp", "--json").out)["error"]["code"] == "mcp-missing"
