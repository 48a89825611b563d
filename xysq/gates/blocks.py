"""The gates about blocks: whether what pages show and what the ledger knows are the same, block by block.

Each gate's rule is its first line. Files that do not parse are left to the gate about structure; here they are cut
by `xysq.pages.units`, which takes any bytes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from xysq.gates.behind import fold_behind, unjudged
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, SupersededBy
from xysq.model.fact import Closed, CloseReason, Fact, FactId, RunId, Slug, Superseded
from xysq.model.page import CHANGELOG_LINES, ChangelogEntry
from xysq.model.plan import (
    Edit,
    FrontEdit,
    InsertFact,
    ProseEdit,
    RemoveFact,
    ReplaceFact,
)
from xysq.model.run import Candidate, Refusal, refusal
from xysq.model.state import State
from xysq.pages.changelog import compose_changelog
from xysq.pages.declare import edit_of
from xysq.pages.escape import is_shown, plain
from xysq.pages.layout import changelog_block
from xysq.pages.render import render
from xysq.pages.spelling import fact_line
from xysq.pages.units import Unit, UnitKind, units
from xysq.text import fold as fold_text

_FROZEN, _BIJECTION, _BEHIND = "frozen-text", "bijection", "fact-behind-block"
_CLOSED, _VALUE, _CHANGELOG = "closed-shown", "value-shown", "changelog"
_BINDING = frozenset({CloseReason.CORRECTED, CloseReason.RETRACTED, CloseReason.FORGOTTEN})


def frozen_text(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """No committed fact's block changes; it goes only with an event that ends the fact (P7)."""
    ended = {_ended(event.body) for event in run.events}
    refusals = []
    for page, after in run.after.items():
        shown = {unit.anchor: unit.body for unit in _facts(after)}
        for unit in _facts(run.before.get(page, b"")):
            found = shown.get(unit.anchor)
            if found != unit.body and not (found is None and unit.anchor in ended):
                sentence = (
                    "is gone without an event that ends the fact" if found is None else "a committed text changed"
                )
                refusals.append(_refusal(_FROZEN, page, unit.anchor, sentence, unit.body, found or b""))
        for anchor, body in shown.items():
            fact = state.ledger.fact(FactId(anchor))
            wanted = None if fact is None else _line(fact)
            if wanted is not None and body != wanted:
                refusals.append(_refusal(_FROZEN, page, anchor, "is not the committed text", wanted, body))
    return tuple(dict.fromkeys(refusals))


def _ended(body: Body | None) -> FactId | None:
    match body:
        case SupersededBy(supersedes=old):
            return old
        case FactClosed(fact=old):
            return old
        case _:
            return None


