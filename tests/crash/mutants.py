"""The durability code made worse in every way we could think of, one at a time: something must notice each.

    python -m tests.crash.mutants [WORDS…]

Each weakening of `tests.crash.weakened` is made in a copy of the project. Noticed is it where a test fails there: first
those that the table names, then all that are about durability. With words, only weakenings whose label has one.

Before that the tests have to pass on the copy as it is. Prints a table, and writes it to WEAKENED.md where all were
tried; status 1 where one lived, or where its text no longer stands in the code.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from tests.crash.place import MEMORY, ROOT
from tests.crash.weakened import ALL, JOBS, LAWS, STEPS, Weakened

TABLE = Path(__file__).with_name("WEAKENED.md")
_HEAD = """# Durability, weakened

Written by `make weaken`: the code that makes things durable made worse, one place at a time, and a test that fails
then.

| weakened | in | noticed by |
|---|---|---|"""
WORKERS, TIMEOUT_S, WHOLE_TIMEOUT_S = 2, 240, 1_500
EVERYTHING = ("tests/store", LAWS, JOBS, STEPS, "tests/jobs/test_damage.py", "tests/jobs/test_crash_commands.py")
_PARTS = ("xysq", "tests", "fixtures", "pyproject.toml", "README.md")


def apply(weakened: Weakened, copy: Path) -> None:
    """Make the code of a copy worse."""
    path = copy / weakened.path
    text = path.read_text(encoding="utf-8")
    if text.count(weakened.old) != 1:
        raise SystemExit(f"{weakened.label}: its text stands {text.count(weakened.old)} times in {weakened.path}")
    path.write_text(text.replace(weakened.old, weakened.new), encoding="utf-8")


def who_notices(weakened: Weakened, copy: Path) -> str:
    """Return the test that fails in a copy; "" where none does."""
    apply(weakened, copy)
    try:
        for tests in (*((test,) for test in weakened.tests), EVERYTHING):
            failed = _failing(tests, copy)
            if failed:
                return failed
    finally:
        shutil.copy2(ROOT / weakened.path, copy / weakened.path)
    return ""


def _failing(tests: tuple[str, ...], copy: Path, timeout_s: float = TIMEOUT_S) -> str:
    there = [test for test in tests if (copy / test).exists()]
    command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *there)
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=timeout_s
        )
    except subprocess.TimeoutExpired:
        return f"{there[0]} does not end"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].partition(" ")[2] if lines else f"{there[0]} cannot be run"


def work(job: tuple[int, tuple[Weakened, ...]]) -> list[tuple[Weakened, str]]:
    """Judge one worker's share."""
    share, wanted = job
    with tempfile.TemporaryDirectory(prefix="xysq-mutants-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        copy = Path(name)
        for part in _PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, copy / part)
        mine = wanted[share::WORKERS]
        every = {test for weakened in mine for test in weakened.tests} | set(EVERYTHING)
        failed = _failing(tuple(every), copy, WHOLE_TIMEOUT_S)
        if failed:
            raise SystemExit(f"{failed} fails before anything is weakened")
        return [(weakened, who_notices(weakened, copy)) for weakened in mine]


def chosen(words: list[str]) -> Iterator[Weakened]:
    """Yield the weakenings that are asked for."""
    yield from (one for one in ALL if not words or any(word in one.label for word in words))


def main() -> int:
    """Judge them and print the table."""
    wanted = tuple(chosen(sys.argv[1:]))
    with get_context("spawn").Pool(WORKERS) as pool:
        judged = [one for some in pool.map(work, [(share, wanted) for share in range(WORKERS)]) for one in some]
    judged.sort(key=lambda one: ALL.index(one[0]))
    for weakened, noticed in judged:
        print(f"{weakened.label:58} {noticed or 'NOBODY NOTICED'}")
    alive = sum(not noticed for _, noticed in judged)
    print(f"{len(judged) - alive} noticed, {alive} alive")
    if len(sys.argv) == 1 and not alive:
        rows = [f"| {weakened.label} | `{weakened.path}` | `{noticed}` |" for weakened, noticed in judged]
        TABLE.write_text("\n".join((_HEAD, *rows)) + "\n", encoding="utf-8")
    return 1 if alive or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
