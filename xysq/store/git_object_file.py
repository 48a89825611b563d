"""Loose git objects on disk: read with proof, written so that a power cut cannot leave an empty one.

Every tool skips an object file that exists, even where a power cut emptied it. Here an object is always written to
a temp, synced and renamed over whatever stands there; then the directories are synced. The ref moves only after
that (P2, P3), so it never names bytes that are not on the disk.

All temps of a commit are written first and then synced side by side, because the waits for the disk overlap. Their
names follow from the ids: one writer holds the vault lock, and what a crash left is overwritten by the next try or
swept by git's own housekeeping, which knows the prefix.
"""

import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Thread

from xysq.errors import XysqError
from xysq.store.disk_error import UnsafePath, syncing, writing
from xysq.store.flush import flush
from xysq.store.git_object import GitObject, Kind, object_id
from xysq.store.step import Op, Step, Watcher, unwatched

OBJECTS = ".git/objects"
_BATCH = 64  # temps that are open at once
_THREADS = 8
_TEMP = "tmp_obj_"
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER, _NAME = re.compile(r"[0-9a-f]{2}"), re.compile(r"[0-9a-f]{38}")
_KINDS: dict[bytes, Kind] = {b"blob": "blob", b"tree": "tree", b"commit": "commit"}


def object_path(id_: str) -> str:
    """Return where a loose object lies, relative to the vault."""
    return f"{OBJECTS}/{id_[:2]}/{id_[2:]}"


class ObjectFiles:
    """The loose objects of a vault; `watch` is told every change before it is made."""

    def __init__(self, root: Path, watch: Watcher = unwatched) -> None:
        """Bind to the vault's directory."""
        self._root = root
        self._watch = watch

    def read(self, id_: str) -> GitObject | None:
        """Return the object if a loose file proves it; None where there is none or its bytes are not the object's."""
        try:
            raw = zlib.decompress((self._root / object_path(id_)).read_bytes())
        except (OSError, zlib.error):
            return None
        head, _, payload = raw.partition(b"\0")
        word, _, size = head.partition(b" ")
        kind = _KINDS.get(word)
        if kind is None or size != b"%d" % len(payload) or object_id(kind, payload) != id_:
            return None
        return GitObject(id=id_, kind=kind, payload=payload)

    def ids(self) -> Iterator[str]:
        """Yield the ids of all loose files."""
        for folder in sorted((self._root / OBJECTS).iterdir()):
            if _FOLDER.fullmatch(folder.name) and folder.is_dir():
                yield from (folder.name + file.name for file in sorted(folder.iterdir()) if _NAME.fullmatch(file.name))

    def has_others(self) -> bool:
        """Tell whether objects may lie elsewhere: in packs, or in another repository."""
        folder = self._root / OBJECTS
        packs = folder / "pack"
        is_packed = packs.is_dir() and any(file.suffix == ".idx" for file in packs.iterdir())
        return is_packed or os.path.lexists(folder / "info" / "alternates")

    def write(self, items: Iterable[GitObject]) -> None:
        """Write objects, each over whatever stands there; return when they and their directories are on disk."""
        unique = iter({item.id: item for item in items}.values())
        while batch := tuple(islice(unique, _BATCH)):
            folders = sorted({_folder(item.id) for item in batch})
            for folder in (OBJECTS, *folders):
                self._make(folder)
            self._write_temps(batch)
            for item in batch:
                self._rename(_temp(item.id), object_path(item.id))
            # The directory above as well: a folder met here may stem from a try that was cut before this line.
            self._sync_dirs((*folders, OBJECTS))

    def _make(self, folder: str) -> None:
        path = self._root / folder
        with writing(folder):
            if not os.path.lexists(path):
                self._watch(Step(op=Op.MKDIR, path=folder))
                path.mkdir(mode=0o700, exist_ok=True)
            if not stat.S_ISDIR(path.lstat().st_mode):
                raise UnsafePath(folder, "is not a directory")

    def _write_temps(self, batch: Sequence[GitObject]) -> None:
        opened: dict[int, str] = {}
        try:
            for item in batch:
                path = _temp(item.id)
                with writing(path):
                    self._create(opened, path, item)
            for path in opened.values():
                self._watch(Step(op=Op.SYNC, path=path))
            _sync_all(opened)
        except XysqError:
            # After a failed sync the kernel may call the pages clean: these files are given up, never synced again.
            for path in opened.values():
                with suppress(OSError):
                    self._unlink(path)
            raise
        finally:
            for fd in opened:
                os.close(fd)

    def _create(self, opened: dict[int, str], path: str, item: GitObject) -> None:
        self._unlink(path)
        self._watch(Step(op=Op.CREATE, path=path))
        fd = os.open(self._root / path, _CREATE, 0o400)
        opened[fd] = path
        data = zlib.compress(b"%s %d\0" % (item.kind.encode("ascii"), len(item.payload)) + item.payload)
        self._watch(Step(op=Op.WRITE, path=path, data=data))
        left = memoryview(data)
        while left:
            left = left[os.write(fd, left) :]

    def _unlink(self, path: str) -> None:
        if os.path.lexists(self._root / path):
            self._watch(Step(op=Op.UNLINK, path=path))
            (self._root / path).unlink(missing_ok=True)

    def _rename(self, old: str, new: str) -> None:
        self._watch(Step(op=Op.RENAME, path=old, to=new))
        with writing(new):
            (self._root / old).rename(self._root / new)

    def _sync_dirs(self, folders: Iterable[str]) -> None:
        opened: dict[int, str] = {}
        try:
            for folder in folders:
                self._watch(Step(op=Op.SYNC_DIR, path=folder))
                with writing(folder):
                    opened[os.open(self._root / folder, _DIRECTORY)] = folder
            _sync_all(opened)
        finally:
            for fd in opened:
                os.close(fd)


def _folder(id_: str) -> str:
    return f"{OBJECTS}/{id_[:2]}"


def _temp(id_: str) -> str:
    return f"{_folder(id_)}/{_TEMP}{id_[2:]}"


def _sync_all(opened: dict[int, str]) -> None:
    """Sync open files and directories side by side; raise the first failure when all threads are done."""
    left = list(opened.items())
    faults: list[XysqError] = []

    def work() -> None:
        while left and not faults:
            try:
                fd, path = left.pop()
            except IndexError:  # another thread took the last one
                return
            try:
                with syncing(path):
                    flush(fd)
            except XysqError as fault:
                faults.append(fault)

    threads = [Thread(target=work) for _ in range(min(_THREADS, len(left)) - 1)]
    for thread in threads:
        thread.start()
    try:
        work()
    finally:
        for thread in threads:
            thread.join()
    if faults:
        raise faults[0]
