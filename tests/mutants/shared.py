"""Bases out of the public transcripts beside the project: read, drafted by the rules, landed run by run."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.archive import PUSHED, source_named
from tests.mutants.archive import ViewedArchive
from tests.mutants.base import Base, sealed
from tests.mutants.recipe import ME, snapshot
from tests.world import World
from xysq.canonical import sha256_hex
from xysq.drafters.port import Request
from xysq.drafters.rules.drafter import RulesDrafter
from xysq.jobs.mention import mentioned
from xysq.model.draft import Draft
from xysq.model.event import Asserted, SupersededBy
from xysq.model.fact import RunId
from xysq.model.plan import Plan
from xysq.model.source import Certainty, Channel, Digested, Meta, Passage, TextView, Version, VersionKind
from xysq.planner.plan import plan
from xysq.readers.detect import detect
from xysq.readers.encoding import needs_view
from xysq.readers.reading import Reading, read
from xysq.readers.request import CLAUDE_CODE, ReadRequest
from xysq.readers.view import make_view

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "transcripts"
_PASSAGES = 40  # a run
_RUNS = 12  # a transcript
_MOST_BYTES = 1_000_000
_MOST_EVENTS = 24
_AT = "2026-11-30T19:00:00Z"


def shared_bases(most: int) -> Iterator[Base]:
    """Yield so many good runs, a few of each transcript; none where the transcripts are not there."""
    files = sorted(path for path in FOLDER.rglob("*") if path.is_file()) if FOLDER.is_dir() else []
    found = 0
    for path in files:
        if path.stat().st_size > _MOST_BYTES:
            continue
        for base in _told(path):
            found += 1
            yield base
            if found >= most:
                return


def _told(path: Path) -> Iterator[Base]:
    world = World(archive=ViewedArchive(), me=ME)
    name = path.relative_to(FOLDER).as_posix()
    passages, project = _pushed(world, name, path.read_bytes())
    events = list(world.story.events)
    runs = 0
    for start in range(0, len(passages), _PASSAGES):
        world.passages, world.project = passages[start : start + _PASSAGES], project
        planned = _drafted(world)
        statements = sum(isinstance(body, Asserted | SupersededBy) for body in planned.events)
        empty = world.candidate(Plan(edits=(), events=()), at=_AT)
        run = replace(sealed(empty, planned.events, world.story.fold), plan=planned)
        if statements and len(planned.events) <= _MOST_EVENTS:
            yield snapshot(f"{name} {start}", run, events, world.archive, world)
            runs += 1
        if runs == _RUNS:
            return
        events.extend(run.events)
        world.story.fold.extend(run.events)
        world.runs += 1


def _drafted(world: World) -> Plan:
    order = world.order(at=_AT)
    request = Request(
        run=RunId(order.run),
        passages=world.passages,
        pages=mentioned(world.story.fold, world.passages, world.project, world.me),
        schema=world.schema,
        me=world.me,
        project=world.project.rstrip("/").rpartition("/")[2],
    )
    draft = Draft.parse(RulesDrafter().draft(request).reply)
    return world.quarantine(plan(replace(order, draft=draft)).plan).plan


def _pushed(world: World, name: str, data: bytes) -> tuple[tuple[Passage, ...], str]:
    """Put a transcript into the world's archive; return its passages and the directory it speaks of."""
    found = detect(data, name)
    view = make_view(data) if needs_view(data, line_records=found == CLAUDE_CODE) else None
    source = source_named(name)
    reading = read(ReadRequest(source=source, version=1, data=data, format=found, enc_view=view, me=ME))
    version = Version(source, 1)
    archive = world.archive
    assert isinstance(archive, ViewedArchive)
    archive.logs[version], archive.read[version] = data, reading.passages
    archive.metas[version] = _meta(version, name, found, data, reading)
    if view is not None:
        archive.views[version] = view.text
        size = Digested(size=len(view.text), sha256=sha256_hex(view.text))
        text = TextView(encoding=view.encoding, offset=0, digest=size)
        archive.metas[version] = replace(archive.metas[version], text=text)
    return reading.passages, reading.project


def _meta(version: Version, name: str, found: str, data: bytes, reading: Reading) -> Meta:
    size = Digested(size=len(data), sha256=sha256_hex(data))
    return Meta(
        source=version.source,
        version=1,
        kind=VersionKind.PUSH,
        name=name,
        format=found,
        extension="txt",
        title=name,
        origin="",
        project=reading.project,
        session="",
        key="",
        channel=Channel.CLI,
        pushed_at=PUSHED,
        observed_from=None,
        observed_to=None,
        certainty=Certainty.LOG,
        part=size,
        whole=size,
        pushed=size,
        offset=0,
        parsed_to=reading.parsed_to,
    )
