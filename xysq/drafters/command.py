"""A drafter that is a program of the user's: the request on its standard input, a draft on its standard output.

The program is named in the user's own configuration, never in a vault. It is started without a shell, with a bare
environment (PATH, HOME, LANG), in a process group of its own, so that a time-out ends its children too. What it
prints is capped and otherwise taken as it is: the planner and the gates judge it like any draft.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from xysq.canonical import canonical_json, sha256_hex
from xysq.drafters.port import Answer, Request
from xysq.drafters.wire import INSTRUCTIONS, request_to_wire
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.frozen import frozen
from xysq.model.draft import MAX_DRAFT_BYTES
from xysq.model.run import Drafting
from xysq.text import safe_line

STDERR_KEPT_BYTES = 2_048
PASSED_ON = ("PATH", "HOME", "LANG")
_READ_BYTES = 65_536
_AFTER_KILL_S = 5.0


@frozen
class CommandDrafter:
    """Drafts by running a program. `environment` is the caller's; only PATH, HOME and LANG are passed on."""

    name: str
    argv: tuple[str, ...]
    timeout_s: float
    environment: Mapping[str, str] = field(default_factory=dict)

    def draft(self, request: Request) -> Answer:
        """Run the program once.

        Raises `DrafterUnreachable` where it cannot be started, `BadDraft` where it ends with another status
        than 0, takes longer than it may, or prints more than a draft may have.
        """
        asked = canonical_json(request_to_wire(request))
        request.meter.begin(0)
        began = time.monotonic()
        try:
            process = self._start()
            output = _converse(process, asked, self.timeout_s)
        finally:
            milliseconds = int((time.monotonic() - began) * 1000)
            request.meter.end(0, 0, milliseconds)
        if output.timed_out:
            raise BadDraft(f"drafter {self.name} did not answer in {self.timeout_s:g} s{output.complaint()}")
        if output.too_long:
            raise BadDraft(f"drafter {self.name} printed more than {MAX_DRAFT_BYTES} bytes")
        if process.returncode != 0:
            raise BadDraft(f"drafter {self.name} ended with status {process.returncode}{output.complaint()}")
        drafting = Drafting(
            drafter=self.name,
            prompt_sha256=sha256_hex(INSTRUCTIONS.encode()),
            milliseconds=milliseconds,
        )
        return Answer(reply=output.reply, drafting=drafting)

    def _start(self) -> subprocess.Popen[bytes]:
        if not self.argv:
            raise DrafterUnreachable(f"drafter {self.name} has no command")
        environment = {key: self.environment[key] for key in PASSED_ON if key in self.environment}
        try:
            return subprocess.Popen(
                self.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise DrafterUnreachable(
                f"drafter {self.name}: {safe_line(self.argv[0])} cannot be started: {reason.lower()}",
                "check its command in the user configuration: xysq config path --user",
            ) from None


@dataclass(slots=True)
class _Output:
    reply: bytes = b""
    stderr: bytes = b""
    too_long: bool = False
    timed_out: bool = False

    def complaint(self) -> str:
        words = safe_line(self.stderr.decode("utf-8", errors="replace"))
        return f": {words}" if words else ""


def _converse(process: subprocess.Popen[bytes], request: bytes, timeout_s: float) -> _Output:
    """Feed and drain the program; the group is killed when time is up or too much was printed."""
    output = _Output()
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    if stdin is None or stdout is None or stderr is None:
        raise DrafterUnreachable("the drafter's pipes could not be opened")
    threads = [
        threading.Thread(target=_feed, args=(stdin, request), daemon=True),
        threading.Thread(target=_drain_reply, args=(stdout, output, process), daemon=True),
        threading.Thread(target=_drain_stderr, args=(stderr, output), daemon=True),
    ]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + timeout_s
    try:
        process.wait(timeout=timeout_s)
        for thread in threads[1:]:
            thread.join(timeout=max(0.0, ends - time.monotonic()))
        output.timed_out = threads[1].is_alive()
    except subprocess.TimeoutExpired:
        output.timed_out = True
    finally:
        _kill_group(process)
        process.wait(timeout=_AFTER_KILL_S)
        for thread in threads:
            thread.join(timeout=_AFTER_KILL_S)
    return output


def _feed(stdin: IO[bytes], request: bytes) -> None:
    with suppress(OSError), stdin:
        stdin.write(request)


def _drain_reply(stdout: IO[bytes], output: _Output, process: subprocess.Popen[bytes]) -> None:
    pieces: list[bytes] = []
    size = 0
    with stdout:
        while piece := stdout.read1(_READ_BYTES):  # type: ignore[attr-defined]  # a pipe is a BufferedReader
            size += len(piece)
            if size > MAX_DRAFT_BYTES:
                output.too_long = True
                _kill_group(process)
                break
            pieces.append(piece)
    output.reply = b"".join(pieces)


def _drain_stderr(stderr: IO[bytes], output: _Output) -> None:
    with stderr:
        while piece := stderr.read1(_READ_BYTES):  # type: ignore[attr-defined]  # a pipe is a BufferedReader
            output.stderr = (output.stderr + piece)[-STDERR_KEPT_BYTES:]


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
