"""History: what happened to the vault, a page, a fact or a source, newest first."""

from collections.abc import Iterator
from itertools import islice

from xysq.errors import NotFound
from xysq.jobs.naming import PassageName, meaning
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.record import run_events
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    Event,
    FactClosed,
    LearnedLate,
    PageChanged,
    ProseChanged,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import FactId, Open, Slug
from xysq.model.report import Happening
from xysq.model.source import SourceId, Version
from xysq.pages.escape import plain
from xysq.store.readmodel import RunLine, Snapshot


def history(opened: Opened, words: str | None = None, limit: int = 50) -> tuple[Happening, ...]:
    """Return what happened, newest first: in the whole vault, or to what the words name."""
    with readable(opened).reading() as snapshot:
        if words is None:
            return tuple(_run(line) for line in snapshot.lists.runs(limit=limit))
        named = meaning(snapshot, words)
        match named.name:
            case Version(source=source) | PassageName(version=Version(source=source)):
                return tuple(islice(_of_source(snapshot, source), limit))
        name = str(named.name)
        match named.kind:
            case "page":
                return tuple(islice(_of_page(opened, snapshot, Slug(name)), limit))
            case "fact":
                return tuple(islice(_of_fact(opened, snapshot, FactId(name)), limit))
            case "block":
                page = snapshot.ledger.block_page(name)
                if page is None:
                    raise NotFound("block", name)
                found = (event for event in page_events(opened, snapshot, page) if _is_block(event.body, name))
                return tuple(islice((_told(snapshot, event) for event in found), limit))
            case "source":
                return tuple(islice(_of_source(snapshot, SourceId(name)), limit))
            case _:
                events = [line for line in snapshot.lists.runs() if line.run == name]
                return tuple(
                    _told(snapshot, event) for line in events for event in run_events(opened, line.n, line.run)
                )


def _run(line: RunLine) -> Happening:
    counts = (
        (line.asserted, "asserted"),
        (line.superseded, "superseded"),
        (line.closed, "closed"),
        (line.confirmed, "confirmed"),
        (line.prose, "prose"),
    )
    told = ", ".join(f"{count} {word}" for count, word in counts if count) or "nothing changed"
    rows = f" from {', '.join(str(row) for row in line.rows[:3])}" if line.rows else ""
    return Happening(at=line.at, run=line.run, what=line.kind, subject=line.drafter, text=f"{told}{rows}")


def _of_page(opened: Opened, snapshot: Snapshot, page: Slug) -> Iterator[Happening]:
    for event in page_events(opened, snapshot, page):
        yield _told(snapshot, event)


def page_events(opened: Opened, snapshot: Snapshot, page: Slug) -> Iterator[Event]:
    """Yield the events about a page, newest first."""
    for line in snapshot.lists.runs(page=page):
        events = [event for event in run_events(opened, line.n, line.run) if _page_of(snapshot, event.body) == page]
        yield from reversed(events)


def _of_fact(opened: Opened, snapshot: Snapshot, name: FactId) -> Iterator[Happening]:
    """Yield the events of a fact's life. They lie in runs of its page, or in runs that only confirmed it."""
    fact = snapshot.ledger.fact(name)
    if fact is None:
        raise NotFound("fact", name)
    numbers = {fact.n, *(proof.n for proof in fact.proofs)}
    if not isinstance(fact.life, Open):
        numbers.add(fact.life.n)
    runs = {line.n: line for line in snapshot.lists.runs()}
    for n in sorted(numbers, reverse=True):
        line = runs[max(first for first in runs if first <= n)]
        for event in run_events(opened, line.n, line.run):
            if event.n == n:
                yield _told(snapshot, event)


def _of_source(snapshot: Snapshot, source: SourceId) -> Iterator[Happening]:
    """Yield the versions of a source, the runs that drew on it and the newest that took it back, newest first."""
    reverted = snapshot.lists.revert_of(source)
    runs = {line.n: line for line in (*snapshot.lists.runs_covering(source), *filter(None, (reverted,)))}
    found = [(runs[n].at, _run(runs[n])) for n in sorted(runs, reverse=True)]
    found += [
        (
            meta.pushed_at,
            Happening(
                at=meta.pushed_at,
                run="",
                what=meta.kind.value,
                subject=str(meta.id),
                text=f"{meta.part.size} bytes over {meta.channel.value}",
            ),
        )
        for meta in reversed(snapshot.logs.metas(source))
    ]
    yield from (happening for _, happening in sorted(found, key=lambda pair: pair[0], reverse=True))


def _page_of(snapshot: Snapshot, body: Body | None) -> Slug | None:
    match body:
        case PageChanged(page=page) | ProseChanged(page=page):
            return page
        case Asserted(statement=statement) | SupersededBy(statement=statement) | LearnedLate(statement=statement):
            return statement.page
        case FactClosed(fact=name) | Confirmed(fact=name) | Withdrawn(fact=name):
            fact = snapshot.ledger.fact(name)
            return None if fact is None else fact.page
        case _:
            return None


def _is_block(body: Body | None, block: str) -> bool:
    return isinstance(body, ProseChanged) and body.block == block


def _told(snapshot: Snapshot, event: Event) -> Happening:
    what, subject, text = _words(snapshot, event.body)
    return Happening(at=event.at, run=event.run, what=what or event.kind, subject=subject, text=text)


def _words(snapshot: Snapshot, body: Body | None) -> tuple[str, str, str]:
    match body:
        case Asserted(statement=statement):
            return "asserted", statement.fact, plain(statement.text)
        case SupersededBy(statement=statement, supersedes=old):
            return f"superseded {old}", statement.fact, plain(statement.text)
        case LearnedLate(statement=statement, superseded_by=new):
            return f"learned late, behind {new}", statement.fact, plain(statement.text)
        case FactClosed(fact=name, reason=reason):
            return f"closed ({reason.value})", name, _text(snapshot, name)
        case Confirmed(fact=name):
            return "confirmed", name, _text(snapshot, name)
        case Withdrawn(fact=name, cause=cause):
            return f"evidence withdrawn ({cause})", name, _text(snapshot, name)
        case ProseChanged(op=op, block=block, text=text):
            return f"prose {op.value}", block, plain(text)
        case PageChanged(op=op, page=page, title=title):
            return f"page {op.value}", page, title
        case None:
            return "forgotten", "", ""
        case _:
            return "", "", ""


def _text(snapshot: Snapshot, name: FactId) -> str:
    fact = snapshot.ledger.fact(name)
    return "" if fact is None else plain(fact.text)
