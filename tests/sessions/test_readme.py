"""What the README shows works as it stands there: the first session, word for word, and the Python example."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.session import environment, play

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found)


def test_the_first_session_goes_as_written(tmp_path: Path) -> None:
    shutil.copy(ROOT / "fixtures" / "demo" / "monday.txt", tmp_path / "standup.txt")
    assert play(block("console"), tmp_path, environment(tmp_path)) == ""


def test_the_python_example_runs(tmp_path: Path) -> None:
    shutil.copy(ROOT / "fixtures" / "demo" / "monday.txt", tmp_path / "standup.txt")
    done = subprocess.run(
        [sys.executable, "-c", block("python")],
        cwd=tmp_path,
        env={**environment(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert " <- " in done.stdout
    assert "Lisbon" in done.stdout
    assert "closed, corrected" in done.stdout
    assert "not-found no id named 'f-nothing'" in done.stdout
