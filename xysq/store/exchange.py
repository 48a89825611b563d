"""Exchange: writing a page that an editor may be saving at this very moment.

The new bytes are swapped with the file (RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS), and what came out is compared
with the bytes the run began from. Where it is something else, somebody saved meanwhile: it is swapped back and
reported, and the page stays as that person left it. So there is no moment in which typed words are overwritten unseen.
An editor that still has the old file open for writing (it saves in place) is waited for, briefly; where it does not
let go, the file counts as changed.

A crash between the two swaps leaves the typed words under the temp's name. `rescue` finds them there: the bytes of a
temp are synced before they are swapped in, so where the file has the new bytes, whatever else lies beside it is an
edit. Therefore nothing is written to a temp while the file has the new bytes already.

Where the file system cannot swap, the file is compared and then renamed over: a save between those two is lost.

Its own module, because it alone needs ctypes, whose import is felt by short commands.
"""

import ctypes
import errno
import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable

from xysq.canonical import sha256_hex
from xysq.frozen import frozen
from xysq.store.descriptor import READ, read_all
from xysq.store.disk_error import AlreadyThere
from xysq.store.files import Beside, Files
from xysq.store.path import folder_of, sibling
from xysq.store.step import Op

_SWAP_FLAG = 2  # RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS have the same number
_CANNOT_SWAP = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
_SET_LEASE: int | None = getattr(fcntl, "F_SETLEASE", None)
_SET_SIGNAL: int | None = getattr(fcntl, "F_SETSIG", None)
_PAUSE_S, _PAUSES = 0.01, 20
_MAX_SWAPS = 10


@frozen
class Exchanged:
    """The file now has the new bytes, or is gone; what it had before was what was expected."""


@frozen
class Edited:
    """The file was somebody's edit and stays as it is: its bytes as found, None where it was deleted.

    `aside` are older edits of the same moment that a newer one took the place of; they lie nowhere else any more.
    """

    found: bytes | None
    aside: tuple[bytes, ...] = ()


def exchange(files: Files, path: str, data: bytes, before_sha256: str) -> Exchanged | Edited:
    """Put bytes in the place of those with that digest; "" where the file must not exist yet. Durable, idempotent."""
    if not before_sha256:
        return _create(files, path, data)
    found = files.read_or_none(path)  # refuses what is no regular file before anything is moved
    if found is None:
        return Edited(found=None)
    if found == data:
        files.sync_dir(folder_of(path))
        return Exchanged()
    with files.beside(path, data) as at:
        files.step(Op.EXCHANGE, sibling(path, at.temp), path)
        try:
            swapped = _swap(at)
        except FileNotFoundError:
            return Edited(found=None)
        if swapped:
            outcome = _settle(files, path, at, (before_sha256, sha256_hex(data)))
            files.sync_dir(folder_of(path))
            return outcome
    found = files.read_or_none(path)
    if found is None or sha256_hex(found) not in (before_sha256, sha256_hex(data)):
        return Edited(found=found)
    files.replace(path, data)
    return Exchanged()


def withdraw(files: Files, path: str, before_sha256: str) -> Exchanged | Edited:
    """Remove the file with that digest; one with other bytes stays. Durable, idempotent."""
    with files.beside(path, b"") as at:
        if not files.take_out(path, at):
            return Exchanged()
        came_out = _read_out(at)
        if came_out is not None and sha256_hex(came_out) == before_sha256:
            files.sync_dir(folder_of(path))
            return Exchanged()
        is_back = files.put_back(path, at)
        return Edited(found=files.read_or_none(path), aside=() if is_back else (_bytes_out(at),))


def rescue(files: Files, path: str, digests: tuple[str, str], keep: Callable[[tuple[bytes, ...]], None]) -> None:
    """Give the file back an edit that a crash left beside it; the file has the `digests` before and after the run.

    `keep` is given those edits that a newer one took the place of, before they are removed from where they lie. To be
    called before the file is exchanged or withdrawn once more.
    """
    aside: list[bytes] = []
    with files.left_beside(path) as left:
        if not left:
            return
        found = files.read_or_none(path)
        stands = "" if found is None else sha256_hex(found)
        if stands == digests[0] != digests[1]:
            return  # nothing was swapped in yet: what lies there is ours, whole or not
        for at in left:
            edit = _read_out(at)  # None: an editor writes to it still
            if edit is None or (sha256_hex(edit) not in digests and (edit or digests[1])):
                aside += _give_back(files, path, at, (stands, digests[1]))
        files.sync_dir(folder_of(path))
        if aside:
            keep(tuple(aside))


