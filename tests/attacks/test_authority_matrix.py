"""Whose words may end whose: every role by every channel under every label, against every other.

What is expected is derived from the table below and nothing of the product.
"""

from dataclasses import dataclass, replace
from itertools import product

import pytest

from tests.archive import Turn, turn
from tests.builders import evidence
from tests.world import World, closing, codes, drafted, kinds
from xysq.gates import judge
from xysq.model.fact import CloseReason, FactId, Label
from xysq.model.plan import Plan
from xysq.model.source import Channel, Role
from xysq.planner.authority import authority_of

NAMES = frozenset({"alice"})
FIRST, SECOND, ASSISTED, OTHER = 4, 3, 2, 1
CLASSES = {"user": FIRST, "self": FIRST, "person": SECOND, "assistant": ASSISTED, "tool": OTHER, "system": OTHER}
CLASSES |= {"other": OTHER}
EARLY, MIDDLE, LATE = "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-30T17:00:00Z"


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who says something; `self` is a person who speaks about themselves."""

    who: str
    channel: Channel
    label: Label

    @property
    def rank(self) -> int:
        if self.channel is Channel.MCP:
            return min(SECOND, CLASSES[self.who])
        return CLASSES[self.who]

    def says(self, words: str, at: str | None) -> Turn:
        speaker = {"self": "Alice", "person": "Bob"}.get(self.who, "")
        return turn(words, speaker=speaker, role=Role("person" if self.who == "self" else self.who), at=at)

    def __str__(self) -> str:
        return f"{self.who}-{self.channel.value}-{self.label.value}"


VOICES = tuple(Voice(*parts) for parts in product(CLASSES, (Channel.CLI, Channel.MCP), Label))
MOMENTS = tuple(product(VOICES, (True, False)))
OPEN = [pytest.param(voice, id=str(voice)) for voice in VOICES]


def outcome(new: Voice, old: Voice, *, newer: bool) -> str:
    """Return what another value of a single-valued attribute comes to."""
    if new.rank != old.rank:
        return "supersede Berlin" if new.rank > old.rank else "lower-authority"
    if new.label is not old.label:
        return "supersede Berlin" if new.label is Label.STATED else "weaker-label"
    return "supersede Berlin" if newer else "late Berlin"


def known(old: Voice, *, attribute: str = "location", at: str | None = MIDDLE) -> World:
    """Return a world in which a voice has told where Alice lives."""
    world = World()
    world.tell(old.says("Alice lives in Boston.", at), source="old", channel=old.channel)
    world.learn(drafted("Alice", attribute, "Boston", label=old.label))
    assert world.values("alice") == {"Boston"}
    return world


def found(world: World, *, closes: str = "", **changes: object) -> tuple[str, Plan]:
    """Plan, quarantine and judge what was told last; return what it came to in a word."""
    draft = (drafted("Alice", "location", "Berlin", **changes),) if not closes else ()  # type: ignore[arg-type]
    planned = world.plan(*draft, closes=(closing(closes),) if closes else ())
    left = world.quarantine(planned.plan)
    assert not left.plan.events or judge(world.candidate(left.plan), world.state) == ()
    (word,) = (*kinds(left), *codes(planned), *codes(left))
    return word, left.plan


@pytest.mark.parametrize("old", OPEN)
def test_another_value_of_one_is_decided_by_the_table(old: Voice) -> None:
    world = known(old)
    for number, (new, newer) in enumerate(MOMENTS):
        if not newer and (new.rank, new.label) != (old.rank, old.label):
            continue  # time decides among equals only: the others are asked by newer words
        said = new.says("Alice lives in Berlin.", LATE if newer else EARLY)
        world.tell(said, source=f"new{number}", channel=new.channel)
        assert found(world, label=new.label)[0] == outcome(new, old, newer=newer), (str(new), str(old), newer)


@pytest.mark.parametrize("old", OPEN)
def test_words_close_what_they_weigh_as_much_as(old: Voice) -> None:
    world = known(old)
    (fact,) = world.facts("alice")
    for number, (new, newer) in enumerate(MOMENTS):
        if new.label is Label.INFERRED or not (newer or new.rank >= old.rank):
            continue
        said = new.says("Alice has left Boston.", LATE if newer else EARLY)
        world.tell(said, source=f"new{number}", channel=new.channel)
        word, _ = found(world, closes=fact.id)
        may = newer and new.rank >= old.rank
        expected = "close retracted" if may else "lower-authority" if new.rank < old.rank else "close-not-shown"
        assert word == expected, (str(new), str(old), newer)


@pytest.mark.parametrize("old", OPEN[::4])
def test_of_many_values_each_stands_beside_the_others(old: Voice) -> None:
    world = known(old, attribute="note")
    for number, new in enumerate(VOICES):
        world.tell(new.says("Alice lives in Berlin.", LATE), source=f"new{number}", channel=new.channel)
        planned = world.plan(drafted("Alice", "note", "Berlin", label=new.label))
        left = world.quarantine(planned.plan)
        assert judge(world.candidate(left.plan), world.state) == ()
        assert kinds(left) == ["assert Berlin"]


@pytest.mark.parametrize("attribute", ["preference", "rule"])
def test_the_owners_preferences_and_rules_are_in_a_humans_words(attribute: str) -> None:
    for number, new in enumerate(VOICES):
        world = World()
        world.tell(new.says("Mia wants tabs.", LATE), source=f"new{number}", channel=new.channel)
        planned = world.plan(drafted("Mia", attribute, "tabs", label=new.label))
        human = new.who in ("user", "self", "person")
        assert [*kinds(planned), *codes(planned)] == ["assert tabs" if human else "lower-authority"], str(new)
        assert judge(world.candidate(world.quarantine(planned.plan).plan), world.state) == ()


@pytest.mark.parametrize("attribute", ["preference", "rule"])
def test_nobodys_rule_is_a_tools(attribute: str) -> None:
    for number, new in enumerate(VOICES):
        world = World()
        world.tell(new.says("The harbour wants tabs.", LATE), source=f"new{number}", channel=new.channel)
        planned = world.plan(drafted("Harbour", attribute, "tabs", label=new.label))
        speaks = new.who not in ("tool", "system")
        assert [*kinds(planned), *codes(planned)] == ["assert tabs" if speaks else "lower-authority"], str(new)


def test_what_a_tool_said_makes_no_rule_by_way_of_a_conclusion() -> None:
    world = World()
    world.tell(turn("Mia wants tabs.", speaker="", role=Role.TOOL))
    heard = drafted("Mia", "note", "tabs")
    wish = drafted("Mia", "rule", "tabs", label=Label.INFERRED, quotes=(), derived_from=(heard.ref,))
    planned = world.plan(heard, wish)
    assert kinds(planned) == ["assert tabs"]
    assert codes(planned) == ["lower-authority"]


def test_every_channel_but_one_is_the_same() -> None:
    for role, channel in product(Role, Channel):
        piece = evidence(role=role, channel=channel, speaker="Alice")
        same = authority_of(piece, NAMES) == authority_of(replace(piece, channel=Channel.CLI), NAMES)
        assert same is (channel is not Channel.MCP or role not in (Role.USER, Role.PERSON))


# Corrected stays corrected (P11)

A, B = "I live in Boston.", "I live in Berlin."


def moved() -> World:
    """Return a world in which Alice lived in Boston and then in Berlin."""
    world = World()
    world.tell(turn(A, at=EARLY, native="a-1"), source="first")
    world.learn(drafted("I", "location", "Boston"))
    world.tell(turn(B, at=MIDDLE), source="second")
    world.learn(drafted("I", "location", "Berlin"))
    assert world.values("alice") == {"Berlin"}
    return world


def again(world: World, said: Turn, attribute: str = "location", source: str = "third") -> list[str]:
    """Return what saying something again comes to, once the gates have let it pass."""
    world.tell(said, source=source)
    planned = world.plan(drafted("Alice", attribute, "Boston"))
    left = world.quarantine(planned.plan)
    assert judge(world.candidate(left.plan), world.state) == ()
    return [*kinds(left), *codes(planned), *codes(left)]


def test_back_again_by_newer_words() -> None:
    assert again(moved(), turn("I live in Boston again.", at=LATE)) == ["supersede Boston"]


@pytest.mark.parametrize("attribute", ["location", "home", "note", "birthplace"])
@pytest.mark.parametrize(
    "said",
    [
        turn(A, at=EARLY),
        turn("I live in Boston, as I said.", at=EARLY),
        turn(A, at=LATE, native="a-1"),
        turn(A, at=None),
        turn(A, at=EARLY, speaker="Bob"),
    ],
    ids=["the same words", "more words of that time", "the same utterance", "another export", "another mouth"],
)
def test_not_by_words_that_were_there(attribute: str, said: Turn) -> None:
    assert again(moved(), said, attribute) == ["returned"]


def test_not_by_an_export_whose_first_line_changed() -> None:
    world = moved()
    world.tell(turn("Exported today.", at=None, speaker=""), turn(A, at=EARLY), source="export")
    planned = world.plan(drafted("Alice", "location", "Boston", passage=2))
    assert [*kinds(planned), *codes(planned)] == ["returned"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (turn(A, at=EARLY), "returned"),
        (turn(A, at=None), "returned"),
        (turn("I do live in Boston.", at="2026-12-24T00:00:00Z"), "assert Boston"),
    ],
)
def test_after_a_correction_only_by_words_from_behind_it(said: Turn, expected: str) -> None:
    world = World()
    world.tell(turn(A, at=EARLY), source="first")
    world.learn(drafted("I", "location", "Boston"))
    (fact,) = world.facts("alice")
    world.story.page("alice").close(FactId(fact.id), CloseReason.CORRECTED)
    assert world.values("alice") == set()
    world.archive.push("third", said, pushed_at="2026-12-25T00:00:00Z")
    world.passages = world.archive.read[next(v for v in world.archive.metas if world.archive.metas[v].name == "third")]
    planned = world.plan(drafted("Alice", "location", "Boston"), at="2026-12-25T01:00:00Z")
    assert [*kinds(planned), *codes(planned)] == [expected]
