"""Damage to what a run says: values, premises, authority, what was closed before, bounds. Pages follow the events."""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, restated, statement_of
from tests.mutants.operator import operator, pick
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Confirmed,
    FactClosed,
    LearnedLate,
    ProseChanged,
    ProseOp,
    Statement,
    SupersededBy,
)
from xysq.model.fact import Closed, CloseReason, Evidence, Fact, FactId, Label, Superseded
from xysq.model.page import BlockId, Origin
from xysq.model.source import Role

VALUES, WORDS, RIGHTS = "values", "words", "rights"
_OPENINGS = ("<<<<<<< HEAD", "- <<<<<<< HEAD", ">>>>>>> other", "# heading", "- item", "> quoted", "1. first")
_TEXTS = (
    "a ^f-0000000000",
    "x\ny",
    "x\x00y",
    "\u202eright to left",
    "<script>alert(1)</script>",
    "<!-- hidden",
    "```",
    "[[x]] [a](b)",
    "*open",
    "&lt;",
    "x\u2028y",
    " ",
)


def new_id(random: Random) -> FactId:
    """Return an id nobody has."""
    letters = "0123456789abcdefghjkmnpqrstvwxyz"
    return FactId("f-" + "".join(random.choice(letters) for _ in range(10)))


def _open(base: Base, *, single: bool | None = None) -> list[Fact]:
    after = base.after
    found = [after.fact(fact.id) for fact in base.facts]
    found += [after.fact(body.statement.fact) for _, body in base.stated]
    return [one for one in found if one is not None and one.is_open and single in (None, one.single)]


def _of_user(base: Base) -> list[Evidence]:
    return [piece for piece in base.quotes if piece.role is Role.USER]


@operator(VALUES)
def second_open_value(base: Base, random: Random) -> Mutant | None:
    fact, piece = pick(random, _open(base, single=True)), pick(random, base.quotes)
    if fact is None or piece is None or not piece.quote.split():
        return None
    value = random.choice(piece.quote.split()).strip(".,!?\"'")
    if not value or value.casefold() == fact.value.casefold():
        return None
    stated = statement_of(
        fact,
        fact=new_id(random),
        value=value,
        text=f"It is {value}.",
        evidence=(piece,),
        label=Label.STATED,
        derived_from=(),
    )
    return base.added(Asserted(statement=stated))


@operator(VALUES)
def single_value_in_disguise(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if not isinstance(body, LearnedLate)]
    chosen = pick(random, found)
    if chosen is None or base.run.kind.value != "distill":
        return None
    at, body = chosen
    stated = body.statement
    changes: tuple[dict[str, object], ...] = (
        {"single": not stated.single},
        {"section": f"{stated.section} too"},
        {"attribute": stated.attribute.upper()},
    )
    mutant = restated(body, **random.choice(changes))
    return None if mutant == body else base.replaced(at, mutant)


