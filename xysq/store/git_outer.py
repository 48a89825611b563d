"""The repository that a new vault would lie in, if there is one.

A vault is a repository of its own. Inside somebody else's it would be committed along or cleaned away, unless that
repository ignores its directory.
"""

from collections.abc import Mapping
from pathlib import Path

from xysq.store.git_process import MINIMAL_ENVIRONMENT, GitProcess


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
