"""Adopt: what a person typed into a page's file becomes a run of its own.

The words are kept as a log that comes with the run, and the file, whole, in the run's record; so nothing that was typed
is lost, whatever becomes of it. A page is adopted wholly or not at all: where one of its edits cannot be taken over, it
is told with its line, and the file stays as it is. Three things are taken for what a person meant only where that is
said (`yes`): bytes that are an older state of the page, a missing file, more than two deleted facts.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from xysq.canonical import sha256_hex
from xysq.errors import BadInput, NotFound
from xysq.frozen import frozen
from xysq.jobs.compose import Ground, committed_page
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.ground import ground
from xysq.jobs.held import Held
from xysq.jobs.hold import hold
from xysq.jobs.merge import merge_deed
from xysq.jobs.naming import page_named
from xysq.jobs.opened import Opened
from xysq.jobs.page_base import base_bytes
from xysq.jobs.readable import readable
from xysq.jobs.reading import read_arriving
from xysq.jobs.spoken import spoken
from xysq.jobs.status import unsaved_pages
from xysq.jobs.strays import strays
from xysq.jobs.typed_front import front_of
from xysq.model.draft import DraftQuote
from xysq.model.event import RunKind
from xysq.model.fact import Evidence, RunId, Slug
from xysq.model.page import PageState
from xysq.model.report import Adopted, RunReport, Unadopted
from xysq.model.source import Channel, Passage, Row
from xysq.model.state import State
from xysq.pages.typed import TypedFault, TypedPage, read_typed
from xysq.planner.adopting import Cite, Said, TypedLog, adoption, typed_log
from xysq.planner.quote import Quoting, Unquotable
from xysq.planner.retyped import Retyped, base_of, compare, emptied
from xysq.planner.subject import find
from xysq.store import bases, layout
from xysq.store.arrival import Arrival
from xysq.store.disk_error import UnsafePath
from xysq.store.exchange import Edited, exchange
from xysq.store.path import folder_of
from xysq.store.readmodel import Snapshot


def adopt(opened: Opened, names: Iterable[str] = (), *, yes: bool = False) -> tuple[Adopted, ...]:
    """Take over the edits of pages, of all that have some where none is named; tell of each what became of it."""
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            slugs = [page_named(snapshot, name) for name in names]
            paths = [] if slugs else list(unsaved_pages(opened, snapshot))
            left = [] if slugs else list(strays(opened, snapshot))
        slugs += [slug for slug in map(layout.slug_of, paths) if slug is not None]
        done = [adopt_page(held, slug, yes=yes) for slug in dict.fromkeys(slugs)]
        return (*done, *(_stray(path, sentence) for path, sentence in left))


def _stray(path: str, sentence: str) -> Adopted:
    told = Unadopted(file=path, line=1, code="no-page", sentence=sentence)
    return Adopted(page=layout.slug_of(path) or Slug(""), file=path, unadopted=(told,))


def page_text(opened: Opened, name: str) -> bytes:
    """Return the file of a page as it lies there; as it is committed where there is none."""
    with readable(opened).reading() as snapshot:
        slug = page_named(snapshot, name)
        data = opened.files.read_or_none(layout.page_path(slug))
        return committed_page(snapshot.ledger, slug) if data is None else data


def edit_page(opened: Opened, name: str, old: bytes, new: bytes) -> Adopted:
    """Put an edit in the place of a page's file, which was opened with the `old` bytes, and take it over.

    Where a run changed the page meanwhile, both are held against each other. Where somebody else saved the file, it
    stays, and the edit is kept beside it.
    """
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            slug = page_named(snapshot, name)
            committed = committed_page(snapshot.ledger, slug)
        path = layout.page_path(slug)
        found = opened.files.read_or_none(path)
        expected = found if found in (old, committed, None) else old
        opened.files.make_dirs(folder_of(path))
        outcome = exchange(opened.files, path, new, "" if expected is None else sha256_hex(expected))
        if isinstance(outcome, Edited):
            bases.note(opened.files, slug, sha256_hex(committed), (new, *outcome.aside))
            sentence = f"the file was saved meanwhile; your edit lies in {bases.kept_aside(opened.files, slug)[-1]}"
            return Adopted(
                page=slug, file=path, unadopted=(Unadopted(file=path, line=1, code="aside", sentence=sentence),)
            )
        return adopt_page(held, slug, yes=False)


def adopt_first(held: Held, slugs: Iterable[Slug]) -> None:
    """Take over the edits of pages that a run is about to change; what cannot be stays in its file."""
    for slug in slugs:
        with held.model.reading() as snapshot:
            page = snapshot.ledger.page(slug)
            is_edited = (
                page is not None
                and page.is_living
                and _file_of(held, slug) not in (None, committed_page(snapshot.ledger, slug))
            )
        if is_edited:
            done = adopt_page(held, slug, yes=False)
            if done.run is not None and not done.unadopted:
                held.opened.notices.append(f"your edits of {done.file} were adopted first, as {done.run.run}")


def _file_of(held: Held, slug: Slug) -> bytes | None:
    try:
        return held.opened.files.read_or_none(layout.page_path(slug))
    except UnsafePath:
        return None


def adopt_page(held: Held, slug: Slug, *, yes: bool) -> Adopted:
    """Take over the edits of one page."""
    return _Adoption(held, slug, yes=yes).done()


@frozen
class _Edit:
    """An edit that can be taken over; `into` where the page is to be merged into another."""

    change: Retyped
    into: Slug | None = None


class _Adoption:
    """The adoption of one page's file."""

    def __init__(self, held: Held, slug: Slug, *, yes: bool) -> None:
        self._held, self._opened, self._slug, self._yes = held, held.opened, slug, yes
        self._path = layout.page_path(slug)
        self._lines: dict[str, int] = {}

    def done(self) -> Adopted:
        """Do it; return what became of it."""
        try:
            data = self._opened.files.read_or_none(self._path)
        except UnsafePath as error:
            return self._told(TypedFault(line=1, code=error.code, sentence=error.sentence))
        with ground(self._opened, self._held.model) as (base, snapshot):
            page = snapshot.ledger.page(self._slug)
            if page is None:
                raise NotFound("page", self._slug)
            committed = committed_page(snapshot.ledger, self._slug)
            if (data or b"") == committed:
                bases.forget(self._opened.files, self._slug)
                return self._answer()
            if not page.is_living:
                sentence = (
                    f"the page {'was removed' if page.removed else f'went into {page.merged_into!r}'}; type there"
                )
                return self._told(TypedFault(line=1, code="no-page", sentence=sentence))
            edit = self._edit_of(base.state, snapshot, page, data)
        if not isinstance(edit, _Edit):
            return self._told(*edit)
        if edit.into is None and edit.change.is_nothing:
            return self._laid_out(data, committed)
        return self._carried_out(edit, page, data or b"")

    # What was typed

    def _edit_of(
        self, state: State, snapshot: Snapshot, page: PageState, data: bytes | None
    ) -> _Edit | tuple[TypedFault, ...]:
        """Return the edit that a file is, or why it cannot be told or needs to be meant."""
        if data is None:
            sentence = "the file is gone; xysq repair puts it back, xysq adopt --yes closes all it said"
            missing = TypedFault(line=1, code="missing-file", sentence=sentence)
            return _Edit(change=emptied(page)) if self._yes else (missing,)
        typed = read_typed(data)
        if not isinstance(typed, TypedPage):
            return typed
        if typed.merged_into is not None:
            return self._merge(snapshot, page, typed.merged_into)
        front = front_of(typed)
        if isinstance(front, TypedFault):
            return (front,)
        committed = committed_page(snapshot.ledger, page.slug)
        base = base_bytes(self._opened, snapshot, page, typed)
        if base is None or (base == data and base != committed):
            if not self._yes:
                return (_unsure(base),)
            base = committed
        found = compare(typed, front, base_of(base), page, state, yes=self._yes)
        return _Edit(change=found) if isinstance(found, Retyped) else found

    def _merge(self, snapshot: Snapshot, page: PageState, name: str) -> _Edit | tuple[TypedFault, ...]:
        found = [slug for slug in find(name, snapshot.ledger) if slug != page.slug]
        if len(found) != 1:
            return (TypedFault(line=1, code="foreign-merge", sentence=f"{name!r} is no other page, or several"),)
        return _Edit(change=Retyped(page=page, steps=()), into=found[0])

    # What becomes of it

    def _carried_out(self, edit: _Edit, page: PageState, data: bytes) -> Adopted:
        log = typed_log(edit.change)
        arrival = (
            None
            if log is None
            else spoken(self._opened, log.data, f"edits of {page.title}", channel=Channel.ADOPT, extension="md")
        )

        def deed(base: Ground, snapshot: Snapshot, run: RunId) -> Deed:
            if edit.into is not None:
                merge = merge_deed(self._opened, base, snapshot, run, (self._slug, edit.into))
                return replace(merge, typed=data, adopts=self._slug)
            return replace(self._deed(edit.change, log, arrival, base, run), typed=data, adopts=self._slug)

        try:
            report = carry_out(self._held, deed, arrival)
        except CannotQuote as error:
            lines = {
                place[0]: step.line for place, step in zip(log.places if log else (), edit.change.typed, strict=True)
            }
            return self._told(TypedFault(line=lines.get(error.start, 1), code=error.code, sentence=error.sentence))
        return self._answer(report)

    def _deed(self, change: Retyped, log: TypedLog | None, arrival: Arrival | None, base: Ground, run: RunId) -> Deed:
        said, at, rows = None, self._opened.now(), tuple[Row, ...]()
        if log is not None and arrival is not None:
            meta = arrival.meta
            cite = _citing(read_arriving(meta, arrival.part), base)
            said = Said(version=meta.id, log=log, cite=cite)
            rows, at = (Row(meta.source, meta.version, 0, meta.whole.size),), meta.pushed_at
        adopted = adoption(change, said, run, at, base.state)
        self._lines = adopted.lines
        return Deed(kind=RunKind.ADOPT, events=adopted.events, rows=rows, arrival=arrival)

    def _laid_out(self, data: bytes | None, committed: bytes) -> Adopted:
        """Write the page as the ledger has it, over a file that says nothing else."""
        files = self._opened.files
        files.make_dirs(folder_of(self._path))
        outcome = exchange(files, self._path, committed, "" if data is None else sha256_hex(data))
        if isinstance(outcome, Edited):
            bases.note(files, self._slug, sha256_hex(committed), outcome.aside)
            return self._told(TypedFault(line=1, code="being-edited", sentence="the file was saved in this moment"))
        bases.forget(files, self._slug)
        return self._answer(laid_out=True)

    def _answer(self, report: RunReport | None = None, *, laid_out: bool = False) -> Adopted:
        """Tell of an edit that was carried out; gates that refused it name a block, and that a line."""
        refusals = () if report is None else report.refusals
        told = [
            self._unadopted(self._lines.get(refusal.anchor, 1), refusal.gate, refusal.sentence) for refusal in refusals
        ]
        told += (self._unadopted(1, "aside", f"an edit of this page lies in {path}") for path in self._aside())
        return Adopted(page=self._slug, file=self._path, run=report, unadopted=tuple(told), laid_out=laid_out)

    def _told(self, *faults: TypedFault) -> Adopted:
        told = (self._unadopted(fault.line, fault.code, fault.sentence) for fault in faults)
        return Adopted(page=self._slug, file=self._path, unadopted=tuple(told))

    def _unadopted(self, line: int, code: str, sentence: str) -> Unadopted:
        return Unadopted(file=self._path, line=line, code=code, sentence=sentence)

    def _aside(self) -> tuple[str, ...]:
        return bases.kept_aside(self._opened.files, self._slug)


class CannotQuote(BadInput):
    """What was typed cannot be evidence."""

    code: ClassVar[str] = "cannot-quote"

    def __init__(self, start: int, reason: str) -> None:
        """Say where in the log it begins, and why."""
        super().__init__(f"the line cannot be quoted: {reason}")
        self.start = start


def _unsure(base: bytes | None) -> TypedFault:
    if base is None:
        sentence = "cannot tell from which state of the page the edit began; xysq adopt --yes takes the newest"
        return TypedFault(line=1, code="base-unknown", sentence=sentence)
    sentence = "the file is an older state of the page; where that is meant: xysq adopt --yes"
    return TypedFault(line=1, code="older-state", sentence=sentence)


def _citing(passages: tuple[Passage, ...], base: Ground) -> Cite:
    quoting = Quoting(passages, base.state, base.raw)

    def cite(start: int, end: int) -> Evidence:
        number = next((at for at, one in enumerate(passages, start=1) if one.start <= start and end <= one.end), 0)
        quoted = quoting.cite(DraftQuote(passage=number)) if number else None
        if quoted is None or isinstance(quoted, Unquotable):
            raise CannotQuote(start, "it is too long" if quoted is None else quoted.reason)
        return quoted

    return cite