@operator(VALUES)
def value_not_in_its_block(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    if chosen is None:
        return None
    at, body = chosen
    return base.replaced(at, restated(body, text=random.choice(("Something is so.", "It is what it is.", "x"))))


@operator(VALUES)
def value_changed_and_its_text_too(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, [(at, body) for at, body in base.stated if body.statement.label is Label.STATED])
    if chosen is None:
        return None
    at, body = chosen
    return base.replaced(at, restated(body, value="Atlantis", text="They live in Atlantis."))


@operator(WORDS)
def text_that_is_no_words(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    if chosen is None:
        return None
    at, body = chosen
    stated = body.statement
    return base.replaced(at, restated(body, text=f"{stated.text} {random.choice(_TEXTS)}"))


@operator(WORDS)
def text_that_opens_structure(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    if chosen is None:
        return None
    at, body = chosen
    value = body.statement.value
    return base.replaced(at, restated(body, text=f"{random.choice((*_TEXTS, *_OPENINGS))} {value}"))


@operator(WORDS)
def conflict_marker_in_a_text(base: Base, random: Random) -> Mutant | None:
    """A block of a person's own may be of any shape; a conflict marker it may not be."""
    page = pick(random, base.pages)
    if page is None or base.run.kind.value not in ("correct", "adopt"):
        return None
    marker = random.choice(
        ("<<<<<<< HEAD", ">>>>>>> other", "||||||| base", "  <<<<<<< HEAD", "- >>>>>>> x", "> ||||||| y")
    )
    prose = ProseChanged(
        page=page.slug,
        block=BlockId(new_id(random).replace("f-", "b-")),
        op=ProseOp.INSERT,
        text=random.choice((marker, f"```\n{marker}\nx\n```", f"A table.\n{marker}\nmore")),
        after="end",
        origin=Origin.YOURS,
    )
    return base.added(prose)


@operator(WORDS)
def section_or_name_that_is_no_name(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    if chosen is None:
        return None
    at, body = chosen
    section = random.choice(("Changelog", "a\n# b", "x" * 4000, " ", "\u200b"))
    return base.replaced(at, restated(body, section=section))


@operator(WORDS)
def id_that_is_no_id(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    known = pick(random, base.facts)
    if chosen is None or known is None:
        return None
    at, body = chosen
    name = random.choice(("f-short", "F-0000000000", "b-0000000000", "f-00000 0000", known.id, "f-ilouilouil"))
    return base.replaced(at, restated(body, fact=FactId(name)))


@operator(WORDS)
def too_much(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, base.stated)
    if chosen is None:
        return None
    at, body = chosen
    stated, limits = body.statement, base.state.limits
    changes: tuple[dict[str, object], ...] = (
        {"text": f"{stated.text} {'word ' * limits.text_bytes}".strip()},
        {"attribute": "a" * (limits.name_bytes + 1)},
        {"section": "S" * (limits.name_bytes + 1)},
        {"evidence": stated.evidence * (limits.quotes + 1)},
    )
    mutant = restated(body, **random.choice(changes))
    return None if mutant == body else base.replaced(at, mutant)


@operator(WORDS)
def prose_that_is_too_long(base: Base, random: Random) -> Mutant | None:
    page = pick(random, base.pages)
    if page is None:
        return None
    most = base.state.limits.page_bytes if base.run.kind.value != "distill" else base.state.limits.text_bytes
    prose = ProseChanged(
        page=page.slug,
        block=BlockId(new_id(random).replace("f-", "b-")),
        op=ProseOp.INSERT,
        text="word " * (most // 5) + "ending",
        after="end",
        origin=Origin.DRAFTED if base.run.kind.value == "distill" else Origin.YOURS,
        rows=base.run.rows,
    )
    return base.added(prose)


@operator(RIGHTS)
def premise_that_is_closed(base: Base, random: Random) -> Mutant | None:
    chosen = pick(random, [(at, body) for at, body in base.stated if not isinstance(body, LearnedLate)])
    closed = pick(random, [fact for fact in base.facts if not fact.is_open and isinstance(fact.life, Closed)])
    if chosen is None or closed is None:
        return None
    at, body = chosen
    return base.replaced(at, restated(body, derived_from=(*body.statement.derived_from, closed.id)))


@operator(RIGHTS)
def premise_that_is_itself_or_later(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if not isinstance(body, LearnedLate)]
    if not found:
        return None
    at, body = found[0]
    last = found[-1][1].statement.fact
    return base.replaced(at, restated(body, derived_from=(random.choice((body.statement.fact, last)),)))


@operator(RIGHTS)
def conclusion_from_nothing(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if not isinstance(body, LearnedLate)]
    chosen = pick(random, found)
    if chosen is None:
        return None
    return base.replaced(chosen[0], restated(chosen[1], label=Label.INFERRED, evidence=(), derived_from=()))


@operator(RIGHTS)
def premise_ended_and_its_conclusion_left(base: Base, random: Random) -> Mutant | None:
    after = base.after
    premises = [
        fact
        for fact in _open(base)
        if any(
            (one := after.fact(name)) is not None and one.is_open and not one.evidence
            for name in after.resting_on(fact.id)
        )
    ]
    premise = pick(random, premises)
    if premise is None:
        return None
    cause = str(base.run.run)
    return base.added(FactClosed(fact=premise.id, reason=CloseReason.RETRACTED, cause=cause, by="user"))


@operator(RIGHTS)
def base_that_is_stale(base: Base, random: Random) -> Mutant | None:
    """The same run, judged after another one has landed."""
    if not base.run.events:
        return None
    moved = base.with_bodies((), name="r-20261130T181000Z-zzzz").run
    ledger = Fold(base.state.ledger).extend(moved.events)
    _ = random
    return Mutant(base.run, replace(base.state, ledger=ledger))


@operator(RIGHTS)
def superseded_by_lower_words(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [one for one in _open(base, single=True) if one.evidence])
    if fact is None or base.run.kind.value != "distill":
        return None
    low = [piece for piece in base.quotes if piece.role in (Role.TOOL, Role.ASSISTANT, Role.SYSTEM, Role.OTHER)]
    piece = pick(random, low)
    if piece is None or all(one.role in (Role.TOOL, Role.OTHER, Role.SYSTEM, Role.ASSISTANT) for one in fact.evidence):
        return None
    value = max(piece.quote.split(), key=len).strip(".,:;!?\"'`()")
    stated = statement_of(
        fact,
        fact=new_id(random),
        value=value,
        text=f"It is {value}.",
        evidence=(piece,),
        label=Label.STATED,
        derived_from=(),
    )
    return None if not value else base.added(SupersededBy(statement=stated, supersedes=fact.id))


@operator(RIGHTS)
def stated_superseded_by_an_inference(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [one for one in _open(base) if one.label is Label.STATED and one.evidence])
    if fact is None or base.run.kind.value == "revert":
        return None
    premise = pick(random, [one for one in _open(base) if one.id != fact.id])
    if premise is None:
        return None
    stated = statement_of(
        fact,
        fact=new_id(random),
        value="elsewhere",
        text="It is elsewhere.",
        label=Label.INFERRED,
        evidence=(),
        derived_from=(premise.id,),
    )
    return base.added(SupersededBy(statement=stated, supersedes=fact.id))


@operator(RIGHTS)
def closed_by_words_that_may_not(base: Base, random: Random) -> Mutant | None:
    fact, piece = pick(random, [one for one in _open(base) if one.evidence]), pick(random, base.quotes)
    if (
        fact is None
        or piece is None
        or base.run.kind.value != "distill"
        or fact.value.casefold() in piece.quote.casefold()
    ):
        return None
    names = base.state.ledger.page(fact.page)
    if (
        names is None
        or any(name.casefold() in piece.quote.casefold() for name in names.names)
        or " I " in f" {piece.quote} "
    ):
        return None
    closed = FactClosed(
        fact=fact.id, reason=CloseReason.RETRACTED, cause=str(piece.cited), by=base.run.drafter, evidence=(piece,)
    )
    return base.added(closed)


@operator(RIGHTS)
def closed_as_no_run_of_its_kind_closes(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [one for one in _open(base) if one.evidence])
    if fact is None:
        return None
    allowed = {
        "correct": ("corrected", "retracted"),
        "adopt": ("corrected", "retracted"),
        "revert": ("reverted",),
        "page": ("merged",),
    }
    reasons = [reason for reason in CloseReason if reason.value not in allowed.get(base.run.kind.value, ())]
    reason = random.choice([one for one in reasons if one.value != "retracted" or base.run.kind.value != "distill"])
    return base.added(FactClosed(fact=fact.id, reason=reason, cause=str(base.run.run), by="user"))


@operator(RIGHTS)
def returned_from_old_words(base: Base, random: Random) -> Mutant | None:
    """What was corrected or retracted is stated again on its old quotes, also under another attribute."""
    ended = [
        fact
        for fact in base.facts
        if isinstance(fact.life, Closed) and fact.life.reason in (CloseReason.CORRECTED, CloseReason.RETRACTED)
    ]
    fact = pick(random, [one for one in ended if one.evidence])
    if fact is None:
        return None
    changes: dict[str, object] = random.choice(({}, {"attribute": "note", "single": False, "section": "Notes"}))
    stated: Statement = statement_of(fact, fact=new_id(random), derived_from=(), **changes)
    return base.added(Asserted(statement=stated))


@operator(RIGHTS)
def superseded_fact_back_from_old_words(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [fact for fact in base.facts if isinstance(fact.life, Superseded) and fact.evidence])
    if fact is None or not isinstance(fact.life, Superseded):
        return None
    after = base.after.fact(fact.life.by)
    if after is None or after.value.casefold() == fact.value.casefold():
        return None
    return base.added(
        Asserted(statement=statement_of(fact, fact=new_id(random), derived_from=(), attribute="note", single=False))
    )


@operator(RIGHTS)
def same_words_left_beside_a_closing(base: Base, random: Random) -> Mutant | None:
    """Before a fact is closed its words are put on the page once more, under another id and attribute."""
    closings = [(at, body) for at, body in enumerate(base.bodies) if isinstance(body, FactClosed)]
    chosen = pick(random, closings)
    if chosen is None:
        return None
    at, body = chosen
    fact = base.state.ledger.fact(body.fact)
    if fact is None or body.reason not in (CloseReason.CORRECTED, CloseReason.RETRACTED):
        return None
    double = statement_of(
        fact, fact=new_id(random), attribute=random.choice(("note", "knows", fact.attribute)), single=False
    )
    return base.with_bodies((*base.bodies[:at], Asserted(statement=double), *base.bodies[at:]))


@operator(RIGHTS)
def confirmed_by_words_it_has(base: Base, random: Random) -> Mutant | None:
    fact = pick(random, [one for one in _open(base) if one.evidence])
    if fact is None or base.run.kind.value != "distill":
        return None
    return base.added(Confirmed(fact=fact.id, evidence=(random.choice(fact.evidence),)))


@operator(RIGHTS)
def revived_by_a_run_that_reverts_nothing(base: Base, random: Random) -> Mutant | None:
    ended = pick(random, [fact for fact in base.facts if not fact.is_open and fact.evidence])
    if ended is None or base.run.kind.value == "revert":
        return None
    return base.added(Asserted(statement=statement_of(ended, fact=new_id(random), revives=ended.id)))


@operator(RIGHTS)
def event_about_nothing(base: Base, random: Random) -> Mutant | None:
    if not base.slugs:
        return None
    choices = (
        FactClosed(fact=new_id(random), reason=CloseReason.RETRACTED, cause=str(base.run.run), by="user"),
        ProseChanged(
            page=base.slugs[0],
            block=BlockId("b-0000000000"),
            op=ProseOp.REMOVE,
            text="",
            after="",
            origin=Origin.DRAFTED,
        ),
    )
    return base.added(random.choice(choices))
