"""The bench: a home that is put back again and again for one writing command, and what became of its vault."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.crash.commands import Call, Writing, prepare
from tests.crash.place import Held, Snapshot, at_home, call, held
from xysq import Vault
from xysq.errors import XysqError
from xysq.vault import place

Done = subprocess.CompletedProcess[bytes]


class Bench:
    """A home that is put back for every trial, and what its vault holds before and after the command."""

    def __init__(self, writing: Writing, home: Path) -> None:
        """Make the home, and run the command once, undisturbed."""
        self.writing, self.home = writing, home
        self.typed: Call = prepare(writing, home)
        self.start = Snapshot.take(home)
        done = self.run_once()
        if done.returncode:
            raise SystemExit(f"{writing.label} ended with {done.returncode}: {done.stderr.decode()[-300:]}")
        self.after = held(home)
        self.start.restore(home)
        self.before = self.after if writing.mends else held(home)

    def run_once(self) -> Done:
        """Run the command."""
        return call(self.home, self.typed.arguments, self.typed.data)

    def judged(self, done: Done, *, is_killed: bool) -> str:
        """Recover and prove the vault; return what became of it: a word, or what was lost after `LOST`."""
        try:
            now = self._reopened(done.returncode)
        except XysqError as error:
            return f"LOST {type(error).__name__}: {error}"
        fault = ("" if is_killed else told_fault(done, mends=self.writing.mends)) or self._fault(now, done)
        if fault:
            return f"LOST {fault}"
        if now == self.after:
            return "after"
        return "before" if now == self.before else "between"

    def _reopened(self, status: int) -> Held:
        with at_home(self.home) as root:
            if self.writing.label == "init" and status:
                place.make(root, "Maya", 30.0)
            with Vault.open(root) as vault:
                if self.writing.mends and status:
                    vault.repair()
                vault.recover()
                faults = [finding for finding in vault.fsck() if not finding.note]
            if faults:
                raise XysqError(f"fsck: {faults[0]}")
        now = held(self.home)
        return self._finished() if now.staged > max(self.before.staged, self.after.staged) else now

    def _finished(self) -> Held:
        """Let the next `distill` take up the run that a process staged and did not come to decide."""
        done = call(self.home, ("distill", "--drafter", "rules"))
        if done.returncode:
            raise XysqError(f"a run that was left staged is not taken up: {done.stderr.decode()[-200:]}")
        return held(self.home)

    def _fault(self, now: Held, done: "subprocess.CompletedProcess[bytes]") -> str:
        if self.writing.whole and self.writing.label != "init" and now not in (self.before, self.after):
            return f"neither before nor after: {_parts(now, self.after)} differ from after"
        for part in vars(now):
            if getattr(now, part) not in (getattr(self.before, part), getattr(self.after, part)):
                return f"{part} as neither before nor after"
        promised: Iterable[str] = vars(now) if self.writing.promises(done.returncode, done.stdout) else ()
        if done.stdout and not promised:
            promised = self.writing.tells or ()
        missing = [part for part in promised if getattr(now, part) != getattr(self.after, part)]
        if missing:
            return f"acknowledged, and not there: {', '.join(missing)}"
        if now == self.before != self.after:
            again = call(self.home, self.typed.arguments, self.typed.data)
            if again.returncode or held(self.home) != self.after:
                return f"the same command does not do it afterwards: {again.stderr.decode()[-200:]}"
        return ""


def told_fault(done: Done, *, mends: bool = False) -> str:
    """Say in what a refusal was not told as it should be: a status, one sentence, what to do."""
    said = done.stderr.decode("utf-8", "replace")
    if "Traceback" in said:
        return f"a traceback: {said.strip().splitlines()[-1]}"
    sentences = [line for line in said.splitlines() if line.startswith("xysq: ")]
    if done.returncode == 0 or sentences:
        return ""
    if mends and "left" in said:  # what could not be mended is a finding, told with its file
        return ""
    return f"ended with {done.returncode} and told no cause: {said[:200]!r}"


def _parts(one: Held, other: Held) -> str:
    return ", ".join(part for part in vars(one) if getattr(one, part) != getattr(other, part))