def _give_back(files: Files, path: str, at: Beside, known: tuple[str, str]) -> tuple[bytes, ...]:
    """Put an edit in the place of the new bytes; return it where something else stands there."""
    edit, (stands, after_sha256) = _bytes_out(at), known
    if not stands and not after_sha256 and files.put_back(path, at):
        return ()
    if not stands or stands != after_sha256:
        return (edit,)
    outcome = _swapped(files, path, at, stands)
    return outcome.aside if isinstance(outcome, Edited) else ()


def _swapped(files: Files, path: str, at: Beside, expected: str) -> Exchanged | Edited:
    files.step(Op.EXCHANGE, sibling(path, at.temp), path)
    edit = _bytes_out(at)
    try:
        if not _swap(at):
            return Edited(found=None, aside=(edit,))
    except FileNotFoundError:  # deleted meanwhile
        return Edited(found=None, aside=(edit,))
    return _settle(files, path, at, (expected, sha256_hex(edit)))


def _create(files: Files, path: str, data: bytes) -> Exchanged | Edited:
    if files.exists(path):  # no temp may be begun beside the new bytes: half of one would look like an edit
        return exchange(files, path, data, sha256_hex(data))
    try:
        files.write_new(path, data)
    except AlreadyThere:
        return exchange(files, path, data, sha256_hex(data))
    return Exchanged()


def _settle(files: Files, path: str, at: Beside, expected: tuple[str, str]) -> Exchanged | Edited:
    """Judge what came out of a swap. An edit goes back; if another came out by that, the newest gets the name."""
    came_out = _read_out(at)
    if came_out is not None and sha256_hex(came_out) in expected:
        return Exchanged()
    ours, aside = expected[1], list[bytes]()
    for _ in range(_MAX_SWAPS):
        out_before = _bytes_out(at)
        files.step(Op.EXCHANGE, sibling(path, at.temp), path)
        try:
            _swap(at)
        except FileNotFoundError:  # deleted meanwhile; the deletion is the newest edit
            return Edited(found=None, aside=(*aside, out_before))
        came_out = _read_out(at)
        if came_out is not None and (sha256_hex(came_out) == ours or came_out in aside):
            break
        aside.append(out_before)
    return Edited(found=files.read_or_none(path), aside=tuple(aside))


def _read_out(at: Beside) -> bytes | None:
    """Return the bytes that lie under the temp's name; None where somebody may still be writing them."""
    descriptor = os.open(at.temp, READ, dir_fd=at.directory)
    try:
        return read_all(descriptor) if _has_no_writer(descriptor) else None
    finally:
        os.close(descriptor)


def _bytes_out(at: Beside) -> bytes:
    descriptor = os.open(at.temp, READ, dir_fd=at.directory)
    try:
        return read_all(descriptor)
    finally:
        os.close(descriptor)


def _has_no_writer(descriptor: int) -> bool:
    """Wait a moment until nobody has the file open for writing; True where the system cannot tell."""
    for _ in range(_PAUSES):
        if _is_unwritten(descriptor):
            return True
        time.sleep(_PAUSE_S)
    return _is_unwritten(descriptor)


def _is_unwritten(descriptor: int) -> bool:
    """Ask for a read lease, which Linux grants only while nobody has the file open for writing."""
    if _SET_LEASE is None or _SET_SIGNAL is None:
        return True
    try:
        fcntl.fcntl(descriptor, _SET_SIGNAL, signal.SIGURG)  # a broken lease must not end the process, as SIGIO would
        fcntl.fcntl(descriptor, _SET_LEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, _SET_LEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno != errno.EAGAIN
    return True


def _swap(at: Beside) -> bool:
    """Swap the temp's name with the file's, in one step; False where this system cannot."""
    if _rename_with_flags is None:
        return False
    temp, name = os.fsencode(at.temp), os.fsencode(at.name)
    if _rename_with_flags(at.directory, temp, at.directory, name, _SWAP_FLAG) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT_SWAP:
        return False
    raise OSError(code, os.strerror(code))


def _find_rename() -> Callable[[int, bytes, int, bytes, int], int] | None:
    library = ctypes.CDLL(None, use_errno=True)
    function = getattr(library, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if function is None:
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    function.restype = ctypes.c_int
    call: Callable[[int, bytes, int, bytes, int], int] = function
    return call


_rename_with_flags = _find_rename()
