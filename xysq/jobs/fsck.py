"""Fsck: proving the promises on what lies on the disk, from nothing but the vault's own files.

Logs against their digests (P1, P12); the chain of the ledger and the lawfulness of its fold (P12); records against the
events that name them; every committed page against the rendered fold (P4, and with it P7: a fact's block is the text
of its event); quotes of open stated facts against the bytes they cite (P5); single-valued attributes (P8); the
commit at the tip against the files. It repairs nothing and stops at nothing it can get past.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import StrEnum

from xysq.errors import Damaged, NotFound, XysqError
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.record import record_fault
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import RunBegun
from xysq.model.fact import Fact, Label
from xysq.model.page import PageState
from xysq.model.report import Finding
from xysq.model.state import Archive
from xysq.pages.escape import stands_in
from xysq.pages.render import render
from xysq.store import bases, layout, logs, queue, segments, wal
from xysq.store.archive import VaultArchive
from xysq.store.disk_error import NotRead
from xysq.store.git_object import git_object
from xysq.store.readmodel import Snapshot

_KEPT = (layout.LOGS, layout.LEDGER, layout.RUNS)


class Depth(StrEnum):
    """How much is proven: ledger, records and pages; or every byte of logs, quotes and the commit besides."""

    FAST = "fast"
    FULL = "full"


def fsck(opened: Opened, depth: Depth = Depth.FULL) -> tuple[Finding, ...]:
    """Return everything that is not as promised, and notes on what is only worth knowing."""
    found: list[Finding] = list(_broken_private_files(opened))
    fold = Fold()
    found += _ledger(opened, fold)
    blobs = _committed(opened, found)
    found += _pages(opened, fold, blobs)
    found += _single_values(fold)
    if depth is Depth.FULL:
        found += _logs(opened)
        found += _derived(opened, fold)
        found += _files_against_commit(opened, blobs)
    found += _unfinished(opened)  # last: a reader above may have finished them
    return tuple(found)


def _unfinished(opened: Opened) -> Iterator[Finding]:
    """Tell of decided runs that recovery has not finished, or cannot (P3)."""
    for run in wal.list_runs(opened.files):
        if wal.is_decided(opened.files, run):
            sentence = "was decided and is not finished; run xysq recover"
            yield Finding(file=layout.wal_dir(run), line="0", code="unfinished", sentence=sentence)


def _broken_private_files(opened: Opened) -> Iterator[Finding]:
    for damage in (*wal.faults(opened.files), *queue.faults(opened.files)):
        yield _damage(damage)


def _damage(damage: Damaged) -> Finding:
    sentence = damage.sentence.removeprefix(f"{damage.path}:{damage.where}: ")
    return Finding(file=damage.path, line=damage.where, code=damage.code, sentence=sentence)


def _read(opened: Opened, path: str) -> tuple[bytes | None, Finding | None]:
    """Return a file's bytes, None where there is none, and what is found where they cannot be read."""
    try:
        return opened.files.read_or_none(path), None
    except Damaged as damage:
        return None, _damage(damage)
    except NotRead as error:
        return None, Finding(file=path, line="0", code=error.code, sentence=error.sentence)


def _ledger(opened: Opened, fold: Fold) -> Iterator[Finding]:
    """Fold the whole ledger into `fold`, as far as it can be believed."""
    try:
        for event in segments.read_all(opened.files):
            fold.apply(event)
            if isinstance(event.body, RunBegun):
                fault = record_fault(opened, event.body)
                if fault:
                    path = layout.record_path(event.body.run)
                    yield Finding(file=path, line="0", code="record", sentence=f"the record of {event.run} {fault}")
        fold.finish()
    except Damaged as damage:
        yield _damage(damage)
    except Unlawful as fault:
        number = segments.find(opened.files, fault.n) or 1
        yield Finding(file=layout.segment_path(number), line="0", code="unlawful", sentence=fault.sentence)


def _committed(opened: Opened, found: list[Finding]) -> Mapping[str, str]:
    """Return the blob id of every file at the tip."""
    try:
        return {file.path: file.blob for file in opened.repository.ls_tree(opened.tip())}
    except XysqError as error:
        found.append(Finding(file=".git", line="0", code="git", sentence=error.sentence))
        return {}


def _pages(opened: Opened, fold: Fold, blobs: Mapping[str, str]) -> Iterator[Finding]:
    """Compare every committed page with the rendered fold; there is no other (P4, P7)."""
    expected: set[str] = set()
    for page in fold.every_page():
        data = render(page)
        path = layout.page_path(page.slug)
        if not data:
            continue
        expected.add(path)
        if blobs.get(path) != git_object("blob", data).id:
            yield Finding(
                file=path, line="1", code="page", sentence="the committed page is not what the ledger folds to"
            )
        found, damage = _read(opened, path)
        if damage is not None:
            yield damage
        elif found != data:
            yield _unsaved(opened, page, path)
    for path in sorted(blobs):
        if path.startswith(f"{layout.PAGES}/") and path not in expected:
            yield Finding(file=path, line="1", code="page", sentence="the ledger knows no such page")


