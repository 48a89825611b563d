"""Worlds that lived a little: seeded turns and drafts, mostly sensible and now and then anything but."""

from dataclasses import replace
from random import Random

from tests.archive import Turn
from tests.world import World
from xysq.model.draft import Draft, DraftClose, DraftEdit, DraftFact, DraftQuote
from xysq.model.fact import FactId, Label
from xysq.model.source import Role
from xysq.planner.order import PlanOrder

VALUES = ("Boston", "Berlin", "tea", "green tea", "東京", "x*y")
ATTRIBUTES = ("location", "location", "city", "likes", "uses", "note", "setting:python", "rule")
SUBJECTS = ("I", "I", "I", "Alice", "Alice", "[[Alice]]", "Bob", "the user", "Mia", "we", "", "Billing")
GOOD = ("It is {}.", "[[Alice]] and [[Billing|it]]: {}", "<b>{}</b> # _x_")
BAD = ("No value.", "{} ^f-7k2m9qx4aa", "- {}\n")
WORDS = ("I live in {}.", "{}!", "Not Boston, not tea: {}, I say.", "Alice has {}. Really {}?")
RECALLED = "<xysq-recall>\n{}\n</xysq-recall>\nok"
TIMES = (None, "2026-11-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z")
ROLES = (Role.PERSON, Role.PERSON, Role.PERSON, Role.USER, Role.ASSISTANT, Role.TOOL)
TYPED = ("i LIVE in boston", "tea", "Berlin", "nothing of it")


def turns(random: Random) -> list[Turn]:
    """Return a few turns, all with values in them."""
    return [
        Turn(
            text=random.choice((*WORDS * 3, RECALLED)).replace("{}", random.choice(VALUES)),
            speaker=random.choice(("Alice", "Alice", "Bob", "")),
            role=random.choice(ROLES),
            at=random.choice(TIMES),
            own=random.random() < 0.1,
            after_recall=random.random() < 0.3,
            json=random.random() < 0.3,
        )
        for _ in range(random.randint(1, 4))
    ]


def drafted_order(world: World, random: Random) -> PlanOrder:
    """Return the order to plan a draft about what the world was told last."""
    return replace(world.order(), draft=draft(world, random))


def known_facts(world: World) -> tuple[FactId, ...]:
    return tuple(fact.id for fact in world.story.fold.every_fact())


def draft(world: World, random: Random) -> Draft:
    """Return a draft over what was told and what is known."""
    names = (*known_facts(world), FactId("f-unknown"))
    proposed = tuple(_fact(world, random, str(number)) for number in range(random.randint(1, 5)))
    closes = tuple(
        DraftClose(fact=random.choice(names), quotes=(DraftQuote(passage=random.randint(1, len(world.passages))),))
        for _ in range(random.randint(0, 2))
    )
    edits = None if random.random() < 0.7 else _edits(proposed, names, random)
    return Draft(facts=proposed, closes=closes, edits=edits)


def _fact(world: World, random: Random, ref: str) -> DraftFact:
    names = ("0", "1", "2", "3", "f-unknown", *known_facts(world))
    place = random.randrange(len(world.passages))
    said = [value for value in VALUES if value in world.passages[place].text] or ["Boston"]
    value = random.choice(said if random.random() < 0.8 else VALUES)
    quote = DraftQuote(passage=place + 1)
    if random.random() < 0.1:
        quote = DraftQuote(passage=random.randint(1, 5), text=random.choice(TYPED))
    label = Label.STATED if random.random() < 0.75 else Label.INFERRED
    return DraftFact(
        ref=ref if random.random() < 0.95 else random.choice(names),
        subject=random.choice(SUBJECTS),
        attribute=random.choice(ATTRIBUTES),
        value=value,
        text=random.choice(GOOD if random.random() < 0.85 else BAD).replace("{}", value),
        label=label,
        quotes=random.choice(((quote,), (quote,), (quote, quote), () if label is Label.INFERRED else (quote,))),
        replaces=random.choice((None, *names)),
        derived_from=tuple(random.choice(names) for _ in range(random.choice((0, 0, 1, 2)))),
    )


def _edits(proposed: tuple[DraftFact, ...], names: tuple[str, ...], random: Random) -> tuple[DraftEdit, ...]:
    claiming = [
        DraftEdit(page=fact.subject, op="insert", after="end", text=fact.text, claims=(fact.ref,))
        for fact in proposed
        if random.random() < 0.9
    ]
    odd = [
        DraftEdit(
            page=random.choice(SUBJECTS),
            op=random.choice(("insert", "insert", "insert", "replace")),
            after=random.choice(("end", "top", *names)),
            text=random.choice(GOOD + BAD).replace("{}", random.choice(VALUES)),
            claims=tuple(random.choice(("0", "1", "2")) for _ in range(random.choice((0, 0, 1, 2)))),
        )
        for _ in range(random.randint(0, 2))
    ]
    return (*claiming, *odd)
