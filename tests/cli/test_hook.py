"""`xysq hook`: installed, called, removed; `xysq import`: what was there before."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq

HARBOUR, PIER = "/home/nora/harbour", "/home/nora/pier"


def transcript(*words: str, session: str = "s", cwd: str = HARBOUR, day: str = "2026-11-30") -> bytes:
    lines = [
        {
            "type": "user",
            "uuid": f"{session}-{place}",
            "sessionId": session,
            "timestamp": f"{day}T19:{place:02d}:00.000Z",
            "cwd": cwd,
            "message": {"role": "user", "content": said},
        }
        for place, said in enumerate(words)
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def moment(path: Path, event: str = "Stop", cwd: str = HARBOUR, **more: str) -> bytes:
    told = {"hook_event_name": event, "transcript_path": str(path), "session_id": "s", "cwd": cwd, **more}
    return json.dumps(told).encode()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
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
    doctor = fresh("doctor")
    assert doctor.status == 0
    assert "warning unseen: 20" in doctor.out
    assert "hook claude-code: " in doctor.out
    assert "type xysq status" in doctor.out


def test_of_problems_only_the_latest_are_a_warning(fresh: Xysq, tmp_path: Path) -> None:
    assert "ok      unseen: nothing went wrong in the last 7 days" in fresh("doctor").out
    problems = next((tmp_path).rglob(".git/xysq")) / "problems"
    line = {"at": "2026-01-01T00:00:00Z", "what": "it broke", "who": "hook claude-code"}
    problems.write_text(json.dumps(line) + "\n")
    assert "ok      unseen: nothing" in fresh("doctor").out
    fresh("hook", "run", "claude-code", stdin=b"x")
    fresh("hook", "run", "claude-code", stdin=b"x")
    assert ", and 1 more in these 7 days" in fresh("doctor").out


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


# The start of a session


def repository(folder: Path, subject: str) -> Path:
    """Make a repository with one commit."""
    folder.mkdir()
    identity = ("-c", "user.name=Nora", "-c", "user.email=nora@example.org")
    subprocess.run(["git", "init", "-q", "-b", "invoices", folder], check=True)
    subprocess.run(["git", *identity, "commit", "-q", "--allow-empty", "-m", subject], cwd=folder, check=True)
    return folder


def test_a_session_starts_with_the_owners_rules_and_what_was_said_in_this_project(fresh: Xysq, tmp_path: Path) -> None:
    harbour, other = repository(tmp_path / "harbour", "Store the invoices in PostgreSQL"), tmp_path / "other"
    below = harbour / "src"
    below.mkdir()
    file = tmp_path / "s.jsonl"
    for session, cwd, words in (
        ("here", below, ("The invoices of the harbour stay in PostgreSQL for ten years.", "Never deploy on Fridays.")),
        ("there", other, ("The invoices of the harbour are not our business.", "Never use PostgreSQL.")),
    ):
        file = tmp_path / f"{session}.jsonl"
        file.write_bytes(transcript(*words, session=session, cwd=str(cwd)))
        assert fresh("hook", "run", "claude-code", stdin=moment(file, cwd=str(cwd))).status == 0
    assert fresh("distill").status == 0
    ran = fresh("hook", "run", "claude-code", stdin=moment(file, "SessionStart", str(below), source="startup"))
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert (lines[0], lines[-1]) == ('<xysq-recall query="harbour invoices store the in postgresql">', "</xysq-recall>")
    assert "Never deploy on Fridays." in lines[3]
    assert "ten years" in ran.out
    assert "business" not in ran.out
    assert "Never use PostgreSQL" not in ran.out
    for silent in (
        moment(file, "SessionStart", str(below), source="resume"),
        b'{"hook_event_name":"SessionStart"}',
    ):
        assert fresh("hook", "run", "claude-code", stdin=silent).out == ""
    assert "problems" not in fresh("status").out


def test_a_session_of_a_memory_without_anything_to_say_starts_in_silence(fresh: Xysq, tmp_path: Path) -> None:
    ran = fresh("hook", "run", "claude-code", stdin=moment(tmp_path, "SessionStart", str(tmp_path), source="startup"))
    assert (ran.status, ran.out, ran.err) == (0, "", "")


# What was there before


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a home of Claude Code's with two sessions, one of a sub-agent in it, and two files that are none."""
    home = tmp_path / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    project = home / "projects" / "-home-nora-harbour"
    (project / "b" / "subagents").mkdir(parents=True)
    (project / "b.jsonl").write_bytes(transcript("I live in Vienna.", session="b", day="2026-11-02"))
    (project / "a.jsonl").write_bytes(transcript("I live in Rome.", session="a", day="2026-11-03", cwd=PIER))
    (project / "b" / "subagents" / "agent-x.jsonl").write_bytes(
        transcript("Look it up.", session="x", day="2026-11-01")
    )
    (project / "odd.jsonl").write_bytes(b'{"some":"thing"}\n')
    (project / "b" / "notes.txt").write_bytes(b"not looked at")
    return project


def test_sessions_are_imported_oldest_first_once_and_with_their_projects(fresh: Xysq, sessions: Path) -> None:
    dry = fresh("import", "claude-code", "--dry-run")
    assert [Path(line.split("\t")[0]).name for line in dry.out.splitlines()][:3] == [
        "agent-x.jsonl",
        "b.jsonl",
        "a.jsonl",
    ]
    assert fresh("ls", "sources").out == ""
    ran = fresh("import", "claude-code")
    assert (ran.status, len(ran.out.splitlines())) == (1, 3)
    assert "odd.jsonl is no Claude Code session" in ran.err
    assert "searchable" in ran.err
    (sessions / "odd.jsonl").unlink()
    (sessions / "a.jsonl").write_bytes(
        transcript("I live in Rome.", "I like it here.", session="a", day="2026-11-03", cwd=PIER)
    )
    again = json.loads(fresh("import", "claude-code", "--json").out)
    assert [one["pushed"]["kind"] for one in again["imported"]] == [None, None, "append"]
    assert again["failed"] == []
    assert fresh("import", "claude-code", "/nowhere").status == 1
    assert fresh("distill").status == 0
    narrowed_to_a_project(fresh)


def narrowed_to_a_project(fresh: Xysq) -> None:
    assert len(fresh("ls", "sources").out.splitlines()) == 3
    assert len(fresh("ls", "sources", "--project", PIER).out.splitlines()) == 1
    assert "Rome" in fresh("ls", "facts", "--project", PIER).out
    for arguments in (("--project", HARBOUR), ("--project", HARBOUR, "--as-of", "HEAD"), ("--project", "/home")):
        assert "Vienna" in fresh("ls", "facts", *arguments).out
    assert "Rome" not in fresh("ls", "facts", "--project", HARBOUR, "--as-of", "HEAD").out
    assert fresh("ls", "facts", "--here").out == ""
    assert fresh("ls", "pages", "--here").status == 2


def test_installing_offers_what_was_there_before(fresh: Xysq, sessions: Path, settings: Path) -> None:
    (sessions / "odd.jsonl").unlink()
    install = ("hook", "install", "claude-code", "--settings", str(settings))
    told = fresh(*install)
    assert (told.status, "3 sessions" in told.err, "xysq import claude-code" in told.err) == (0, True, True)
    assert (
        fresh("hook", "install", "claude-code", "--settings", str(settings), "--no-backfill").err
        == "nothing to change\n"
    )
    assert fresh("ls", "sources").out == ""
    assert fresh(*install, "--backfill").status == 0
    assert len(fresh("ls", "sources").out.splitlines()) == 3
