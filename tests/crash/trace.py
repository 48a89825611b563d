"""What a command asks of the disk, in order: the changes below a directory, as the kernel was told them.

Taken from the kernel's side by strace, so it holds what xysq, git and SQLite do alike, and nothing that was only
announced. Failed calls are left out; a call that others came in between counts from its return.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.crash.commands import Call
from tests.crash.place import environment, program


class Did(StrEnum):
    """A change of a file, of a name, or a promise that they last."""

    CREATE = "create"
    WRITE = "write"
    CUT = "cut"
    SYNC = "sync"
    LINK = "link"
    RENAME = "rename"
    EXCHANGE = "exchange"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"
    MODE = "mode"
    TELL = "tell"


@dataclass(frozen=True)
class Event:
    """One change: `path` and `to` are relative to the root; `at` is an offset, a size or a mode; -1 is the end."""

    did: Did
    path: str = ""
    to: str = ""
    data: bytes = b""
    at: int = 0


CALLS = (
    "openat,open,creat,write,pwrite64,writev,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat,"
    "unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,truncate,fchmod,chmod,fchmodat,fallocate,symlink,symlinkat"
)
_LINE = re.compile(r"(?:\[pid +)?(\d+)\]? +(.*)")
_CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+|\?)(.*)", re.DOTALL)
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_NAMED = re.compile(r"(AT_FDCWD|\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?")
_STDOUT = 1
SKIPPED = 77  # how a harness ends that cannot be had here, as automake has it


def why_not_traced() -> str:
    """Say why system calls cannot be traced here; "" where they can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-o", os.devnull, "true"], capture_output=True, check=False
    )
    return f"strace cannot trace here: {tried.stderr.decode()[-120:].strip()}" if tried.returncode else ""


def record(home: Path, typed: Call, root: Path) -> tuple[Event, ...]:
    """Run a command in a home and return what it did below `root`; raise where it did not end well."""
    log = home.parent / f"{home.name}.trace"
    strace = ["strace", "-f", "-y", "-xx", "-s", "16777216", "--seccomp-bpf", "-qq", "-e", f"trace={CALLS}", "-o"]
    done = subprocess.run(
        [*strace, str(log), *program(typed.arguments)],
        cwd=home,
        env=environment(home),
        input=typed.data,
        capture_output=True,
        check=False,
        timeout=300,
    )
    if done.returncode:
        raise SystemExit(f"{typed.arguments} ended with {done.returncode}: {done.stderr.decode()[-300:]}")
    events = tuple(_events(log.read_text(encoding="ascii"), root, home / "vault"))
    log.unlink()
    return events


def _events(log: str, root: Path, here: Path) -> Iterator[Event]:
    begun: dict[str, str] = {}
    first = ""
    for line in log.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        process, said = match.groups()
        first = first or process
        if said.endswith("<unfinished ...>"):
            begun[process] = said.removesuffix("<unfinished ...>").rstrip()
            continue
        if said.startswith("<... "):
            said = begun.pop(process, "") + said.partition("resumed>")[2].lstrip(" ")
        called = _CALL.fullmatch(said)
        if called is not None and called[3] != "?" and int(called[3]) >= 0:
            yield from _Reading(called, root, here, is_first=process == first).events()


def _text(hexed: str) -> bytes:
    return bytes.fromhex(hexed.replace("\\x", ""))


def _joined(folder: bytes, name: bytes) -> bytes:
    return os.path.join(folder, name)  # noqa: PTH118 - paths of a trace are bytes


