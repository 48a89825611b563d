"""A vault of a given size, laid down directly: no drafter, no gates, one commit, the same bytes for the same seed.

    python -m tests.bench.make_vault DIR S|M|L [--seed N]

Each source is a conversation of 1,000 turns about 100 pages, read by the real reader; each run takes 40 turns. What
lies there is what distilling would have left: ledger lines from `chain`, pages from the fold, records, metas. So
`xysq fsck` has nothing to say about it. The read model is not made here: `xysq reindex`, or the first reader, does.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from xysq.canonical import derived_id, instant, run_id, sha256_hex, source_id
from xysq.jobs.compose import record_bytes
from xysq.jobs.init import InitOrder, init
from xysq.ledger.fold import Fold
from xysq.ledger.line import RENDER, chain, to_line
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    Head,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, RunId, Slug
from xysq.model.page import BlockId, Origin, PageState
from xysq.model.run import Drafting, Record
from xysq.model.schema import Schema
from xysq.model.source import Channel, Digested, Meta, Passage, Row, SourceId, Version, VersionKind
from xysq.model.state import RunMark
from xysq.pages.render import render
from xysq.pages.slug import slugify
from xysq.readers.reading import ReadRequest, read
from xysq.store import layout, logs, segments, sources
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.git_object import commit_message

SOURCES = {"S": 1, "M": 100, "L": 1000}
TURNS, PAGES, RUN_TURNS = 1000, 100, 40
BEGINNING = datetime(2023, 1, 2, 8, 0, tzinfo=UTC)
_PEOPLE = ("Alice Moreau", "Ben Okafor", "Chen Wei", "Dana Flores")
_MANY, _ONE = ("uses", "note", "decision", "rule"), ("status", "owner", "version", "location")
_PAUSE = timedelta(seconds=20)
_NOTHING = '{"facts":[]}'


@dataclass(frozen=True, slots=True)
class Words:
    """The words everything is made of: pronounceable, none of them in a dictionary."""

    random: Random
    all: tuple[str, ...]

    @classmethod
    def of(cls, random: Random) -> Self:
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        made = {"".join(random.choices(syllables, k=random.choice((2, 3, 3, 4)))) for _ in range(9000)}
        return cls(random, tuple(sorted(made)))

    def some(self, least: int, most: int) -> str:
        """Return words, the common ones more often."""
        count = self.random.randint(least, most)
        return " ".join(self.all[int(len(self.all) * self.random.random() ** 3)] for _ in range(count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one turn says: a fact about a page, perhaps the end of an earlier one or its confirmation."""

    page: int
    attribute: str
    value: str
    sentence: str
    confirms: int | None = None
    closes: int | None = None
    prose: str = ""


class _Before:
    """The state before a source: its end of the ledger, and nothing the source is about."""

    def __init__(self, head: Head) -> None:
        self._head = head

    def head(self) -> Head:
        return self._head

    def page(self, _: Slug) -> PageState | None:
        return None

    def fact(self, _: FactId) -> Fact | None:
        return None

    def facts_of(self, _: Slug) -> tuple[Fact, ...]:
        return ()

    def named(self, _: str) -> tuple[Slug, ...]:
        return ()

    def resting_on(self, _: FactId) -> tuple[FactId, ...]:
        return ()

    def block_page(self, _: str) -> Slug | None:
        return None

    def run_of(self, _: int) -> RunMark | None:
        return None

    def run_named(self, _: RunId) -> RunMark | None:
        return None


