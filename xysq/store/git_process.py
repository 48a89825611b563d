"""Git as a child process: the only place that starts it.

Everything in a vault is hostile, its `.git/config` and `.git/hooks` included, and so is the environment of a hook
that calls xysq. Therefore: every `GIT_*` variable is dropped, and with it HOME, so that no configuration or
attributes of the user's are read; the repository is named by GIT_DIR and GIT_WORK_TREE; hooks, file-system
monitors and every network protocol are off; paths are literal. Commands are constant, what varies is a full
object id, a number or stands behind `--`.

A child inherits the file descriptor of the vault lock, so that the lock lives as long as a git that may still
move the ref, even where its parent was killed.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from xysq.errors import NotFound, XysqError
from xysq.text import safe_line

MINIMAL_ENVIRONMENT: Mapping[str, str] = {"PATH": os.defpath}
CONSTANT_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    *(
        word
        for setting in (
            "core.fsync=all",
            "core.fsyncMethod=fsync",
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "core.attributesFile=/dev/null",
            "core.excludesFile=/dev/null",
            "core.autocrlf=false",
            "core.quotePath=false",
            "core.splitIndex=true",
            "splitIndex.sharedIndexExpire=1.hour.ago",
            "gc.auto=0",
            "maintenance.auto=false",
        )
        for word in ("-c", setting)
    ),
)
_DROPPED = frozenset({"HOME", "XDG_CONFIG_HOME", "LANGUAGE"})


class GitMissing(XysqError):
    """There is no git to start."""

    code = "git-missing"
    exit_status = 1

    def __init__(self) -> None:
        """Say what is needed."""
        super().__init__("git is not installed or not in PATH", "install git 2.36 or newer")


class GitFailed(XysqError):
    """A git command that should succeed did not."""

    code = "git-failed"
    exit_status = 1

    def __init__(self, command: str, status: int, stderr: bytes) -> None:
        """Name the command and quote the end of what it said."""
        said = safe_line(stderr.decode("utf-8", "replace"))[-300:]
        super().__init__(f"git {command} ended with {status}: {said}" if said else f"git {command} ended with {status}")


class GitProcess:
    """Starts git for one repository; `environment` is the surface's, of which only harmless parts are passed on."""

    def __init__(
        self, root: Path, environment: Mapping[str, str] = MINIMAL_ENVIRONMENT, *, literal_paths: bool = True
    ) -> None:
        """Name the vault's directory; nothing is read or started yet. Few commands of git refuse literal paths."""
        self.root = root
        self.git_dir = root / ".git"
        self._environment = _scrubbed(environment) | ({"GIT_LITERAL_PATHSPECS": "1"} if literal_paths else {})

    def run(
        self,
        *args: str,
        data: bytes = b"",
        allowed: tuple[int, ...] = (0,),
        lock_fd: int | None = None,
        index: Path | None = None,
    ) -> tuple[int, bytes]:
        """Run a command to its end and return its status and output; `data` is its input.

        `index` is an index file to use in place of the repository's. Raises `GitFailed` for a status not allowed.
        """
        child = self.start(*args, lock_fd=lock_fd, index=index)
        out, err = child.communicate(data)
        if child.returncode not in allowed:
            raise GitFailed(args[0], child.returncode, err)
        return child.returncode, out

    def start(self, *args: str, lock_fd: int | None = None, index: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a command with pipes for input, output and complaints."""
        named = {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.root)}
        if index is not None:
            named["GIT_INDEX_FILE"] = str(index)
        try:
            return subprocess.Popen(
                ("git", *CONSTANT_OPTIONS, *args),
                cwd=self.root,
                env={**self._environment, **named},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=() if lock_fd is None else (lock_fd,),
                umask=0o077,
            )
        except (FileNotFoundError, NotADirectoryError):
            if not self.root.is_dir():
                raise NotFound("directory", str(self.root)) from None
            raise GitMissing from None


def _scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in environment.items() if not key.startswith("GIT_") and key not in _DROPPED}
    # A relative entry would be looked up below the vault, where a file named git may lie.
    folders = [folder for folder in kept.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute()]
    return kept | {
        "PATH": os.pathsep.join(folders),
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_DEFAULT_REF_FORMAT": "files",
    }
