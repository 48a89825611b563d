"""Files: the one door through which everything below the vault's root is read and written.

**Durable.** When `write_new`, `replace`, `make_dirs`, `rename_dir` or `remove` return, what they did survives a
power loss (P2). A file's bytes go to a temp beside it, the temp is synced, only then does it get its name, and the
directory is synced after that; so a name stands for all of its bytes or for none. A new directory carries the
sticky bit until its entry in the parent is synced: whoever meets it half-made, after a crash of its maker, syncs the
parent first. On macOS a sync is F_FULLFSYNC, because fsync there stops at the drive's cache.

**A failed sync is final.** The kernel may drop the pages it could not write and report success the next time, so a
file whose sync failed is thrown away and `NotSynced` raised; it is never synced again. So is a new directory whose
entry could not be synced. Trying again means writing anew.

**No links.** Reading and changing walk from the root by descriptors and follow nothing (`xysq.store.readonly`).

**Temps.** Their names begin with `TEMP` and end with that of the file they lie beside; whoever writes one holds a flock
on it as long as it lives. `sweep` removes those nobody holds, so it neither waits for a writer nor takes one away.

Files are 0600 and directories 0700 whatever the umask is. Who may write which file when is the business of locks
(`xysq.store.lock`); this module keeps single operations whole.
"""

import errno
import fcntl
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count

from xysq.frozen import frozen
from xysq.store.descriptor import DIRECTORY, READ, ROOT, TEMP, is_named, is_temp_of, is_there, names, temp_name
from xysq.store.disk_error import AlreadyThere, NotSynced, syncing, writing
from xysq.store.flush import flush
from xysq.store.path import folder_of, join, sibling, split
from xysq.store.readonly import ReadOnlyFiles
from xysq.store.step import Op, Step, Watcher, unwatched

_FILE_MODE, _DIR_MODE, _NEW_DIR_MODE = 0o600, 0o700, 0o1700
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)
_AT_ONCE = 16
_numbers = count()


@frozen(kw_only=False)
class Beside:
    """A synced temp beside a file: the open directory, the file's name in it, the temp's name."""

    directory: int
    name: str
    temp: str


