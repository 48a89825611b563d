"""The pool: bytes that lie elsewhere than in git, by the ids that git would give them.

Blobs: every file of the vault as it lies on the disk; every page as the ledger folds to it, after any run; every
segment as any run left it, which is a beginning of what it is now. Trees: those of the paths that git's index lists,
and those of the directories on the disk. Commits, with all that they brought: those that a run or a push makes on the
commit before, which the reflog names. An id is believed because it is the digest of the bytes.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import groupby

from xysq.errors import Damaged, XysqError
from xysq.jobs.mend.bench import Bench
from xysq.jobs.mend.remake import remade
from xysq.jobs.proof.files import TREES
from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import GENESIS, read_segment, to_line
from xysq.model.event import Head
from xysq.pages.render import render
from xysq.store import layout, segments
from xysq.store.git import ATTRIBUTES_PATH
from xysq.store.git_object import GitObject, edit_tree, git_object

EMPTY = git_object("tree", b"")
MOST_COMMITS = 50  # each is made from a fold of all that came before it
_OWN = (ATTRIBUTES_PATH, layout.SETTINGS, layout.SCHEMA)


class Pool:
    """Objects that can be made from what a vault has besides git."""

    def __init__(self, bench: Bench) -> None:
        """Read nothing yet."""
        self._bench = bench

    def find(self, ids: Collection[str]) -> dict[str, GitObject]:
        """Return those of these objects that something has the bytes of; what is cheap to ask is asked first."""
        found: dict[str, GitObject] = {}
        for source in (self._of_disk, self._of_index, self._of_history, self._of_commits):
            left = set(ids).difference(found)
            if left:
                found |= {item.id: item for item in source() if item.id in left}
        return found

    def _paths(self) -> Iterator[str]:
        for tree in TREES:
            try:
                yield from (f"{tree}/{name}" for name in self._bench.files.walk(tree))
            except Damaged:
                continue
        yield from _OWN

    def _of_disk(self) -> Iterator[GitObject]:
        yield EMPTY
        ids: dict[str, str] = {}
        for path in self._paths():
            with suppress(XysqError):
                blob = git_object("blob", self._bench.files.read(path))
                ids[path] = blob.id
                yield blob
        yield from _trees(ids)

    def _of_index(self) -> Iterator[GitObject]:
        with suppress(XysqError):
            yield from _trees(dict(self._bench.repository.indexed()))

    def _of_history(self) -> Iterator[GitObject]:
        """Yield pages and segments as runs left them."""
        files, fold, head = self._bench.files, Fold(), GENESIS
        with suppress(XysqError, Unlawful):  # what comes before damage is still good
            for number in range(1, segments.count(files) + 1):
                path = layout.segment_path(number)
                data, end = files.read(path), 0
                for _, run in groupby(read_segment(data, path, head), key=lambda event: event.run):
                    events = tuple(run)
                    end += sum(len(to_line(event)) for event in events)
                    yield git_object("blob", data[:end])
                    yield from _pages(Fold(fold).extend(events))
                    fold.extend(events)
                    head = Head(n=events[-1].n, hash=events[-1].hash)

    def _of_commits(self) -> Iterator[GitObject]:
        """Yield what the newest commits brought, where they can be made once more."""
        for parent, commit in self._bench.repository.known_moves()[:MOST_COMMITS]:
            for prepared in remade(self._bench.opened, parent):
                if prepared.commit == commit:
                    yield from prepared.objects


def _pages(fold: Fold) -> Iterator[GitObject]:
    """Yield the pages that the events on top of a state touched, as they leave them."""
    for slug in fold.pages_touched:
        page = fold.page(slug)
        if page is not None:
            yield git_object("blob", render(page))


def _trees(blobs: Mapping[str, str]) -> tuple[GitObject, ...]:
    """Return the trees of a directory with these files."""
    return edit_tree(None, blobs, lambda _: b"")[1]
