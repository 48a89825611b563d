"""Abuse of the MCP server's input: garbage, endless lines, half lines, messages bent out of shape, calls in between.

    python -m tests.crash.mcp_abuse [LINES] [SEED]

Every line the server writes must be a JSON-RPC message, every request it could read must be answered once, everything
it says it kept must be in the vault, and at the end it must still serve and end well. Prints what was sent and
answered, and how long a cold start takes as a multiple of `python -c pass`.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.place import at_home, environment, program
from xysq import Vault
from xysq.mcp.pipe import MOST_BYTES
from xysq.model.source import Version

ROUNDS = 7
_LIVES_S = 120
_VERSION = "2025-06-18"
_HELLO = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": {"name": "abuse", "version": "1"}}
_TOOLS = ("push_context", "pull_context", "search", "fetch", "why", "diff", "correct_source", "propose_facts", "status")
_WORDS: tuple[Any, ...] = (
    "",
    "Lisbon",
    "\x00",
    "\u202e",
    "\ud800",
    "f-",
    "../../etc/passwd",
    "--output=x",
    "a" * 5_000,
)
_VALUES: tuple[Any, ...] = (*_WORDS, None, True, -1, 0, 2**70, 1e308, [], {}, [[]], {"a": {"b": []}}, ["x"] * 50)
_KEYS = ("query", "id", "fact", "content", "source", "replace", "rev1", "limit", "metadata", "facts", "wait", "odd")


def message(method: str, name: object = None, /, **params: object) -> dict[str, Any]:
    """Return a request, or without an id a notification."""
    spelled: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return spelled if name is None else spelled | {"id": name}


def line(value: object) -> bytes:
    """Spell a message."""
    return json.dumps(value).encode() + b"\n"


@dataclass
class Abuse:
    """What is sent; `asked` are the ids of the requests that must be answered."""

    seed: int
    asked: set[str] = field(default_factory=set)
    sent: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def lines(self, count: int) -> Iterator[bytes]:
        """Yield so many lines; of a few, only a half."""
        kinds = (self._noise, self._json, self._bent, self._call, self._notice, self._half, self._request)
        yield line(message("initialize", "hello", **_HELLO))
        yield line(message("notifications/initialized"))
        for place in range(count):
            made = self.chance.choices(kinds, weights=(30, 15, 25, 8, 8, 4, 10))[0]
            if place == count // 2:
                made = self._endless
            self.sent[made.__name__.strip("_")] += 1
            yield made()

    def _noise(self) -> bytes:
        size = self.chance.choice((1, 3, 40, 400, 4_000))
        return self.chance.randbytes(size).replace(b"\n", b"\r") + b"\n"

    def _json(self) -> bytes:
        depth = self.chance.choice((10, 300, 3_000))
        whole = (
            b"[]",
            b"{}",
            b"null",
            b"-0",
            b"[" * depth,
            b"[" * depth + b"]" * depth,
            b'{"a":' * depth,
            b'"\\ud800"',
        )
        return self.chance.choice((*whole, b"1e999", b"9" * 5_000, b'{"id":1,"id":2}', b"NaN")) + b"\n"

    def _bent(self) -> bytes:
        """Return a message with bytes changed, taken out or doubled."""
        data = bytearray(line(message("tools/call", self.chance.randrange(9), name="search", arguments={"query": "x"})))
        for _ in range(self.chance.randrange(1, 4)):
            at = self.chance.randrange(len(data) - 1)
            match self.chance.randrange(3):
                case 0:
                    data[at] = self.chance.choice(b'\x00\x7f"{}[]:,\xff0a')
                case 1:
                    del data[at]
                case _:
                    data[at:at] = data[at : at + 5]
        return bytes(data).replace(b"\n", b" ") + b"\n"

    def _call(self) -> bytes:
        """Return a call of a tool with arguments of all sorts."""
        arguments = {self.chance.choice(_KEYS): self.chance.choice(_VALUES) for _ in range(self.chance.randrange(4))}
        if self.chance.random() < 0.3:
            words = f"Emil: I live in {self.chance.choice(('Lisbon', 'Porto', 'Oslo'))}."
            return self._asked("tools/call", name="push_context", arguments={"content": words})
        if any(isinstance(value, str) and "\ud800" in value for value in arguments.values()):
            return line(
                message("tools/call", 1, name="search", arguments=arguments)
            )  # cannot be read: no answer is owed
        return self._asked("tools/call", name=self.chance.choice(_TOOLS), arguments=arguments)

    def _request(self) -> bytes:
        method = self.chance.choice(
            ("ping", "tools/list", "resources/list", "nonsense", "initialize", "logging/setLevel")
        )
        return self._asked(method, **self.chance.choice(({}, {"cursor": "x"}, {"level": 7})))

    def _notice(self) -> bytes:
        method = self.chance.choice(
            ("notifications/cancelled", "notifications/progress", "notifications/initialized", "")
        )
        return line(message(method, requestId=self.chance.choice(("none", 10**9, None)), progressToken=1))

    def _half(self) -> bytes:
        return line(message("ping", 1))[: self.chance.randrange(1, 30)]

    def _endless(self) -> bytes:
        return b'{"jsonrpc":"2.0","id":7,"method":"' + b"x" * (MOST_BYTES + 1) + b'"}\n'

    def _asked(self, method: str, /, **params: object) -> bytes:
        """Return a request that must be answered; what came before it is ended by a line of its own."""
        name = f"q{len(self.asked)}"
        self.asked.add(name)
        return b"\n" + line(message(method, name, **params))


@dataclass
class Heard:
    """What the server wrote: answers by id, faults found in it, versions it says it kept."""

    answers: Counter[str] = field(default_factory=Counter)
    errors: Counter[int] = field(default_factory=Counter)
    kept: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def take_all(self, lines: Iterable[bytes]) -> None:
        """Take lines until there are no more."""
        for data in lines:
            self.take(data)

    def take(self, data: bytes) -> None:
        """Take a line."""
        try:
            value = json.loads(data.decode("utf-8"))
        except ValueError:
            self.faults.append(f"no JSON: {data[:80]!r}")
            return
        is_answer = (
            isinstance(value, dict) and value.get("jsonrpc") == "2.0" and ("result" in value) != ("error" in value)
        )
        if not is_answer or "id" not in value or not data.endswith(b"\n"):
            self.faults.append(f"no JSON-RPC: {data[:80]!r}")
            return
        self.answers[str(value["id"])] += 1
        self.errors[value.get("error", {}).get("code", 0)] += 1
        told = value.get("result", {}).get("structuredContent") or {}
        if "version" in told and "error" not in told and told["version"]:
            self.kept.add(told["version"])


def abuse(home: Path, count: int, seed: int) -> tuple[Abuse, Heard]:
    """Send so many lines to a server of a vault in a home; `faults` of what was heard says what is wrong."""
    with at_home(home) as root:
        Vault.init(root, me="Nora")
    sending, heard = Abuse(seed), Heard()
    with tempfile.TemporaryFile() as complaints:
        server = subprocess.Popen(
            program(["mcp"]), cwd=home, env=environment(home), stdin=-1, stdout=-1, stderr=complaints
        )
        assert server.stdin is not None
        assert server.stdout is not None
        hearing = threading.Thread(target=heard.take_all, args=(server.stdout,), daemon=True)
        hearing.start()
        for data in sending.lines(count):
            server.stdin.write(data)
        server.stdin.write(b"\n" + line(message("tools/call", "last", name="status", arguments={})))
        server.stdin.close()
        status = server.wait(timeout=_LIVES_S)
        hearing.join(timeout=_LIVES_S)
        server.stdout.close()
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "replace")
    heard.faults += [f"ended with {status}"] if status else []
    heard.faults += [f"complained: {said[-300:]}"] if said else []
    heard.faults += [
        f"{name} was answered {heard.answers[name]} times"
        for name in sorted(name for name in {*sending.asked, "hello", "last"} if heard.answers[name] != 1)
    ][:20]
    heard.faults += _lost(home, heard.kept)
    return sending, heard


def _lost(home: Path, kept: set[str]) -> list[str]:
    """Say which versions are not in the vault, and whether it is as promised."""
    with at_home(home) as root, Vault.open(root) as vault:
        there = {str(Version(one.source, number)) for one in vault.sources() for number in range(1, one.newest + 1)}
        return [*(f"{version} is lost" for version in kept - there), *(str(found) for found in vault.fsck())]


def cold_starts(home: Path) -> tuple[float, float]:
    """Return how long a server takes to its first answer, and `python -c pass` beside it; medians, in seconds."""
    starts, bare = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        with subprocess.Popen(program(["mcp"]), cwd=home, env=environment(home), stdin=-1, stdout=-1) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(line(message("initialize", "hello", **_HELLO)))
            server.stdin.flush()
            server.stdout.readline()
            starts.append(time.perf_counter() - began)
            server.stdin.close()
    return statistics.median(starts), statistics.median(bare)


def main(arguments: list[str]) -> int:
    """Abuse a server and print what became of it."""
    count, seed = int(arguments[0]) if arguments else 100_000, int(arguments[1]) if arguments[1:] else 1
    with tempfile.TemporaryDirectory(prefix="xysq-mcp-") as name:
        home = Path(name)
        began = time.perf_counter()
        sending, heard = abuse(home, count, seed)
        took_s = time.perf_counter() - began
        start_s, bare_s = cold_starts(home)
    print(f"seed {seed}: {count:,} lines in {took_s:.0f} s: {dict(sending.sent)}")
    print(f"answered {heard.answers.total():,}, by code: {dict(heard.errors)}; kept {len(heard.kept):,} versions")
    print(f"cold start to the first answer: {start_s / bare_s:.0f} x python -c pass ({start_s:.2f} s)")
    for fault in heard.faults:
        print(fault)
    return 1 if heard.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
