"""Broken vaults: each is made by one named function from one good vault, with exactly what must be found in it.

`CASES` is the table: the function that breaks, what `fsck` must say, how an ordinary search ends on it, and what
`repair` makes of it. In a file name `LOG`, `META`, `PAGE`, … stand for those of the good vault.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from xysq.canonical import canonical_json, parse_json, sha256_hex
from xysq.ledger.line import GENESIS, chain, read_segment, to_line
from xysq.model.event import Head, RunBegun
from xysq.model.source import Channel
from xysq.store import layout
from xysq.store.git import Repository
from xysq.vault import place
from xysq.vault.api import Vault

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"
MORE = b"Maya: I like jazz.\n\nTom: I like rain.\n\nMaya: Me too.\n\n"
NEXT = b"Nora: I live in Lima.\n\nTom: I see.\n\nNora: Yes.\n\n"
HEAD, BRANCH, INDEX, CONFIG = ".git/HEAD", ".git/refs/heads/main", ".git/index", ".git/config"


def make(root: Path) -> None:
    """Make the good vault: a source in two versions, another one, two runs, a third that is staged."""
    with Vault.init(root, me="Maya") as vault:
        vault.push_text(TALK, "one.txt", source="one")
        vault.distill()
        vault.push_text(TALK + MORE, "one.txt", source="one")
        vault.distill()
        vault.push_text(NEXT, "two.txt", source="two")
        vault.distill(stage=True)
        assert not [found for found in vault.fsck() if not found.note]


@dataclass(frozen=True)
class Good:
    """A copy of the good vault, and where its parts lie, relative to its root."""

    root: Path

    def one(self, pattern: str) -> str:
        """Return the first path that fits a pattern."""
        return min(path for path in self.root.glob(pattern)).relative_to(self.root).as_posix()

    @property
    def named(self) -> dict[str, str]:
        """The paths by the names that stand for them in the table."""
        (source,) = {path.parent for path in self.root.glob("logs/*/*/*/*/*/v2.meta.json")}
        log = source.relative_to(self.root).as_posix()
        (staged,) = (self.root / layout.WAL).iterdir()
        wal = staged.relative_to(self.root).as_posix()
        (other,) = {path.parent for path in self.root.glob("logs/*/*/*/*/*/v1.meta.json")} - {source}
        return {
            "SOURCE": log,
            "OTHER": other.relative_to(self.root).as_posix(),
            "LOG": f"{log}/v1.txt",
            "PART": f"{log}/v2.part.txt",
            "META": f"{log}/v1.meta.json",
            "META2": f"{log}/v2.meta.json",
            "SEGMENT": "ledger/000/000001.jsonl",
            "RECORD": self.one("runs/*/*/*/*.json"),
            "PAGE": "pages/ma/maya.md",
            "TOM": "pages/to/tom.md",
            "WAL": wal,
            "CACHE": str(place.examined(self.root, 0.0, Channel.CLI).cache),
        }

    def path(self, name: str) -> Path:
        """Return a file by its name in the table."""
        first, _, rest = name.partition("/")
        known = self.named.get(first, first)
        return self.root / (f"{known}/{rest}" if rest else known)

    def object(self, rev: str) -> Path:
        """Return the loose file of `tip`, of its root `tree`, or of the blob at a path of it."""
        repository = Repository(self.root)
        tip = repository.tip()
        assert tip is not None
        commit = repository.commit(tip)
        path = self.named.get(rev, rev)
        found = {"tip": tip, "tree": commit.tree, "parent": commit.parents[0]}.get(rev)
        if found is None:
            with repository.reader() as reader:
                entry = reader.entry(tip, path)
                assert entry is not None
                found = entry.id
        return self.root / ".git/objects" / found[:2] / found[2:]


Break = Callable[[Good], object]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A broken vault: how it is made, and what comes of it.

    `found` and `notes` are findings as `FILE:LINE code`; `search` is how a search on it ends, with words of what it
    says on standard error; `mends` are the files that `repair` mends, `left` the faults behind it, `still` the notes.
    """

    breaks: Break
    found: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    search: tuple[int, str] = (0, "")
    mends: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    still: tuple[str, ...] = ()


