"""The writing commands, each with a home in which it has something to do, and what it may acknowledge.

    python -m tests.crash.commands

A command of xysq is either in `WRITING`, once for each way in which it writes, or in `READING`; a test keeps that so.
The harnesses take every row of `WRITING`: they cut it wherever a process or a disk can be cut.

What a row acknowledges: with status 0, everything it does. `tells` is what is promised as soon as it has printed
anything, for commands that print before they are done.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.crash.place import Held, at_home, call, held
from xysq import Vault
from xysq.jobs.replay import decision_of
from xysq.model.fact import Slug
from xysq.model.source import Channel, Row
from xysq.store import layout, queue, wal
from xysq.store.queue import Attempt
from xysq.vault import place

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n"
MORE = b"Maya: I like jazz.\n\nTom: I like tea.\n\n"
NEXT = b"Nora: I live in Lima.\n\nTom: I see.\n\n"
BINARY = bytes(range(256)) * 3
READING = frozenset(
    {"status", "verify", "search", "recall", "show", "ls", "why", "history", "diff", "fsck", "doctor"}
    | {"help", "completion"}
)


@dataclass(frozen=True)
class Call:
    """What is typed, and what the command reads from standard input."""

    arguments: tuple[str, ...]
    data: bytes = b""


def _ended_well(status: int, _: bytes) -> bool:
    return status == 0


def _never(_: int, __: bytes) -> bool:
    """A hook ends well whatever happens."""
    return False


def _answered(_: int, printed: bytes) -> bool:
    """A server ends well whatever happens, and what it answers counts."""
    return b'"isError":false' in printed


@dataclass(frozen=True)
class Writing:
    """One way in which a command writes: `ready` makes its home and returns what is typed.

    `whole`: everything it brings is there at once or not at all. `tells`: the parts of `Held` that its first printed
    line acknowledges; all of them without it. `is_silent`: it answers only by its status. `mends`: it begins on a
    damaged vault, which only it makes whole. `promises`: its status and what it printed say that all is done.
    """

    label: str
    ready: Callable[[Path], Call]
    whole: bool = True
    tells: tuple[str, ...] = ()
    is_silent: bool = False
    mends: bool = False
    promises: Callable[[int, bytes], bool] = _ended_well

    @property
    def command(self) -> str:
        """The command that it is a way of."""
        return self.label.partition(" ")[0]


def _vault(home: Path, *talks: bytes, distils: bool = True, stages: bytes = b"") -> Vault:
    """Make a vault that knows these talks, each distilled, and has one more run staged."""
    vault = Vault.init(home / "vault", me="Maya")
    for number, talk in enumerate(talks):
        vault.push_text(talk, f"talk{number}.txt", source=f"talk{number}")
        if distils:
            vault.distill("rules")
    if stages:
        vault.push_text(stages, "next.txt", source="next")
        vault.distill("rules", stage=True)
    return vault


def _file(home: Path, name: str, data: bytes) -> str:
    path = home / name
    path.write_bytes(data)
    return str(path)


def _init(home: Path) -> Call:
    return Call(("init", str(home / "vault"), "--me", "Maya"))


def _push_first(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("push", "--wait", "landed", _file(home, "odd.bin", BINARY)))


def _push_grown(home: Path) -> Call:
    with _vault(home, TALK) as vault:
        vault.push(_file(home, "grown.txt", NEXT))
    return Call(("push", _file(home, "grown.txt", NEXT + MORE)))


def _push_distilled(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("push", "--wait", "distilled", _file(home, "more.txt", MORE)))


def _note(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("note", "I like black tea."))


def _distill(home: Path) -> Call:
    with _vault(home, TALK) as vault:
        vault.push_text(MORE, "more.txt", source="more")
    return Call(("distill", "--drafter", "rules"))


def _redistill(home: Path) -> Call:
    _vault(home, TALK, MORE)
    return Call(("redistill", "--all", "--drafter", "rules"))


def _stage(home: Path) -> Call:
    return Call((*_distill(home).arguments, "--stage"))


def _apply(home: Path) -> Call:
    _vault(home, TALK, stages=NEXT + MORE)
    return Call(("apply",))


def _discard(home: Path) -> Call:
    _vault(home, TALK, stages=NEXT)
    return Call(("discard", "r-"))


def _retry(home: Path) -> Call:
    with _vault(home, TALK) as vault:
        version = vault.push_text(MORE, "more.txt", source="more").version
        row = Row(version.source, version.number, 0, len(MORE))
        opened = place.opened(vault.root, 30.0, Channel.CLI)
        queue.keep_attempt(opened.files, Attempt(row=row, count=5, given_up=True))
    return Call(("retry",))


def _correct_source(home: Path) -> Call:
    _vault(home, TALK, MORE)
    return Call(("correct", "talk0", "--replace", "Berlin", "Bremen"))


def _correct_fact(home: Path) -> Call:
    with _vault(home, TALK) as vault:
        fact = next(fact for fact in vault.facts(is_open=True) if "Berlin" in fact.text)
    return Call(("correct", fact.id, "Maya lives in Bonn."))


def _wrong_fact(home: Path) -> Call:
    return Call((*_correct_fact(home).arguments[:2], "--wrong"))


def _page_of(home: Path, slug: str) -> Path:
    return home / "vault" / layout.page_path(Slug(slug))


def _adopt(home: Path) -> Call:
    """A line says another value, one something else, and there is a new one."""
    _vault(home, TALK, MORE)
    page = _page_of(home, "tom")
    text = page.read_bytes().replace(b"Lisbon", b"Porto").replace(b"Tom likes tea.", b"He never did.")
    page.write_bytes(text.replace(b"# Tom\n", b"# Tom\n\nMine.\n"))
    return Call(("adopt",))


def _adopt_merge(home: Path) -> Call:
    _page_merged(home)
    _page_of(home, "thomas").write_bytes(b"Merged into [[Tom]].\n")
    return Call(("adopt",))


def _edit(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("edit", "tom", "-"), _page_of(home, "tom").read_bytes().replace(b"Lisbon", b"Porto"))


def _page_named(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("page", "rename", "tom", "Thomas Weber"))


def _page_alias(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("page", "alias", "tom", "Tommy"))


def _page_merged(home: Path) -> Call:
    _vault(home, TALK, TALK.replace(b"Tom:", b"Thomas:") + MORE)
    return Call(("page", "merge", "tom", "thomas"))


def _poisoned(home: Path) -> Vault:
    """Make a vault where a source superseded what another said, and made a page."""
    return _vault(home, TALK, MORE, b"Maya: I live in Rome.\n\nTom: I see.\n\nNora: I live in Lima.\n\n")


def _revert_source(home: Path) -> Call:
    _poisoned(home)
    return Call(("revert", "--source", "talk2"))


def _revert_run(home: Path) -> Call:
    with _poisoned(home) as vault:
        run = vault.runs()[0].run
    return Call(("revert", run))


def _revert_revert(home: Path) -> Call:
    with _poisoned(home) as vault:
        return Call(("revert", vault.revert(source="talk2").run.run))


def _config(home: Path) -> Call:
    _vault(home, TALK)
    return Call(("config", "set", "idle_s", "60"))


def _recover(home: Path) -> Call:
    """A run is decided and not finished, and a push has landed and no more."""
    with _vault(home, TALK, stages=NEXT) as vault:
        (run,) = vault.staged()
        opened = place.opened(vault.root, 30.0, Channel.CLI)
        wal.decide(opened.files, run, decision_of(opened, wal.load(opened.files, run), opened.tip()))
        vault.push_text(MORE, "late.txt", source="late", wait="landed")
    return Call(("recover",))


def _repair(home: Path) -> Call:
    """A log has lost its end, a page is gone, a segment has a byte that is not its own."""
    with _vault(home, TALK, MORE) as vault:
        log = next(path for path in (vault.root / layout.LOGS).rglob("v1.txt"))
        log.write_bytes(log.read_bytes()[:7])
        next(iter((vault.root / layout.PAGES).rglob("*.md"))).unlink()
        segment = next(path for path in (vault.root / layout.LEDGER).rglob("*.jsonl"))
        segment.write_bytes(segment.read_bytes().replace(b"Berlin", b"Bellin"))
    return Call(("repair",))


def _reindex(home: Path) -> Call:
    _vault(home, TALK, MORE)
    return Call(("reindex",))


def _list(home: Path) -> Call:
    """A command that reads, where a push has landed and nobody has indexed it yet."""
    with _vault(home, TALK) as vault:
        vault.push_text(MORE, "late.txt", source="late", wait="landed")
    return Call(("ls", "sources"))


def _hook_run(home: Path) -> Call:
    _vault(home, TALK)
    said = {"role": "user", "content": "I live in Oslo."}
    turn = {"type": "user", "uuid": "a", "sessionId": "s", "timestamp": "2026-11-30T18:00:00Z", "message": said}
    told = {"hook_event_name": "Stop", "transcript_path": _file(home, "s.jsonl", json.dumps(turn).encode() + b"\n")}
    return Call(("hook", "run", "claude-code"), json.dumps({**told, "cwd": str(home)}).encode())


def _import(home: Path) -> Call:
    _vault(home, TALK)
    folder = home / ".claude" / "projects" / "-home-maya"
    folder.mkdir(parents=True)
    said = {"role": "user", "content": "I live in Oslo."}
    turn = {"type": "user", "uuid": "a", "sessionId": "s", "timestamp": "2026-11-30T18:00:00Z", "message": said}
    _file(folder, "s.jsonl", json.dumps(turn).encode() + b"\n")
    return Call(("import", "claude-code"))


def _hook_install(home: Path) -> Call:
    _vault(home, TALK)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"model": "opus"}\n', encoding="utf-8")
    return Call(("hook", "install", "claude-code"))


def _mcp(home: Path) -> Call:
    """An agent keeps words until a search finds them: one request, as clients of 2026 write it."""
    _vault(home, TALK)
    meta = {
        f"io.modelcontextprotocol/{name}": value
        for name, value in (
            ("protocolVersion", "2026-07-28"),
            ("clientInfo", {"name": "crash", "version": "1"}),
            ("clientCapabilities", {}),
        )
    }
    arguments = {"content": MORE.decode(), "wait": "indexed", "metadata": {"session_id": "s"}}
    params = {"name": "push_context", "arguments": arguments, "_meta": meta}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return Call(("mcp",), json.dumps(asked).encode() + b"\n")


WRITING: tuple[Writing, ...] = (
    Writing("init", _init),
    Writing("push", _push_first),
    Writing("push grown", _push_grown, tells=("logs",)),
    Writing("push distilled", _push_distilled, whole=False, tells=("logs",)),
    Writing("note", _note, whole=False),
    Writing("hook run", _hook_run, is_silent=True, promises=_never),
    Writing("mcp", _mcp, promises=_answered),
    Writing("hook install", _hook_install),
    Writing("import", _import, tells=("logs",)),
    Writing("distill", _distill),
    Writing("distill staged", _stage),
    Writing("redistill", _redistill, whole=False),
    Writing("apply", _apply),
    Writing("discard", _discard, is_silent=True),
    Writing("retry", _retry),
    Writing("correct source", _correct_source),
    Writing("correct fact", _correct_fact),
    Writing("correct wrong", _wrong_fact),
    Writing("adopt", _adopt),
    Writing("adopt merge", _adopt_merge),
    Writing("edit", _edit),
    Writing("page rename", _page_named),
    Writing("page alias", _page_alias),
    Writing("page merge", _page_merged),
    Writing("revert source", _revert_source),
    Writing("revert run", _revert_run),
    Writing("revert revert", _revert_revert),
    Writing("config", _config, is_silent=True),
    Writing("recover", _recover),
    Writing("repair", _repair, mends=True),
    Writing("reindex", _reindex),
    Writing("ls settles", _list),
)


def prepare(writing: Writing, home: Path) -> Call:
    """Make the home of a writing command; return what is typed there."""
    home.mkdir(parents=True, exist_ok=True)
    with at_home(home):
        return writing.ready(home)


def main() -> int:
    """Run each once, undisturbed, and print what it does."""
    failed = 0
    for writing in WRITING:
        with tempfile.TemporaryDirectory(prefix="xysq-commands-") as name:
            home = Path(name, "home")
            typed = prepare(writing, home)
            before = Held() if writing.mends else held(home)
            began = time.monotonic()
            done = call(home, typed.arguments, typed.data)
            took_s = time.monotonic() - began
            after = held(home)
        changed = [part for part in vars(after) if getattr(after, part) != getattr(before, part)]
        failed += done.returncode != 0
        print(f"{writing.label:16} {done.returncode}  {took_s:5.2f} s  {', '.join(changed) or 'nothing to be seen'}")
        print(done.stderr.decode() if done.returncode else "", end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
