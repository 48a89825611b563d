"""Two MCP servers and the command line write to one vault, and are killed at random: what they acknowledged is there.

    python -m tests.crash.servers [OPERATIONS] [KILLS] [SEED]

Each of two agents pushes words over a server of its own, waits until they have landed, are found or are facts, and
searches at once for what it was told is searchable; a third one types `push` and `note`. A killer ends a server or a
command with SIGKILL, half of the time with the git it had started. The agent starts its server anew and sends what was
not answered once more, under the session it named before: by that it is known for the same.

Afterwards the vault is recovered and proven by fsck. What was acknowledged is there once, byte for byte; what was told
to be searchable is found; what was told to be a fact is one; nothing is there twice. Prints what was done; status 1
where anything was lost or doubled.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.place import MEMORY, at_home, environment, program
from xysq import Vault
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.store import logs
from xysq.vault import place

OPERATIONS, KILLS, SEED = 120, 40, 20261201  # operations of each of the three
WAITS = ("landed", "indexed", "indexed", "distilled")
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "crash", "version": "1"}}


@dataclass(frozen=True)
class Said:
    """Words that somebody pushed, what was waited for, and whether that was acknowledged."""

    mark: str
    wait: str
    is_acknowledged: bool
    is_note: bool = False


def talk(mark: str) -> str:
    """Return words with a fact, about something that nobody else speaks of."""
    return f"Ada: I like {mark}.\n\nBob: So I heard.\n"


@dataclass
class History:
    """What was said, and what was missed at once; several threads write to it."""

    said: list[Said] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)


class Killed(Exception):
    """The process ended before it answered."""


class Writer(threading.Thread):
    """Somebody who writes, in a process that may be killed at any time."""

    def __init__(self, home: Path, number: int, operations: int, history: History, seed: int) -> None:
        """Prepare; nothing is started yet."""
        super().__init__()
        self.home, self.number, self.operations, self.history = home, number, operations, history
        self.chance = random.Random(f"{seed} {number}")
        self.process: subprocess.Popen[bytes] | None = None

    def start_process(self, *typed: str) -> "subprocess.Popen[bytes]":
        """Start xysq in a group of its own, so that it can be killed with its children."""
        self.process = subprocess.Popen(
            program(typed),
            cwd=self.home,
            env=environment(self.home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self.process

    def run(self) -> None:
        """Do everything; what goes wrong here is a fault too."""
        try:
            for place_ in range(self.operations):
                self.operate(f"plum{self.number}x{place_}")
            self.finish()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            self.history.missed.append(f"writer {self.number}: {type(error).__name__}: {error}")

    def operate(self, mark: str) -> None:
        """Say one thing."""
        raise NotImplementedError

    def finish(self) -> None:
        """Let the process go."""


class Agent(Writer):
    """An agent with a server of its own."""

    def operate(self, mark: str) -> None:
        """Push words until it is answered that they are kept; search for them where they are searchable."""
        wait = self.chance.choice(WAITS)
        for _ in range(20):
            with suppress(Killed):
                answer = self._call("push_context", content=talk(mark), wait=wait, metadata={"session_id": mark})
                is_kept = not answer.get("isError")
                self.history.said.append(Said(mark, wait, is_kept))
                self.history.done[f"push, {wait}" if is_kept else "refused"] += 1
                if is_kept and wait != "landed":
                    self._search(mark)
                return
            self.history.done["killed"] += 1
        self.history.said.append(Said(mark, wait, is_acknowledged=False))

    def _search(self, words: str) -> None:
        mark = words.rsplit(maxsplit=1)[-1].rstrip(".")
        with suppress(Killed):
            found = json.dumps(self._call("search", query=mark))
            self.history.done["search"] += 1
            if mark not in found:
                self.history.missed.append(f"{mark}: {found[:200]}")

    def _call(self, name: str, **arguments: object) -> dict[str, Any]:
        process = self.process
        if process is None or process.poll() is not None:
            process = self.start_process("mcp")
            self._ask(process, "initialize", _HELLO)
        return self._ask(process, "tools/call", {"name": name, "arguments": arguments})

    def _ask(self, process: "subprocess.Popen[bytes]", method: str, params: object) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            with suppress(OSError):
                process.communicate()  # closes the pipes, too
            raise Killed
        answer = json.loads(line)
        result: dict[str, Any] = answer.get("result", {"isError": True})
        return result

    def finish(self) -> None:
        """Close the server's input, at which it ends."""
        if self.process is not None:
            with suppress(OSError):
                self.process.communicate(timeout=60)


