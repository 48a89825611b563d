"""A small vault's repository for tests, and the git of the person who owns it."""

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from xysq.store.git import Repository
from xysq.store.git_object import Prepared, commit_message

AT = "2026-11-30T18:02:11Z"
RUN = "r-20261130T180211Z-ab12"
LEDGER = "ledger/000/000001.jsonl"
ALICE = "pages/al/alice-chen.md"
FILES: Mapping[str, bytes] = {
    ".gitattributes": b"* -text\n",
    LEDGER: b'{"n":1}\n',
    ALICE: b"# Alice Chen\n",
    "pages/bi/billing.md": b"# Billing\r\nwith a carriage return\r\n",
}


def user(root: Path, *args: str, data: bytes = b"", env: Mapping[str, str] | None = None, status: int = 0) -> str:
    """Run the owner's own git in a directory and return what it printed."""
    named = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _OWNER.items()}
    done = subprocess.run(
        ("git", *args),
        cwd=root,
        input=data,
        env={**os.environ, **named, **(env or {})},
        capture_output=True,
        check=False,
    )
    assert done.returncode == status, (args, done.stdout, done.stderr)
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


_OWNER = {"NAME": "Olive Owner", "EMAIL": "olive@example.org"}


def new_vault(root: Path, files: Mapping[str, bytes] = FILES) -> tuple[Repository, str]:
    """Make a repository with one commit of the engine's; return it and the commit."""
    root.mkdir(parents=True, exist_ok=True)
    repository = Repository(root)
    if files is FILES:
        _lay_down(_usual_vault(), root)
        return repository, repository.tip() or ""
    repository.init()
    return repository, land(repository, None, files).commit


@cache
def _usual_vault() -> Mapping[str, bytes | None]:
    """Make the usual vault once; return its files, None for a directory."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        repository = Repository(root)
        repository.init()
        land(repository, None, FILES)
        found = sorted(root.rglob("*"))
        return {str(path.relative_to(root)): None if path.is_dir() else path.read_bytes() for path in found}


def _lay_down(files: Mapping[str, bytes | None], root: Path) -> None:
    for path, data in files.items():
        if data is None:
            (root / path).mkdir(mode=0o700, exist_ok=True)
        else:
            (root / path).write_bytes(data)
            (root / path).chmod(0o600)


def land(
    repository: Repository, parent: str | None, changes: Mapping[str, bytes | None], *, at: str = AT, run: str = RUN
) -> Prepared:
    """Do everything a run does to git and to the working tree."""
    prepared = repository.prepare(parent, changes, commit_message("distill", run=run, kind="distill"), at)
    put(repository.git.root, changes)
    repository.write_objects(prepared)
    repository.move_ref(prepared.commit, parent, run)
    assert repository.update_index(prepared.blobs)
    return prepared


def put(root: Path, changes: Mapping[str, bytes | None]) -> None:
    """Write files into the working tree; None removes one."""
    for path, data in changes.items():
        if data is None:
            (root / path).unlink()
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)


def sound(root: Path) -> bool:
    """Tell whether git finds nothing wrong with the repository and the working tree is clean."""
    user(root, "fsck", "--strict", "--no-dangling", "--full")
    return user(root, "status", "--porcelain", "--untracked-files=all") == ""
