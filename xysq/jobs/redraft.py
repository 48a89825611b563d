"""Redraft: the kept drafts of a vault planned once more, in the vault itself and without a model.

What the schema, the settings or the planner make of an answer today may be more than they made of it then: known facts
are confirmed, new ones added, closed ones stay closed. What was drafted from words that a correction took out, or of a
source that was reverted, is left out of the draft, for it would only come back as a sentence without a proof; so is a
run that was reverted.
"""

from collections.abc import Iterable, Iterator

from xysq.canonical import canonical_json
from xysq.jobs.answered import take_answer
from xysq.jobs.apply import passages_of, project_of
from xysq.jobs.batch import newest_push
from xysq.jobs.compose import Drafted, Ground
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.record import read_record
from xysq.jobs.reverted import reverted_sources, standing_revert
from xysq.model.draft import Draft, DraftFact, DraftQuote, close_to_wire, fact_to_wire
from xysq.model.event import RunKind
from xysq.model.fact import RunId
from xysq.model.report import Progress, RunReport
from xysq.model.run import Record
from xysq.model.source import Passage, SourceId, Version
from xysq.store.archive import VaultArchive
from xysq.store.readmodel import Snapshot


def redraft(opened: Opened, sources: Iterable[SourceId], progress: Progress | None = None) -> Iterator[RunReport]:
    """Plan and apply the kept drafts about these sources again, oldest first; yield a report for each run."""
    wanted = frozenset(sources)
    with readable(opened).reading() as snapshot:
        lines = [line for line in reversed(snapshot.lists.runs()) if line.kind == RunKind.DISTILL.value]
        about = [line.run for line in lines if any(row.source in wanted for row in line.rows)]
        runs = [run for run in about if standing_revert(snapshot, run) is None]
    for place, run in enumerate(runs, start=1):
        yield _again(opened, run)
        if progress is not None:
            progress(place, len(runs))


def _again(opened: Opened, run: RunId) -> RunReport:
    record = read_record(opened, run)[0]

    def drafted(base: Ground, snapshot: Snapshot) -> Drafted:
        passages = passages_of(snapshot, record.rows)
        archive = base.state.archive
        if not isinstance(archive, VaultArchive):
            raise TypeError("drafts are planned again on a vault's own archive")
        gone = reverted_sources(snapshot)
        standing = frozenset(
            number for number, one in enumerate(passages, start=1) if one.source not in gone and _stands(one, archive)
        )
        return Drafted(
            run=opened.new_run(),
            kind=RunKind.DISTILL,
            at=max(opened.now(), newest_push(snapshot, record.rows)),
            rows=record.rows,
            drafting=record.drafting,
            reply=_of_standing(record, standing, len(passages)),
            passages=passages,
            project=project_of(snapshot, record.rows),
        )

    with hold(opened) as held:
        return take_answer(held, drafted)


def _stands(passage: Passage, archive: VaultArchive) -> bool:
    return archive.keeps(Version(passage.source, passage.version), passage.start, passage.end)


def _of_standing(record: Record, standing: frozenset[int], count: int) -> bytes:
    """Return the kept answer, without what rests on passages that a correction changed."""
    if len(standing) == count:
        return record.reply.encode()
    draft = Draft.parse(record.reply.encode())
    facts = [fact for fact in draft.facts if _are_in(fact.quotes, standing)]
    while (left := [fact for fact in facts if not _lost_premise(fact, draft, facts)]) != facts:
        facts = left
    closes = [close for close in draft.closes if _are_in(close.quotes, standing)]
    return canonical_json({"facts": [*map(fact_to_wire, facts)], "closes": [*map(close_to_wire, closes)]})


def _are_in(quotes: Iterable[DraftQuote], standing: frozenset[int]) -> bool:
    return all(quote.passage in standing for quote in quotes)


def _lost_premise(fact: DraftFact, draft: Draft, left: Iterable[DraftFact]) -> bool:
    drafted, kept = {one.ref for one in draft.facts}, {one.ref for one in left}
    return any(ref in drafted - kept for ref in fact.derived_from)
