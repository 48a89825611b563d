"""Show: one thing of the vault, whatever its id or title is; or its exact bytes."""

from xysq.canonical import sha256_hex
from xysq.errors import BadDraft, BadInput, Damaged, NotFound
from xysq.jobs.apply import BAD_DRAFT, planned_again
from xysq.jobs.compose import record_bytes
from xysq.jobs.ground import ground
from xysq.jobs.intact import prove_intact
from xysq.jobs.naming import Meaning, PassageName, meaning
from xysq.jobs.opened import Opened
from xysq.jobs.past import past_state
from xysq.jobs.readable import readable
from xysq.jobs.record import read_record, run_events
from xysq.jobs.telling import APPLIED, STAGED, tell
from xysq.ledger.fold import Fold
from xysq.model.event import RunKind
from xysq.model.fact import FactId, RunId, Slug
from xysq.model.page import BlockId, Origin, ProseBlock
from xysq.model.report import (
    RunReport,
    Shown,
    ShownBlock,
    ShownFact,
    ShownPage,
    ShownPassage,
    ShownRun,
    ShownSource,
    ShownVersion,
)
from xysq.model.run import Refusal
from xysq.model.source import SourceId, Version
from xysq.model.state import LedgerState
from xysq.pages.escape import plain
from xysq.pages.render import render
from xysq.store import layout, logs, wal
from xysq.store.readmodel import FactFilter, Snapshot


def show(opened: Opened, words: str, as_of: str | None = None) -> Shown:
    """Return what an id, a unique beginning of one, or a title means; facts, pages and blocks also of the past."""
    with readable(opened).reading() as snapshot:
        named = _meaning(opened, snapshot, words)
        ledger: LedgerState = snapshot.ledger if as_of is None else past_state(opened, snapshot, as_of)
        return _shown(opened, snapshot, ledger, named)


def raw(opened: Opened, words: str, as_of: str | None = None) -> bytes:
    """Return the exact bytes of a version (a source: its newest), a passage, a page or a run's record."""
    with readable(opened).reading() as snapshot:
        named = _meaning(opened, snapshot, words)
        match named.name:
            case PassageName(version=version, number=number):
                passage = snapshot.logs.passage(version, number)
                if passage is None:
                    raise NotFound("passage", words)
                return proven(opened, snapshot, version)[passage.start : passage.end]
            case Version() as version:
                return proven(opened, snapshot, version)
        match named.kind:
            case "source":
                source = SourceId(str(named.name))
                return proven(opened, snapshot, Version(source, snapshot.logs.newest(source)))
            case "page":
                ledger = snapshot.ledger if as_of is None else past_state(opened, snapshot, as_of)
                return _page(ledger, Slug(str(named.name))).data
            case "run":
                run = RunId(str(named.name))
                return _run(opened, snapshot, run).record or read_record(opened, run)[1]
            case _:
                raise BadInput(f"a {named.kind} has no bytes of its own", "--raw is for sources, pages and runs")


def _meaning(opened: Opened, snapshot: Snapshot, words: str) -> Meaning:
    """Return what words name; a source that is there and could not be read is damaged, and not one that never was."""
    try:
        return meaning(snapshot, words, wal.list_runs(opened.files))
    except NotFound:
        if layout.is_source_id(words.strip()):
            _prove_source(opened, SourceId(words.strip()))
        raise


def _prove_source(opened: Opened, source: SourceId) -> None:
    for damage in logs.faults(opened.files, source):
        raise damage


def proven(opened: Opened, snapshot: Snapshot, version: Version) -> bytes:
    """Return the bytes of a version, which must be those its meta speaks of (P1): others raise `Damaged` (P12)."""
    meta = snapshot.logs.meta(version)
    if meta is None:
        _tell_unread(opened, version)
        raise NotFound("version", str(version))
    data = logs.read_bytes(opened.files, version)
    if sha256_hex(data) != meta.whole.sha256:
        logs.verify_version(opened.files, version)
        raise Damaged(layout.meta_path(version), "0", f"the bytes of {version} are not those that were pushed")
    return data


