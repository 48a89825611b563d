"""What only a process of its own can show: streams that close, keys that interrupt, a terminal."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.session import environment


@pytest.fixture
def home(tmp_path: Path) -> Path:
    done = subprocess.run(
        ["xysq", "init", "memory", "--me", "Nora", "--quiet"], cwd=tmp_path, env=environment(tmp_path), check=False
    )
    assert done.returncode == 0
    return tmp_path


def shell(home: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], cwd=home, env=environment(home), capture_output=True, text=True, check=False
    )


def test_a_closed_pipe_is_silent(home: Path) -> None:
    done = shell(home, "for i in $(seq 300); do seq 100; done > big.txt; xysq push --quiet big.txt > version")
    assert done.returncode == 0
    done = shell(home, "set -o pipefail; xysq show $(cat version) | head -1; echo ${PIPESTATUS[0]}")
    assert done.stdout.splitlines()[1] == "0"
    assert done.stderr == ""


def test_a_full_disk_is_an_error_in_one_line(home: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = shell(home, "xysq status > /dev/full")
    assert (done.returncode, done.stderr) == (1, "xysq: No space left on device\n")


def test_a_closed_standard_output_is_no_bug(home: Path) -> None:
    done = shell(home, "xysq status >&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_interrupt_key_ends_with_130(home: Path) -> None:
    begun = home / "begun"
    drafter = home / "drafter.sh"
    drafter.write_text(f"#!/bin/sh\ntouch {begun}\nexec sleep 60\n")
    drafter.chmod(0o755)
    command = f"xysq config set --user drafters.slow.command {drafter}; echo words | xysq push - > version"
    assert shell(home, command).returncode == 0
    with subprocess.Popen(
        [sys.executable, "-m", "xysq.cli", "distill", "--drafter", "slow"],
        cwd=home,
        env=environment(home),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        for _ in range(600):
            if begun.exists():
                break
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=30)
    assert (running.returncode, told) == (130, "xysq: interrupted\n")
    assert json.loads(shell(home, "xysq status --json").stdout)["pending"]


def test_help_loads_nothing_that_only_commands_need(tmp_path: Path) -> None:
    heavy = "{'typer', 'rich', 'ruamel', 'git', 'sqlite3', 'xysq.vault', 'xysq.model', 'xysq.jobs'}"
    program = (
        "import sys\nfrom xysq.cli.main import run\n"
        f"status = run(sys.argv[1:])\nprint(status, {heavy} & set(sys.modules), file=sys.stderr)\n"
    )
    for arguments in (["--help"], ["--version"], []):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == "0 set()\n"


def test_a_bug_says_that_it_is_one_and_shows_where_when_asked(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom xysq.cli import main, commands\n"
        "commands.ENTRIES[0].aliases  # the table is there\n"
        "sys.modules['xysq.vault.api'] = None\nsys.exit(main.run(['status']))\n"
    )
    variables = environment(tmp_path)
    for debug in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**variables, "XYSQ_DEBUG": debug},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 70
        assert "xysq: this is a bug in xysq: ModuleNotFoundError" in done.stderr
        assert ("Traceback" in done.stderr) is bool(debug)


def test_on_a_terminal_init_asks_for_the_name(tmp_path: Path) -> None:
    keys, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "xysq.cli", "init", "asked"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        os.write(keys, b"Nora Vance\n")
        _, told = running.communicate(timeout=60)
    os.close(keys)
    os.close(terminal)
    assert running.returncode == 0
    assert b"Your name" in told
    assert shell(tmp_path, "xysq config get me.name --vault asked").stdout == "Nora Vance\n"


@pytest.mark.parametrize(("typed", "expected"), [("xysq se", "search"), ("xysq dis", "distill\ndiscard")])
def test_shells_complete_commands(tmp_path: Path, typed: str, expected: str) -> None:
    variables = {"COMP_WORDS": typed, "COMP_CWORD": "1", "_XYSQ_COMPLETE": "complete_bash"}
    done = subprocess.run(
        ["xysq"], env={**environment(tmp_path), **variables}, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (expected, "")
