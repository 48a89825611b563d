"""The gates about meaning: whether what a run says is proven, single, founded, entitled and not long corrected.

They read the run's events and nothing of what planner or quarantine said about them. Each gate's rule is its first
line. A run whose events may not follow the ledger at all is refused by those that need the state behind it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from xysq.gates.behind import fold_behind, steps, unjudged
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    ProseChanged,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import Evidence, FactId, Label, Slug
from xysq.model.run import Candidate, Refusal, refusal
from xysq.model.state import State
from xysq.pages.escape import stands_in
from xysq.planner.lineage import fallen, holder_of
from xysq.planner.returned import Claim, brought_back
from xysq.planner.witness import disagreement, is_standing, is_verbatim, is_well_formed
from xysq.text import fold

_RESTATING = (RunKind.REVERT, RunKind.PAGE)


def verbatim(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Every quote equals its log bytes and what the reader reads there, and a stated value stands in a standing one."""
    known = _committed_evidence(run, state) if run.kind in _RESTATING else frozenset()
    statements = {stated.fact: stated for stated in _statements(_bodies(run))}
    return tuple(found for body in _bodies(run) for found in _unproven(body, statements, known, state))


def _unproven(
    body: Body, statements: dict[FactId, Statement], known: frozenset[Evidence], state: State
) -> Iterator[Refusal]:
    match body:
        case Asserted(statement=stated) | SupersededBy(statement=stated):
            yield from _misquoted(stated.page, stated.fact, stated.evidence, known, state)
            if stated.label is Label.STATED and not _is_proven(stated, state):
                yield _refusal("verbatim", stated, "is stated, and its value stands in no quote that stands")
        case LearnedLate(statement=stated):
            yield from _misquoted(stated.page, stated.fact, stated.evidence, known, state)
            if stated.label is Label.STATED and not _is_shown(stated.value, stated.evidence):
                yield _refusal("verbatim", stated, "is stated, and its value stands in none of its quotes")
        case Confirmed(fact=name, evidence=evidence):
            fact = statements.get(name) or state.ledger.fact(name)
            page = Slug("") if fact is None else fact.page
            yield from _misquoted(page, name, evidence, known, state)
            if fact is not None and fact.label is Label.STATED and not _is_shown(fact.value, evidence):
                yield Refusal(
                    gate="verbatim",
                    page=page,
                    anchor=name,
                    sentence="is confirmed by quotes that do not hold its value",
                )
        case FactClosed(fact=name, evidence=evidence):
            fact = state.ledger.fact(name)
            yield from _misquoted(Slug("") if fact is None else fact.page, name, evidence, known, state)
        case ProseChanged(page=page, block=block, quotes=quotes):
            yield from _misquoted(page, block, quotes, known, state)
        case PageChanged(page=page, aliases=aliases):
            shown = state.ledger.page(page)
            old = frozenset(piece for alias in (() if shown is None else shown.aliases) for piece in alias.evidence)
            new = [piece for alias in aliases for piece in alias.evidence if piece not in old]
            yield from _misquoted(page, "", new, known, state)
        case _:
            pass


def _misquoted(
    page: Slug, anchor: str, evidence: Iterable[Evidence], known: frozenset[Evidence], state: State
) -> Iterator[Refusal]:
    """Yield a refusal for each quote that is not in its log, or that the log does not bear out as new evidence."""
    for piece in evidence:
        if not is_verbatim(piece, state.archive):
            words = state.archive.words(piece) if is_well_formed(piece) else None
            sentence = f"quotes what is not at {piece.cited}:{piece.start}-{piece.end}"
            yield refusal("verbatim", page, anchor, sentence, words or "", piece.quote)
        elif piece not in known:
            fault = disagreement(piece, state.archive)
            if fault is not None:
                yield refusal("verbatim", page, anchor, f"its quote {fault}", found=piece.quote)


