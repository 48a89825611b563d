"""Correct a source: a new version takes words out of a log, or puts others in their place. No model is asked.

The version is part of the run: in the same commit every open fact that lost words of one of its quotes is closed, with
what was concluded from it, and so goes the prose that was made of those words. Insertions and moves elsewhere close
nothing. What was put in is pending, observed when its passage was said.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from xysq.canonical import sha256_hex
from xysq.errors import Busy
from xysq.frozen import frozen
from xysq.jobs.adopt import adopt_first
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.held import Held
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.model.align import align
from xysq.model.event import Body, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.ranges import Kept, Range, subtract
from xysq.model.report import RunReport
from xysq.model.source import Digested, Meta, SourceId, TextView, Version, VersionKind
from xysq.planner.deed import RemovedWords, corrected, prose_gone, with_conclusions
from xysq.readers.encoding import needs_view
from xysq.readers.reading import framed_to
from xysq.readers.request import CLAUDE_CODE
from xysq.readers.view import make_view
from xysq.store import logs, queue
from xysq.store.archive import VaultArchive
from xysq.store.arrival import Arrival
from xysq.store.landing import landing_lock
from xysq.store.readmodel import FactFilter, Snapshot

_TRIES = 8


@frozen
class Rewritten:
    """The bytes a source is to have, and which of the old ones stand in them."""

    data: bytes
    kept: tuple[Kept, ...]


Rewrite = Callable[[Snapshot, Meta, bytes], Rewritten]


def whole(data: bytes) -> Rewrite:
    """Return the correction to whole new bytes: what of the old ones still stands is found by aligning them."""

    def rewrite(_: Snapshot, newest: Meta, old: bytes) -> Rewritten:
        return Rewritten(data=data, kept=align(old, data) if newest.text is None else ())

    return rewrite


@frozen
class CorrectedSource:
    """What a correction came to: the version it made (None: nothing differs), and its run."""

    meta: Meta | None
    run: RunReport | None


def correct_source(opened: Opened, source: SourceId, rewrite: Rewrite) -> CorrectedSource:
    """Give a source a corrected version, and close what rested on the words that went."""
    with _landed(opened, source) as held:
        newest = logs.versions(opened.files, source)[-1]
        old = logs.read_bytes(opened.files, newest.id)
        with held.model.reading() as snapshot:
            new = rewrite(snapshot, newest, old)
        if new.data == old:
            return CorrectedSource(meta=None, run=None)
        adopt_first(held, _pages(held, source))
        arrival = _arrival(opened, newest, new)
        report = carry_out(
            held, lambda base, snapshot, run: _deed(base, snapshot, run, arrival, (old, new.data)), arrival
        )
        return CorrectedSource(meta=arrival.meta, run=report)


def _pages(held: Held, source: SourceId) -> tuple[Slug, ...]:
    """Return the pages with open facts or prose from a source."""
    with held.model.reading() as snapshot:
        facts = snapshot.lists.facts(FactFilter(source=source, is_open=True))
        prose = (snapshot.ledger.block_page(origin.block) for origin in snapshot.lists.prose_from(source))
        return tuple(dict.fromkeys((*(fact.page for fact in facts), *(slug for slug in prose if slug is not None))))


@contextmanager
def _landed(opened: Opened, source: SourceId) -> Iterator[Held]:
    """Hold the vault with every landing of a source settled, and none possible until the block ends."""
    for _ in range(_TRIES):
        with hold(opened):
            pass
        with landing_lock(opened.files, source, opened.timeout_s), hold(opened, settles=False) as held:
            if not any(version.source == source for version in queue.landed(opened.files)):
                yield held
                return
    raise Busy("the source", opened.timeout_s)


def _arrival(opened: Opened, newest: Meta, new: Rewritten) -> Arrival:
    data = new.data
    view = make_view(data) if needs_view(data, line_records=newest.format == CLAUDE_CODE) else None
    digested = Digested(size=len(data), sha256=sha256_hex(data))
    meta = replace(
        newest,
        version=newest.version + 1,
        kind=VersionKind.CORRECT,
        channel=opened.channel,
        pushed_at=max(opened.now(), newest.pushed_at),
        part=digested,
        whole=digested,
        offset=0,
        parsed_to=framed_to(newest.format, data, 0, view=view),
        raw=None,
        sequence=None,
        text=None
        if view is None
        else TextView(
            encoding=view.encoding, offset=0, digest=Digested(size=len(view.text), sha256=sha256_hex(view.text))
        ),
        kept=() if view is not None else new.kept,
    )
    return Arrival(meta=meta, part=data, view=None if view is None else view.text)


def _deed(base: Ground, snapshot: Snapshot, run: RunId, arrival: Arrival, texts: tuple[bytes, bytes]) -> Deed:
    meta, state = arrival.meta, base.state
    facts = snapshot.lists.facts(FactFilter(source=meta.source, is_open=True))
    closings = corrected(facts, meta, state.ledger, state.archive)
    events: tuple[Body, ...] = (*closings, *prose_gone(_prose(snapshot, base, meta, texts), state.ledger))
    concluded = with_conclusions(events, RunKind.CORRECT, run, meta.pushed_at, state.ledger, state.archive)
    return Deed(kind=RunKind.CORRECT, events=concluded, arrival=arrival)


def _prose(snapshot: Snapshot, base: Ground, meta: Meta, texts: tuple[bytes, bytes]) -> Iterator[str]:
    """Yield the prose blocks that came from words which the correction took out.

    A block that quotes lost its words with its quote. One that only came from a row lost them if it says some of them.
    """
    archive = base.state.archive
    if not isinstance(archive, VaultArchive):
        raise TypeError("a correction is made on a vault's own archive")
    removed = _removed(meta, texts)
    for origin in snapshot.lists.prose_from(meta.source):
        row = origin.row
        if archive.keeps(Version(row.source, row.version), row.start, row.end):
            continue
        if origin.is_quote or removed.are_in(_text_of(snapshot, str(origin.block))):
            yield origin.block


def _text_of(snapshot: Snapshot, block: str) -> str:
    slug = snapshot.ledger.block_page(block)
    page = None if slug is None else snapshot.ledger.page(slug)
    return "" if page is None else next((one.text for one in page.blocks if getattr(one, "block", "") == block), "")


def _removed(meta: Meta, texts: tuple[bytes, bytes]) -> RemovedWords:
    old, new = texts
    gone: list[Range] = list(subtract([(0, len(old))], sorted((start, end) for start, end, _ in meta.kept)))
    come = subtract([(0, len(new))], sorted((at, at + end - start) for start, end, at in meta.kept))
    return RemovedWords(_texts(old, gone), _texts(new, come))


def _texts(data: bytes, ranges: Iterable[Range]) -> list[str]:
    return [data[low:high].decode("utf-8", "replace") for low, high in ranges]
