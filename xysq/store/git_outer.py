"""Repositories that are no vaults: the one that a new vault would lie in, and the one somebody works in.

A vault is a repository of its own. Inside somebody else's it would be committed along or cleaned away, unless that
repository ignores its directory. Of the one somebody works in, the branch and the last subject say what the work is.
"""

from collections.abc import Mapping
from pathlib import Path

from xysq.errors import XysqError
from xysq.store.git_process import MINIMAL_ENVIRONMENT, GitProcess

_LONGEST = 200


def outer_repository(directory: Path, environment: Mapping[str, str] = MINIMAL_ENVIRONMENT) -> Path | None:
    """Return the working tree that a directory, existing or not, lies in without being ignored there; else None."""
    place = directory.absolute()
    for above in place.parents:
        if (above / ".git").exists():
            return None if _ignores(above, place, environment) else above
    return None


def _ignores(outer: Path, place: Path, environment: Mapping[str, str]) -> bool:
    # The slash behind makes it a directory to git, which may not exist yet; the dot before, a path and no pattern.
    path = f"./{place.relative_to(outer).as_posix()}/"
    git = GitProcess(outer, environment, literal_paths=False)
    status, _ = git.run("check-ignore", "-q", "--no-index", "--", path, allowed=(0, 1, 128))
    return status == 0


def work_in(root: Path, environment: Mapping[str, str] = MINIMAL_ENVIRONMENT) -> tuple[str, str]:
    """Return the branch and the last subject of the repository in a directory; "" for what it does not tell."""
    if not (root / ".git").exists():
        return "", ""
    git = GitProcess(root, environment, literal_paths=False)
    try:
        _, branch = git.run("symbolic-ref", "--short", "--quiet", "HEAD", allowed=(0, 1, 128))
        _, commit = git.run("cat-file", "commit", "HEAD", allowed=(0, 128))
    except XysqError:
        return "", ""
    subject = commit.partition(b"\n\n")[2].partition(b"\n")[0]
    return _words(branch), _words(subject)


def _words(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()[:_LONGEST]
