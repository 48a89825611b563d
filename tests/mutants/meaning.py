"""Damage to what is said: values, labels, ranks, premises, facts that come back."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, restated, statement_of
from tests.mutants.edits import new_id
from tests.mutants.operator import Family, pick
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, RunKind, Statement, SupersededBy
from xysq.model.fact import Closed, CloseReason, Evidence, Fact, FactId, Label, Superseded
from xysq.model.source import Channel, Role
from xysq.pages.escape import escape, stands_in
from xysq.planner.authority import (
    Authority,
    Verdict,
    authority_of,
    compare,
    folded_names,
    rank_of,
    rank_of_fact,
)
from xysq.planner.closing import is_named
from xysq.planner.lineage import holder_of
from xysq.planner.witness import is_standing
from xysq.text import fold

MEANING = Family("meaning")


def _words(piece: Evidence) -> list[str]:
    """Return the words of a quote that could be a value."""
    return [word for word in piece.quote.replace('"', " ").split() if word.isalpha() and len(word) > 2]


def _said(base: Base, luck: Random, about: Fact, pieces: list[Evidence]) -> Statement | None:
    """State something else about a fact's attribute, out of true words."""
    piece = pick(luck, [piece for piece in pieces if _words(piece)])
    if piece is None:
        return None
    value = luck.choice(_words(piece))
    if fold(value) == fold(about.value):
        return None
    return statement_of(
        about,
        fact=new_id(luck),
        value=value,
        text=f"Now it is {escape(value)}.",
        label=Label.STATED,
        evidence=(piece,),
        derived_from=(),
    )


def _open(base: Base, *, single: bool | None = None) -> list[Fact]:
    """Return the facts that are open before the run and behind it."""
    ended = base.ended_later()
    facts = [fact for fact in base.facts if fact.is_open and fact.id not in ended]
    return [fact for fact in facts if single is None or fact.single is single]


# Values


@MEANING
def a_second_open_value(base: Base, luck: Random) -> Mutant | None:
    """Assert a second value for a single-valued attribute that an older run filled."""
    fact = pick(luck, _open(base, single=True))
    stated = None if fact is None else _said(base, luck, fact, list(base.quotes))
    return None if stated is None else base.added(Asserted(statement=stated))


@MEANING
def a_second_value_in_the_run(base: Base, luck: Random) -> Mutant | None:
    """Assert a second value for a single-valued attribute that this very run fills."""
    found = [body.statement for _, body in base.stated if body.statement.single and not isinstance(body, LearnedLate)]
    first = pick(luck, found)
    if first is None:
        return None
    fact = base.after.fact(first.fact)
    stated = None if fact is None else _said(base, luck, fact, list(base.quotes))
    if stated is None:
        return None
    if luck.random() < 0.3:
        stated = replace(first, fact=new_id(luck), text=f"{first.text} Yes.")
    return base.added(Asserted(statement=stated))


@MEANING
def a_supersession_that_only_asserts(base: Base, luck: Random) -> Mutant | None:
    """Assert the new value and leave the old one open."""
    found = [(at, body) for at, body in base.stated if isinstance(body, SupersededBy)]
    place, body = pick(luck, found) or (None, None)
    if place is None or body is None or not body.statement.single:
        return None
    return base.replaced(place, Asserted(statement=body.statement))


@MEANING
def an_attribute_disguised(base: Base, luck: Random) -> Mutant | None:
    """Call an attribute by its alias, spell it otherwise, or claim that it takes many values, or one."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None or base.run.kind is not RunKind.DISTILL:
        return None
    stated = body.statement
    known = base.state.schema.attribute(stated.attribute) if base.state.schema is not None else None
    names = [*(() if known is None else known.aliases), stated.attribute.upper(), f"{stated.attribute} "]
    changes: tuple[dict[str, object], ...] = ({"single": not stated.single}, {"attribute": luck.choice(names)})
    return base.replaced(place, restated(body, **luck.choice(changes)))


@MEANING
def a_value_that_is_not_shown(base: Base, luck: Random) -> Mutant | None:
    """Show a text without the value, or hold a value that the text does not show though a quote does."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None:
        return None
    stated = body.statement
    others = [word for piece in stated.evidence for word in _words(piece) if not stands_in(word, stated.text)]
    value = pick(luck, others)
    if value is not None and luck.random() < 0.7:
        return base.replaced(place, restated(body, value=value))
    texts = ("It is so.", f"{stated.value}x", f"x{stated.value}", f"Not {stated.value[:-1]}.", stated.value[1:] or "x")
    text = escape(luck.choice(texts))
    return None if stands_in(stated.value, text) else base.replaced(place, restated(body, text=text))


