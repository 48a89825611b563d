"""Why: everything a fact rests on, and what rests on it, down to the words somebody said."""

from xysq.errors import Damaged, NotFound
from xysq.jobs.naming import fact_named
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable, tell_damaged
from xysq.jobs.record import read_record
from xysq.model.event import RunKind
from xysq.model.fact import Closed, Evidence, Fact, FactId, Superseded
from xysq.model.report import Context, Why
from xysq.model.source import Passage
from xysq.model.state import LedgerState
from xysq.pages.escape import plain
from xysq.store import logs
from xysq.store.archive import VaultArchive

_AROUND = 200


def why(opened: Opened, words: str) -> Why:
    """Explain a fact, named by its id, a unique beginning of it, or words of its text."""
    with readable(opened).reading() as snapshot:
        fact = _fact(snapshot.ledger, fact_named(snapshot, words))
        archive = VaultArchive(opened.files, snapshot)
        page = snapshot.ledger.page(fact.page)
        line = snapshot.lists.run(fact.run)
        drafter, model = "", ""
        if line is not None and line.kind != RunKind.INIT.value:
            drafting = read_record(opened, fact.run)[0].drafting
            drafter, model = drafting.drafter, drafting.model
        ending = fact.life.evidence if isinstance(fact.life, Closed) else ()
        return Why(
            fact=fact,
            title=fact.page if page is None else page.title,
            text=plain(fact.text),
            contexts=tuple(_context(opened, archive, piece) for piece in fact.evidence),
            predecessors=_predecessors(snapshot.ledger, fact),
            successor=_fact(snapshot.ledger, fact.life.by) if isinstance(fact.life, Superseded) else None,
            premises=tuple(_fact(snapshot.ledger, name) for name in fact.derived_from),
            conclusions=tuple(_fact(snapshot.ledger, name) for name in snapshot.ledger.resting_on(fact.id)),
            run=fact.run,
            drafter=drafter,
            model=model,
            ending=tuple(_context(opened, archive, piece) for piece in ending),
        )


def _fact(ledger: LedgerState, name: FactId) -> Fact:
    fact = ledger.fact(name)
    if fact is None:
        raise NotFound("fact", name)
    return fact


def _predecessors(ledger: LedgerState, fact: Fact) -> tuple[Fact, ...]:
    """Return the facts this one replaced, the latest first."""
    chain: list[Fact] = []
    while fact.supersedes is not None:
        fact = _fact(ledger, fact.supersedes)
        chain.append(fact)
    return tuple(chain)


def _context(opened: Opened, archive: VaultArchive, evidence: Evidence) -> Context:
    passage = archive.passage_at(evidence.cited, evidence.start, evidence.end, evidence.enc)
    meta = archive.meta(evidence.cited)
    is_damaged = _is_damaged(opened, archive, evidence)
    before, after = ("", "") if passage is None else _around(passage, evidence)
    return Context(
        evidence=evidence,
        stands=not is_damaged and archive.stands(evidence),
        before=before,
        quote=evidence.quote,
        after=after,
        passage=f"{evidence.cited}#{evidence.passage}" if passage is None else str(passage),
        title="" if meta is None else meta.title,
        is_damaged=is_damaged,
    )


def _is_damaged(opened: Opened, archive: VaultArchive, evidence: Evidence) -> bool:
    """Tell whether a quote is not in its log because that is damaged, and say so (P12)."""
    try:
        if archive.words(evidence) == evidence.quote:
            return False
        logs.verify_version(opened.files, evidence.cited)
    except (Damaged, NotFound):
        tell_damaged(opened, 1)
        return True
    return False


def _around(passage: Passage, evidence: Evidence) -> tuple[str, str]:
    """Return the words of the passage before and behind the quote, at most `_AROUND` characters each."""
    for span in passage.spans:
        if span.enc is evidence.enc and span.start <= evidence.start and evidence.end <= span.end:
            place = _place(span.text, evidence.quote, (evidence.start - span.start) / max(1, span.end - span.start))
            before, after = span.text[:place], span.text[place + len(evidence.quote) :]
            return _end_of(before), _beginning_of(after)
    return "", ""


def _place(text: str, quote: str, share: float) -> int:
    """Return where the quote stands in the text: the place nearest to that share of its length."""
    places = []
    at = text.find(quote)
    while at >= 0:
        places.append(at)
        at = text.find(quote, at + 1)
    return min(places, key=lambda place: abs(place - share * len(text)), default=0)


def _end_of(text: str) -> str:
    return text if len(text) <= _AROUND else "…" + text[-_AROUND:].partition(" ")[2]


def _beginning_of(text: str) -> str:
    return text if len(text) <= _AROUND else text[:_AROUND].rpartition(" ")[0] + "…"
