"""SIGKILL at random moments of distill and apply: the vault is in the state before or in the state after.

    python tests/crash/kill.py [MOMENTS] [SEED]

For each moment a copy of one vault is worked on by a child process that is killed after a random time. Then the vault
is opened again, which recovers it, and has to be either as before or as after, with nothing for fsck to say; and the
same command once more has to end in the state after. Prints a table; status 1 where a vault was in any other state.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from xysq import Vault
from xysq.model.source import Encoding

ROOT = Path(__file__).resolve().parents[2]
TALKS = ("monday.txt", "thursday.txt")
COMMANDS = {
    "distill": "from xysq import Vault; v = Vault.open(); print('begin', flush=True); v.distill()",
    "apply": "from xysq import Vault; v = Vault.open(); print('begin', flush=True); v.apply()",
}


@dataclass(frozen=True)
class Bench:
    """A place to work in: an environment of its own, the vault to copy, its state before and after each command."""

    home: Path
    ready: dict[str, Path]
    before: dict[str, frozenset[str]]
    after: dict[str, frozenset[str]]
    lasts_s: dict[str, float]


def facts(root: Path) -> frozenset[str]:
    """Return what a vault holds, as texts of open facts with their quotes."""
    with Vault.open(root) as vault:
        return frozenset(
            f"{fact.page} {fact.text} {fact.evidence[0].quote} {Encoding(fact.evidence[0].enc)}"
            for fact in vault.facts(is_open=True)
        )


def prepare(home: Path) -> Bench:
    """Make a vault that waits for each command, and find out what the command makes of it and how long it takes."""
    os.environ.update(
        {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / "config")}
    )
    ready, before, after, lasts = {}, {}, {}, {}
    for command in COMMANDS:
        root = ready[command] = home / f"ready-{command}"
        with Vault.init(root, me="Maya") as vault:
            vault.push(ROOT / "fixtures" / "demo" / TALKS[0])
            vault.distill()
            vault.push(ROOT / "fixtures" / "demo" / TALKS[1])
            if command == "apply":
                vault.distill(stage=True)
        before[command] = facts(root)
        copy = shutil.copytree(root, home / "measured")
        began = time.monotonic()
        run(command, copy).wait()
        lasts[command] = time.monotonic() - began
        after[command] = facts(copy)
        shutil.rmtree(copy)
        if before[command] == after[command]:
            raise SystemExit(f"{command} changed nothing; the harness would prove nothing")
    return Bench(home=home, ready=ready, before=before, after=after, lasts_s=lasts)


def run(command: str, root: Path) -> "subprocess.Popen[bytes]":
    """Start a command on a vault."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XYSQ_VAULT": str(root)}
    return subprocess.Popen(
        [sys.executable, "-c", COMMANDS[command]],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def strike(bench: Bench, command: str, delay_s: float) -> str:
    """Kill the command after a delay from its first change on, children too; return what became of the vault."""
    root = shutil.copytree(bench.ready[command], bench.home / "struck")
    try:
        child = run(command, root)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(delay_s)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        with Vault.open(root) as vault:
            vault.recover()
            found = [finding for finding in vault.fsck() if not finding.note]
        state = facts(root)
        if found or state not in (bench.before[command], bench.after[command]):
            return f"BROKEN {found[:3]}"
        outcome = "before" if state == bench.before[command] else "after"
        again = run(command, root)
        again.wait()
        if facts(root) != bench.after[command]:
            return "BROKEN: the command could not finish afterwards"
        return outcome
    finally:
        shutil.rmtree(root)


def main() -> int:
    """Strike and print."""
    moments = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="xysq-kill-") as home:
        bench = prepare(Path(home))
        outcomes: Counter[tuple[str, str]] = Counter()
        for moment in range(moments):
            command = tuple(COMMANDS)[moment % len(COMMANDS)]
            outcomes[command, strike(bench, command, chance.random() * bench.lasts_s[command])] += 1
    print(f"seed {seed}, {moments} moments")
    for (command, outcome), count in sorted(outcomes.items()):
        print(f"{command:8} {count:5}  {outcome}")
    broken = sum(count for (_, outcome), count in outcomes.items() if outcome.startswith("BROKEN"))
    print(f"{moments - broken} passed, {broken} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
