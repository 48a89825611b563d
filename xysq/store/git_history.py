"""The commits of the vault, newest first: all of them, or those that touched a path.

GitPython walks them: it reads objects through one lasting git child, and a path's history through git's own
changed-path filters. Importing it costs more than most commands need for everything, so this module is loaded only
where history is shown. Its git is sealed: every command it starts goes through `GitProcess`, with that environment
and those options, whatever the process around has in its own.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import git
from git.db import GitCmdObjectDB

from xysq.store.git import Repository
from xysq.store.git_object import Commit, checked_id, checked_path, parse_commit
from xysq.store.git_process import GitProcess


class _SealedGit(git.Git):
    """GitPython's runner of commands, with `GitProcess` as the only thing that starts them."""

    def __init__(self, process: GitProcess) -> None:
        super().__init__(str(process.root))
        self._process = process

    def execute(self, command: Any, *_: object, **__: object) -> Any:  # noqa: ANN401 - GitPython's own types
        """Start git with the words behind the program's name; a walk and a read both take the child as it runs."""
        return self.AutoInterrupt(self._process.start(*command[1:]), command)


def commits(
    repository: Repository, head: str, paths: Sequence[str] = (), *, limit: int | None = None
) -> tuple[Commit, ...]:
    """Return up to `limit` commits from `head` back that touched one of the paths (any, where there are none)."""
    for path in paths:
        checked_path(path)
    with _opened(repository) as repo:
        walked = repo.iter_commits(checked_id(head), tuple(paths), max_count=-1 if limit is None else limit)
        return tuple(parse_commit(found.hexsha, repo.odb.stream(found.binsha).read()) for found in walked)


@contextmanager
def _opened(repository: Repository) -> Iterator[git.Repo]:
    repo = git.Repo(repository.git.root, expand_vars=False)
    repo.git = _SealedGit(repository.git)
    repo.odb = GitCmdObjectDB(str(repository.git.git_dir / "objects"), repo.git)
    try:
        yield repo
    finally:
        repo.close()