def _unsaved(opened: Opened, page: PageState, path: str) -> Finding:
    base = bases.base_of(opened.files, page.slug)
    sentence = "has edits of yours that are not adopted" + (", older than the last run" if base else "")
    return Finding(file=path, line="1", code="unsaved", sentence=sentence, note=True)


def _single_values(fold: Fold) -> Iterator[Finding]:
    """Find attributes with more open facts than the one they may have (P8)."""
    held: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in fold.every_fact():
        if fact.single and fact.is_open:
            held[fact.page, fact.attribute].append(fact)
    for (page, attribute), facts in held.items():
        if len(facts) > 1:
            names = ", ".join(fact.id for fact in facts)
            sentence = f"{attribute} has {len(facts)} open facts: {names}"
            yield Finding(
                file=layout.page_path(facts[0].page), line="1", code="one-value", sentence=f"{page}: {sentence}"
            )


def _logs(opened: Opened) -> Iterator[Finding]:
    """Prove every part by its digest and every version by its parts (P1, P12)."""
    for source in logs.all_sources(opened.files):
        for damage in logs.faults(opened.files, source):
            yield _damage(damage)
        with suppress(Damaged):  # told just now
            for stray in logs.strays(opened.files, source):
                sentence = "belongs to a push that was never acknowledged"
                yield Finding(file=stray, line="0", code="stray", sentence=sentence, note=True)


def _derived(opened: Opened, fold: Fold) -> Iterator[Finding]:
    """Look at what needs the read model: whether it is as the ledger, and the quotes of facts (P5)."""
    try:
        with readable(opened).reading() as snapshot:
            yield from _model(opened, fold, snapshot)
            yield from _quotes(fold, VaultArchive(opened.files, snapshot))
    except XysqError as error:
        yield Finding(file=".", line="0", code="index", sentence=f"quotes were not proven: {error.sentence}")


def _model(opened: Opened, fold: Fold, snapshot: Snapshot) -> Iterator[Finding]:
    """Compare the state that queries are answered from with the fold; it is derived, and can be made again."""
    ledger, totals = snapshot.ledger, snapshot.lists.totals()
    if ledger.head() != fold.head():
        return  # a run came in between, or the vault is locked and an older state is served
    facts, pages = fold.every_fact(), fold.every_page()
    wrong = sum(ledger.fact(fact.id) != fact for fact in facts) + sum(ledger.page(page.slug) != page for page in pages)
    if wrong or totals.open_facts + totals.ended_facts != len(facts):
        sentence = "the search index has other facts or pages than the ledger; run xysq reindex"
        yield Finding(file=str(opened.cache), line="0", code="index", sentence=sentence)


def _quotes(fold: Fold, archive: Archive) -> Iterator[Finding]:
    """Look for a standing quote of every open stated fact, with its value in one (P5)."""
    for fact in fold.every_fact():
        if not fact.is_open or fact.label is not Label.STATED:
            continue
        fault = _quote_fault(archive, fact)
        if fault:
            path = layout.page_path(fact.page)
            yield Finding(file=path, line=f"^{fact.id}", code="quote", sentence=fault)


def _quote_fault(archive: Archive, fact: Fact) -> str:
    standing = []
    for evidence in fact.evidence:
        try:
            if archive.stands(evidence):
                standing.append(evidence)
        except (Damaged, NotFound):
            continue  # the damage itself is found where the logs are proven
    if not standing:
        return "no quote of it stands in the logs"
    if not any(stands_in(fact.value, evidence.quote) for evidence in standing):
        return "its value stands in none of its quotes"
    return ""


def _files_against_commit(opened: Opened, blobs: Mapping[str, str]) -> Iterator[Finding]:
    """Compare logs, ledger and records on the disk with the tip, apart from what only landed yet."""
    waiting = {layout.log_dir(version.source) for version in queue.landed(opened.files)}
    for path, blob in sorted(blobs.items()):
        if not path.startswith(tuple(f"{kept}/" for kept in _KEPT)):
            continue
        data, damage = _read(opened, path)
        if damage is not None:
            yield damage
        elif data is None:
            yield Finding(file=path, line="0", code="missing", sentence="is in the history and not on the disk")
        elif git_object("blob", data).id != blob:
            yield Finding(file=path, line="0", code="changed", sentence="is not as it was committed")
    for kept in _KEPT:
        try:
            names = opened.files.walk(kept)
        except Damaged as damage:
            yield _damage(damage)
            continue
        for name in names:
            path = f"{kept}/{name}"
            if path not in blobs and path.rpartition("/")[0] not in waiting and path.endswith(("json", "jsonl")):
                yield Finding(file=path, line="0", code="uncommitted", sentence="is not in the history", note=True)
