"""`xysq hook`: installed, called, removed."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq


def transcript(*words: str) -> bytes:
    lines = [
        {
            "type": "user",
            "uuid": f"10000000-0000-4000-8000-{place:012d}",
            "sessionId": "5f0c2f5e-8a55-4d3c-9d5c-0f2b6f6f1a02",
            "timestamp": f"2026-11-30T19:{place:02d}:00.000Z",
            "cwd": "/home/nora/harbour",
            "message": {"role": "user", "content": said},
        }
        for place, said in enumerate(words)
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def moment(path: Path, event: str = "Stop") -> bytes:
    told = {"hook_event_name": event, "transcript_path": str(path), "session_id": "s", "cwd": "/home/nora/harbour"}
    return json.dumps(told).encode()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "model": "opus"\n}\n', encoding="utf-8")
    return file


def test_a_session_that_grows_is_pushed_at_every_turn_and_kept_once(fresh: Xysq, tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    said = ["I live in Vienna.", "I prefer trains.", "The harbour uses PostgreSQL."]
    for count in range(1, 4):
        session.write_bytes(transcript(*said[:count]))
        ran = fresh("hook", "run", "claude-code", stdin=moment(session))
        assert (ran.status, ran.out, ran.err) == (0, "", "")
    (line,) = fresh("ls", "sources").out.splitlines()
    versions = [f"{line.split(chr(9))[0]}@{number}" for number in (1, 2, 3)]
    assert fresh("show", versions[2], "--raw").raw == transcript(*said)
    assert "PostgreSQL" in fresh("search", "harbour").out
    unchanged = fresh("hook", "run", "claude-code", stdin=moment(session, "SessionEnd"))
    assert (unchanged.status, fresh("show", versions[2], "--raw").raw) == (0, transcript(*said))


@pytest.mark.parametrize("told", [b"", b"{", b"[]", b'{"hook_event_name":"Stop"}', moment(Path("/nowhere/s.jsonl"))])
def test_what_goes_wrong_never_reaches_the_caller_and_is_told_later(fresh: Xysq, told: bytes) -> None:
    ran = fresh("hook", "run", "claude-code", stdin=told)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert "hook claude-code" in fresh("status").out


def test_without_a_vault_a_hook_ends_well_too(xysq: Xysq, tmp_path: Path) -> None:
    ran = xysq("hook", "run", "claude-code", stdin=moment(tmp_path / "s.jsonl"))
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_an_event_that_is_not_ours_does_nothing(fresh: Xysq, tmp_path: Path) -> None:
    assert fresh("hook", "run", "claude-code", stdin=moment(tmp_path, "PreToolUse")).status == 0
    assert fresh("ls", "sources").out == ""
    assert "problems" not in fresh("status").out


def test_installing_is_told_backed_up_done_once_and_undone(fresh: Xysq, settings: Path) -> None:
    before = settings.read_bytes()
    first = fresh("hook", "install", "claude-code", "--settings", str(settings))
    assert (first.status, "installed" in first.err) == (0, True)
    assert settings.with_name("settings.json.before-xysq").read_bytes() == before
    full = settings.read_bytes()
    again = fresh("hook", "install", "claude-code", "--settings", str(settings))
    assert (again.status, settings.read_bytes(), "nothing to change" in again.err) == (0, full, True)
    assert "hook run claude-code" in fresh("hook", "status", "claude-code", "--settings", str(settings)).out
    assert fresh("hook", "remove", "claude-code", "--settings", str(settings)).status == 0
    assert settings.read_bytes() == before
    assert "not installed" in fresh("hook", "status", "claude-code", "--settings", str(settings)).err


def test_settings_that_cannot_be_read_stay_as_they_are(fresh: Xysq, settings: Path) -> None:
    for data in (b'{"a": 1,}', b"\xff\xfe{}"):
        settings.write_bytes(data)
        ran = fresh("hook", "install", "claude-code", "--settings", str(settings))
        assert (ran.status, settings.read_bytes()) == (2, data)