@MEANING
def a_value_that_nobody_said(base: Base, luck: Random) -> Mutant | None:
    """State a value, and show it, that stands in no quote."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None or body.statement.label is not Label.STATED:
        return None
    value = luck.choice(("Atlantis", "42", f"{body.statement.value} Junior", f"un{body.statement.value}"))
    if any(stands_in(value, piece.quote) for piece in body.statement.evidence):
        return None
    return base.replaced(place, restated(body, value=value, text=f"It is {escape(value)}."))


@MEANING
def a_label_raised(base: Base, luck: Random) -> Mutant | None:
    """Call stated what was only inferred."""
    found = [
        (at, body)
        for at, body in base.stated
        if body.statement.label is Label.INFERRED
        and not any(stands_in(body.statement.value, piece.quote) for piece in body.statement.evidence)
    ]
    place, body = pick(luck, found) or (None, None)
    return None if place is None or body is None else base.replaced(place, restated(body, label=Label.STATED))


@MEANING
def a_confirmation_without_the_value(base: Base, luck: Random) -> Mutant | None:
    """Confirm a stated fact by true words that do not hold its value, or by none."""
    fact = pick(luck, [fact for fact in _open(base) if fact.label is Label.STATED])
    piece = pick(luck, base.quotes)
    if fact is None or piece is None or stands_in(fact.value, piece.quote):
        return None
    return base.added(Confirmed(fact=fact.id, evidence=(piece,) if luck.random() < 0.8 else ()))


@MEANING
def an_ended_fact_confirmed(base: Base, luck: Random) -> Mutant | None:
    """Confirm, close or supersede a fact that is not open."""
    fact = pick(luck, [fact for fact in base.facts if not fact.is_open and fact.evidence])
    if fact is None:
        return None
    stated = _said(base, luck, fact, list(base.quotes))
    bodies: list[Body] = [
        Confirmed(fact=fact.id, evidence=fact.evidence[:1]),
        FactClosed(fact=fact.id, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=fact.evidence[:1]),
    ]
    if stated is not None:
        bodies.append(SupersededBy(statement=stated, supersedes=fact.id))
    return base.added(luck.choice(bodies))


# Rank


def _superseding(base: Base, luck: Random, verdict: Verdict) -> Mutant | None:
    """Supersede a fact of a single-valued attribute by true words that may not end it."""
    fact = pick(luck, _open(base, single=True))
    if fact is None:
        return None
    names = folded_names(base.state.ledger.page(fact.page))
    held = rank_of_fact(fact, names, base.state.archive)
    pieces = [
        piece
        for piece in base.quotes
        if compare(rank_of((piece,), Label.STATED, names, base.state.archive, base.run.at), held) is verdict
        and piece.at != held.observation.at  # of one moment, a person's own edit counts
    ]
    stated = _said(base, luck, fact, pieces)
    return None if stated is None else base.added(SupersededBy(statement=stated, supersedes=fact.id))


@MEANING
def lower_authority(base: Base, luck: Random) -> Mutant | None:
    """Supersede a fact by true words of somebody who counts for less."""
    return None if base.run.kind is RunKind.REVERT else _superseding(base, luck, Verdict.LOWER_AUTHORITY)


@MEANING
def older_words(base: Base, luck: Random) -> Mutant | None:
    """Supersede a fact by true words that are older than its own."""
    return None if base.run.kind is RunKind.REVERT else _superseding(base, luck, Verdict.OLDER)


@MEANING
def an_inference_over_a_statement(base: Base, luck: Random) -> Mutant | None:
    """Supersede a stated fact by an inferred one."""
    fact = pick(luck, [fact for fact in _open(base) if fact.label is Label.STATED])
    if fact is None or base.run.kind is RunKind.REVERT:
        return None
    value = luck.choice(("Atlantis", "nothing"))
    premise = pick(luck, [other for other in _open(base) if other.id != fact.id])
    names = folded_names(base.state.ledger.page(fact.page))
    standing = [piece for piece in fact.evidence if is_standing(piece, base.state.archive)]
    pieces = [
        piece
        for piece in base.quotes
        if max((authority_of(old, names) for old in standing), default=Authority.NONE) >= authority_of(piece, names)
    ]
    piece = pick(luck, pieces)
    evidence = () if piece is None else (piece,)
    stated = statement_of(
        fact,
        fact=new_id(luck),
        value=value,
        text=f"It must be {value}.",
        label=Label.INFERRED,
        evidence=evidence,
        derived_from=() if premise is None else (premise.id,),
    )
    return base.added(SupersededBy(statement=stated, supersedes=fact.id))


@MEANING
def another_attribute_superseded(base: Base, luck: Random) -> Mutant | None:
    """Supersede a fact, or stand behind it as history, under another attribute."""
    fact = pick(luck, _open(base))
    stated = None if fact is None else _said(base, luck, fact, list(base.quotes))
    if fact is None or stated is None or base.run.kind is RunKind.REVERT:
        return None
    other = luck.choice([name for name in ("location", "note", "role") if name != fact.attribute])
    known = base.state.schema.attribute(other) if base.state.schema is not None else None
    assert known is not None
    stated = replace(stated, attribute=other, single=known.single)
    if luck.random() < 0.5:
        return base.added(SupersededBy(statement=stated, supersedes=fact.id))
    return base.added(LearnedLate(statement=stated, superseded_by=fact.id))


@MEANING
def a_closing_by_strangers(base: Base, luck: Random) -> Mutant | None:
    """Close a fact by true words that do not name it, weigh less, or are older than what proves it."""
    fact = pick(luck, _open(base))
    piece = pick(luck, base.quotes)
    if fact is None or piece is None or base.run.kind is not RunKind.DISTILL:
        return None
    page = base.state.ledger.page(fact.page)
    names = folded_names(page)
    standing = [old for old in fact.evidence if is_standing(old, base.state.archive)]
    held = max((authority_of(old, names) for old in standing), default=Authority.NONE)
    is_stranger = not is_named(fact, page, piece, None)
    is_older = any((old.at or "") > (piece.at or "9") for old in fact.evidence)
    if not (is_stranger or authority_of(piece, names) < held or is_older):
        return None
    closing = FactClosed(
        fact=fact.id, reason=CloseReason.RETRACTED, cause=str(piece.cited), by=base.run.drafter, evidence=(piece,)
    )
    return base.added(closing)


@MEANING
def a_closing_of_another_kind(base: Base, luck: Random) -> Mutant | None:
    """Close a fact for a reason that this kind of run does not have, in another name, or for another cause."""
    fact = pick(luck, _open(base))
    if fact is None or base.run.kind is not RunKind.DISTILL:
        return None
    reason = luck.choice(tuple(CloseReason))
    by, cause = (
        luck.choice(("engine", "user", "rules")),
        luck.choice((fact.id, str(base.run.run), "x", *fact.derived_from)),
    )
    return base.added(FactClosed(fact=fact.id, reason=reason, cause=cause, by=by))


@MEANING
def a_closing_changed(base: Base, luck: Random) -> Mutant | None:
    """Change whose closing it is, what it is for, or why."""
    places = [at for at, body in enumerate(base.bodies) if isinstance(body, FactClosed)]
    place = pick(luck, places)
    if place is None or base.run.kind is not RunKind.DISTILL:
        return None
    body = base.bodies[place]
    assert isinstance(body, FactClosed)
    others = [
        fact.id
        for fact in _open(base)
        if not any(is_named(fact, base.state.ledger.page(fact.page), piece, None) for piece in body.evidence)
    ]
    changes: list[dict[str, object]] = [
        {"by": luck.choice(("user", "Eve", ""))},
        {"cause": luck.choice(("x", "", str(base.run.run)))},
        {"reason": luck.choice([reason for reason in CloseReason if reason is not body.reason])},
    ]
    changes += [{"fact": other} for other in others[:1]]
    return base.replaced(place, replace(body, **luck.choice(changes)))  # type: ignore[arg-type]


# Premises


def _conclusion(base: Base, luck: Random, premises: tuple[FactId, ...], **changes: object) -> Statement | None:
    page = pick(luck, base.pages)
    if page is None:
        return None
    stated = Statement(
        fact=new_id(luck),
        page=page.slug,
        attribute="note",
        single=False,
        section="Notes",
        value=f"so {luck.randrange(1000)}",
        text="",
        label=Label.INFERRED,
        evidence=(),
        derived_from=premises,
    )
    stated = replace(stated, text=f"It follows {stated.value}.")
    return replace(stated, **changes)  # type: ignore[arg-type]


@MEANING
def a_premise_that_has_ended(base: Base, luck: Random) -> Mutant | None:
    """Infer a fact from one that has ended, among others that hold."""
    gone = [fact.id for fact in base.facts if holder_of(fact.id, base.after.fact) is None]
    held = [fact.id for fact in _open(base)][: luck.randint(0, 2)]
    name = pick(luck, gone)
    stated = None if name is None else _conclusion(base, luck, (*held, name))
    return None if stated is None else base.added(Asserted(statement=stated))


@MEANING
def a_premise_that_is_none(base: Base, luck: Random) -> Mutant | None:
    """Infer a fact from itself, from one that nobody knows, or from nothing."""
    stated = _conclusion(base, luck, ())
    if stated is None:
        return None
    return base.added(
        Asserted(statement=replace(stated, derived_from=luck.choice(((), (stated.fact,), (new_id(luck),)))))
    )


@MEANING
def a_circle_of_premises(base: Base, luck: Random) -> Mutant | None:
    """Infer two or three facts from each other."""
    count = luck.randint(2, 3)
    found = [_conclusion(base, luck, ()) for _ in range(count)]
    ring = [stated for stated in found if stated is not None]
    if len(ring) < count:
        return None
    bodies = [
        Asserted(statement=replace(stated, derived_from=(ring[(at + 1) % count].fact,)))
        for at, stated in enumerate(ring)
    ]
    return base.added(*bodies)


@MEANING
def a_premise_that_comes_later(base: Base, luck: Random) -> Mutant | None:
    """Infer a fact from one that the run states only behind it."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None:
        return None
    stated = _conclusion(base, luck, (body.statement.fact,))
    if stated is None or base.state.ledger.page(stated.page) is None:
        return None
    return base.with_bodies((Asserted(statement=stated), *base.bodies))


