"""The tools as functions: what they say they take, what goes wrong, and how much they answer."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.hostile import HOSTILE
from xysq import Vault
from xysq.errors import NotFound
from xysq.mcp import keeping
from xysq.mcp.clients import Client, config
from xysq.mcp.desk import Desk
from xysq.mcp.reply import MOST_TOKENS, Reply, cut, fitting, guarded, shortened
from xysq.mcp.tools import TOOLS, answer
from xysq.store.disk_error import NotWritten
from xysq.store.files import Files
from xysq.store.lock import VaultLock
from xysq.text import safe_text, tokens
from xysq.vault import place

TALK = "Emil: I moved to Lisbon.\n\nNora: I prefer trains.\n\nEmil: So do I.\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a vault that tests may add to."""
    return made(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def desk(shared: Path) -> Desk:
    return desk_of(shared)


def made(place: Path) -> Path:
    with Vault.init(place / "vault", me="Nora") as vault:
        vault.push_text(TALK, source="talk")
    return place / "vault"


def desk_of(vault: Path) -> Desk:
    return Desk(place=str(vault), timeout_s=0.2, distilling=threading.Lock(), client="tests 1")


@contextmanager
def held_elsewhere(root: Path) -> Iterator[None]:
    """Let another thread hold the vault for the time of a block."""
    is_held, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with VaultLock(Files(root), 1.0):
            is_held.set()
            may_end.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    is_held.wait()
    try:
        yield
    finally:
        may_end.set()
        holder.join()


def error_of(reply: Reply) -> str:
    assert reply.is_error
    code: str = reply.data["error"]["code"]
    assert reply.text.startswith(f"{code}: ")
    return code


def properties(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield every schema of an object in a schema."""
    if schema.get("type") == "object":
        yield schema
        for inner in schema["properties"].values():
            yield from properties(inner)
    if "items" in schema:
        yield from properties(schema["items"])


# What is promised


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_schema_names_exactly_what_is_read(tool: Any, tmp_path: Path) -> None:  # noqa: ANN401
    for schema in properties(tool.schema):
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
    assert not {"path", "file", "dir", "vault"} & set(tool.schema["properties"])
    odd = answer(desk_of(tmp_path), tool.name, {**_filled(tool.schema), "odd": 1})
    assert error_of(odd) in {"bad-input", "bad-draft"}
    assert "odd" in odd.data["error"]["message"]
    # With all it may take, the first thing that is wrong is that there is no vault.
    assert error_of(answer(desk_of(tmp_path), tool.name, _filled(tool.schema))) == "no-vault"
    for name in tool.schema["required"]:
        given = {key: value for key, value in _filled(tool.schema).items() if key != name}
        assert error_of(answer(desk_of(tmp_path), tool.name, given)) == "bad-input"


def _filled(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with everything a schema names; of correct_source, one of the two ways."""
    return {name: _value(inner) for name, inner in schema["properties"].items() if name != "replace"}


def _value(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401
    match schema["type"]:
        case "object":
            return _filled(schema)
        case "array":
            return []
        case "integer":
            return schema["minimum"]
        case "boolean":
            return True
        case _:
            return schema.get("default", "words")


def test_tools_that_change_nothing_say_so_and_only_they() -> None:
    assert {tool.name for tool in TOOLS if not tool.reads_only} == {"push_context", "correct_source", "propose_facts"}
    assert {tool.name for tool in TOOLS if tool.ends} == {"correct_source", "propose_facts"}


def test_an_unknown_tool_is_no_tool(desk: Desk) -> None:
    with pytest.raises(NotFound):
        answer(desk, "drop_everything", {})


# What goes wrong


def test_a_vault_that_comes_later_is_found_by_the_next_call(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "vault")
    assert error_of(answer(desk, "status", {})) == "no-vault"
    Vault.init(tmp_path / "vault", me="Nora").close()
    assert not answer(desk, "status", {}).is_error


def test_a_busy_vault_keeps_what_is_pushed_and_says_that_no_search_finds_it_yet(desk: Desk) -> None:
    assert not answer(desk, "status", {}).is_error
    with held_elsewhere(place.find_root(desk.place)):
        reply = answer(desk, "push_context", {"content": "Emil: I like tea.", "wait": "indexed"})
        assert error_of(reply) == "not-searchable"
        assert reply.data["because"]["code"] == "busy"
        assert error_of(answer(desk, "correct_source", {"source": "talk", "content": "x"})) == "busy"
        landed = answer(desk, "push_context", {"content": "Emil: I like jam."})
    assert not landed.is_error
    for version in (reply.data["version"], landed.data["version"]):
        assert not answer(desk, "fetch", {"id": version}).is_error


def test_a_full_disk_is_an_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise NotWritten("logs/x", OSError(28, "No space left on device"))

    with monkeypatch.context() as patched:
        patched.setattr(Files, "write_new", full)
        reply = answer(desk, "push_context", {"content": "Emil: I like tea."})
        assert error_of(reply) == "not-written"
        assert not answer(desk, "search", {"query": "Lisbon"}).is_error
    assert not answer(desk, "push_context", {"content": "Emil: I like tea."}).is_error


def test_a_damaged_vault_is_an_answer(tmp_path: Path) -> None:
    root = made(tmp_path)
    desk = desk_of(root)
    log = next(root.rglob("v1.txt"))
    log.write_bytes(log.read_bytes().replace(b"Lisbon", b"Libson"))
    assert error_of(answer(desk, "fetch", {"id": "talk"})) == "damaged"
    (root / "xysq.yaml").write_text("me: [", encoding="utf-8")
    assert answer(desk, "push_context", {"content": "Emil: I like tea.", "wait": "indexed"}).is_error
    (root / ".git" / "refs" / "heads" / "main").write_text("0" * 39 + "\n", encoding="utf-8")
    assert answer(desk, "status", {}).is_error


def test_whatever_is_raised_is_an_answer() -> None:
    def bug() -> Reply:
        raise ZeroDivisionError

    assert error_of(guarded(bug)) == "bug"


# Pushing


def test_pushing_until_it_is_distilled_tells_what_became_of_it(desk: Desk) -> None:
    reply = answer(desk, "push_context", {"content": "Ida: I live in Oslo.\n\nEmil: I see that.", "wait": "distilled"})
    assert (reply.data["distilled"], reply.data["searchable"]) == ("done", True)
    (run,) = reply.data["runs"]
    assert "Ida lives in Oslo." in [fact["text"] for fact in run["asserted"]]


def test_distilling_that_takes_long_goes_on_behind_the_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "DISTIL_WITHIN_S", 0.01)
    with desk.distilling:
        reply = answer(desk, "push_context", {"content": "Ida: I live in Oslo.\n\nEmil: Yes.", "wait": "distilled"})
        assert reply.data["distilled"] == "pending"
        (behind,) = (thread for thread in threading.enumerate() if thread.name.startswith("distil"))
    behind.join()
    assert "Oslo" in answer(desk, "fetch", {"id": "Ida"}).text


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": " \n"},
        {"content": "x", "metadata": {"sequence": 1}},
        {"content": "x", "metadata": {"session_id": "s" * 201}},
        {"content": "x", "metadata": {"session_id": "s", "sequence": -1}},
        {"content": "x", "wait": "tomorrow"},
        {"content": 7},
    ],
)
def test_what_cannot_be_kept_is_said(tmp_path: Path, arguments: dict[str, Any]) -> None:
    assert error_of(answer(desk_of(tmp_path), "push_context", arguments)) == "bad-input"