def bijection(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Edits and events match one to one in both directions, and each page is the rendered fold (P4)."""
    bodies = tuple(event.body for event in run.events[1:] if event.body is not None)
    refusals = list(_unmatched(run, bodies, state))
    if run.plan.events != bodies:
        refusals.append(_refusal(_BIJECTION, "", "", "the plan's events are not the run's events"))
    fold = fold_behind(run, state)
    if isinstance(fold, Unlawful):
        return (*refusals, _refusal(_BIJECTION, "", "", f"the events are unlawful: {fold.sentence}"))
    return (*refusals, *_unfolded(run, fold))


def _unmatched(run: Candidate, bodies: tuple[Body, ...], state: State) -> Iterator[Refusal]:
    stated = {
        body.statement.fact: body.statement.page
        for body in bodies
        if isinstance(body, Asserted | SupersededBy | LearnedLate)
    }

    def page_of(name: FactId) -> Slug | None:
        fact = state.ledger.fact(name)
        return stated.get(name) if fact is None else fact.page

    edits = Counter(run.plan.edits)
    wanted = Counter(edit for edit in (edit_of(body, page_of) for body in bodies) if edit is not None)
    for edit, count in (edits - wanted).items():
        yield _refusal(_BIJECTION, edit.page, _anchor(edit), f"{count} of its edits has no event of its own")
    for edit, count in (wanted - edits).items():
        yield _refusal(_BIJECTION, edit.page, _anchor(edit), f"{count} of its events has no edit of its own")


def _anchor(edit: Edit) -> str:
    match edit:
        case InsertFact(fact=anchor) | ReplaceFact(fact=anchor) | RemoveFact(fact=anchor):
            return anchor
        case ProseEdit(block=block):
            return block
        case FrontEdit():
            return ""


def _unfolded(run: Candidate, fold: Fold) -> Iterator[Refusal]:
    touched = frozenset(fold.pages_touched)
    for page in run.after:
        if page not in touched:
            yield _refusal(_BIJECTION, page, "", "is written, and no event is about it")
    for page in fold.pages_touched:
        state = fold.page(page)
        wanted = b"" if state is None else render(state)
        found = run.after.get(page)
        if found is None:
            yield _refusal(_BIJECTION, page, "", "has events, and is not written")
        elif found != wanted:
            pairs = zip_longest(wanted.split(b"\n"), found.split(b"\n"))
            number, (line, other) = next((at, pair) for at, pair in enumerate(pairs, start=1) if pair[0] != pair[1])
            sentence = f"is not what the ledger folds to, from line {number}"
            yield _refusal(_BIJECTION, page, "", sentence, line or b"", other or b"")


def fact_behind_block(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Behind each fact block of a page stands an event that stated this fact, in these words, on this page."""
    fold = fold_behind(run, state)
    if isinstance(fold, Unlawful):
        return unjudged(_BEHIND, fold)
    refusals = []
    for page, unit in _shown(run.after):
        fact = fold.fact(FactId(unit.anchor))
        if fact is None or fact.page != page or _line(fact) != unit.body:
            sentence = "shows a fact that no event states on this page in these words"
            refusals.append(
                _refusal(_BEHIND, page, unit.anchor, sentence, b"" if fact is None else _line(fact), unit.body)
            )
    return tuple(refusals)


def closed_shown(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """No page shows a fact that has ended, by its anchor or by a block whose words a closing has ended since."""
    fold = fold_behind(run, state)
    if isinstance(fold, Unlawful):
        return unjudged(_CLOSED, fold)
    refusals = []
    for page in run.after:
        closed = _closings(fold, page)
        for unit in _facts(run.after[page]):
            fact = fold.fact(FactId(unit.anchor))
            if fact is not None and not fact.is_open:
                refusals.append(_refusal(_CLOSED, page, unit.anchor, "shows a fact that is not open", b"", unit.body))
                continue
            words = fold_text(plain(_text(unit)))
            closing = closed.get(words)
            if closing is not None and (fact is None or fact.n < closing.n):
                sentence = f"says what was closed ({closing.reason.value}); close this fact too"
                refusals.append(_refusal(_CLOSED, page, unit.anchor, sentence, b"", unit.body))
    return tuple(refusals)


def _closings(fold: Fold, page: Slug) -> Mapping[str, Closed]:
    """Return the latest closing that binds, by the folded words it ended; merged or reverted words may stand."""
    latest: dict[str, Closed] = {}
    for fact in fold.facts_of(page):
        if isinstance(fact.life, Closed) and fact.life.reason in _BINDING:
            words = fold_text(plain(fact.text))
            if words not in latest or latest[words].n < fact.life.n:
                latest[words] = fact.life
    return latest


def value_shown(run: Candidate, _state: State) -> tuple[Refusal, ...]:
    """Every fact of the run has its value in its text, and in the block that shows it."""
    stated = {
        event.body.statement.fact: event.body.statement
        for event in run.events
        if isinstance(event.body, Asserted | SupersededBy | LearnedLate)
    }
    texts = [(fact.page, name, fact.value, fact.text) for name, fact in stated.items()]
    for page, unit in _shown(run.after):
        fact = stated.get(FactId(unit.anchor))
        if fact is not None:
            texts.append((page, fact.fact, fact.value, _text(unit)))
    sentence = "its value does not stand in its block"
    refusals = [
        refusal(_VALUE, page, anchor, sentence, value, text)
        for page, anchor, value, text in texts
        if not is_shown(value, text)
    ]
    return tuple(dict.fromkeys(refusals))


def changelog(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Each page's changelog is what the engine composes from the runs that touched it, and its facts bear that out."""
    fold = fold_behind(run, state)
    if isinstance(fold, Unlawful):
        return unjudged(_CHANGELOG, fold)
    refusals = []
    for slug, data in run.after.items():
        page = fold.page(slug)
        entries = () if page is None or not page.is_living else page.changelog
        lines = compose_changelog(entries)
        wanted = changelog_block(lines).encode("utf-8", "replace") if lines else b""
        found = b"\n\n".join(unit.body for unit in units(data) if unit.kind is UnitKind.CHANGELOG)
        if found != wanted:
            refusals.append(_refusal(_CHANGELOG, slug, "", "the changelog is not the engine's", wanted, found))
        if page is not None and page.is_living:
            refusals += _belied(slug, entries, fold.facts_of(slug))
    return tuple(refusals)


def _belied(page: Slug, entries: Sequence[ChangelogEntry], facts: Sequence[Fact]) -> Iterator[Refusal]:
    """Hold a changelog against what the facts of the page say of the runs that brought and closed them."""
    done = _doings(facts)
    dated = {fact.run: fact.at for fact in facts}  # of those that learned something late, too
    listed = {entry.run for entry in entries}
    for entry in entries:
        doing = done.get(entry.run, _Doing(at=dated.get(entry.run, entry.at)))
        wanted = (doing.at, doing.asserted, doing.superseded, doing.closed)
        found = (entry.at, entry.asserted, entry.superseded, entry.closed)
        if found != wanted:
            sentence = f"the changelog has another date or count of {entry.run} than its facts"
            yield _refusal(_CHANGELOG, page, "", sentence, repr(wanted).encode(), repr(found).encode())
    order = [done[entry.run].n for entry in entries if entry.run in done]
    if order != sorted(order, reverse=True):
        yield _refusal(_CHANGELOG, page, "", "the changelog is out of order")
    for name in done.keys() - listed if len(entries) < CHANGELOG_LINES else ():
        yield _refusal(_CHANGELOG, page, "", f"the changelog leaves out {name}")


@dataclass(slots=True)
class _Doing:
    """What one run did to the facts of a page, and the number of its last event that did."""

    at: str
    n: int = 0
    asserted: int = 0
    superseded: int = 0
    closed: int = 0


def _doings(facts: Iterable[Fact]) -> Mapping[RunId, _Doing]:
    done: dict[RunId, _Doing] = {}
    for fact in facts:
        if not (isinstance(fact.life, Superseded) and fact.life.late):
            doing = done.setdefault(fact.run, _Doing(at=fact.at))
            doing.n = max(doing.n, fact.n)
            doing.asserted += fact.supersedes is None
            doing.superseded += fact.supersedes is not None
        if isinstance(fact.life, Closed):
            doing = done.setdefault(fact.life.run, _Doing(at=fact.life.at))
            doing.n = max(doing.n, fact.life.n)
            doing.closed += 1
    return done


def _shown(after: Mapping[Slug, bytes]) -> Iterator[tuple[Slug, Unit]]:
    return ((page, unit) for page, data in after.items() for unit in _facts(data))


def _facts(data: bytes) -> tuple[Unit, ...]:
    return tuple(unit for unit in units(data) if unit.kind is UnitKind.FACT)


def _line(fact: Fact) -> bytes:
    return fact_line(fact.text, fact.id).encode("utf-8", "surrogatepass")


def _text(unit: Unit) -> str:
    """Return the Markdown of a fact's block, without list mark and anchor."""
    return unit.body[2 : -len(unit.anchor) - 2].decode("utf-8", "replace")


def _refusal(gate: str, page: str, anchor: str, sentence: str, expected: bytes = b"", found: bytes = b"") -> Refusal:
    texts = expected.decode("utf-8", "replace"), found.decode("utf-8", "replace")
    return refusal(gate, page, anchor, sentence, *texts)