@MEANING
def a_conclusion_left_open(base: Base, luck: Random) -> Mutant | None:
    """End a premise, and leave what rested on it."""
    places = [
        at
        for at, body in enumerate(base.bodies)
        if isinstance(body, FactClosed) and body.reason is CloseReason.PREMISE_CLOSED
    ]
    place = pick(luck, places)
    return None if place is None else base.with_bodies((*base.bodies[:place], *base.bodies[place + 1 :]))


@MEANING
def a_premise_closed_under_a_conclusion(base: Base, luck: Random) -> Mutant | None:
    """Close a premise of a fact that stays open, in a person's run."""
    rested = [
        fact
        for fact in _open(base)
        if fact.label is Label.INFERRED
        and fact.derived_from
        and not any(is_standing(piece, base.state.archive) for piece in fact.evidence)
    ]
    fact = pick(luck, rested)
    if fact is None:
        return None
    premise = base.after.fact(luck.choice(fact.derived_from))
    if premise is None or not premise.is_open:
        return None
    closing = FactClosed(fact=premise.id, reason=CloseReason.RETRACTED, cause="2026-11-30", by="user")
    return base.with_bodies((*base.bodies, closing), kind=RunKind.CORRECT)


# What came back


def _ended(base: Base) -> Iterator[Fact]:
    """Yield facts whose ending binds, and whose words are as they were."""
    for fact in base.facts:
        match fact.life:
            case Closed(reason=reason):
                if reason in (CloseReason.PREMISE_CLOSED, CloseReason.MERGED):
                    continue
            case Superseded(by=by):
                successor = base.after.fact(by)
                if successor is not None and fold(successor.value) == fold(fact.value):
                    continue
            case _:
                continue
        page = base.after.page(fact.page)
        if fact.evidence and page is not None and page.is_living:
            yield fact


