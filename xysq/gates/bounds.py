"""The gates about bounds: a run continues the ledger as it is, and is no larger than allowed."""

import re
from collections.abc import Iterator

from xysq.frozen import frozen
from xysq.ledger.line import chain
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    ProseChanged,
    RunBegun,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import CloseReason, Evidence
from xysq.model.page import BlockId, Origin
from xysq.model.plan import InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.model.run import Candidate, Refusal
from xysq.model.settings import Limits
from xysq.model.state import State

_FRESH, _LIMITS = "fresh-base", "limits"
_MOMENT = re.compile(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
)
_RUN = re.compile(
    r"r-[0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]Z-[0-9a-hjkmnp-tv-z]{4}"
)
_ENGINES = tuple(reason for reason in CloseReason if reason is not CloseReason.RETRACTED)


def fresh_base(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """No run has another base than the ledger's present end, and its events are one run that continues it."""
    head = state.ledger.head()
    if run.base != head:
        return (
            Refusal(
                gate=_FRESH,
                page="",
                anchor="",
                sentence="the ledger has moved on since the run was planned",
                expected=f"{head.n} {head.hash}",
                found=f"{run.base.n} {run.base.hash}",
            ),
        )
    fault = _chain_fault(run)
    return () if fault is None else (Refusal(gate=_FRESH, page="", anchor="", sentence=fault),)


def _chain_fault(run: Candidate) -> str | None:
    bodies = [event.body for event in run.events if event.body is not None]
    if len(bodies) != len(run.events) or not bodies or not isinstance(bodies[0], RunBegun):
        return "the events do not begin with a run, or have no bodies"
    if not _MOMENT.fullmatch(run.at):
        return "its time is no moment as the vault spells them"
    if not _RUN.fullmatch(run.run):  # it stands in the changelog of every page the run touches
        return "it goes by no name of a run"
    begun = bodies[0]
    if (begun.run, begun.kind, begun.rows, begun.drafter) != (run.run, run.kind, run.rows, run.drafter):
        return "the run event is of another run"
    if begun.events != len(bodies) - 1 or any(isinstance(body, RunBegun) for body in bodies[1:]):
        return f"the run event counts {begun.events} events, and {len(bodies) - 1} follow"
    try:
        sealed = chain(run.base, run.at, run.run, bodies, [event.salt for event in run.events])
    except ValueError:  # a salt or a text that has no bytes
        return "the events cannot be spelled"
    return None if sealed == run.events else "the events are not sealed in one chain"


def limits(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Events, edits, pages, texts and quotes stay within the settings; what the engine closes is not counted.

    Nor is what a revert does: it is no more than what it takes back, and has to be done in one run.
    """
    bodies = [event.body for event in run.events[1:] if event.body is not None]
    sizes = (*_run_sizes(run, bodies, state.limits), *_text_sizes(run, bodies, state.limits))
    return tuple(
        Refusal(
            gate=_LIMITS,
            page=size.page,
            anchor=size.anchor,
            sentence=f"too much: {size.what}",
            expected=f"at most {size.most}",
            found=str(size.found),
        )
        for size in sizes
        if size.found > size.most
    )


@frozen(kw_only=False)
class _Size:
    """A number that has a bound, and where it was found."""

    what: str
    found: int
    most: int
    page: str = ""
    anchor: str = ""


def _run_sizes(run: Candidate, bodies: list[Body], bounds: Limits) -> Iterator[_Size]:
    engine = {body.fact for body in bodies if isinstance(body, FactClosed) and body.reason in _ENGINES}
    counted = [body for body in bodies if not (isinstance(body, FactClosed) and body.reason in _ENGINES)]
    edits = [edit for edit in run.plan.edits if not (isinstance(edit, RemoveFact) and edit.fact in engine)]
    if run.kind is not RunKind.REVERT:
        yield _Size("events", len(counted), bounds.events)
        yield _Size("edits", len(edits), bounds.edits)
    for page, data in run.after.items():
        yield _Size("bytes of the page", len(data), bounds.page_bytes, page)


def _text_sizes(run: Candidate, bodies: list[Body], bounds: Limits) -> Iterator[_Size]:
    yours: set[BlockId] = set()
    for body in bodies:
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                yield from _statement_sizes(stated, bounds)
            case Confirmed(fact=fact, evidence=evidence) | FactClosed(fact=fact, evidence=evidence):
                yield from _quote_sizes(evidence, bounds, "", fact)
            case PageChanged(page=page, title=title, kind=kind, aliases=aliases):
                yield _Size("aliases", len(aliases), bounds.aliases, page)
                for name in (title, kind, *(alias.name for alias in aliases)):
                    yield _Size("bytes of a name", _bytes(name), bounds.name_bytes, page)
            case ProseChanged(page=page, block=block, text=text, origin=origin, quotes=quotes):
                if origin is Origin.YOURS:
                    yours.add(block)
                most = bounds.page_bytes if origin is Origin.YOURS else bounds.text_bytes
                yield _Size("bytes of text", _bytes(text), most, page, block)
                yield from _quote_sizes(quotes, bounds, page, block)
            case _:
                pass
    for edit in run.plan.edits:
        match edit:
            case InsertFact(fact=fact, text=text) | ReplaceFact(fact=fact, text=text):
                yield _Size("bytes of text", _bytes(text), bounds.text_bytes, edit.page, fact)
            case ProseEdit(block=block, text=text) if block not in yours:
                yield _Size("bytes of text", _bytes(text), bounds.text_bytes, edit.page, block)
            case _:
                pass


def _statement_sizes(stated: Statement, bounds: Limits) -> Iterator[_Size]:
    where = stated.page, stated.fact
    yield _Size("bytes of text", _bytes(stated.text), bounds.text_bytes, *where)
    yield _Size("bytes of the value", _bytes(stated.value), bounds.value_bytes, *where)
    yield _Size("bytes of the attribute", _bytes(stated.attribute), bounds.name_bytes, *where)
    yield _Size("bytes of the section", _bytes(stated.section), bounds.name_bytes, *where)
    yield from _quote_sizes(stated.evidence, bounds, *where)


def _quote_sizes(evidence: tuple[Evidence, ...], bounds: Limits, page: str, anchor: str) -> Iterator[_Size]:
    yield _Size("quotes", len(evidence), bounds.quotes, page, anchor)
    for piece in evidence:
        size = max(piece.end - piece.start, _bytes(piece.quote))
        yield _Size("bytes of a quote", size, bounds.quote_bytes, page, anchor)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
