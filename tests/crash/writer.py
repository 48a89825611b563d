"""A writer: one of many processes on one vault; what it does follows from the seed, its number, and its history.

It does its deeds by the Python API, in one process that stays, and now and then by the command line. Where it dies, a
successor reads its history, leaves what was under way as it is, and goes on.
"""

import os
import random
import subprocess
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.crash.deeds import NOTES, Deed, History, Kind
from tests.crash.place import at_home, environment, program
from xysq import Vault
from xysq.errors import XysqError
from xysq.model.report import Pushed

SHARED = 12  # sources that all writers add to
OWNER = "Maya"
_SHARES = {
    Kind.NEW: 44.0,
    Kind.GROWN: 14.0,
    Kind.SAME: 10.0,
    Kind.SHARED: 14.0,
    Kind.NOTE: 3.0,
    Kind.LOOK: 2.5,
    Kind.FIND: 10.0,
    Kind.DISTILL: 0.3,
    Kind.TYPED: 0.6,
    Kind.PIPED: 1.4,
    Kind.PROVE: 0.2,
}
_INDEXED = 1 / 8  # pushes that wait until they can be searched
_WAITS_S = 300.0


class CommandFailed(XysqError):
    """A command ended with another status than 0."""

    code = "command-failed"


def shared_name(number: int) -> str:
    """Return the name of a source that all writers add to."""
    return f"shared{number}"