@MEANING
def a_fact_that_comes_back(base: Base, luck: Random) -> Mutant | None:
    """Assert an ended fact again from its own words, under its attribute or under another one."""
    fact = pick(luck, list(_ended(base)))
    if fact is None or base.run.kind is RunKind.REVERT or fact.evidence[0].channel is Channel.ADOPT:
        return None
    if _lives_on(fact, base):
        return None
    attribute = luck.choice((fact.attribute, "note", "knows", "uses"))
    known = base.state.schema.attribute(attribute) if base.state.schema is not None else None
    assert known is not None
    stated = statement_of(
        fact,
        fact=new_id(luck),
        attribute=known.name,
        single=known.single,
        text=f"Again {escape(fact.value)}.",
        derived_from=(),
    )
    is_held = any(
        other.is_open and other.single and other.attribute == known.name for other in base.after.facts_of(fact.page)
    )
    return None if is_held else base.added(Asserted(statement=stated))


def _lives_on(fact: Fact, base: Base) -> bool:
    """Tell whether a revert has revived a fact: what it was binds nothing then."""
    return any(other.revives == fact.id for other in base.state.ledger.facts_of(fact.page))


@MEANING
def another_value_from_the_same_words(base: Base, luck: Random) -> Mutant | None:
    """Assert another value of an ended fact's attribute out of the very words that it rested on."""
    fact = pick(luck, list(_ended(base)))
    if fact is None or base.run.kind is RunKind.REVERT or fact.single or _lives_on(fact, base):
        return None
    stated = _said(base, luck, fact, list(fact.evidence))
    return None if stated is None else base.added(Asserted(statement=stated))