def flip(name: str, at: int = -20) -> Break:
    """Flip a bit in a file."""

    def breaks(good: Good) -> None:
        write(good.path(name), flipped(good.path(name).read_bytes(), at))

    return breaks


def flipped(data: bytes, at: int) -> bytes:
    """Return bytes with one bit flipped."""
    place_ = at % len(data)
    return data[:place_] + bytes([data[place_] ^ 4]) + data[place_ + 1 :]


def write(path: Path, data: bytes) -> None:
    """Write a file that may be read-only, as those of git are."""
    if path.exists():
        path.chmod(0o600)
    path.write_bytes(data)


def change(name: str, how: Callable[[bytes], bytes]) -> Break:
    """Change the bytes of a file."""
    return lambda good: write(good.path(name), how(good.path(name).read_bytes()))


def remove(name: str) -> Break:
    """Remove a file or a directory."""

    def breaks(good: Good) -> None:
        path = good.path(name)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    return breaks


def put(name: str, data: bytes) -> Break:
    """Put a file where there may be none."""

    def breaks(good: Good) -> None:
        good.path(name).parent.mkdir(parents=True, exist_ok=True)
        write(good.path(name), data)

    return breaks


def duplicated(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:3], lines[2], *lines[3:]])


def swapped(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])


def resealed(good: Good) -> None:
    """Change a value in the ledger and make the whole chain anew, so that it proves itself."""
    path = good.path("SEGMENT")
    head, lines = GENESIS, []
    for event in read_segment(path.read_bytes(), "", GENESIS):
        assert event.body is not None
        (made,) = chain(head, event.at, event.run, (event.body,), ("0" * 32,))
        lines.append(to_line(made))
        head = Head(n=made.n, hash=made.hash)
    write(path, b"".join(lines))


def resealed_log(good: Good) -> None:
    """Change a log and its meta, so that they agree."""
    data = good.path("LOG").read_bytes().replace(b"Lisbon", b"London")
    write(good.path("LOG"), data)
    meta = parse_json(good.path("META").read_bytes())
    for key in ("part", "whole", "pushed"):
        meta[key]["sha256"] = sha256_hex(data)
    write(good.path("META"), canonical_json(meta) + b"\n")


def linked(name: str) -> Break:
    """Put a link in the place of a file."""

    def breaks(good: Good) -> None:
        good.path(name).unlink()
        good.path(name).symlink_to("/etc/hostname")

    return breaks


def fifo(name: str) -> Break:
    """Put a FIFO in the place of a file."""

    def breaks(good: Good) -> None:
        good.path(name).unlink()
        os.mkfifo(good.path(name))

    return breaks


def folder(name: str) -> Break:
    """Put a directory in the place of a file."""

    def breaks(good: Good) -> None:
        good.path(name).unlink()
        good.path(name).mkdir()

    return breaks


def git(*arguments: str, data: bytes = b"") -> Break:
    """Let a person's git do something."""
    return lambda good: Repository(good.root).git.run(*arguments, data=data)


def committed(name: str, data: bytes | None) -> Break:
    """Commit other bytes at a path by hand, and write them to the file."""

    def breaks(good: Good) -> None:
        path = good.path(name)
        if data is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, data)
        process = Repository(good.root).git
        process.run("add", "-A", "--", path.relative_to(good.root).as_posix())
        process.run("-c", "user.name=Eve", "-c", "user.email=eve@localhost", "commit", "-q", "-m", "by hand")

    return breaks


def broken_object(rev: str, data: bytes | None = b"") -> Break:
    """Empty the file of an object, or remove it."""

    def breaks(good: Good) -> None:
        path = good.object(rev)
        path.chmod(0o600)
        path.unlink() if data is None else path.write_bytes(data)

    return breaks


def both(*breaks: Break) -> Break:
    """Do several things."""

    def all_of(good: Good) -> None:
        for one in breaks:
            one(good)

    return all_of


