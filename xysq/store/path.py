"""Paths below the vault's root: relative, POSIX, plain. A path with `..`, an empty component or a NUL is none."""

from xysq.store.disk_error import UnsafePath


def split(path: str) -> tuple[str, ...]:
    """Return the components of a path; "" is the root itself."""
    parts = tuple(path.split("/")) if path else ()
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise UnsafePath(path, "is not a plain relative path")
    return parts


def join(folder: str, name: str) -> str:
    """Return the path of a name in a folder; "" is the root itself."""
    return f"{folder}/{name}" if folder else name


def folder_of(path: str) -> str:
    """Return the path of the directory that a path is in."""
    return path.rpartition("/")[0]


def sibling(path: str, name: str) -> str:
    """Return the path of another name in the same directory."""
    return join(folder_of(path), name)
