"""Worlds that hear a poisoned source among others, and the same worlds without it.

A *tale* is a list of sources, each with a few turns and what a drafter makes of them. Told to a world one after the
other, with one of them left out it is the world that never heard that one.

    python -m tests.planner.never_heard 2000

tells so many tales twice, and prints the seeds of those whose pages differ once the source is taken back.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tests.archive import Turn, source_named
from tests.planner.undone import revert
from tests.world import World, block, drafted
from xysq.model.draft import DraftClose, DraftFact, DraftQuote
from xysq.model.fact import Fact, Label, Proof, RunId, Slug
from xysq.model.plan import DropCode
from xysq.model.schema import Schema
from xysq.model.source import Role
from xysq.planner.undo import Wording
from xysq.text import fold

ATTRIBUTES = ("location", "location", "employer", "likes", "skill")
VALUES = {
    "location": ("Rome", "Oslo", "Lima"),
    "employer": ("Acme", "Apex"),
    "likes": ("tea", "jazz"),
    "skill": ("go",),
}
SUBJECTS = ("Alice", "alice", "Bob", "BOB", "I", "Zoe")
TIMES = tuple(f"2026-11-{day:02d}T00:00:00Z" for day in range(1, 28))
WORDINGS = ("{} has {}.", "{}, they say, is {}.", "It is so that {} knows {}.")
_LEFT_OUT = frozenset(
    {
        DropCode.LOWER_AUTHORITY,
        DropCode.WEAKER_LABEL,
        DropCode.RETURNED,
        DropCode.AMBIGUOUS,
        DropCode.CLOSE_NOT_SHOWN,
        DropCode.UNFOUNDED,
    }
)


@dataclass(frozen=True)
class Said:
    """One turn, and the fact that is drafted of it."""

    turn: Turn
    subject: str
    kind: str
    attribute: str
    value: str
    text: str
    label: Label = Label.STATED


@dataclass(frozen=True)
class Ending:
    """A turn that ends what a page says, and of which page and value."""

    turn: Turn
    page: str
    value: str


@dataclass(frozen=True)
class Source:
    """A source of a tale; `prose` is a sentence its drafter adds to a page."""

    name: str
    said: tuple[Said, ...]
    endings: tuple[Ending, ...] = ()
    prose: str = ""


def tale(random: Random, count: int, poisoned: int) -> tuple[Source, ...]:
    """Return as many sources; only the poisoned one ends what others said."""
    times = random.sample(TIMES, len(TIMES))
    return tuple(_source(random, number, times, is_poison=number == poisoned) for number in range(count))


def _source(random: Random, number: int, times: list[str], *, is_poison: bool) -> Source:
    seats: dict[tuple[str, str], Said] = {}
    for _ in range(random.randint(1, 4)):
        said = _said(random, times.pop())
        seats.setdefault((fold(said.subject), said.attribute), said)
    endings: tuple[Ending, ...] = ()
    if is_poison:
        attribute = random.choice(ATTRIBUTES)
        value = random.choice(VALUES[attribute])
        turn = Turn(text=f"Alice and Bob: forget {value}.", speaker="", role=Role.USER, at="2026-11-29T00:00:00Z")
        endings = tuple(Ending(turn, page, value) for page in ("alice", "bob"))
    prose = f"Alice is a mystery {number}." if random.random() < 0.3 else ""
    return Source(f"s{number}", tuple(seats.values()), endings, prose)


def _said(random: Random, at: str) -> Said:
    attribute = random.choice(ATTRIBUTES)
    value, subject = random.choice(VALUES[attribute]), random.choice(SUBJECTS)
    role, speaker = random.choice(
        ((Role.USER, ""), (Role.USER, ""), (Role.PERSON, "Alice"), (Role.PERSON, "Bob"), (Role.ASSISTANT, ""))
    )
    if subject == "I" and role is Role.ASSISTANT:
        subject = "Alice"
    turn = Turn(text=f"{subject} {value} {attribute}.", speaker=speaker, role=role, at=at)
    kind = random.choice(("person", ""))
    text = random.choice(WORDINGS).format(subject.title(), value)
    return Said(turn, subject, kind, attribute, value, text)


class Hearing:
    """A world, and the sources it heard."""

    def __init__(self) -> None:
        self.world = World()
        self.heard: dict[RunId, Source] = {}

    def hear(self, sources: Iterable[Source]) -> tuple[Source, ...]:
        """Learn from sources, oldest first; return those of which something was left out that others may be behind."""
        return tuple(source for source in sources if not _LEFT_OUT.isdisjoint(self._learn(source, is_new=True)))

    def hear_again(self, sources: Iterable[Source]) -> list[DropCode]:
        """Learn from sources that were heard before, once more; return why something was left out again."""
        return [code for source in sources for code in self._learn(source, is_new=False)]

    def unhear(self, source: Source) -> None:
        """Take a source back."""
        revert(self.world, source_named(source.name), self._wording, self._name)

    def _learn(self, source: Source, *, is_new: bool) -> list[DropCode]:
        world = self.world
        turns = [*(said.turn for said in source.said), *dict.fromkeys(ending.turn for ending in source.endings)]
        if is_new:
            world.tell(*turns, source=source.name)
        else:
            passages = world.archive.read
            world.passages = next(
                found for version, found in passages.items() if version.source == source_named(source.name)
            )
        self.heard[world.next_run] = source
        facts = [_drafted(number, said) for number, said in enumerate(source.said, 1)]
        edits = [block(said.subject, said.text, fact.ref) for said, fact in zip(source.said, facts, strict=True)]
        if source.prose:
            edits.append(block(source.said[0].subject, source.prose))
        closes = [close for ending in source.endings for close in self._closes(ending, len(turns))]
        return [drop.code for drop in world.learn(*facts, closes=closes, edits=edits).drops]

    def _closes(self, ending: Ending, passage: int) -> list[DraftClose]:
        facts = self.world.facts(ending.page)
        named = (fact for fact in facts if fact.value == ending.value)
        return [DraftClose(fact=fact.id, quotes=(DraftQuote(passage=passage),)) for fact in named]

    def _wording(self, fact: Fact, proofs: tuple[Proof, ...]) -> Wording:
        said = self._of(fact, proofs)
        return Wording(fact.text, fact.value) if said is None else Wording(said.text, said.value)

    def _name(self, slug: Slug, proof: Proof) -> tuple[str, str] | None:
        mark = self.world.story.fold.run_of(proof.n)
        source = None if mark is None else self.heard.get(mark.run)
        said = None if source is None else next((one for one in source.said if _page_of(one) == slug), None)
        if said is None:
            return None
        if said.subject == "I":
            return ("Mia Voss", "person") if said.turn.role is Role.USER else (said.turn.speaker, "person")
        return said.subject, said.kind

    def _of(self, fact: Fact, proofs: tuple[Proof, ...]) -> Said | None:
        proof = min(proofs, key=lambda one: one.n)
        mark = self.world.story.fold.run_of(proof.n)
        source = None if mark is None else self.heard.get(mark.run)
        found = () if source is None else source.said
        return next((one for one in found if _says(one, fact)), None)


def _says(said: Said, fact: Fact) -> bool:
    attribute = Schema().attribute(said.attribute).name
    return (attribute, said.value, _page_of(said)) == (fact.attribute, fact.value, fact.page)


def _page_of(said: Said) -> str:
    if said.subject != "I":
        return fold(said.subject)
    return "mia-voss" if said.turn.role is Role.USER else fold(said.turn.speaker)


def _drafted(passage: int, said: Said) -> DraftFact:
    return drafted(
        said.subject,
        said.attribute,
        said.value,
        text=said.text,
        passage=passage,
        kind=said.kind,
        label=said.label,
        ref=str(passage),
    )


Shown = dict[str, object]


def shown(world: World, unworded: Iterable[Source] = ()) -> dict[str, Shown]:
    """Return what every page says: its names, its facts by section, its prose.

    What sources said that were heard once more is shown without its wording, and their pages without their names:
    others may have said it first meanwhile.
    """
    pages = {_page_of(said) for source in unworded for said in source.said}
    again = {(_page_of(said), said.value) for source in unworded for said in source.said}
    found: dict[str, Shown] = {}
    for page in world.story.fold.every_page():
        if page.is_living:
            facts = [fact for fact in world.story.fold.facts_of(page.slug) if fact.is_open]
            found[page.slug] = {
                "names": () if page.slug in pages else (page.title, page.kind, page.aliases),
                "facts": sorted(
                    (f.section, f.attribute, f.value, "" if (f.page, f.value) in again else f.text, f.label.value)
                    for f in facts
                ),
                "prose": sorted(one.text for one in page.blocks if not hasattr(one, "fact")),
            }
    return found


def without_it(sources: Iterable[Source], poison: Source) -> tuple[Source, ...]:
    return tuple(source for source in sources if source is not poison)


def told_twice(seed: int) -> tuple[dict[str, Shown], dict[str, Shown]] | None:
    """Return what pages say where a source was taken back, and where it was never heard.

    None where words say once more what was taken back: that they could not do (P11), in the other world they can.
    """
    random = Random(seed)
    count = random.randint(3, 6)
    poisoned = random.randrange(count)
    sources = tale(random, count, poisoned)
    heard, never = Hearing(), Hearing()
    left_out = without_it(heard.hear(sources), sources[poisoned])
    heard.unhear(sources[poisoned])
    if DropCode.RETURNED in heard.hear_again(left_out):
        return None
    never.hear(without_it(sources, sources[poisoned]))
    return shown(heard.world, left_out), shown(never.world, left_out)


def main() -> int:
    """Tell as many tales as are asked for; end with 1 where pages differ."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    pairs = {seed: told_twice(seed) for seed in range(count)}
    odd = [seed for seed, pair in pairs.items() if pair is not None and pair[0] != pair[1]]
    told = sum(pair is not None for pair in pairs.values())
    named = f": {', '.join(map(str, odd))}" if odd else ""
    sys.stdout.write(f"{told} tales, {len(odd)} with other pages{named}\n")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
