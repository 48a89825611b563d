"""The source tree keeps the rules of `tests.architecture`, and each of those rules can fail."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import xysq
from tests.architecture import RULES, Module, Rule, errors_are_told_apart
from xysq.errors import XysqError

PACKAGE = Path(xysq.__file__).parent
STATUSES = frozenset({1, 2, 3, 4, 5, 6, 10, 12, 70, 130})
MODULES = tuple(
    Module(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))
)
BY_NAME = {rule.__name__: rule for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule: Rule) -> None:
    assert "\n".join(finding for module in MODULES for finding in rule(module)) == ""


def test_errors_have_codes_of_their_own_and_statuses_of_the_table() -> None:
    for found in pkgutil.walk_packages([str(PACKAGE)], "xysq."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    assert "\n".join(errors_are_told_apart(_family(XysqError), STATUSES)) == ""


def _family(error: type[XysqError]) -> Iterator[type[XysqError]]:
    yield error
    for child in error.__subclasses__():
        if child.__module__.startswith("xysq."):
            yield from _family(child)


# What each rule refuses, with the accepting neighbour: (rule, path, source, findings).
CASES: tuple[tuple[str, str, str, int], ...] = (
    ("imports_point_down", "model/fact.py", "from xysq.ledger.fold import Fold", 1),
    ("imports_point_down", "canonical.py", "from xysq.errors import BadJson", 0),
    ("imports_point_down", "canonical.py", "from xysq.model.fact import Fact", 1),
    ("imports_point_down", "ledger/fold.py", "from xysq.model.fact import Fact", 0),
    ("imports_point_down", "store/wal.py", "import xysq.gates.verbatim", 1),
    ("imports_point_down", "jobs/apply.py", "import xysq.gates.verbatim", 0),
    ("imports_point_down", "gates/meaning.py", "from xysq.planner.authority import rank", 0),
    ("imports_point_down", "planner/plan.py", "from xysq.gates.meaning import verbatim", 1),
    ("imports_point_down", "cli/main.py", "from xysq.watch import run", 0),
    ("imports_point_down", "watch.py", "from xysq.cli.main import main", 1),
    ("imports_point_down", "model/fact.py", "from .page import Alias", 1),
    ("imports_point_down", "model/fact.py", "from xysq import Vault", 0),
    ("imports_point_down", "sundry/thing.py", "x = 1", 1),
    ("imports_stand_at_the_top", "jobs/push.py", "def f():\n    import json", 1),
    ("imports_stand_at_the_top", "jobs/push.py", "import json\ndef f(): pass", 0),
    ("imports_stand_at_the_top", "jobs/push.py", "import importlib\nimportlib.import_module('json')", 1),
    ("imports_stand_at_the_top", "cli/commands/push.py", "def f():\n    import json", 0),
    ("imports_stand_at_the_top", "jobs/recover.py", "import importlib\nimportlib.import_module('json')", 0),
    ("imports_stand_at_the_top", "store/yaml.py", "import importlib\nimportlib.import_module('json')", 0),
    ("imports_stand_at_the_top", "__init__.py", "def __getattr__(name):\n    import json", 0),
    ("nothing_hides_from_the_program", "a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING: pass", 1),
    ("nothing_hides_from_the_program", "a.py", "import typing as t\nif t.TYPE_CHECKING: pass", 1),
    ("nothing_hides_from_the_program", "a.py", "from typing import Any", 0),
    ("one_door", "jobs/push.py", "open('x', 'wb')", 1),
    ("one_door", "jobs/push.py", "open('x', mode=how)", 1),
    ("one_door", "jobs/push.py", "open('x', 'rb')", 0),
    ("one_door", "jobs/push.py", "open('x')", 0),
    ("one_door", "jobs/push.py", "p.open('a')", 1),
    ("one_door", "jobs/push.py", "p.open()", 0),
    ("one_door", "jobs/push.py", "import os\nos.open('x', os.O_RDWR)", 1),
    ("one_door", "jobs/push.py", "from os import open as o, O_CREAT\no('x', O_CREAT)", 1),
    ("one_door", "jobs/push.py", "import os\nos.open('x', os.O_RDONLY)", 0),
    ("one_door", "jobs/push.py", "from pathlib import Path\nPath('x').write_text('y')", 1),
    ("one_door", "jobs/push.py", "from pathlib import Path\nPath('x').read_text()", 0),
    ("one_door", "jobs/push.py", "import os\nos.rename('x', 'y')", 1),
    ("one_door", "jobs/push.py", "import shutil\nshutil.rmtree('x')", 1),
    ("one_door", "jobs/push.py", "'a'.replace('a', 'b')", 0),
    ("one_door", "store/files.py", "import os\nos.rename('x', 'y')", 0),
    ("one_door", "store/wal.py", "import os\nos.rename('x', 'y')", 1),
    ("reads_the_environment", "jobs/push.py", "import os\nos.environ['HOME']", 1),
    ("reads_the_environment", "jobs/push.py", "from os import environ as e\ne['HOME']", 2),
    ("reads_the_environment", "jobs/push.py", "from pathlib import Path\nPath('~').expanduser()", 1),
    ("reads_the_environment", "jobs/push.py", "import os\nos.path.join('a', 'b')", 0),
    ("reads_the_environment", "cli/main.py", "import os\nos.environ['HOME']", 0),
    ("reads_the_clock", "jobs/push.py", "from datetime import datetime, UTC\ndatetime.now(UTC)", 1),
    ("reads_the_clock", "jobs/push.py", "import datetime as d\nd.datetime.now()", 1),
    ("reads_the_clock", "jobs/push.py", "import time\ntime.time()", 1),
    ("reads_the_clock", "jobs/push.py", "from datetime import datetime\ndatetime.fromisoformat('x')", 0),
    ("reads_the_clock", "vault.py", "import time\ntime.time()", 0),
    ("draws_random_bytes", "store/wal.py", "import secrets", 1),
    ("draws_random_bytes", "store/wal.py", "from os import urandom", 1),
    ("draws_random_bytes", "store/wal.py", "import os\nos.fsync(3)", 0),
    ("draws_random_bytes", "mcp/server.py", "import secrets", 0),
    ("uses_a_standard_stream", "jobs/push.py", "print('x')", 1),
    ("uses_a_standard_stream", "jobs/push.py", "import sys\nsys.stderr.write('x')", 2),
    ("uses_a_standard_stream", "jobs/push.py", "import sys\nsys.platform", 0),
    ("uses_a_standard_stream", "cli/render.py", "print('x')", 0),
    ("starts_a_program", "jobs/push.py", "import subprocess", 1),
    ("starts_a_program", "jobs/push.py", "import os\nos.fork()", 1),
    ("starts_a_program", "store/git_process.py", "import subprocess", 0),
    ("starts_a_program", "drafters/command.py", "import subprocess", 0),
    ("opens_a_socket", "jobs/push.py", "import socket", 1),
    ("opens_a_socket", "jobs/push.py", "from urllib.request import urlopen", 1),
    ("opens_a_socket", "jobs/push.py", "from urllib.parse import quote", 0),
    ("opens_a_socket", "drafters/ollama/client.py", "import ollama", 0),
    ("uses_git", "jobs/diff.py", "import git", 1),
    ("uses_git", "jobs/diff.py", "import gitignore", 0),
    ("uses_git", "store/git_reader.py", "from git import Repo", 0),
    ("uses_SQLite", "jobs/find.py", "import sqlite3", 1),
    ("uses_SQLite", "store/readmodel/schema.py", "import sqlite3", 0),
    ("sizes_are_kept", "a.py", "x = 1\n" * 401, 1),
    ("sizes_are_kept", "a.py", "x = 1\n" * 400, 0),
    ("sizes_are_kept", "a.py", "def f():\n" + "    x = 1\n" * 70, 1),
    ("sizes_are_kept", "a.py", "def f():\n" + "    x = 1\n" * 69, 0),
    ("modules_say_what_they_are", "a.py", "x = 1", 1),
    ("modules_say_what_they_are", "a.py", '"""It is."""', 0),
    ("modules_say_what_they_are", "store/file_utils.py", '"""It is."""', 1),
    ("values_are_frozen", "model/a.py", "from dataclasses import dataclass\n@dataclass\nclass A: pass", 1),
    ("values_are_frozen", "model/a.py", "import dataclasses\n@dataclasses.dataclass(slots=True)\nclass A: pass", 1),
    ("values_are_frozen", "model/a.py", "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A: pass", 0),
    ("values_are_frozen", "jobs/a.py", "from dataclasses import dataclass\n@dataclass\nclass A: pass", 0),
)


@pytest.mark.parametrize(("rule", "path", "source", "findings"), CASES)
def test_a_rule_refuses_what_breaks_it_and_nothing_else(rule: str, path: str, source: str, findings: int) -> None:
    assert len(list(BY_NAME[rule](Module(path, source)))) == findings


def test_every_rule_is_shown_to_fail_and_to_pass() -> None:
    for rule in BY_NAME:
        assert {bool(findings) for name, _, _, findings in CASES if name == rule} == {True, False}, rule


def test_errors_that_cannot_be_told_apart_are_found() -> None:
    good = type("Good", (), {"code": "no-vault", "exit_status": 10})
    twin = type("Twin", (), {"code": "no-vault", "exit_status": 10})
    heir = type("Heir", (good,), {})
    shouting = type("Shouting", (), {"code": "No_Vault", "exit_status": 1})
    odd = type("Odd", (), {"code": "odd", "exit_status": 11})

    assert list(errors_are_told_apart([good], STATUSES)) == []
    for bad in ([good, twin], [good, heir], [shouting], [odd]):
        assert len(list(errors_are_told_apart(bad, STATUSES))) == 1
