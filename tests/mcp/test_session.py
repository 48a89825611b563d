"""An agent's session with the server, through the SDK's own client: kept, found, proposed, explained, corrected."""

from pathlib import Path

import anyio

from tests.mcp.served import served
from xysq import Vault
from xysq.mcp.tools import TOOLS

OWNS = "Nora: I live in Vienna.\n\nEmil: I see.\n\nNora: I prefer trains.\n"
SAID = "Emil: I moved to Lisbon last week.\n\nNora: I live in Rome.\n\nEmil: That is nice.\n"


def stated(subject: str, value: str, passage: str, words: str | None = None) -> dict[str, object]:
    return {
        "subject": subject,
        "attribute": "location",
        "value": value,
        "text": f"{subject} lives in {value}.",
        "quotes": [{"passage": passage, "text": words}],
    }


def test_a_session_with_an_agent(tmp_path: Path) -> None:
    with Vault.init(tmp_path / "vault", me="Nora") as vault:
        vault.push_text(OWNS, source="hers")
        vault.distill("rules")
    anyio.run(_session, tmp_path / "vault")
    with Vault.open(tmp_path / "vault") as vault:
        assert vault.fsck() == ()
        assert len(vault.status().by_agents) == 1


async def _session(root: Path) -> None:
    async with served(root) as call:
        tools = (await call.client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
        assert all(tool.annotations and tool.annotations.open_world_hint is False for tool in tools)

        pushed = await call("push_context", content=SAID, wait="indexed", metadata={"session_id": "talk"})
        lisbon, rome, _ = [one["id"] for one in pushed["passages"]]
        results = (await call("search", query="Lisbon"))["results"]
        assert (results[0]["id"], results[0]["text"]) == (lisbon, "I moved to Lisbon last week.")

        facts = [
            stated("Emil", "Lisbon", lisbon, "I moved to Lisbon"),
            {**stated("Emil", "Oslo", lisbon, "I moved to Oslo"), "attribute": "employer"},
            stated("Nora", "Rome", rome),
        ]
        run = await call("propose_facts", facts=facts)
        (fact,) = run["asserted"]
        assert fact["text"] == "Emil lives in Lisbon."
        assert {drop["code"] for drop in run["drops"]} == {"quote-mismatch", "lower-authority"}

        told = await call("why", fact=fact["id"])
        (quote,) = told["quotes"]
        assert (quote["quote"], quote["who"], quote["channel"], quote["stands"]) == (
            "I moved to Lisbon",
            "Emil",
            "mcp",
            True,
        )
        assert told["drafter"].startswith("mcp ")

        corrected = await call("correct_source", source="mcp:talk", replace={"old": "Lisbon", "new": "Porto"})
        assert [one["id"] for one in corrected["run"]["closed"]] == [fact["id"]]
        assert (await call("why", fact=fact["id"]))["fact"]["state"] == "closed, corrected"

        recalled = await call("pull_context", query="Where does Emil live?")
        assert "Porto" in recalled["context"]
        assert "Lisbon" not in recalled["context"]
        assert recalled["context"].startswith("<xysq-recall")
        assert await call.text("pull_context", query="Where does Emil live?") == recalled["context"].rstrip("\n")
        nothing = await call("pull_context", query="quantum chromodynamics")
        assert (nothing["is_empty"], nothing["facts"]) == (True, [])

        again = await call("push_context", content=recalled["context"], wait="indexed", metadata={"session_id": "next"})
        for passage in again["passages"]:
            run = await call("propose_facts", facts=[stated("Emil", "Porto", passage["id"])])
            assert run["asserted"] == run["superseded"] == []
        assert (await call.failing("fetch", id="f-nothing"))["code"] == "not-found"
