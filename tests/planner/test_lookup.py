"""A remembering state asks every question once, and answers as the state behind it."""

from collections import Counter

from tests.archive import LiteralArchive, turn
from tests.builders import evidence
from tests.world import World
from xysq.model.fact import Evidence, FactId, Slug
from xysq.model.source import Meta, Version
from xysq.planner.lookup import remembering


class Counted(LiteralArchive):
    """An archive that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def meta(self, version: Version) -> Meta | None:
        self.asked["meta"] += 1
        return super().meta(version)

    def words(self, evidence: Evidence) -> str | None:
        self.asked["words"] += 1
        return super().words(evidence)


def test_each_question_is_asked_once_and_nothing_is_an_answer_too() -> None:
    archive = Counted()
    (said,) = archive.push("talk", turn("I live in Boston."))
    asked = remembering(World(archive=archive).state).archive
    quote = evidence("I live in Boston.", source=said.source, start=said.spans[0].start, end=said.spans[0].end)
    for _ in range(3):
        assert asked.words(quote) == "I live in Boston."
        assert asked.meta(Version(said.source, 7)) is None
    assert archive.asked == {"words": 1, "meta": 1}


def test_the_answers_are_those_of_the_state_behind_it() -> None:
    world = World()
    world.story.page("alice", "Alice").assert_("f-0000000001", "Boston")
    plain, asked = world.state.ledger, remembering(world.state).ledger
    assert asked.head() == plain.head()
    assert asked.page(Slug("alice")) == plain.page(Slug("alice")) is not None
    assert asked.fact(FactId("f-0000000001")) == plain.fact(FactId("f-0000000001"))
    assert asked.facts_of(Slug("alice")) == plain.facts_of(Slug("alice"))
    assert asked.named("alice") == ("alice",)
    assert asked.resting_on(FactId("f-0000000001")) == ()
    assert asked.block_page("b-0000000001") is None