class Laying:
    """The files of the vault, written to the disk and into one commit of git's, as they come."""

    def __init__(self, root: Path, parent: str) -> None:
        self._root = root
        command = ("git", "-C", str(root), "-c", "core.fsync=none", "fast-import", "--quiet", "--date-format=raw")
        self._git = subprocess.Popen(command, stdin=subprocess.PIPE)
        self._moment = int(BEGINNING.timestamp())
        message = commit_message("lay a vault down", kind="distill").encode()
        head = f"commit refs/heads/main\ncommitter xysq <xysq@localhost> {self._moment} +0000\ndata {len(message)}\n"
        self._say(head.encode() + message + f"\nfrom {parent}\n".encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._say(b"\ndone\n")
        self._git.communicate()
        if self._git.returncode:
            raise RuntimeError("git did not take the commit")

    def put(self, path: str, data: bytes) -> None:
        """Write one file, whole."""
        file = self._root / path
        try:
            file.write_bytes(data)
        except FileNotFoundError:
            file.parent.mkdir(parents=True)
            file.write_bytes(data)
        self._say(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")

    def _say(self, data: bytes) -> None:
        if self._git.stdin is None:
            raise RuntimeError("git was started without a pipe")
        self._git.stdin.write(data)


@dataclass(slots=True)
class Ledger:
    """The end of the ledger, and its segments as they fill."""

    laying: Laying
    tail: segments.Tail

    def add(self, lines: bytes, head: Head) -> None:
        number, data = segments.next_segment(self.tail, lines)
        if number != self.tail.number:
            self.flush()
        self.tail = segments.Tail(number=number, data=data, head=head)

    def flush(self) -> None:
        self.laying.put(layout.segment_path(self.tail.number), self.tail.data)


def make(root: Path, size: str, seed: int) -> None:
    """Lay a vault down in a directory that is not there yet."""
    random = Random(seed)
    files, repository = Files(root), Repository(root, os.environ)
    root.mkdir(parents=True)
    init(
        files,
        repository,
        InitOrder(me="Alice Moreau", clock=lambda: BEGINNING, entropy=random.randbytes, timeout_s=30.0),
    )
    parent = repository.tip()
    if parent is None:
        raise RuntimeError("init made no commit")
    words = Words.of(random)
    with Laying(root, parent) as laying:
        ledger = Ledger(laying, segments.tail(files))
        for place in range(SOURCES[size]):
            _Source(place, words, laying, ledger).lay()
        ledger.flush()
    git = ("git", "-C", str(root), "-c", "core.fsync=none")
    subprocess.run((*git, "read-tree", "refs/heads/main"), check=True)
    subprocess.run((*git, "update-index", "-q", "--refresh"), check=True, stdout=subprocess.DEVNULL)
    sources.rebuild(files)


@dataclass(slots=True)
class _Source:
    """One conversation, its pages and its runs."""

    place: int
    words: Words
    laying: Laying
    ledger: Ledger
    titles: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    facts: list[FactId] = field(default_factory=list)
    owners: dict[tuple[int, str], int] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def lay(self) -> None:
        """Write the log, then run after run, then the pages as they are in the end."""
        random = self.words.random
        self.titles = [f"{self.words.some(1, 2).title()} {self.place * PAGES + page}" for page in range(PAGES)]
        for turn in range(TURNS):
            self.claims.append(self._claim(turn))
        began = BEGINNING + timedelta(days=self.place)
        lines = [
            f"[{began + turn * _PAUSE:%Y-%m-%d %H:%M:%S}] {random.choice(_PEOPLE)}: {self._said(claim)}\n"
            for turn, claim in enumerate(self.claims)
        ]
        source, passages = self._log("".join(lines).encode(), began)
        fold = Fold(_Before(self.ledger.tail.head))
        for first in range(0, TURNS, RUN_TURNS):
            self._run(fold, source, passages[first : first + RUN_TURNS], first, began + timedelta(hours=8))
        for page in fold.every_page():
            self.laying.put(layout.page_path(page.slug), render(page))

    def _claim(self, turn: int) -> Claim:
        random = self.words.random
        page = turn * PAGES // TURNS if random.random() < 0.85 else random.randrange(turn * PAGES // TURNS + 1)
        attribute = random.choice(_MANY if random.random() < 0.8 else _ONE)
        value = self.words.some(1, 3)
        verb = "uses" if attribute == "uses" else f"has the {attribute}"
        earlier = random.randrange(turn) if turn else 0
        is_free = turn > 0 and earlier not in self.gone
        end = random.random()
        if is_free and self.claims[earlier].attribute in _MANY and end < 0.03:
            self.gone.add(earlier)
        return Claim(
            page=page,
            attribute=attribute,
            value=value,
            sentence=f"{self.titles[page]} {verb} {value}.",
            closes=earlier if earlier in self.gone and end < 0.03 and is_free else None,
            confirms=earlier if is_free and self.claims[earlier].attribute in _MANY and 0.03 <= end < 0.08 else None,
            prose=f"{self.words.some(4, 12).capitalize()}." if random.random() < 0.05 else "",
        )

    def _said(self, claim: Claim) -> str:
        parts = [claim.sentence]
        if claim.confirms is not None:
            parts.append(self.claims[claim.confirms].sentence)
        if claim.closes is not None:
            parts.append(f"Forget that {self.claims[claim.closes].sentence}")
        parts.append(f"{claim.prose or self.words.some(3, 22).capitalize() + '.'}")
        return " ".join(parts)

    def _log(self, data: bytes, began: datetime) -> tuple[SourceId, tuple[Passage, ...]]:
        source = SourceId(source_id(began, self.words.random.randbytes(8)))
        reading = read(ReadRequest(source=source, version=1, data=data, format="turns"))
        if len(reading.passages) != TURNS:
            raise RuntimeError(f"{len(reading.passages)} passages were read, {TURNS} were written")
        whole = Digested(size=len(data), sha256=sha256_hex(data))
        meta = Meta(
            source=source,
            version=1,
            kind=VersionKind.PUSH,
            name="",
            format="turns",
            extension="txt",
            title=f"Conversation {self.place}",
            origin=f"/conversations/{self.place}.txt",
            project="",
            session="",
            key="",
            channel=Channel.CLI,
            pushed_at=instant(began + timedelta(hours=7)),
            observed_from=reading.observed_from,
            observed_to=reading.observed_to,
            certainty=reading.certainty,
            part=whole,
            whole=whole,
            pushed=whole,
            offset=0,
            parsed_to=reading.parsed_to,
        )
        self.laying.put(layout.part_path(meta.id, meta.kind, meta.extension), data)
        self.laying.put(layout.meta_path(meta.id), logs.meta_bytes(meta))
        return source, reading.passages

    def _run(self, fold: Fold, source: SourceId, passages: Sequence[Passage], first: int, moment: datetime) -> None:
        """Chain one run behind the ledger and fold it."""
        random = self.words.random
        at = instant(moment + timedelta(seconds=first))
        run = RunId(run_id(moment + timedelta(seconds=first), random.randbytes(4)))
        row = Row(source, 1, passages[0].start, passages[-1].end)
        bodies = [
            body
            for place, passage in enumerate(passages)
            for body in self._bodies(fold, run, first + place, passage, place)
        ]
        record = Record(
            run=run,
            kind=RunKind.DISTILL,
            at=at,
            rows=(row,),
            drafting=Drafting(drafter="rules"),
            reply=_NOTHING,
            drops=(),
        )
        begun = RunBegun(
            run=run,
            kind=RunKind.DISTILL,
            rows=(row,),
            drafter="rules",
            render=RENDER,
            events=len(bodies),
            record=sha256_hex(record_bytes(record)),
        )
        salts = [random.randbytes(16).hex() for _ in range(len(bodies) + 1)]
        events = chain(self.ledger.tail.head, at, run, (begun, *bodies), salts)
        fold.extend(events)
        self.laying.put(layout.record_path(run), record_bytes(record))
        self.ledger.add(b"".join(map(to_line, events)), Head(n=events[-1].n, hash=events[-1].hash))

    def _bodies(self, fold: Fold, run: RunId, turn: int, passage: Passage, place: int) -> Iterator[Body]:
        """Yield what a turn brings."""
        claim = self.claims[turn]
        title = self.titles[claim.page]
        slug = slugify(title)
        if claim.page not in self.begun:
            self.begun.add(claim.page)
            yield PageChanged(page=slug, op=PageOp.CREATE, title=title, kind="service", aliases=())
        statement = self._statement(run, turn, passage, slug, place)
        yield from self._stated(statement, turn)
        if claim.confirms is not None:
            yield Confirmed(fact=self.facts[claim.confirms], evidence=(_cite(passage, self._again(claim.confirms)),))
        if claim.closes is not None:
            yield FactClosed(
                fact=self.facts[claim.closes],
                reason=CloseReason.RETRACTED,
                cause=str(Version(passage.source, passage.version)),
                by="rules",
                evidence=(_cite(passage, self._again(claim.closes)),),
            )
        if claim.prose:
            yield ProseChanged(
                page=slug,
                block=BlockId(derived_id("b", run, str(place), lambda name: fold.block_page(name) is not None)),
                op=ProseOp.INSERT,
                text=claim.prose,
                after="end",
                origin=Origin.DRAFTED,
                rows=(Row(passage.source, passage.version, passage.start, passage.end),),
            )

    def _again(self, turn: int) -> str:
        return self.claims[turn].sentence

    def _statement(self, run: RunId, turn: int, passage: Passage, slug: Slug, place: int) -> Statement:
        claim = self.claims[turn]
        attribute = Schema().attribute(claim.attribute)
        fact = FactId(derived_id("f", run, str(place), lambda _: False))
        self.facts.append(fact)
        return Statement(
            fact=fact,
            page=slug,
            attribute=attribute.name,
            single=attribute.single,
            section=attribute.section,
            value=claim.value,
            text=claim.sentence,
            label=Label.STATED,
            evidence=(_cite(passage, claim.sentence),),
        )

    def _stated(self, statement: Statement, turn: int) -> Iterator[Body]:
        key = (self.claims[turn].page, statement.attribute)
        before = self.owners.get(key) if statement.single else None
        if statement.single:
            self.owners[key] = turn
        if before is None:
            yield Asserted(statement=statement)
        else:
            yield SupersededBy(statement=statement, supersedes=self.facts[before])


def _cite(passage: Passage, words: str) -> Evidence:
    span = passage.spans[0]
    begin = span.start + len(span.text[: span.text.index(words)].encode())
    return Evidence(
        source=passage.source,
        version=passage.version,
        start=begin,
        end=begin + len(words.encode()),
        enc=span.enc,
        quote=words,
        passage=passage.number,
        speaker=passage.speaker,
        role=passage.role,
        channel=Channel.CLI,
        at=passage.at,
    )


def main(arguments: Sequence[str]) -> None:
    """Lay down the vault that the command line asks for."""
    parser = argparse.ArgumentParser(prog="make_vault", description="lay a vault of a given size down")
    parser.add_argument("directory", type=Path)
    parser.add_argument("size", choices=sorted(SOURCES))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    make(asked.directory, asked.size, asked.seed)


if __name__ == "__main__":
    main(sys.argv[1:])
