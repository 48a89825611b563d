"""Models on the command line: set, asked, bounded, told; a second vault from what was kept."""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Xysq
from tests.drafters.stand_in import Scripted, StandIn, Turn, standing_in

TALK = "".join(f"N{town}: I live in {town}.\n\n" for town in ("Porto", "Faro", "Braga") for _ in range(3))


def _answer(asked: Mapping[str, Any]) -> Turn:
    words = asked["messages"][-1]["content"]
    town = next(town for town in ("Porto", "Faro", "Braga") if town in words)
    facts = [
        {"line": 1, "name": f"N{town}", "property": "location", "value": town},
        {"line": 1, "name": f"N{town}", "property": "location", "value": "Berlin\x1b[31m"},
    ]
    return Turn(text=json.dumps({"facts": facts}))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with standing_in(Scripted(_answer)) as stand_in:
        monkeypatch.setenv("OLLAMA_HOST", stand_in.host)
        yield stand_in
    assert stand_in.faults == []


@pytest.fixture
def asking(fresh: Xysq, server: StandIn) -> Xysq:
    """Return the program in a vault with a talk, whose user asks a model."""
    assert server.host
    assert fresh("config", "set", "--user", "drafter", "ollama:tiny").status == 0
    assert fresh("push", "-", "--format", "turns", stdin=TALK.encode()).status == 0
    return fresh


def test_a_cap_of_calls_and_what_was_spent(asking: Xysq, server: StandIn) -> None:
    capped = asking("distill", "--max-calls", "2")
    assert capped.status == 0
    assert len(server.asked) == 2
    assert "about 3 calls and " in capped.err
    assert "stopped at the cap of 2 calls; what is left stays pending" in capped.err
    assert "the value does not stand in line 1" in capped.out
    assert "\x1b" not in capped.out

    told = asking("status").out
    assert "ollama:tiny" in told
    assert re.search(r"today 2 calls, 240 tokens, \d+ s: 2 facts, 120 tokens each", told)
    assert asking("distill", "--max-tokens", "10").status == 0
    assert asking("config", "set", "--user", "budgets.calls", "2").status == 0
    assert "the day's budget of 2 calls" in asking("distill").err
    assert "; budget 2 calls a day" in asking("status").out
    assert len(server.asked) == 2
    assert json.loads(asking("status", "--json").out)["spent_today"]["calls"] == 2


def test_a_second_vault_from_what_was_kept_differs_in_nothing(
    asking: Xysq, server: StandIn, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    beside = tmp_path_factory.mktemp("beside")
    assert asking("distill").status == 0
    calls = len(server.asked)
    made = asking("redistill", "--from-drafts", "--into", str(beside / "again"))
    assert (made.status, len(server.asked)) == (0, calls)
    assert "Next: xysq diff --against" in made.err
    assert asking("diff", "--against", str(beside / "again"), "--exit-code").status == 6
    pages = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.glob("pages/*/*.md")}
    assert len(pages) == 3
    assert {path: (beside / "again" / path).read_bytes() for path in pages} == pages
    assert asking("fsck", "--vault", str(beside / "again")).status == 0

    assert asking("redistill", "--into", str(beside / "rules"), "--drafter", "rules").status == 0
    assert "NPorto" in asking("diff", "--against", str(beside / "rules"), "--exit-code").out
    again = asking("redistill", "--all", "--max-calls", "1")
    assert (again.status, len(server.asked)) == (0, calls + 1)
    assert asking("redistill", "--all", "--from-drafts").status == 0
    assert len(asking("ls", "facts").out.splitlines()) == 3


@pytest.mark.parametrize(
    "words",
    [
        ("redistill",),
        ("redistill", "--all", "--into", "x"),
        ("redistill", "--from-drafts", "--all", "--drafter", "rules"),
        ("redistill", "--into", "."),
        ("diff", "HEAD", "--against", "."),
    ],
)
def test_what_cannot_be_meant_is_said(words: tuple[str, ...], fresh: Xysq) -> None:
    ran = fresh(*words)
    assert ran.status == 2
    assert "hint: " in ran.err


def test_a_server_that_is_down_costs_nothing(asking: Xysq, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("OLLAMA_HOST", host)
    ran = asking("distill")
    assert (ran.status, ran.err) == (3, f"xysq: no server answers at {host}\nhint: start it: ollama serve\n")
    assert f"no server answers at {host}. Next: ollama serve" in asking("status").out
    assert f"no server answers at {host}" in asking("doctor").out


def test_a_model_that_is_not_there_is_named(asking: Xysq) -> None:
    ran = asking("distill", "--drafter", "ollama:huge")
    assert ran.status == 3
    assert "hint: fetch it: ollama pull huge" in ran.err
    assert (
        json.loads(asking("distill", "--json", "--drafter", "ollama:huge").out)["error"]["code"]
        == "drafter-unreachable"
    )


def test_a_vault_names_no_model_that_its_user_did_not_define(fresh: Xysq, server: StandIn) -> None:
    assert fresh("config", "set", "drafter", "ollama:tiny").status == 0
    assert fresh("push", "-", "--format", "turns", stdin=TALK.encode()).status == 0
    ran = fresh("distill")
    assert ran.status == 2
    assert "no drafter named 'ollama:tiny'" in ran.err
    assert server.asked == []
    assert fresh("config", "set", "--user", "drafters.ollama:tiny.ollama", "tiny").status == 0
    assert fresh("distill").status == 0
    assert len(server.asked) == 3
