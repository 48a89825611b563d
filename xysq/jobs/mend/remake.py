"""Making a commit once more: what a run or a push commits follows from its parent and from files that are still here.

Time, message and trees of every commit of the engine's are computed from the ledger, the record or the metas, so the
commit id comes out the same. Whoever asks compares it with the id that was lost; nothing else is believed.
"""

from collections.abc import Iterator
from itertools import takewhile

from xysq.errors import XysqError
from xysq.jobs.compose import committed_page
from xysq.jobs.opened import Opened
from xysq.jobs.past import end_at
from xysq.jobs.record import read_record
from xysq.jobs.replay import message_of
from xysq.jobs.settle import push_commit
from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import to_line
from xysq.model.event import RunBegun
from xysq.store import layout, logs, segments
from xysq.store.git_object import Prepared
from xysq.store.segments import next_segment


def remade(opened: Opened, parent: str) -> Iterator[Prepared]:
    """Yield the commits that the next run, or a push of one version, makes on a parent."""
    try:
        yield from _run(opened, parent)
        yield from _pushes(opened, parent)
    except (XysqError, Unlawful):
        return


def _run(opened: Opened, parent: str) -> Iterator[Prepared]:
    end = end_at(opened, parent)
    following = segments.read_from(opened.files, end.head.n + 1)
    first = next(following, None)
    if first is None or not isinstance(first.body, RunBegun):
        return
    events = (first, *takewhile(lambda event: event.run == first.run, following))
    before = (event for event in segments.read_all(opened.files) if event.n <= end.head.n)
    fold = Fold(Fold().extend(before)).extend(events)
    record, data = read_record(opened, first.body.run)
    number, lines = next_segment(end, b"".join(map(to_line, events)))
    changes: dict[str, bytes | None] = {
        layout.segment_path(number): lines,
        layout.record_path(record.run): data,
        **{layout.page_path(slug): committed_page(fold, slug) or None for slug in fold.pages_touched},
    }
    bodies = [event.body for event in events[1:] if event.body is not None]
    yield opened.repository.prepare(parent, changes, message_of(record, bodies), record.at)


def _pushes(opened: Opened, parent: str) -> Iterator[Prepared]:
    known = {file.path for file in opened.repository.ls_tree(parent, layout.LOGS)}
    for source in logs.all_sources(opened.files):
        for meta in logs.versions(opened.files, source):
            if layout.meta_path(meta.id) not in known:
                yield push_commit(opened, parent, [meta])
                break
