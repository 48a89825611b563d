"""Correct a fact: its user says what is right, or only that it is wrong. No model is asked.

What the user types is kept as a source of its own, word for word, in the same run, so the new fact is as proven as
any. It supersedes the old one where it says another value in the value's place; where it says something else, the old
one is closed and the words stand as the user's own prose.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from xysq.canonical import derived_id
from xysq.errors import BadInput, NotFound
from xysq.jobs.adopt import adopt_first
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.held import Held
from xysq.jobs.hold import hold
from xysq.jobs.naming import fact_named
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.reading import read_arriving
from xysq.jobs.spoken import spoken
from xysq.model.draft import DraftQuote
from xysq.model.event import Body, Confirmed, RunKind, Statement, SupersededBy
from xysq.model.fact import Evidence, Fact, FactId, Label, RunId
from xysq.model.page import Origin
from xysq.model.report import RunReport
from xysq.model.source import Passage, Row
from xysq.pages.escape import compose, text_fault
from xysq.planner.deed import retracted, reworded_value, saying_the_same, with_conclusions
from xysq.planner.prose import Sentence, place_after, prose_block
from xysq.planner.quote import Quoting, Unquotable
from xysq.store.arrival import Arrival
from xysq.text import fold

_TITLE = 80


def correct_fact(opened: Opened, name: str, text: str | None) -> RunReport:
    """Put words in the place of an open fact's; without words, close it.

    Raises `NotFound`, `Ambiguous` or `BadInput` where there is no such open fact, or the text is no line of words.
    """
    fact = _open_fact(opened, name)
    if text is None:
        with _ready(opened, fact) as held:
            return carry_out(held, lambda base, _, run: _wrong(base, run, fact, opened.now()))
    words = text.strip()
    fault = text_fault(words) if words else "is empty"
    if fault is not None or "\n" in words:
        raise BadInput(f"the new text {fault or 'has several lines'}", "a fact is one line of words")
    with _ready(opened, fact) as held:
        said = spoken(opened, f"{words}\n".encode(), words[:_TITLE], channel=opened.channel)
        return carry_out(held, lambda base, _, run: _reworded(base, run, fact, said), said)


@contextmanager
def _ready(opened: Opened, name: FactId) -> Iterator[Held]:
    """Hold the vault, with what was typed into the fact's page adopted."""
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            fact = snapshot.ledger.fact(name)
        adopt_first(held, () if fact is None else (fact.page,))
        yield held


def _open_fact(opened: Opened, name: str) -> FactId:
    with readable(opened).reading() as snapshot:
        found = fact_named(snapshot, name)
        fact = snapshot.ledger.fact(found)
        if fact is None or not fact.is_open:
            raise BadInput(
                f"{found} is not open, so there is nothing to correct", f"xysq why {found} shows what became of it"
            )
    return found


def _fact(base: Ground, name: FactId) -> Fact:
    fact = base.state.ledger.fact(name)
    if fact is None or not fact.is_open:
        raise NotFound("open fact", name, "another command ended it meanwhile")
    return fact


def _deed(base: Ground, run: RunId, at: str, events: tuple[Body, ...], arrival: Arrival | None = None) -> Deed:
    state = base.state
    whole = with_conclusions(events, RunKind.CORRECT, run, at, state.ledger, state.archive)
    meta = None if arrival is None else arrival.meta
    rows = () if meta is None else (Row(meta.source, meta.version, 0, meta.whole.size),)
    return Deed(kind=RunKind.CORRECT, events=whole, rows=rows, arrival=arrival)


def _wrong(base: Ground, run: RunId, name: FactId, at: str) -> Deed:
    fact = _fact(base, name)
    return _deed(base, run, at, retracted(saying_the_same(fact, base.state.ledger), run))


def _reworded(base: Ground, run: RunId, name: FactId, arrival: Arrival) -> Deed:
    fact, ledger = _fact(base, name), base.state.ledger
    said, at = arrival.meta.id, arrival.meta.pushed_at
    passages = read_arriving(arrival.meta, arrival.part)
    evidence = _evidence(base, passages)
    words = passages[0].text
    value = reworded_value(fact, words)
    others = retracted(saying_the_same(fact, ledger)[1:], str(said), (evidence,))
    if value is None:
        events: tuple[Body, ...] = (
            *retracted((fact,), str(said), (evidence,)),
            *others,
            _prose(fact, words, evidence, run, base),
        )
        return _deed(base, run, at, events, arrival)
    known = next((one for one in ledger.facts_of(fact.page) if _says(one, fact, value)), None)
    if known is not None and known.id != fact.id:
        confirmed = Confirmed(fact=known.id, evidence=(evidence,))
        return _deed(base, run, at, (confirmed, *retracted((fact,), str(said), (evidence,)), *others), arrival)
    new = Statement(
        fact=FactId(derived_id("f", run, "0", lambda taken: ledger.fact(FactId(taken)) is not None)),
        page=fact.page,
        attribute=fact.attribute,
        single=fact.single,
        section=fact.section,
        value=value,
        text=compose(words, lambda _: None),
        label=Label.STATED,
        evidence=(evidence,),
        derived_from=(),
    )
    return _deed(base, run, at, (*others, SupersededBy(statement=new, supersedes=fact.id)), arrival)


def _says(one: Fact, fact: Fact, value: str) -> bool:
    """Tell whether an open fact says already what another is corrected to."""
    return one.is_open and one.attribute == fact.attribute and fold(one.value) == fold(value)


def _evidence(base: Ground, passages: tuple[Passage, ...]) -> Evidence:
    quoted = Quoting(passages, base.state, base.raw).cite(DraftQuote(passage=1))
    if isinstance(quoted, Unquotable):
        raise BadInput(f"the new text cannot be quoted: {quoted.reason}")
    return quoted


def _prose(fact: Fact, words: str, evidence: Evidence, run: RunId, base: Ground) -> Body:
    ledger = base.state.ledger
    sentence = Sentence(
        page=fact.page,
        text=compose(words, lambda _: None),
        origin=Origin.YOURS,
        after=place_after("end", fact.page, ledger),
        quotes=(evidence,),
    )
    return prose_block(sentence, run, "0", ledger)[1]
