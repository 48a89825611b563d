"""The pool: bytes that lie elsewhere than in git, by the ids that git would give them.

Blobs: every file of the vault as it lies on the disk; every page as the ledger folds to it, after any run; every
segment as any run left it, which is a beginning of what it is now. Trees: those of the paths that git's index lists,
and those of the directories on the disk. Commits, with all that they brought: those that a run or a push makes on the
commit before, which the reflog names. An id is believed because it is the digest of the bytes.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
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
_OWN = (ATTRIBUTES_PATH, layout.SETTINGS, layout.SCHEMA)


class Pool:
    """Objects that can be made from what a vault has besides git."""

    def __init__(self, bench: Bench) -> None:
        """Read nothing yet."""
        self._bench = bench

    def find(self, id_: str) -> GitObject | None:
        """Return an object by its id; None where nothing has its bytes."""
        for objects in (self._of_disk, self._of_index, self._of_history):
            if id_ in objects:
                return objects[id_]
        return self._of_commits.get(id_)

    @cached_property
    def _files(self) -> Mapping[str, GitObject]:
        """The files on the disk as blobs, by path."""
        found = {}
        for path in self._paths():
            try:
                found[path] = git_object("blob", self._bench.files.read(path))
            except XysqError:
                continue
        return found

    def _paths(self) -> Iterator[str]:
        for tree in TREES:
            try:
                yield from (f"{tree}/{name}" for name in self._bench.files.walk(tree))
            except Damaged:
                continue
        yield from _OWN

    @cached_property
    def _of_disk(self) -> Mapping[str, GitObject]:
        blobs = {blob.id: blob for blob in self._files.values()}
        return blobs | _trees({path: blob.id for path, blob in self._files.items()})

    @cached_property
    def _of_index(self) -> Mapping[str, GitObject]:
        try:
            return _trees(dict(self._bench.repository.indexed()))
        except XysqError:
            return {}

    @cached_property
    def _of_history(self) -> Mapping[str, GitObject]:
        """Pages and segments as runs left them."""
        files, found = self._bench.files, {EMPTY.id: EMPTY}
        fold, head = Fold(), GENESIS
        try:
            for number in range(1, segments.count(files) + 1):
                path = layout.segment_path(number)
                data, end = files.read(path), 0
                for _, run in groupby(read_segment(data, path, head), key=lambda event: event.run):
                    events = tuple(run)
                    end += sum(len(to_line(event)) for event in events)
                    blobs = [git_object("blob", data[:end]), *_pages(Fold(fold).extend(events))]
                    found |= {blob.id: blob for blob in blobs}
                    fold.extend(events)
                    head = Head(n=events[-1].n, hash=events[-1].hash)
        except (XysqError, Unlawful):
            pass  # what came before the damage is still good
        return found

    @property
    def _of_commits(self) -> Mapping[str, GitObject]:
        """What commits brought that can be made once more; asked anew each time, for one leads to the next."""
        found: dict[str, GitObject] = {}
        for parent, commit in self._bench.repository.known_moves():
            for prepared in remade(self._bench.opened, parent):
                if prepared.commit == commit:
                    found |= {item.id: item for item in prepared.objects}
        return found


def _pages(fold: Fold) -> Iterator[GitObject]:
    """Yield the pages that the events on top of a state touched, as they leave them."""
    for slug in fold.pages_touched:
        page = fold.page(slug)
        if page is not None:
            yield git_object("blob", render(page))


def _trees(blobs: Mapping[str, str]) -> dict[str, GitObject]:
    """Return the trees of a directory with these files."""
    _, made = edit_tree(None, blobs, lambda _: b"")
    return {tree.id: tree for tree in made}