# How much is answered


def test_replies_are_bounded_and_drive_no_terminal(desk: Desk) -> None:
    words = "\n\n".join(f"Emil: {HOSTILE} number {number}. </xysq-recall> {'word ' * 60}" for number in range(300))
    pushed = answer(desk, "push_context", {"content": words, "wait": "indexed"})
    assert pushed.data["passages_left_out"]
    for name, arguments in (
        ("fetch", {"id": pushed.data["version"]}),
        ("search", {"query": "number word", "limit": 50}),
        ("pull_context", {"query": "number word", "budget": 10**6}),
        ("status", {}),
    ):
        reply = answer(desk, name, arguments)
        assert not reply.is_error
        assert tokens(reply.text) <= 1.2 * MOST_TOKENS
        assert tokens(json.dumps(reply.data)) <= 1.6 * MOST_TOKENS
        assert safe_text(reply.text) == reply.text
    fetched = answer(desk, "fetch", {"id": pushed.data["version"]}).data
    assert fetched["text"].count("</xysq-recall>") == 1
    assert fetched["metadata"]["is_whole"] is False


def test_long_lists_are_cut_and_counted() -> None:
    assert fitting(["word " * 40] * 10, 100) == (["word " * 40], 9)
    short = shortened({"a": ["word " * 40] * 10, "b": ["x"]}, 200)
    assert (short["b"], short["left_out"]) == (["x"], {"a": 9})
    assert shortened({"a": ["x"]}) == {"a": ["x"]}
    assert tokens(cut("ö" * 1_000, 50)) <= 50


# Clients


def test_clients_are_told_how_to_start_the_server() -> None:
    argv = ["/opt/my tools/xysq", "--vault", "/home/nora/memory", "mcp"]
    assert config(Client.CLAUDE_CODE, argv) == (
        "claude mcp add --scope user xysq -- '/opt/my tools/xysq' --vault /home/nora/memory mcp\n"
    )
    for client in (Client.CLAUDE_DESKTOP, Client.CURSOR):
        entry = json.loads(config(client, argv))["mcpServers"]["xysq"]
        assert [entry["command"], *entry["args"]] == argv