class Files(ReadOnlyFiles):
    """The files below one root directory, by relative path, to read and to change.

    `watch` is told every change before it is made. Changes raise `UnsafePath`, `NotWritten` or `NotSynced`.
    """

    def __init__(self, root: str | os.PathLike[str], watch: Watcher = unwatched) -> None:
        """Bind to a root, which may itself be reached through links."""
        super().__init__(root)
        self._watch = watch

    def step(self, op: Op, path: str, to: str = "", data: bytes = b"") -> None:
        """Announce a change that is about to be made."""
        self._watch(Step(op=op, path=path, to=to, data=data))

    # Writing

    def write_new(self, path: str, data: bytes) -> None:
        """Write a file that must not exist yet, all of it or nothing; raise `AlreadyThere` where it does."""
        with self.beside(path, data) as at:
            self.step(Op.LINK, sibling(path, at.temp), path)
            try:
                _name_once(at)
            except FileExistsError:
                raise AlreadyThere(path) from None
            self._sync_dir(at.directory, folder_of(path))

    def replace(self, path: str, data: bytes) -> None:
        """Write a file, in the place of the one that may be there."""
        with self.beside(path, data) as at:
            self.step(Op.RENAME, sibling(path, at.temp), path)
            os.rename(at.temp, at.name, src_dir_fd=at.directory, dst_dir_fd=at.directory)
            self._sync_dir(at.directory, folder_of(path))

    def remove(self, path: str, *, sync: bool = True) -> bool:
        """Remove a file; False where there was none. Without `sync` it may be back after a power loss."""
        with writing(path), suppress(FileNotFoundError), self._parent(path) as (parent, name):
            self._unlink(parent, name, path)
            if sync:
                self._sync_dir(parent, folder_of(path))
            return True
        return False

    @contextmanager
    def beside(self, path: str, data: bytes) -> Iterator[Beside]:
        """Hold a synced temp with these bytes beside `path`; what is left of it after the block is removed."""
        with writing(path), self._parent(path) as (parent, name):
            temp, descriptor = self._create_temp(parent, path)
            try:
                self.step(Op.WRITE, sibling(path, temp), data=data)
                _write_all(descriptor, data)
                self._sync(descriptor, Op.SYNC, sibling(path, temp))
                descriptor = _for_reading(descriptor, parent, temp)
                yield Beside(directory=parent, name=name, temp=temp)
            finally:
                os.close(descriptor)
                with suppress(OSError):  # renamed away, or left to a sweep
                    if is_there(parent, temp):
                        self._unlink(parent, temp, sibling(path, temp))

    def take_out(self, path: str, at: Beside) -> bool:
        """Let the file have the temp's name instead of its own, in the place of the temp; False where there is none."""
        self.step(Op.RENAME, path, sibling(path, at.temp))
        with suppress(FileNotFoundError):
            os.rename(at.name, at.temp, src_dir_fd=at.directory, dst_dir_fd=at.directory)
            return True
        return False

    def put_back(self, path: str, at: Beside) -> bool:
        """Give what was taken out its own name again; False where that was taken meanwhile. Durable."""
        self.step(Op.LINK, sibling(path, at.temp), path)
        with suppress(FileExistsError):
            _name_once(at)
            self._sync_dir(at.directory, folder_of(path))
            return True
        return False

    @contextmanager
    def left_beside(self, path: str) -> Iterator[tuple[Beside, ...]]:
        """Give the temps that a crash left beside a file that nobody else may write now; after the block they go."""
        with writing(path), self._parent(path) as (parent, name):
            found = tuple(Beside(parent, name, temp) for temp in names(parent) if is_temp_of(temp, name))
            yield found
            for at in found:
                self._unlink(parent, at.temp, sibling(path, at.temp))
            if found:
                self._sync_dir(parent, folder_of(path))

    def sync_dir(self, path: str) -> None:
        """Make the names in a directory durable."""
        with writing(path), self._directory(path) as opened:
            self._sync_dir(opened, path)

    # Directories

    def make_dirs(self, path: str) -> None:
        """Make a directory and those above it, each durable in its parent before anything is put into it."""
        with writing(path):
            opened = os.open(self.root, ROOT)
            try:
                above = ""
                for part in split(path):
                    inner = self._enter(opened, part, above)
                    os.close(opened)
                    opened, above = inner, join(above, part)
            finally:
                os.close(opened)

    def rename_dir(self, old: str, new: str) -> None:
        """Rename a directory; nothing, or an empty directory, may stand at the new name."""
        with writing(new), self._parent(old) as (source, name), self._parent(new) as (target, new_name):
            self.step(Op.RENAME, old, new)
            os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=target)
            self._sync_dir(target, folder_of(new))
            if folder_of(old) != folder_of(new):
                self._sync_dir(source, folder_of(old))

    def move(self, path: str, to: str) -> None:
        """Give whatever stands at a path, a link or a special file too, another name that is free. Durable."""
        with writing(to), self._parent(path) as (source, name), self._parent(to) as (target, new_name):
            if is_there(target, new_name):
                raise AlreadyThere(to)
            self.step(Op.RENAME, path, to)
            os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=target)
            self._sync_dir(target, folder_of(to))
            self._sync_dir(source, folder_of(path))

    def close_to_others(self, path: str) -> None:
        """Take from everybody else the right to write to a file or directory; "" is the root itself."""
        with writing(path or "."):
            opened = os.open(self.root, ROOT) if not path else self._open_any(path)
            try:
                self.step(Op.CHMOD, path)
                os.fchmod(opened, stat.S_IMODE(os.fstat(opened).st_mode) & ~stat.S_IWOTH)
            finally:
                os.close(opened)

    def _open_any(self, path: str) -> int:
        with self._parent(path) as (parent, name):
            return os.open(name, READ, dir_fd=parent)

    def remove_tree(self, path: str) -> None:
        """Remove a directory with everything in it, following nothing; not all at once, and not synced."""
        with writing(path), suppress(FileNotFoundError), self._parent(path) as (parent, name):
            self._remove_tree(parent, name, path)

    @contextmanager
    def new_dir(self, path: str) -> Iterator[None]:
        """Make a directory that is not durable yet and hold it for a block, so that no `sweep` takes it away."""
        with writing(path), self._parent(path) as (parent, name):
            opened = self._create_dir(parent, name, path)
            try:
                yield
            finally:
                os.close(opened)

    def fill(self, path: str, contents: Mapping[str, bytes]) -> None:
        """Write files into a new directory and into folders of it; all are synced, then each directory once."""
        with writing(path), self._directory(path) as opened:
            for folder in sorted({folder_of(name) for name in contents} - {""}):
                self.step(Op.MKDIR, join(path, folder))
                os.mkdir(folder, _DIR_MODE, dir_fd=opened)
            for some in _batches(sorted(contents)):
                self._fill(path, {name: contents[name] for name in some})
        for folder in sorted({folder_of(name) for name in contents} | {""}, reverse=True):
            self.sync_dir(join(path, folder) if folder else path)

    def sweep(self, path: str, prefix: str = TEMP) -> int:
        """Remove what begins with `prefix` in a directory and is held by nobody; return how many."""
        swept = 0
        with writing(path), suppress(FileNotFoundError), self._directory(path) as opened:
            for name in names(opened):
                if name.startswith(prefix):
                    swept += self._sweep_one(opened, name, f"{path}/{name}")
        return swept

    def open_lock(self, path: str) -> int:
        """Open a file to lock, making it where it is missing; the caller closes the descriptor."""
        with writing(path), self._parent(path) as (parent, name):
            if not is_there(parent, name):
                self.step(Op.CREATE, path)
            return os.open(name, _LOCK, _FILE_MODE, dir_fd=parent)

    # The single steps

    def _create_temp(self, parent: int, path: str) -> tuple[str, int]:
        """Create and lock a temp; one that a sweep took before the lock is given up for the next."""
        while True:
            temp = temp_name(f"{os.getpid()}-{next(_numbers)}", path.rpartition("/")[2])
            self.step(Op.CREATE, sibling(path, temp))
            try:
                descriptor = os.open(temp, _CREATE, _FILE_MODE, dir_fd=parent)
            except FileExistsError:
                continue
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            os.fchmod(descriptor, _FILE_MODE)
            if is_named(descriptor, parent, temp):
                return temp, descriptor
            os.close(descriptor)

    def _create_dir(self, parent: int, name: str, path: str) -> int:
        """Create and lock a directory; one that a sweep took before the lock is made again."""
        while True:
            self.step(Op.MKDIR, path)
            os.mkdir(name, _DIR_MODE, dir_fd=parent)
            with suppress(FileNotFoundError):
                opened = os.open(name, DIRECTORY, dir_fd=parent)
                fcntl.flock(opened, fcntl.LOCK_SH)
                if is_named(opened, parent, name):
                    return opened
                os.close(opened)

    def _fill(self, path: str, contents: Mapping[str, bytes]) -> None:
        """Write some files, then sync them side by side: one commit of the file system's journal serves them all."""
        with ExitStack() as stack:
            written = []
            for name, data in contents.items():
                inner = join(path, name)
                parent, last = stack.enter_context(self._parent(inner))
                self.step(Op.CREATE, inner)
                descriptor = os.open(last, _CREATE, _FILE_MODE, dir_fd=parent)
                stack.callback(os.close, descriptor)
                os.fchmod(descriptor, _FILE_MODE)
                self.step(Op.WRITE, inner, data=data)
                _write_all(descriptor, data)
                written.append((descriptor, inner))
            for _, inner in written:
                with syncing(inner):
                    self.step(Op.SYNC, inner)
            _flush_all(written)

    def _enter(self, parent: int, name: str, above: str) -> int:
        """Open a directory in another; make it where it is missing, and its entry durable where it may not be."""
        path = join(above, name)
        with suppress(FileExistsError):
            if not is_there(parent, name):
                self.step(Op.MKDIR, path)
                os.mkdir(name, _NEW_DIR_MODE, dir_fd=parent)
        opened = os.open(name, DIRECTORY, dir_fd=parent)
        try:
            if os.fstat(opened).st_mode & stat.S_ISVTX:
                self._sync_dir(parent, above)
                self.step(Op.CHMOD, path)
                os.fchmod(opened, _DIR_MODE)
        except BaseException as failure:
            os.close(opened)
            if isinstance(failure, NotSynced):
                with suppress(OSError):  # somebody put something into it meanwhile
                    self.step(Op.RMDIR, path)
                    os.rmdir(name, dir_fd=parent)
            raise
        return opened

    def _unlink(self, parent: int, name: str, path: str) -> None:
        self.step(Op.UNLINK, path)
        os.unlink(name, dir_fd=parent)

    def _sync_dir(self, opened: int, path: str) -> None:
        self._sync(opened, Op.SYNC_DIR, path)

    def _sync(self, descriptor: int, op: Op, path: str) -> None:
        with syncing(path or "."):
            self.step(op, path)
            flush(descriptor)

    def _remove_tree(self, parent: int, name: str, path: str) -> None:
        opened = os.open(name, DIRECTORY, dir_fd=parent)
        try:
            for inner in names(opened):
                if stat.S_ISDIR(os.stat(inner, dir_fd=opened, follow_symlinks=False).st_mode):
                    self._remove_tree(opened, inner, f"{path}/{inner}")
                else:
                    self._unlink(opened, inner, f"{path}/{inner}")
        finally:
            os.close(opened)
        self.step(Op.RMDIR, path)
        os.rmdir(name, dir_fd=parent)

    def _sweep_one(self, parent: int, name: str, path: str) -> int:
        try:
            descriptor = os.open(name, READ, dir_fd=parent)
        except OSError:  # gone meanwhile, or a link: no temp of ours
            return 0
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                self._remove_tree(parent, name, path)
            else:
                self._unlink(parent, name, path)
        except (BlockingIOError, FileNotFoundError):
            return 0
        finally:
            os.close(descriptor)
        return 1


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _for_reading(descriptor: int, parent: int, temp: str) -> int:
    """Exchange the descriptor a temp was written by for one that only reads, without letting its lock go."""
    reader = os.open(temp, READ, dir_fd=parent)
    fcntl.flock(reader, fcntl.LOCK_SH)
    os.close(descriptor)
    return reader


def _batches(names: list[str]) -> Iterator[list[str]]:
    for begin in range(0, len(names), _AT_ONCE):
        yield names[begin : begin + _AT_ONCE]


def _flush_all(written: list[tuple[int, str]]) -> None:
    """Sync several open files in as many threads; raise the first failure."""
    failures: list[NotSynced] = []

    def flush_one(descriptor: int, path: str) -> None:
        try:
            with syncing(path):
                flush(descriptor)
        except NotSynced as failure:
            failures.append(failure)

    threads = [threading.Thread(target=flush_one, args=pair) for pair in written]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _name_once(at: Beside) -> None:
    """Give the temp its name, refusing one that is taken; by a hard link where there are hard links."""
    try:
        os.link(at.temp, at.name, src_dir_fd=at.directory, dst_dir_fd=at.directory, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if is_there(at.directory, at.name):
            raise FileExistsError from None
        os.rename(at.temp, at.name, src_dir_fd=at.directory, dst_dir_fd=at.directory)