def read_model(statement: str) -> Break:
    """Change the read model behind its back."""

    def breaks(good: Good) -> None:
        connection = sqlite3.connect(max(good.path("CACHE").glob("*.sqlite")))
        connection.execute(statement)
        connection.commit()
        connection.close()

    return breaks


def read_model_bytes(data: bytes) -> Break:
    """Let the read model be other bytes."""
    return lambda good: max(good.path("CACHE").glob("*.sqlite")).write_bytes(data)


def decided(data: bytes) -> Break:
    """Let the staged run have a decision that cannot be believed."""
    return put("WAL/DECIDED", data)


def opened_to_all(name: str) -> Break:
    """Let everybody write to a directory."""
    return lambda good: good.path(name).chmod(0o777)


def other_history(good: Good) -> None:
    """Let main be the history of another clone of the vault, which went its own way."""
    clone = good.root.parent / "clone"
    shutil.copytree(good.root, clone)
    repository = Repository(good.root)
    tip = repository.tip()
    assert tip is not None
    before = repository.commit(repository.commit(tip).parents[0]).parents[0]
    there = Repository(clone)
    there.restore_ref(before)
    there.git.run("reset", "-q", "--hard", before)
    with Vault.open(clone) as vault:
        for run in vault.staged():
            vault.discard(run)
        vault.push_text(b"Zoe: I live in Oslo.\n\nTom: I see.\n\nZoe: Yes.\n\n", "three.txt", source="three")
        vault.distill()
    other = there.tip()
    assert other is not None
    shutil.copytree(clone / ".git/objects", good.root / ".git/objects", dirs_exist_ok=True)
    repository.restore_ref(other)


def packed(good: Good) -> None:
    """Pack every object."""
    Repository(good.root).housekeeping.tidy(None, 0.0)


def flip_in(pattern: str) -> Break:
    """Flip a bit in the file that fits a pattern, behind its header."""
    return lambda good: flip(good.one(pattern), -5)(good)


def lose_run(good: Good) -> None:
    """Lose the commit of the last run with every object it brought, and the one on top of it."""
    repository = Repository(good.root)
    tip = repository.tip()
    assert tip is not None
    run = repository.commit(tip).parents[0]
    before = repository.commit(run).parents[0]
    _, brought = repository.git.run("rev-list", "--objects", tip, f"^{before}")
    for line in brought.decode().splitlines():
        (good.root / ".git/objects" / line[:2] / line[2:40]).unlink()


def old_blob(good: Good) -> Path:
    """Return the file of the ledger's blob as the first run left it."""
    repository = Repository(good.root)
    tip = repository.tip()
    assert tip is not None
    blobs = []
    with repository.reader() as reader:
        while tip is not None:
            blobs.append(reader.blob_id(tip, "ledger/000/000001.jsonl"))
            tip = next(iter(reader.commit(tip).parents), None)
    old = next(blob for blob in blobs if blob not in (blobs[0], blobs[-1], None))
    assert old is not None
    path = good.root / ".git/objects" / old[:2] / old[2:]
    path.chmod(0o600)
    return path


def newer(good: Good) -> None:
    """Let the first event say a format that nobody knows yet."""
    path = good.path("SEGMENT")
    first = next(read_segment(path.read_bytes(), "", GENESIS))
    assert isinstance(first.body, RunBegun)
    (made,) = chain(GENESIS, first.at, first.run, (replace(first.body, format=99),), ("0" * 32,))
    committed("SEGMENT", to_line(made))(good)


def flip_after(good: Good) -> None:
    """Flip a bit in a page that the staged run would leave."""
    page = min(path for path in (good.path("WAL") / "after").iterdir() if path.name.endswith(".md"))
    write(page, flipped(page.read_bytes(), -20))


def packed_before(good: Good) -> None:
    """Let packed-refs say that main is at the commit before."""
    parent = good.object("parent")
    line = f"{parent.parent.name}{parent.name} refs/heads/main\n"
    put(".git/packed-refs", line.encode())(good)


