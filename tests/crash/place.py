"""Places: a home with a vault in it, made once, put back as often as it is wanted, and what the vault in it holds."""

import compileall
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from xysq import Vault
from xysq.errors import XysqError
from xysq.jobs.opened import Opened
from xysq.model.fact import Fact
from xysq.model.source import Channel
from xysq.store import logs, queue, wal
from xysq.store.layout import SETTINGS
from xysq.vault import place

ROOT = Path(__file__).resolve().parents[2]
MEMORY = Path("/dev/shm")  # noqa: S108 - private directories are made in it
_DROPPED = ("XYSQ_", "GIT_", "XDG_", "CLAUDE", "LC_")


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a process whose home this is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
    return kept | {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XYSQ_VAULT": str(home / "vault"),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


@contextmanager
def at_home(home: Path) -> Iterator[Path]:
    """Be in this home for the time of a block; yield where its vault is."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment(home))
    try:
        yield home / "vault"
    finally:
        os.environ.clear()
        os.environ.update(before)


@cache
def compile_all() -> None:
    """Compile xysq once, as an installation does: the processes of a harness write nothing but what they write."""
    compileall.compile_dir(ROOT / "xysq", quiet=1)


def program(arguments: Sequence[str]) -> list[str]:
    """Return what calls xysq with these arguments."""
    compile_all()
    return [sys.executable, "-m", "xysq.cli", *arguments]


def call(home: Path, arguments: Sequence[str], data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run xysq in a home to its end."""
    return subprocess.run(
        program(arguments), cwd=home, env=environment(home), input=data, capture_output=True, check=False, timeout=120
    )


@dataclass(frozen=True)
class Snapshot:
    """Everything below a directory: bytes and mode of each file, the mode of each folder."""

    folders: dict[str, int]
    files: dict[str, tuple[int, bytes]]

    @classmethod
    def take(cls, root: Path) -> "Snapshot":
        """Read it."""
        folders, files = {}, {}
        for path in sorted(root.rglob("*")):
            name, mode = path.relative_to(root).as_posix(), stat.S_IMODE(path.lstat().st_mode)
            if path.is_dir():
                folders[name] = mode
            elif path.is_file():
                files[name] = (mode, path.read_bytes())
        return cls(folders, files)

    def below(self, prefix: str) -> "Snapshot":
        """Return what lies below a folder."""
        folders = {name.removeprefix(prefix): mode for name, mode in self.folders.items() if name.startswith(prefix)}
        files = {name.removeprefix(prefix): file for name, file in self.files.items() if name.startswith(prefix)}
        return Snapshot(folders, files)

    def restore(self, root: Path) -> None:
        """Let the directory have this and nothing else."""
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        for name in self.folders:
            (root / name).mkdir(mode=0o700)
        for name, (mode, data) in self.files.items():
            with os.fdopen(os.open(root / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(data)
        for name, mode in self.folders.items():
            (root / name).chmod(mode)


@dataclass(frozen=True)
class Held:
    """What a vault holds, told without any id, so that two runs of the same command come to the same."""

    logs: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    runs: int = 0
    staged: int = 0
    given_up: int = 0
    settings: str = ""
    elsewhere: str = ""


def held(home: Path) -> Held:
    """Read what the vault of a home holds; a vault that cannot be opened holds nothing."""
    with at_home(home) as root:
        settings = home / ".claude" / "settings.json"
        elsewhere = settings.read_text(encoding="utf-8") if settings.is_file() else ""
        try:
            opened = place.opened(place.find_root(root), 30.0, Channel.PYTHON)
        except XysqError:
            return Held(elsewhere=elsewhere)
        with Vault.open(root) as vault:
            facts, runs = frozenset(map(_told, vault.facts(is_open=True))), len(vault.runs())
        return Held(
            logs=frozenset(_logs(opened)),
            facts=facts,
            runs=runs,
            staged=sum(not wal.is_decided(opened.files, run) for run in wal.list_runs(opened.files)),
            given_up=sum(attempt.given_up for attempt in queue.attempts(opened.files)),
            settings=opened.files.read(SETTINGS).decode("utf-8"),
            elsewhere=elsewhere,
        )


def _logs(opened: Opened) -> Iterator[str]:
    """Yield the digest of the bytes of each version of each source."""
    for source in logs.all_sources(opened.files):
        for meta in logs.versions(opened.files, source):
            yield f"{meta.version} {sha256(logs.read_bytes(opened.files, meta.id)).hexdigest()}"


def _told(fact: Fact) -> str:
    return f"{fact.page} {fact.text} {[quote.quote for quote in fact.evidence]}"
