"""View: a vault as one proof sees it, each part read once, when it is first asked for.

Nothing here changes anything or takes a lock, and nothing raises for damage: what cannot be read is absent, and the
function whose subject it is says so. Where the ledger on the disk is damaged, or is not the committed
one, that of the last commit is folded in its place, so that a wrong line does not hide what is wrong elsewhere.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from xysq.errors import Damaged, NotFound, XysqError
from xysq.frozen import frozen
from xysq.jobs.fork import Fork, fork
from xysq.jobs.opened import Opened
from xysq.jobs.past import events_at
from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import FORMAT
from xysq.model.event import Event, RunBegun
from xysq.model.report import Finding
from xysq.store import queue, segments, wal
from xysq.store.disk_error import NotRead
from xysq.store.git import TreeFile
from xysq.store.readmodel import ReadModel


class View:
    """One look at a vault."""

    def __init__(self, opened: Opened) -> None:
        """Read nothing yet."""
        self.opened = opened
        self.files = opened.files
        self.repository = opened.repository

    @cached_property
    def tip(self) -> str | None:
        """The commit of main; None where its ref is broken or names no commit that can be read."""
        try:
            return self.repository.commit(self.opened.tip()).id
        except XysqError:
            return None

    @cached_property
    def committed(self) -> Mapping[str, TreeFile] | None:
        """Every file of the tip by its path; None where the tip or one of its trees cannot be read."""
        if self.tip is None:
            return None
        try:
            return {file.path: file for file in self.repository.ls_tree(self.tip)}
        except XysqError:
            return None

    @cached_property
    def ledger_faults(self) -> tuple[Damaged, ...]:
        """What is wrong with the segments on the disk."""
        return () if self._ledger.is_whole else tuple(segments.faults(self.files))

    @property
    def is_newer(self) -> bool:
        """Whether the ledger says that it is of a format that is not known here."""
        return any(begun.format is not None and begun.format > FORMAT for begun in self.runs[:1])

    @property
    def runs(self) -> tuple[RunBegun, ...]:
        """The first event of every run, in order; () where no ledger can be read."""
        return self._ledger.runs

    @property
    def unlawful(self) -> Unlawful | None:
        """The first event that may not follow those before it, though its line is whole."""
        return self._ledger.unlawful

    @property
    def fold(self) -> Fold | None:
        """The state of the memory; None where neither the disk nor the history has a whole ledger."""
        return self._ledger.fold

    @cached_property
    def model(self) -> ReadModel | None:
        """The read model, where there is one that is of the tip."""
        if not self.opened.vault_id:
            return None
        found = ReadModel.open(self.opened.cache, self.opened.vault_id, create=False)
        if not isinstance(found, ReadModel):
            return None
        with found.reading() as snapshot:
            return found if snapshot.stamp().commit == self.tip else None

    @cached_property
    def landed_folders(self) -> frozenset[str]:
        """The directories of sources with a version that landed and is in no commit yet."""
        return frozenset(queue.landed_folders(self.files))

    @cached_property
    def is_between(self) -> bool:
        """Whether a run was decided and is not finished, so that files and history differ for a reason."""
        return any(wal.is_decided(self.files, run) for run in wal.list_runs(self.files))

    def read(self, path: str) -> tuple[bytes | None, Finding | None]:
        """Return a file's bytes, None where there is none, and what is found where they cannot be read."""
        try:
            return self.files.read_or_none(path), None
        except Damaged as damage:
            return None, told(damage)
        except NotRead as error:
            return None, Finding(file=path, line="0", code=error.code, sentence=error.sentence)

    @cached_property
    def git_works(self) -> bool:
        """Whether git takes this for a repository: it does not where HEAD or its configuration is broken."""
        return self.repository.config_is_readable()

    @cached_property
    def fork(self) -> Fork | None:
        """Where the ledger on the disk and the committed one part, though each proves itself."""
        return None if self.tip is None or self.is_between else fork(self.opened, self.tip)

    @property
    def has_diverged(self) -> bool:
        """Whether disk and history are of two clones that went on apart; nothing else can be compared then."""
        return self.fork is not None and self.fork.is_of_two_clones

    @cached_property
    def _ledger(self) -> "_Ledger":
        if self.fork is None or self.has_diverged:
            try:
                return _folded(segments.read_all(self.files), is_whole=True)
            except Damaged:
                pass
        try:
            events = () if self.tip is None else events_at(self.opened, self.tip)
            return _folded(events, is_whole=self.fork is not None)
        except (Damaged, NotFound):
            return _Ledger(fold=None, runs=(), unlawful=None, is_whole=False)


@frozen
class _Ledger:
    """What a ledger comes to, and whether it is the one on the disk, whole."""

    fold: Fold | None
    runs: tuple[RunBegun, ...]
    unlawful: Unlawful | None
    is_whole: bool


def _folded(events: Iterable[Event], *, is_whole: bool) -> _Ledger:
    fold, runs = Fold(), []
    unlawful = None
    try:
        for event in events:
            fold.apply(event)
            if isinstance(event.body, RunBegun):
                runs.append(event.body)
        fold.finish()
    except Unlawful as fault_:
        unlawful = fault_
    return _Ledger(fold=fold if runs else None, runs=tuple(runs), unlawful=unlawful, is_whole=is_whole)


def told(damage: Damaged) -> Finding:
    """Return damage as a finding."""
    sentence = damage.sentence.removeprefix(f"{damage.path}:{damage.where}: ")
    return Finding(file=damage.path, line=damage.where, code=damage.code, sentence=sentence)


def fault(file: str, code: str, sentence: str, line: str = "0") -> Finding:
    """Return a finding that is a fault."""
    return Finding(file=file, line=line, code=code, sentence=sentence)


def note(file: str, code: str, sentence: str, line: str = "0") -> Finding:
    """Return a finding that is no fault, only worth knowing."""
    return Finding(file=file, line=line, code=code, sentence=sentence, note=True)
