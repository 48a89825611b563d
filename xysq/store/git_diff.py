"""What changed between two commits: which files, and the lines of some of them.

Plumbing only, and constant: no configuration, attribute or program of the vault's or the user's takes part, so the
same two commits give the same words everywhere.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from xysq.frozen import frozen
from xysq.store.git import Repository
from xysq.store.git_object import EMPTY_TREE, checked_id, checked_path

_QUIET = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none")
_LINES = ("-p", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/", "--abbrev=12", "--diff-algorithm=histogram")
_PATHS_A_COMMAND = 500
_NO_BLOB = "0" * 40
_USUAL_MODE = "100644"


@frozen
class ChangedFile:
    """One file that differs: status `A`, `M`, `D`, `T` or `U`, and the blob on each side (None where there is none).

    The mode is that of the new side, as git prints it.
    """

    status: str
    path: str
    old: str | None
    new: str | None
    mode: str = _USUAL_MODE


def changed_files(repository: Repository, old: str | None, new: str, prefix: str = "") -> tuple[ChangedFile, ...]:
    """Return the files that differ between two commits at or below a path; `old` None is the empty vault."""
    below = (prefix,) if prefix and checked_path(prefix) else ()
    command = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", *_QUIET, "--end-of-options", *_sides(old, new))
    _, out = repository.git.run(*command, "--", *below)
    fields = iter(out.split(b"\0"))
    return tuple(_changed(head, path) for head, path in zip(fields, fields, strict=False) if head)


def staged_files(repository: Repository, commit: str, index: Path | None = None) -> tuple[ChangedFile, ...]:
    """Return the files that git's index has otherwise than a commit; `index` is another index file to look into.

    Raises `GitFailed` where git cannot read the index.
    """
    command = ("diff-index", "--cached", "-z", "--raw", "--no-abbrev", *_QUIET, checked_id(commit), "--")
    _, out = repository.git.run(*command, index=index)
    fields = iter(out.split(b"\0"))
    return tuple(_changed(head, path) for head, path in zip(fields, fields, strict=False) if head)


def hunks(repository: Repository, old: str | None, new: str, paths: Sequence[str]) -> str:
    """Return the unified diff of some files between two commits; `old` None is the empty vault."""
    for path in paths:
        checked_path(path)
    command = ("diff-tree", *_LINES, *_QUIET, "--end-of-options", *_sides(old, new), "--")
    parts = [repository.git.run(*command, *batch)[1] for batch in _batches(paths)]
    return b"".join(parts).decode("utf-8", "replace")


def _sides(old: str | None, new: str) -> tuple[str, str]:
    return (EMPTY_TREE if old is None else checked_id(old), checked_id(new))


def _batches(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
    rest = iter(sorted(set(paths)))
    while batch := tuple(islice(rest, _PATHS_A_COMMAND)):
        yield batch


def _changed(head: bytes, path: bytes) -> ChangedFile:
    _, mode, old, new, status = head.decode("ascii").split(" ")
    return ChangedFile(
        status=status[:1],
        path=path.decode("utf-8", "surrogateescape"),
        old=None if old == _NO_BLOB else old,
        new=None if new == _NO_BLOB else new,
        mode=_USUAL_MODE if new == _NO_BLOB else mode,
    )
