"""Git objects as bytes: blobs, trees and commits, and their ids, without git and without a disk.

A commit of the vault is computed before anything of it is written: the changed blobs, the trees on the way to them
and the commit. Its id follows from parent, changes, message and time alone, so a replay makes the same commit (P3).
Only trees on changed paths are read, so the work does not grow with the vault.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Literal

from xysq.canonical import instant
from xysq.errors import BadInput, Damaged, XysqError
from xysq.frozen import frozen
from xysq.text import safe_line, safe_text

Kind = Literal["blob", "tree", "commit"]
AUTHOR_NAME = "xysq"
AUTHOR_EMAIL = "xysq@localhost"
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
FILE_MODE = b"100644"
TREE_MODE = b"40000"
MAX_DEPTH = 32
_ID = re.compile(r"[0-9a-f]{40}")
_TRAILER = re.compile(r"(Xysq-[A-Z][a-z]{1,20}): ([!-~]{1,80})")
_PERSON_TIME = re.compile(rb".* (\d{1,12}) [+-]\d{4}")
# Names by which some file system reaches .git: case, trailing dots and spaces, NTFS streams and short names.
_DOT_GIT = re.compile(r"(?:\.git|git~\d+)[ .]*(?::.*)?", re.IGNORECASE | re.DOTALL)
_IGNORED_BY_HFS = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")


class PathTaken(XysqError):
    """A change wants a file where the vault's history has a directory, or the other way round."""

    code = "path-taken"
    exit_status = 1

    def __init__(self, path: str) -> None:
        """Name the path."""
        super().__init__(f"{path} is a directory in one state and a file in the other", "run: xysq fsck")


@frozen
class GitObject:
    """One object: its id is the SHA-1 over kind, length and payload."""

    id: str
    kind: Kind
    payload: bytes


@frozen
class TreeEntry:
    """One name in a tree, with the mode as it is spelled there."""

    mode: bytes
    id: str

    @property
    def is_tree(self) -> bool:
        """Tell a directory from anything else."""
        return self.mode.lstrip(b"0") == TREE_MODE


@frozen
class Commit:
    """A commit as history shows it; `run` and `kind` are its trailers, "" in commits made by hand."""

    id: str
    tree: str
    parents: tuple[str, ...]
    at: str
    subject: str
    run: str
    kind: str


@frozen
class Prepared:
    """A commit ready to be written: blobs first, then trees from the leaves up, then the commit.

    `blobs` has the new blob of every changed path, None where the path goes.
    """

    commit: str
    tree: str
    parent: str | None
    objects: tuple[GitObject, ...]
    blobs: Mapping[str, str | None]


def git_object(kind: Kind, payload: bytes) -> GitObject:
    """Return the object with its id."""
    return GitObject(id=object_id(kind, payload), kind=kind, payload=payload)


def object_id(kind: Kind, payload: bytes) -> str:
    """Return the SHA-1 by which git names the object, 40 hexadecimal digits."""
    digest = hashlib.sha1(b"%s %d\0" % (kind.encode("ascii"), len(payload)), usedforsecurity=False)
    digest.update(payload)
    return digest.hexdigest()


def checked_id(text: str) -> str:
    """Return the text, which must be a full object id: 40 lower-case hexadecimal digits."""
    if not _ID.fullmatch(text):
        raise BadInput(f"{text[:80]!r} is not a full commit or object id")
    return text


def checked_path(path: str) -> tuple[bytes, ...]:
    """Cut a relative POSIX path into its names; refuse what no file of a vault may be called."""
    names = path.split("/")
    if len(names) > MAX_DEPTH or any(not _is_name(name) for name in names):
        raise BadInput(f"{path[:200]!r} cannot be the path of a file in a vault")
    try:
        return tuple(name.encode("utf-8") for name in names)
    except UnicodeEncodeError:
        raise BadInput(f"{path[:200]!r} cannot be the path of a file in a vault") from None


def _is_name(name: str) -> bool:
    plain = _IGNORED_BY_HFS.sub("", name)
    return plain not in {"", ".", ".."} and "\0" not in name and "\\" not in name and not _DOT_GIT.fullmatch(plain)


def parse_tree(tree: str, payload: bytes) -> dict[bytes, TreeEntry]:
    """Read the entries of a tree; `tree` is its id and names it in errors."""
    entries: dict[bytes, TreeEntry] = {}
    at = 0
    while at < len(payload):
        space, end = payload.find(b" ", at, at + 8), payload.find(b"\0", at)
        if not at < space < end - 1 or end + 21 > len(payload):
            raise Damaged(f"git object {tree}", str(at), "is not a tree")
        entries[payload[space + 1 : end]] = TreeEntry(mode=payload[at:space], id=payload[end + 1 : end + 21].hex())
        at = end + 21
    return entries


def render_tree(entries: Mapping[bytes, TreeEntry]) -> bytes:
    """Spell a tree; git sorts a directory as if its name ended in a slash."""
    order = sorted(entries, key=lambda name: name + b"/" if entries[name].is_tree else name)
    return b"".join(b"%s %s\0%s" % (entries[name].mode, name, bytes.fromhex(entries[name].id)) for name in order)