class Writer:
    """One writer, from where its history ends."""

    def __init__(self, home: Path, number: int, seed: int) -> None:
        """Read the history and open the vault."""
        self._home, self._number, self._seed = home, number, seed
        self._history = History(history_path(home, number))
        self._done = self._history.read()
        self._vault = Vault.open(home / "vault", timeout_s=_WAITS_S)

    def write(self, deeds: int) -> None:
        """Do what is left of so many deeds."""
        for number in range(len(self._done), deeds):
            deed = self._next(number)
            self._history.begin(deed)
            try:
                deed.answer = self._do(deed)
                deed.is_indexed &= deed.answer.get("passages", 0) is not None
            except XysqError as error:
                deed.failed = f"{error.code}: {error}"
            deed.ended = time.monotonic_ns()
            self._history.end(deed)
            self._done.append(deed)

    def _next(self, number: int) -> Deed:
        chance = random.Random(f"{self._seed} {self._number} {number}")
        (kind,) = chance.choices(list(_SHARES), list(_SHARES.values()))
        word = f"w{self._number}x{number}"
        deed = Deed(self._number, number, kind, time.monotonic_ns(), is_indexed=chance.random() < _INDEXED)
        match kind:
            case Kind.NEW | Kind.PIPED:
                deed.source = f"new-{word}"
                deed.data = self._talk(word, chance)
                deed.said = f"Ann{self._number} likes {word}." if b": I like " in deed.data else ""
            case Kind.GROWN | Kind.SAME:
                deed.source = f"grown-{self._number}"
                deed.data = self._grown(is_longer=kind is Kind.GROWN)
            case Kind.SHARED:
                deed.source = shared_name(chance.randrange(SHARED))
                deed.data = f"Ann{self._number}: {word} is said here.\n\n".encode()
            case Kind.NOTE | Kind.TYPED:
                deed.data, deed.said, deed.is_indexed = f"I like {word}.".encode(), f"{OWNER} likes {word}.", True
            case Kind.FIND:
                deed.source, deed.said = self._to_find(chance)
            case Kind.LOOK | Kind.DISTILL | Kind.PROVE:
                deed.is_indexed = kind is Kind.DISTILL
        return deed

    def _talk(self, word: str, chance: random.Random) -> bytes:
        """Return a talk in which somebody likes something, or bytes that are no text."""
        if chance.random() < 1 / 8:
            return f"{word} ".encode() + chance.randbytes(chance.randrange(4000))
        replies = "".join(f"Tom: {chance.randrange(1000)} of them.\n\n" for _ in range(chance.randrange(1, 6)))
        verb = "I like" if chance.random() < 1 / 3 else "There is"
        return f"Ann{self._number}: {verb} {word}.\n\n{replies}".encode()

    def _grown(self, *, is_longer: bool) -> bytes:
        """Return the writer's own file, with one more turn than it had when it was last pushed, or as it was."""
        turns = sum(deed.kind is Kind.GROWN for deed in self._done) + is_longer
        return b"".join(
            f"Tom: turn {turn} of {self._number}.\n\n".encode() * (1 + turn % 3) for turn in range(max(turns, 1))
        )

    def _to_find(self, chance: random.Random) -> tuple[str, str]:
        """Choose something acknowledged as searchable: the name of a source, or a fact."""
        told = [deed for deed in self._done if deed.is_told and deed.is_indexed]
        known = [deed for deed in told if deed.kind in {Kind.NEW, *NOTES}]
        if not known:
            return "", ""
        deed = chance.choice(known)
        return deed.source, deed.said if deed.kind in NOTES else ""

    # Doing

    def _do(self, deed: Deed) -> dict[str, Any]:
        match deed.kind:
            case Kind.NEW | Kind.GROWN | Kind.SAME | Kind.SHARED:
                wait = "indexed" if deed.is_indexed else "landed"
                appends = deed.kind is Kind.SHARED
                return _told(
                    self._vault.push_text(deed.data, "talk.txt", source=deed.source, append=appends, wait=wait)
                )
            case Kind.NOTE:
                noted = self._vault.note(deed.data.decode())
                return _told(noted.pushed) | {"runs": [run.run for run in noted.runs if run.commit]}
            case Kind.TYPED:
                return {"printed": self._call(("note", deed.data.decode()), b"")}
            case Kind.PIPED:
                wait = "indexed" if deed.is_indexed else "landed"
                printed = self._call(("push", "--source", deed.source, "--wait", wait, "-"), deed.data)
                return {"version": printed.strip()}
            case Kind.LOOK:
                return look(self._vault)
            case Kind.FIND:
                return {"found": self._found(deed)}
            case Kind.DISTILL:
                return {"runs": [run.run for run in self._vault.distill("rules") if run.commit]}
            case Kind.PROVE:
                return {"findings": [str(finding) for finding in self._vault.fsck("fast") if not finding.note]}

    def _found(self, deed: Deed) -> bool:
        if deed.said:
            return [fact.text for fact in self._vault.facts(is_open=True, page=OWNER)].count(deed.said) == 1
        word = deed.source.removeprefix("new-")
        return not word or bool(self._vault.search(word, limit=1, where=("logs",)))

    def _call(self, arguments: Sequence[str], data: bytes) -> str:
        done = subprocess.run(
            [*program((*arguments, "--timeout", str(_WAITS_S)))],
            env=environment(self._home),
            input=data,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise CommandFailed(f"{arguments[0]} ended with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()


def look(vault: Vault) -> dict[str, Any]:
    """Count runs and sources, and tell the newest version of each shared source."""
    sources = vault.sources()
    shared = {line.name: line.newest for line in sources if line.name.startswith("shared")}
    return {"sources": len(sources), "runs": len(vault.runs()), **shared}


def _told(pushed: Pushed) -> dict[str, Any]:
    """Return what a push answered; `passages` where it is searchable."""
    return {
        "version": str(pushed.version),
        "kind": pushed.kind and pushed.kind.value,
        "passages": pushed.passages,
    }


def history_path(home: Path, number: int) -> Path:
    """Return where a writer's history lies."""
    return home / "histories" / f"{number}.jsonl"


def begin(home: Path, number: int, seed: int, deeds: int) -> int:
    """Start a writer in a process of its own, the first of a group; return the process."""
    child = os.fork()
    if child:
        with suppress(OSError):  # it has done so itself, or is gone
            os.setpgid(child, child)
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        with at_home(home):
            Writer(home, number, seed).write(deeds)
        status = 0
    except BaseException:  # noqa: BLE001 - whatever it was, this process ends here
        traceback.print_exc()
    finally:
        os._exit(status)