class Typist(Writer):
    """Somebody at the command line."""

    def operate(self, mark: str) -> None:
        """Push a file, or note a sentence."""
        if self.chance.random() < 1 / 2:
            self._note(mark)
            return
        file = self.home / f"{mark}.txt"
        file.write_text(talk(mark), encoding="utf-8")
        wait = self.chance.choice(WAITS[:3])
        is_kept = False
        for _ in range(20):
            if self._typed("push", "--wait", wait, str(file)) == 0:
                is_kept = True
                break
            self.history.done["killed"] += 1
        self.history.said.append(Said(mark, wait, is_kept))
        self.history.done[f"push, {wait}"] += is_kept

    def _note(self, mark: str) -> None:
        is_kept = self._typed("note", f"I like {mark}.") == 0
        self.history.said.append(Said(mark, "distilled", is_kept, is_note=True))
        self.history.done["note" if is_kept else "killed"] += 1

    def _typed(self, *words: str) -> int:
        process = self.start_process(*words)
        process.communicate()
        return process.returncode


def kill_some(writers: list[Writer], kills: int, chance: random.Random) -> int:
    """Kill processes of writers at random moments for as long as they write; return how many were killed."""
    killed = 0
    while any(writer.is_alive() for writer in writers):
        time.sleep(chance.uniform(0.05, 0.8))
        process = chance.choice(writers).process
        if killed >= kills or process is None or process.poll() is not None:
            continue
        with suppress(ProcessLookupError):
            (os.killpg if chance.random() < 1 / 2 else os.kill)(process.pid, signal.SIGKILL)
            killed += 1
    return killed


def judge(home: Path, history: History) -> list[str]:
    """Recover and prove the vault; return what was lost or doubled."""
    with at_home(home) as root, Vault.open(root) as vault:
        vault.recover()
        opened = place.opened(root, 30.0, Channel.PYTHON)
        kept = list(_bytes(opened))
        facts = Counter(fact.value for fact in vault.facts(is_open=True))
        lost = [f"fsck: {finding}" for finding in vault.fsck() if not finding.note]
        for said in history.said:
            words = f"I like {said.mark}." if said.is_note else talk(said.mark)
            count = sum(words.encode() in one if said.is_note else words.encode() == one for one in kept)
            if count > 1 or (said.is_acknowledged and not count):
                lost.append(f"{said}: kept {count} times")
            if facts[said.mark] > 1 or (said.is_acknowledged and said.wait == "distilled" and not facts[said.mark]):
                lost.append(f"{said}: {facts[said.mark]} facts")
            if said.is_acknowledged and not any(said.mark in hit.text for hit in vault.search(said.mark)):
                lost.append(f"{said}: not found")
    return [*lost, *(f"missed at once: {one}" for one in history.missed)]


def _bytes(opened: Opened) -> Iterator[bytes]:
    for source in logs.all_sources(opened.files):
        for meta in logs.versions(opened.files, source):
            yield logs.read_bytes(opened.files, meta.id)


def write(home: Path, operations: int, kills: int, seed: int) -> tuple[History, int]:
    """Let everybody write, and kill; return what was done and how many were killed."""
    history = History()
    Vault.init(home / "vault", me="Maya").close()
    kinds: tuple[type[Writer], ...] = (Agent, Agent, Typist)
    writers = [kind(home, number, operations, history, seed) for number, kind in enumerate(kinds)]
    for writer in writers:
        writer.start()
    killed = kill_some(writers, kills, random.Random(seed))
    for writer in writers:
        writer.join()
    return history, killed


def main() -> int:
    """Write, judge and print."""
    operations = int(sys.argv[1]) if len(sys.argv) > 1 else OPERATIONS
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else KILLS
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else SEED
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="xysq-servers-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name) / "home"
        home.mkdir()
        with at_home(home):
            history, killed = write(home, operations, kills, seed)
        lost = judge(home, history)
    print("\n".join(lost[:20]))
    for what, count in sorted(history.done.items()):
        print(f"{what:16} {count:6,}")
    print(f"{killed} killed, seed {seed}, {time.monotonic() - began:.0f} s, {len(lost)} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