@MEANING
def words_that_a_closing_has_ended(base: Base, luck: Random) -> Mutant | None:
    """Close one of two facts that say the same, and leave the other on the page."""
    fact = pick(luck, [fact for fact in _open(base) if fact.evidence])
    if fact is None:
        return None
    twin = statement_of(fact, fact=new_id(luck), attribute="note", single=False, section="Notes")
    closing = FactClosed(fact=fact.id, reason=CloseReason.RETRACTED, cause="2026-11-30", by="user")
    return base.with_bodies((*base.bodies, Asserted(statement=twin), closing), kind=RunKind.CORRECT)


@MEANING
def a_voice_that_is_none(base: Base, luck: Random) -> Mutant | None:
    """Make a tool's or an assistant's words the owner's preference, or anybody's rule."""
    pieces = [piece for piece in base.quotes if piece.role in (Role.TOOL, Role.SYSTEM) and _words(piece)]
    page, piece = pick(luck, base.pages), pick(luck, pieces)
    if page is None or piece is None or base.run.kind is not RunKind.DISTILL:
        return None
    attribute, section = luck.choice((("preference", "Preferences"), ("rule", "Rules")))
    value = luck.choice(_words(piece))
    stated = Statement(
        fact=new_id(luck),
        page=page.slug,
        attribute=attribute,
        single=False,
        section=section,
        value=value,
        text=f"It likes {value}.",
        label=Label.STATED,
        evidence=(piece,),
    )
    return base.added(Asserted(statement=stated))