def _shown(opened: Opened, snapshot: Snapshot, ledger: LedgerState, named: Meaning) -> Shown:
    match named.name:
        case PassageName() as passage:
            return _passage(opened, snapshot, passage)
        case Version() as version:
            return _version(opened, snapshot, version)
    name = str(named.name)
    match named.kind:
        case "fact":
            return _fact(ledger, FactId(name))
        case "block":
            return _block(ledger, BlockId(name))
        case "run":
            return _run(opened, snapshot, RunId(name))
        case "source":
            source = SourceId(name)
            _prove_source(opened, source)
            facts = len(snapshot.lists.facts(FactFilter(source=source, is_open=True)))
            return ShownSource(source=source, versions=snapshot.logs.metas(source), facts=facts)
        case _:
            return _page(ledger, Slug(name))


def _page(ledger: LedgerState, slug: Slug) -> ShownPage:
    page = ledger.page(slug)
    if page is None:
        raise NotFound("page", slug)
    return ShownPage(slug=slug, data=render(page))


def _fact(ledger: LedgerState, name: FactId) -> ShownFact:
    fact = ledger.fact(name)
    if fact is None:
        raise NotFound("fact", name)
    page = ledger.page(fact.page)
    return ShownFact(fact=fact, title=fact.page if page is None else page.title, text=plain(fact.text))


def _block(ledger: LedgerState, block: BlockId) -> ShownBlock:
    slug = ledger.block_page(block)
    page = None if slug is None else ledger.page(slug)
    if slug is None or page is None:
        raise NotFound("block", block)
    for found in page.blocks:
        if isinstance(found, ProseBlock) and found.block == block:
            return ShownBlock(block=block, page=slug, text=plain(found.text), unproven=found.origin is not Origin.YOURS)
    return ShownBlock(block=block, page=slug, text=None, unproven=False)


def _version(opened: Opened, snapshot: Snapshot, version: Version) -> ShownVersion:
    meta = snapshot.logs.meta(version)
    if meta is None:
        _tell_unread(opened, version)
        raise NotFound("version", str(version))
    logs.verify_version(opened.files, version)
    return ShownVersion(meta=meta, passages=snapshot.logs.passages(version))


def _passage(opened: Opened, snapshot: Snapshot, name: PassageName) -> ShownPassage:
    passage, meta = snapshot.logs.passage(name.version, name.number), snapshot.logs.meta(name.version)
    if passage is None or meta is None:
        _tell_unread(opened, name.version)
        raise NotFound("passage", f"{name.version}#{name.number}")
    prove_intact(opened, passage)
    return ShownPassage(passage=passage, title=meta.title)


def _tell_unread(opened: Opened, version: Version) -> None:
    """Raise `Damaged` for a version that is not indexed because it cannot be read: it is not one that never was."""
    if opened.files.exists(layout.meta_path(version)):
        logs.verify_version(opened.files, version)


def _run(opened: Opened, snapshot: Snapshot, run: RunId) -> ShownRun:
    line = snapshot.lists.run(run)
    if line is None:
        return _staged(opened, run)
    if line.kind == RunKind.INIT.value:
        return ShownRun(report=RunReport(run=run, outcome=APPLIED, rows=(), drafter="", commit=line.commit), record=b"")
    record, data = read_record(opened, run)
    bodies = tuple(event.body for event in run_events(opened, line.n, run) if event.body is not None)
    report = tell(record, bodies, snapshot.ledger, APPLIED, commit=line.commit)
    return ShownRun(report=report, record=data)


def _staged(opened: Opened, run: RunId) -> ShownRun:
    """Tell what a staged run's draft comes to as things stand; nothing else in the write-ahead log is believed."""
    staged = wal.load(opened.files, run)
    record = staged.run.record
    with ground(opened, readable(opened)) as (base, snapshot):
        try:
            composed = planned_again(opened, staged, base, snapshot)
        except BadDraft as error:
            refusal = Refusal(gate=BAD_DRAFT, page="", anchor="", sentence=error.sentence)
            report = tell(record, (), snapshot.ledger, STAGED, refusals=(refusal,))
        else:
            record = composed.staged.record
            state = Fold(snapshot.ledger).extend(composed.candidate.events)
            report = tell(record, composed.staged.plan.events, state, STAGED)
    return ShownRun(report=report, record=record_bytes(record))