def one_value(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Every single-valued attribute of a page has one open fact at most, earlier runs included; none is disguised.

    Nor does a run state what stands there already: a value that a page has is confirmed, not had twice.
    """
    after = fold_behind(run, state)
    if isinstance(after, Unlawful):
        return unjudged("one-value", after)
    pages = dict.fromkeys(stated.page for stated in _statements(_bodies(run)))
    doubled = (
        Refusal(
            gate="one-value",
            page=page,
            anchor="",
            sentence=f"{attribute!r} takes one value",
            expected="1",
            found=str(count),
        )
        for page in pages
        for attribute, count in _open_values(page, after).items()
        if count > 1
    )
    return (*doubled, *_repeated(run, after), *_disguised(run, state))


def _repeated(run: Candidate, after: Fold) -> Iterator[Refusal]:
    """Yield the open statements of a run whose page has another open fact of the same attribute and value."""
    for stated in _statements(_bodies(run)):
        new = after.fact(stated.fact)
        if new is None or not new.is_open:
            continue
        for fact in after.facts_of(stated.page):
            is_same = (fact.attribute, fold(fact.value)) == (stated.attribute, fold(stated.value))
            if is_same and fact.is_open and fact.id != stated.fact:
                yield Refusal(
                    gate="one-value",
                    page=stated.page,
                    anchor=stated.fact,
                    sentence=f"says what {fact.id} says",
                    expected=fact.id,
                    found=stated.fact,
                )
                break


def _disguised(run: Candidate, state: State) -> Iterator[Refusal]:
    """Yield the statements of a distilled run whose attribute is not the schema's, by its name or number of values."""
    if run.kind is not RunKind.DISTILL or state.schema is None:
        return
    for stated in _statements(_bodies(run)):
        known = state.schema.attribute(stated.attribute)
        if (known.name, known.single, known.section) != (stated.attribute, stated.single, stated.section):
            yield Refusal(
                gate="one-value",
                page=stated.page,
                anchor=stated.fact,
                sentence="its attribute is not as the schema has it",
                expected=_counted(known.name, known.section, single=known.single),
                found=_counted(stated.attribute, stated.section, single=stated.single),
            )


def _counted(attribute: str, section: str, *, single: bool) -> str:
    return f"{attribute}: {'one value' if single else 'many values'}{section and f' under {section}'}"


def _open_values(page: Slug, after: Fold) -> Counter[str]:
    return Counter(fact.attribute for fact in after.facts_of(page) if fact.is_open and fact.single)


def lineage(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Premises are open and were there before what rests on them; no conclusion outlives its premise unquoted.

    And no fact is confirmed by the words it rests on already.
    """
    after = fold_behind(run, state)
    if isinstance(after, Unlawful):
        return unjudged("lineage", after)
    found: list[Refusal] = []
    ended: list[FactId] = []
    for event, before in steps(run, state):
        match event.body:
            case Asserted(statement=stated) | SupersededBy(statement=stated):
                found += [
                    _refusal("lineage", stated, f"rests on {name}, which is not open")
                    for name in stated.derived_from
                    if before.fact(name) is None or holder_of(name, after.fact) is None
                ]
                if stated.label is Label.INFERRED and not stated.evidence and not stated.derived_from:
                    found.append(_refusal("lineage", stated, "is inferred from nothing"))
            case Confirmed(fact=name, evidence=evidence):
                fact = before.fact(name)
                if fact is not None and not set(evidence).isdisjoint(fact.evidence):
                    sentence = "is confirmed by words it rests on already"
                    found.append(Refusal(gate="lineage", page=fact.page, anchor=name, sentence=sentence))
            case _:
                pass
        ended += _ended_by(event.body)
    return (
        *found,
        *(
            Refusal(
                gate="lineage",
                page=gone.fact.page,
                anchor=gone.fact.id,
                sentence=f"stays open without its premise {gone.premise}",
            )
            for gone in fallen(ended, after, state.archive)
        ),
    )


def _ended_by(body: Body | None) -> tuple[FactId, ...]:
    match body:
        case SupersededBy(supersedes=name) | FactClosed(fact=name):
            return (name,)
        case _:
            return ()


def returned(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """No fact that was ended comes back from words that were there by then, except where a revert revives it."""
    after = fold_behind(run, state)
    if isinstance(after, Unlawful):
        return unjudged("returned", after)
    found: list[Refusal] = []
    for event, before in steps(run, state):
        match event.body:
            case Asserted(statement=stated) | SupersededBy(statement=stated):
                is_revived = run.kind is RunKind.REVERT and stated.revives is not None
                closed = None if is_revived else brought_back(_claim(stated), before, state.archive)
                if closed is not None:
                    found.append(_refusal("returned", stated, f"brings {closed.id} back without new words"))
            case _:
                pass
    return tuple(found)


def _claim(stated: Statement) -> Claim:
    return Claim(
        page=stated.page,
        attribute=stated.attribute,
        value=stated.value,
        label=stated.label,
        evidence=tuple(piece for piece in stated.evidence if is_well_formed(piece)),
    )


# What the gates have in common


def _bodies(run: Candidate) -> Iterator[Body]:
    return (event.body for event in run.events if event.body is not None)


def _statements(bodies: Iterable[Body]) -> Iterator[Statement]:
    for body in bodies:
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                yield stated
            case _:
                pass


def _committed_evidence(run: Candidate, state: State) -> frozenset[Evidence]:
    """Return the quotes that a merge or a revert may state again: those of the facts it ends, and of their pages."""
    ended = (state.ledger.fact(name) for body in _bodies(run) for name in _ended_by(body))
    pages = {fact.page for fact in ended if fact is not None} | {stated.page for stated in _statements(_bodies(run))}
    known: set[Evidence] = set()
    for page in pages:
        for fact in state.ledger.facts_of(page):
            known.update(fact.evidence)
    for stated in _statements(_bodies(run)):
        revived = None if stated.revives is None else state.ledger.fact(stated.revives)
        known.update(() if revived is None else revived.evidence)
    return frozenset(known)


def _is_proven(stated: Statement, state: State) -> bool:
    return any(stands_in(stated.value, piece.quote) and is_standing(piece, state.archive) for piece in stated.evidence)


def _is_shown(value: str, evidence: Iterable[Evidence]) -> bool:
    return any(stands_in(value, piece.quote) for piece in evidence)


def _refusal(gate: str, stated: Statement, sentence: str) -> Refusal:
    return Refusal(gate=gate, page=stated.page, anchor=stated.fact, sentence=sentence, found=stated.value)