CASES: dict[str, Case] = {
    "log flipped": Case(breaks=flip("LOG"), found=("LOG:0 damaged",), mends=("LOG",)),
    "log cut short": Case(
        breaks=change("LOG", lambda data: data[:-9]),
        found=("LOG:60 damaged",),
        mends=("LOG",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log longer": Case(
        breaks=change("PART", lambda data: data + b"\0"),
        found=("PART:54 damaged",),
        mends=("PART",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log missing": Case(
        breaks=remove("LOG"),
        found=("LOG:0 damaged",),
        mends=("LOG",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log and meta agree on other bytes": Case(
        breaks=resealed_log,
        found=("META2:0 damaged", "META:1 changed", "LOG:42 changed"),
        mends=("META", "LOG"),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log is a link": Case(
        breaks=linked("LOG"),
        found=("LOG:0 unsafe-path",),
        mends=("LOG",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log is a FIFO": Case(
        breaks=fifo("LOG"),
        found=("LOG:0 unsafe-path",),
        mends=("LOG",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "log and its copy in git are broken": Case(
        breaks=both(broken_object("LOG"), flip("LOG")),
        found=("LOG:0 damaged", "OBJECT:0 object"),
        left=("LOG:0 damaged", "OBJECT:0 object"),
    ),
    "meta flipped": Case(
        breaks=flip("META"),
        found=("META:0 damaged",),
        mends=("META",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "meta missing": Case(
        breaks=remove("META"),
        found=("META:0 damaged",),
        mends=("META",),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "source gone": Case(
        breaks=lambda good: shutil.rmtree(good.path("LOG").parent),
        found=("META:0 missing", "LOG:0 missing", "META2:0 missing", "PART:0 missing"),
        mends=("META", "LOG", "META2", "PART"),
        search=(0, "1 source is damaged: run xysq doctor"),
    ),
    "stray file beside a log": Case(
        breaks=lambda good: (good.path("LOG").parent / "v9.txt").write_bytes(b"x"),
        notes=("SOURCE/v9.txt:0 stray",),
        still=("SOURCE/v9.txt:0 stray",),
    ),
    "segment flipped": Case(
        breaks=flip("SEGMENT", 300),
        found=("SEGMENT:1 damaged",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:1: event.hash: is not the hash of the li"),
    ),
    "segment cut short": Case(
        breaks=change("SEGMENT", lambda data: data[:-7]),
        found=("SEGMENT:10 damaged",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:10: the last line has no end"),
    ),
    "segment loses its last run": Case(
        breaks=change("SEGMENT", lambda data: data.splitlines(keepends=True)[0]),
        found=("SEGMENT:2 changed",),
        mends=("SEGMENT",),
    ),
    "line twice": Case(breaks=change("SEGMENT", duplicated), found=("SEGMENT:4 damaged",), mends=("SEGMENT",)),
    "lines swapped": Case(breaks=change("SEGMENT", swapped), found=("SEGMENT:3 damaged",), mends=("SEGMENT",)),
    "segment empty": Case(
        breaks=put("SEGMENT", b""),
        found=("SEGMENT:1 damaged",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:1: the segment is empty"),
    ),
    "segment missing": Case(
        breaks=remove("SEGMENT"),
        found=("SEGMENT:0 damaged",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:0: the segment is missing"),
    ),
    "ledger gone": Case(
        breaks=remove("ledger"),
        found=("SEGMENT:0 missing",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:0: the segment is missing"),
    ),
    "segment sealed anew": Case(breaks=resealed, found=("SEGMENT:1 changed",), mends=("SEGMENT",)),
    "segment and its copy in git are broken": Case(
        breaks=both(broken_object("SEGMENT"), flip("SEGMENT", 300)),
        found=("SEGMENT:1 damaged", "OBJECT:0 object"),
        notes=("ledger:0 unproven",),
        left=("SEGMENT:1 damaged", "OBJECT:0 object"),
        still=("ledger:0 unproven",),
        search=(12, "xysq: ledger/000/000001.jsonl:1: event.hash: is not the hash of the li"),
    ),
    "segment too many": Case(
        breaks=put("ledger/000/000002.jsonl", b"{}\n"),
        found=("ledger/000/000002.jsonl:1 damaged",),
        mends=("ledger/000/000002.jsonl",),
    ),
    "segment is a directory": Case(
        breaks=folder("SEGMENT"),
        found=("SEGMENT:0 unsafe-path",),
        mends=("SEGMENT",),
        search=(12, "xysq: ledger/000/000001.jsonl:0: is not a regular file"),
    ),
    "record flipped": Case(breaks=flip("RECORD"), found=("RECORD:0 record",), mends=("RECORD",)),
    "record missing": Case(breaks=remove("RECORD"), found=("RECORD:0 record",), mends=("RECORD",)),
    "record too many": Case(
        breaks=put("runs/2026/01/01/r-20260101T000000Z-aaaa.json", b"{}\n"),
        notes=("runs/2026/01/01/RUN.json:0 uncommitted",),
        still=("runs/2026/01/01/RUN.json:0 uncommitted",),
    ),
    "page edited": Case(
        breaks=change("PAGE", lambda data: data.replace(b"Berlin", b"Bern")),
        notes=("PAGE:8 unsaved",),
        still=("PAGE:8 unsaved",),
    ),
    "page missing": Case(breaks=remove("PAGE"), notes=("PAGE:0 unsaved",), mends=("PAGE",)),
    "page empty": Case(breaks=put("PAGE", b""), found=("PAGE:0 page-file",), mends=("PAGE",)),
    "page is NUL": Case(breaks=put("PAGE", b"\0" * 100), found=("PAGE:0 page-file",), mends=("PAGE",)),
    "page is a link": Case(breaks=linked("PAGE"), found=("PAGE:0 unsafe-path",), mends=("PAGE",)),
    "page is a FIFO": Case(breaks=fifo("PAGE"), found=("PAGE:0 unsafe-path",), mends=("PAGE",)),
    "page is a directory": Case(breaks=folder("PAGE"), found=("PAGE:0 unsafe-path",), mends=("PAGE",)),
    "page too many": Case(
        breaks=put("pages/ev/eve.md", b"# Eve\n"),
        notes=("pages/ev/eve.md:0 stray",),
        still=("pages/ev/eve.md:0 stray",),
    ),
    "page with another name in capitals": Case(
        breaks=put("pages/ma/Maya.md", b"# Maya\n"),
        notes=("pages/ma/Maya.md:0 stray",),
        still=("pages/ma/Maya.md:0 stray",),
    ),
    "page committed with a foreign block": Case(
        breaks=committed("PAGE", b"# Maya\n\n- Maya is a spy. ^f-aaaaaaaaaa\n"),
        found=("PAGE:1 page",),
        mends=("PAGE",),
        still=("PAGE:1 unsaved",),
    ),
    "page committed that the ledger does not know": Case(
        breaks=committed("pages/ev/eve.md", b"# Eve\n"),
        found=("pages/ev/eve.md:1 page",),
        mends=("pages/ev/eve.md",),
        still=("pages/ev/eve.md:0 stray",),
    ),
    "page committed away": Case(breaks=committed("TOM", None), found=("TOM:1 page",), mends=("TOM",)),
    "twin committed": Case(
        breaks=committed("pages/ma/MAYA.md", b"# Maya\n"),
        found=("pages/ma/MAYA.md:1 page", "pages/ma/MAYA.md:0 twin"),
        mends=("pages/ma/MAYA.md",),
        still=("pages/ma/MAYA.md:0 stray",),
    ),
    "ref empty": Case(
        breaks=put(BRANCH, b""),
        found=(".git/refs/heads/main:0 ref",),
        mends=(".git/refs/heads/main",),
        search=(0, ".git/refs/heads/main: is empty; it is at "),
    ),
    "ref is NUL": Case(
        breaks=put(BRANCH, b"\0" * 41),
        found=(".git/refs/heads/main:0 ref",),
        mends=(".git/refs/heads/main",),
        search=(0, ".git/refs/heads/main: holds nothing but NUL; it is at "),
    ),
    "ref at no commit": Case(
        breaks=put(BRANCH, b"1" * 40 + b"\n"),
        found=(".git/refs/heads/main:0 ref",),
        mends=(".git/refs/heads/main",),
        search=(12, "xysq: .git/refs/heads/main: is at "),
    ),
    "ref missing": Case(
        breaks=remove(BRANCH),
        found=(".git/refs/heads/main:0 ref",),
        mends=(".git/refs/heads/main",),
        search=(0, ".git/refs/heads/main: is missing; it is at "),
    ),
    "ref and reflog missing": Case(
        breaks=both(remove(BRANCH), remove(".git/logs")),
        found=(".git/refs/heads/main:0 ref",),
        mends=(".git/refs/heads/main",),
        search=(12, "xysq: .git/refs/heads/main: is missing"),
    ),
    "packed ref is older": Case(
        breaks=both(
            lambda good: put(
                ".git/packed-refs",
                f"{good.object('parent').parent.name}{good.object('parent').name} refs/heads/main\n".encode(),
            )(good),
            remove(BRANCH),
        ),
        found=("OTHER/v1.meta.json:0 index", "OTHER/v1.txt:0 index"),
        notes=("OTHER/v1.meta.json:0 uncommitted", "OTHER/v1.txt:0 uncommitted"),
        mends=("OTHER/v1.meta.json", ".git/index"),
    ),
    "HEAD detached": Case(
        breaks=git("checkout", "-q", "--detach"), found=(".git/HEAD:0 head",), left=(".git/HEAD:0 head",)
    ),
    "HEAD on another branch": Case(
        breaks=git("symbolic-ref", "HEAD", "refs/heads/other"), found=(".git/HEAD:0 head",), left=(".git/HEAD:0 head",)
    ),
    "HEAD empty": Case(breaks=put(HEAD, b""), found=(".git/HEAD:0 head",), mends=(".git/HEAD",)),
    "tip empty": Case(
        breaks=broken_object("tip"),
        found=("OBJECT:0 object",),
        mends=("OBJECT",),
    ),
    "commit of a run empty": Case(breaks=broken_object("parent"), found=("OBJECT:0 object",), mends=("OBJECT",)),
    "a run and what followed lost in git": Case(
        breaks=lose_run, found=(".git/refs/heads/main:0 ref",), mends=("OBJECT",)
    ),
    "tree missing": Case(breaks=broken_object("tree", None), found=("OBJECT:0 object",), mends=("OBJECT",)),
    "tree of pages missing": Case(breaks=broken_object("pages", None), found=("OBJECT:0 object",), mends=("OBJECT",)),
    "blob of a page empty": Case(
        breaks=broken_object("pages/ma/maya.md"), found=("OBJECT:0 object",), mends=("OBJECT",)
    ),
    "old blob empty": Case(
        breaks=lambda good: old_blob(good).write_bytes(b""), found=("OBJECT:0 object",), mends=("OBJECT",)
    ),
    "stray object": Case(breaks=put(".git/objects/aa/" + "b" * 38, b""), notes=("OBJECT:0 object",), mends=("OBJECT",)),
    "pack flipped": Case(
        breaks=both(packed, flip_in(".git/objects/pack/*.pack")),
        found=(".git/refs/heads/main:0 ref", "OBJECT:0 git-file"),
        mends=("OBJECT",),
    ),
    "index of a pack flipped": Case(
        breaks=both(packed, flip_in(".git/objects/pack/*.idx")), found=("OBJECT:0 git-file",), mends=("OBJECT",)
    ),
    "commit graph flipped": Case(
        breaks=both(packed, flip_in(".git/objects/info/commit-graphs/*.graph")),
        found=("OBJECT:0 git-file",),
        mends=("OBJECT",),
    ),
    "index garbage": Case(
        breaks=put(INDEX, b"DIRC\0\0\0\2garbage"), found=(".git/index:0 index",), mends=(".git/index",)
    ),
    "index flipped": Case(breaks=flip(INDEX, 40), found=(".git/index:0 index",), mends=(".git/index",)),
    "index missing": Case(breaks=remove(INDEX), found=(".git/index:0 index",), mends=(".git/index",)),
    "index stale": Case(
        breaks=git("update-index", "--force-remove", "--", "ledger/000/000001.jsonl", "pages/ma/maya.md"),
        found=("SEGMENT:0 index", "PAGE:0 index"),
        mends=(".git/index",),
    ),
    "pin changed": Case(
        breaks=git("config", "core.autocrlf", "true"), found=(".git/config:0 pin",), mends=(".git/config",)
    ),
    "config garbage": Case(breaks=put(CONFIG, b"[core\n\0"), found=(".git/config:0 pin",), mends=(".git/config",)),
    "attributes removed": Case(
        breaks=remove(".git/info/attributes"),
        found=(".git/info/attributes:0 attributes",),
        mends=(".git/info/attributes",),
    ),
    "vault attributes changed": Case(
        breaks=put(".gitattributes", b"* text=auto\n"),
        found=(".gitattributes:1 attributes",),
        mends=(".gitattributes",),
        still=(".gitattributes:0 edited",),
    ),
    "settings broken": Case(
        breaks=put(layout.SETTINGS, b"me: [\n"), found=("xysq.yaml:2 settings",), mends=("xysq.yaml",)
    ),
    "settings with an unknown key": Case(
        breaks=change(layout.SETTINGS, lambda data: data + b"nonsense: 1\n"),
        found=("xysq.yaml:27 settings",),
        mends=("xysq.yaml",),
    ),
    "settings missing": Case(breaks=remove(layout.SETTINGS), found=("xysq.yaml:0 missing",), mends=("xysq.yaml",)),
    "schema broken": Case(
        breaks=put(layout.SCHEMA, b"attributes: 7\n"), found=("schema.yaml:1 settings",), mends=("schema.yaml",)
    ),
    "newer format": Case(
        breaks=newer,
        found=("SEGMENT:1 newer-format",),
        mends=("!NewerFormat",),
        search=(12, "xysq: the vault is of format 99, and this xysq knows 1"),
    ),
    "decision cut short": Case(
        breaks=decided(b"12 abc\n{}"), found=("WAL/DECIDED:0 damaged",), left=(".git/xysq/damaged/RUN:0 damaged",)
    ),
    "staged run flipped": Case(breaks=flip("WAL/run.json", 0), found=("WAL/run.json:0 damaged",), mends=("WAL",)),
    "staged file flipped": Case(
        breaks=flip_after, found=("WAL/after/pages+no+nora.md:0 staged",), left=("WAL/after/pages+no+nora.md:0 staged",)
    ),
    "staged run without its plan": Case(
        breaks=remove("WAL/run.json"), found=("WAL/run.json:0 damaged",), mends=("WAL",)
    ),
    "stranger in the log of runs": Case(
        breaks=put(f"{layout.WAL}/notes.txt", b"x"),
        found=(".git/xysq/wal/notes.txt:0 damaged",),
        mends=(".git/xysq/wal/notes.txt",),
    ),
    "attempt damaged": Case(
        breaks=put(f"{layout.ATTEMPTS}/x.json", b"{"),
        found=(".git/xysq/queue/attempts/x.json:0 damaged",),
        mends=(".git/xysq/queue/attempts/x.json",),
    ),
    "marker misnamed": Case(
        breaks=put(f"{layout.LANDED}/x", b""),
        found=(".git/xysq/queue/landed/x:0 damaged",),
        mends=(".git/xysq/queue/landed/x",),
    ),
    "read model lacks facts": Case(
        breaks=read_model("DELETE FROM facts"), found=("CACHE:0 derived",), mends=("CACHE",)
    ),
    "read model garbage": Case(
        breaks=read_model_bytes(b"garbage" * 100),
    ),
    "read model of another vault": Case(
        breaks=read_model("UPDATE stamp SET vault = 'other'"),
    ),
    "open to everybody": Case(breaks=opened_to_all("pages"), found=("pages:0 mode",), mends=("pages",)),
    "histories that diverged": Case(
        breaks=other_history,
        found=("ledger:0 diverged",),
        left=("ledger:0 diverged",),
        search=(12, "xysq: the ledger here ends at event 10 "),
    ),
}