class _Reading:
    """One call, as strace printed it."""

    def __init__(self, called: "re.Match[str]", root: Path, here: Path, *, is_first: bool) -> None:
        self.name, self.arguments, self.answer, self.rest = called.groups()
        self.root = root
        self.here = os.fsencode(here)  # git alone names files by relative paths, and works in the vault
        self.is_first = is_first
        self.strings = [_text(found) for found in _STRING.findall(self.arguments)]
        self.plain = _STRING.sub("", self.arguments)
        # Hexadecimal strings hold no comma, so what stands between commas is an argument.
        self.words = [word.strip() for word in self.arguments.split(", ")]

    def events(self) -> Iterator[Event]:
        """Yield what it changed below the root."""
        if self.name in {"write", "writev"} and self.words[0].partition("<")[0] == str(_STDOUT) and self.is_first:
            yield Event(Did.TELL)
            return
        for event in self._all():
            if event is not None:
                yield event

    def _all(self) -> Iterator[Event | None]:
        match self.name:
            case "openat" | "open" | "creat":
                yield from self._opened()
            case "write":
                yield self._on(Did.WRITE, data=self.strings[0][: int(self.answer)] if self.strings else b"", at=-1)
            case "pwrite64":
                yield self._on(Did.WRITE, data=self.strings[0][: int(self.answer)], at=int(self.words[-1]))
            case "fsync" | "fdatasync":
                yield self._on(Did.SYNC)
            case "ftruncate":
                yield self._on(Did.CUT, at=int(self.words[-1]))
            case "fchmod":
                yield self._on(Did.MODE, at=int(self.words[-1], 8))
            case _:
                yield from self._of_names()

    def _of_names(self) -> Iterator[Event | None]:
        match self.name:
            case "mkdir" | "mkdirat":
                yield self._named(Did.MKDIR, at=int(self.words[-1], 8))
            case "unlink" | "rmdir":
                yield self._named(Did(self.name))
            case "unlinkat":
                yield self._named(Did.RMDIR if "AT_REMOVEDIR" in self.plain else Did.UNLINK)
            case "link" | "linkat":
                yield self._named(Did.LINK)
            case "rename" | "renameat" | "renameat2":
                yield self._named(Did.EXCHANGE if "RENAME_EXCHANGE" in self.plain else Did.RENAME)
            case "chmod" | "fchmodat":
                yield self._named(Did.MODE, at=int(self.words[-1], 8))
            case "symlink":  # git tries whether it could make one, and removes it
                yield Event(Did.CREATE, self._below(_joined(self.here, self.strings[1])) or "", at=0o777)
            case _:
                for event in (self._named(Did.WRITE), self._on(Did.WRITE)):
                    if event is not None:
                        raise SystemExit(f"the simulator has no rule for {self.name} of {event.path}")

    def _opened(self) -> Iterator[Event | None]:
        flags = self.plain
        path = self._below(_text(_NAMED.fullmatch(f"{self.answer}{self.rest.strip()}")[2] or ""))  # type: ignore[index]
        if path is not None and "O_CREAT" in flags and "O_TMPFILE" not in flags:
            mode = int(self.words[-1], 8)
            yield Event(Did.CREATE, path, at=mode)
        if path is not None and "O_TRUNC" in flags:
            yield Event(Did.CUT, path, at=0)

    def _on(self, did: Did, data: bytes = b"", at: int = 0) -> Event | None:
        """Return a change of what a descriptor is open on."""
        named = _NAMED.fullmatch(self.words[0])
        path = None if named is None or named[2] is None else self._below(_text(named[2]))
        return None if path is None else Event(did, path, data=data, at=at)

    def _named(self, did: Did, at: int = 0) -> Event | None:
        """Return a change of one name or two."""
        folder, paths = b"", list[str | None]()
        for word in self.words:
            named, string = _NAMED.fullmatch(word), _STRING.fullmatch(word)
            if named is not None and named[2] is not None:
                folder = _text(named[2])
            elif string is not None:
                paths.append(self._below(_joined(folder or self.here, _text(string[1]))))
        if not paths or any(path is None for path in paths):
            return None
        return Event(did, paths[0] or "", to=(paths[1] or "") if len(paths) > 1 else "", at=at)

    def _below(self, path: bytes) -> str | None:
        """Return a path relative to the root; None for one that lies elsewhere."""
        root = os.fsencode(self.root)
        path = os.path.normpath(path)
        if path == root:
            return ""
        return os.fsdecode(path[len(root) + 1 :]) if path.startswith(root + b"/") else None