def edit_tree(
    tree: str | None, blobs: Mapping[str, str | None], read: Callable[[str], bytes]
) -> tuple[str, tuple[GitObject, ...]]:
    """Return the id of the tree with the paths changed, and the trees it needs, from the leaves up.

    `tree` is the root before (None: empty); `blobs` maps paths to blob ids, None removes; `read` gives the payload
    of a tree. Directories that become empty go. Raises `PathTaken` where a file meets a directory.
    """
    made: list[GitObject] = []
    root = _edit(tree, {checked_path(path): blob for path, blob in blobs.items()}, read, made, "")
    if root is None:
        made.append(git_object("tree", b""))
        root = EMPTY_TREE
    return root, tuple(made)


def _edit(
    tree: str | None,
    changes: Mapping[tuple[bytes, ...], str | None],
    read: Callable[[str], bytes],
    made: list[GitObject],
    where: str,
) -> str | None:
    entries = {} if tree is None else parse_tree(tree, read(tree))
    below: dict[bytes, dict[tuple[bytes, ...], str | None]] = {}
    for names, blob in changes.items():
        if len(names) > 1:
            below.setdefault(names[0], {})[names[1:]] = blob
        else:
            _put_file(entries, names[0], blob, where)
    for name, inner in below.items():
        entry, path = entries.get(name), f"{where}{name.decode('utf-8')}"
        if entry is not None and not entry.is_tree:
            if any(blob is not None for blob in inner.values()):
                raise PathTaken(path)
            continue
        child = _edit(None if entry is None else entry.id, inner, read, made, f"{path}/")
        if child is None:
            entries.pop(name, None)
        else:
            entries[name] = TreeEntry(mode=TREE_MODE, id=child)
    if not entries:
        return None
    result = git_object("tree", render_tree(entries))
    if result.id != tree:
        made.append(result)
    return result.id


def _put_file(entries: dict[bytes, TreeEntry], name: bytes, blob: str | None, where: str) -> None:
    entry = entries.get(name)
    if entry is not None and entry.is_tree:
        raise PathTaken(f"{where}{name.decode('utf-8')}")
    if blob is None:
        entries.pop(name, None)
    else:
        entries[name] = TreeEntry(mode=FILE_MODE, id=checked_id(blob))


def render_commit(*, tree: str, parent: str | None, at: str, message: str) -> bytes:
    """Spell a commit of the engine's; `at` is an ISO time in UTC with whole seconds, author and committer are fixed."""
    person = f"{AUTHOR_NAME} <{AUTHOR_EMAIL}> {_seconds_of(at)} +0000"
    parents = "" if parent is None else f"parent {checked_id(parent)}\n"
    head = f"tree {checked_id(tree)}\n{parents}author {person}\ncommitter {person}\n"
    return f"{head}\n{message}".encode()


def _seconds_of(at: str) -> int:
    try:
        moment = datetime.fromisoformat(at)
        if instant(moment) == at:
            return int(moment.timestamp())
    except ValueError:
        pass
    raise BadInput(f"{at[:80]!r} is not a time like 2026-11-30T18:02:11Z")


def commit_message(subject: str, *, run: str = "", kind: str, body: str = "") -> str:
    """Return subject, body and the trailers `Xysq-Run:` (left out where there is no run) and `Xysq-Kind:`."""
    trailers = [*([f"Xysq-Run: {run}"] if run else []), f"Xysq-Kind: {kind}"]
    if not all(_TRAILER.fullmatch(line) for line in trailers):
        raise BadInput(f"{run[:80]!r} and {kind[:80]!r} cannot be trailers of a commit")
    words = [safe_text(body).strip()] if body.strip() else []
    return "\n\n".join([safe_line(subject) or kind, *words, "\n".join(trailers) + "\n"])


def parse_commit(commit: str, payload: bytes) -> Commit:
    """Read a commit, whoever made it; `commit` is its id."""
    head, _, message = payload.partition(b"\n\n")
    tree, parents, seconds = "", [], 0
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree":
            tree = value.decode("ascii", "replace")
        elif key == b"parent":
            parents.append(value.decode("ascii", "replace"))
        elif key == b"committer" and (match := _PERSON_TIME.fullmatch(value)):
            seconds = int(match.group(1))
    if not all(_ID.fullmatch(id_) for id_ in (tree, *parents)):
        raise Damaged(f"git object {commit}", "0", "is not a commit")
    text = message.decode("utf-8", "replace")
    trailers = _trailers(text)
    return Commit(
        id=commit,
        tree=tree,
        parents=tuple(parents),
        at=_instant_of(seconds),
        subject=text.lstrip("\n").partition("\n")[0],
        run=trailers.get("Xysq-Run", ""),
        kind=trailers.get("Xysq-Kind", ""),
    )


def _trailers(message: str) -> dict[str, str]:
    last = message.rstrip("\n").rpartition("\n\n")[2]
    return {match.group(1): match.group(2) for line in last.split("\n") if (match := _TRAILER.fullmatch(line))}


def _instant_of(seconds: int) -> str:
    try:
        return instant(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, ValueError, OSError):  # a time beyond the year 9999, made by hand
        return "9999-12-31T23:59:59Z"
