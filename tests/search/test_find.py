from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import Story
from tests.modelled import modelled, put_story, put_turns, quote_of
from tests.store.logs_of import OTHER, SOURCE
from tests.store.scratch import scratch
from xysq.model.fact import CloseReason, Slug
from xysq.model.index import Narrowing
from xysq.model.page import Origin
from xysq.model.source import Role, VersionKind
from xysq.search.find import find
from xysq.search.hit import Hit, HitKind, Place
from xysq.store.readmodel.writer import Writer

TURNS = (
    "Alice: What did you do at the weekend?",
    "Bob: I went to a pottery class with my sister.",
    "Alice: How was it?",
    "Bob: Lovely, we made two bowls.",
    "Alice: I stayed at home and read about glazing.",
    "Bob: You should come along.",
    "Alice: I live in Boston now, that is a long way.",
)


@pytest.fixture
def writer() -> Iterator[Writer]:
    with scratch() as path, modelled(path) as model, model.writing() as writing:
        yield writing


def search(writer: Writer, words: str, *where: Place, limit: int = 10, **narrow: object) -> tuple[Hit, ...]:
    return find(
        writer.state.index,
        words,
        where=where or tuple(Place),
        limit=limit,
        narrowing=Narrowing(**narrow),  # type: ignore[arg-type]
    )


def told(writer: Writer) -> Story:
    """Put the turns, and a story in which Alice moved, was quoted wrongly once and is described."""
    put_turns(writer, *TURNS, said={"at": "2026-11-30T18:02:11Z"})
    story = Story()
    alice = story.page("alice")
    alice.assert_(
        "f-0000000001",
        "Boston",
        text="Alice lives in [[boston|Boston]].",
        attribute="location",
        evidence=(quote_of(TURNS, "I live in Boston"),),
    )
    alice.prose("b-0000000001", "Alice once lived near Boston Common.", origin=Origin.DROPPED, code="unfounded")
    alice.prose("b-0000000002", "Boston trip: see photos.", origin=Origin.YOURS)
    put_story(writer, story)
    return story


def test_a_question_finds_the_turn_that_answers(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    best = search(writer, "When did Bob go to the pottery class?")[0]
    assert (best.kind, best.id, best.who) == (HitKind.PASSAGE, f"{SOURCE}@1#2", "Bob")
    assert best.text == "I went to a pottery class with my sister."


def test_an_answer_is_found_by_the_turns_around_it(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    hits = search(writer, "pottery class")
    assert f"{SOURCE}@1#4" in [hit.id for hit in hits]


def test_every_kind_is_found_with_its_own_id(writer: Writer) -> None:
    told(writer)
    hits = {hit.id: hit for hit in search(writer, "Boston")}
    fact, passage, drafted, yours = (
        hits[name] for name in ("f-0000000001", f"{SOURCE}@1#7", "b-0000000001", "b-0000000002")
    )
    assert (fact.kind, fact.who, fact.page, fact.text) == (HitKind.FACT, "alice", "alice", "Alice lives in Boston.")
    assert (fact.at, passage.at) == ("2026-11-30T18:02:11Z", "2026-11-30T18:02:11Z")
    assert (drafted.kind, drafted.unproven, yours.unproven) == (HitKind.PROSE, True, False)
    assert not fact.unproven
    assert not passage.unproven
    assert not any(hit.marks for hit in hits.values())


def test_where_to_look_is_kept_to(writer: Writer) -> None:
    told(writer)
    kinds = {place: {hit.kind for hit in search(writer, "Boston", place)} for place in Place}
    assert kinds == {Place.LOGS: {HitKind.PASSAGE}, Place.FACTS: {HitKind.FACT}, Place.PAGES: {HitKind.PROSE}}


def test_superseded_words_are_found_and_say_so(writer: Writer) -> None:
    story = told(writer)
    story.page("alice").supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "sister"),))
    put_story(writer, story)
    marks = {hit.id: [str(mark) for mark in hit.marks] for hit in search(writer, "live Boston")}
    assert marks["f-0000000001"] == marks[f"{SOURCE}@1#7"] == ["superseded on 2026-11-30 by f-0000000002"]


def test_closed_facts_come_behind_open_ones_and_say_why(writer: Writer) -> None:
    story = told(writer)
    story.page("alice").assert_("f-0000000003", text="Alice lives in Boston.", evidence=())
    story.page("alice").close("f-0000000001", CloseReason.RETRACTED)
    put_story(writer, story)
    hits = search(writer, "lives in Boston", Place.FACTS)
    assert [hit.id for hit in hits] == ["f-0000000003", "f-0000000001"]
    assert [str(mark) for mark in hits[1].marks] == ["no longer held: retracted"]
    assert [hit.id for hit in search(writer, "lives in Boston", Place.FACTS, only_open=True)] == ["f-0000000003"]


def test_corrected_words_are_marked_whatever_else_is_found(writer: Writer) -> None:
    told(writer)
    put_turns(writer, *TURNS[:-1], "Alice: I live in Paris.", kind=VersionKind.CORRECT)
    hits = search(writer, "live", Place.LOGS)
    for hit in hits:
        assert bool(hit.marks) is ("Boston" in hit.text or "@1" in hit.id)


def test_narrowing_holds_for_what_is_near_too(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    hits = search(writer, "pottery glazing", speaker="Bob")
    assert {hit.who for hit in hits} == {"Bob"}
    assert [hit.id for hit in search(writer, "pottery glazing", source=OTHER)] == []
    assert {hit.page for hit in search(writer, "Boston", page=Slug("nobody"))} == set()


def test_a_limit_is_kept_and_hits_come_best_first(writer: Writer) -> None:
    told(writer)
    hits = search(writer, "Boston class", limit=3)
    assert len(hits) == 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert search(writer, "Boston", limit=0) == ()


def test_the_same_search_gives_the_same_hits(writer: Writer) -> None:
    told(writer)
    assert search(writer, "Boston pottery home") == search(writer, "Boston pottery home")


def test_a_named_speaker_is_preferred(writer: Writer) -> None:
    put_turns(writer, "Alice: The tea was good.", "Bob: The tea was good.")
    assert search(writer, "What did Bob say about tea?")[0].who == "Bob"
    assert search(writer, "What did Alice say about tea?")[0].who == "Alice"


def test_a_named_day_is_preferred(writer: Writer) -> None:
    put_turns(writer, "Bob: The tea was good.", said={"at": "2026-06-03T10:00:00Z"})
    put_turns(writer, "Bob: The tea was good.", source=OTHER, said={"at": "2026-07-04T10:00:00Z"})
    assert search(writer, "tea in July")[0].id == f"{OTHER}@1#1"
    assert search(writer, "tea on June 3, 2026")[0].id == f"{SOURCE}@1#1"


def test_what_people_said_comes_before_what_a_tool_printed(writer: Writer) -> None:
    put_turns(writer, "grep: the importer is slow today", said={"role": Role.TOOL})
    put_turns(writer, "Bob: the importer is slow today", source=OTHER)
    assert [hit.who for hit in search(writer, "importer slow")] == ["Bob", "grep"]


def test_a_passage_without_a_speaker_goes_by_its_role(writer: Writer) -> None:
    put_turns(writer, "x: tea", said={"speaker": "", "role": Role.USER})
    assert search(writer, "tea")[0].who == "user"


def test_words_of_other_scripts_are_found(writer: Writer) -> None:
    put_turns(writer, "王: 我住在北京，喜欢喝茶。", "李: 我在上海工作。", "สมชาย: ผมอยู่ที่กรุงเทพ")
    assert search(writer, "他喜欢喝什么茶")[0].id == f"{SOURCE}@1#1"
    assert search(writer, "上海")[0].id == f"{SOURCE}@1#2"
    assert search(writer, "กรุงเทพ")[0].id == f"{SOURCE}@1#3"


def test_identifiers_are_found_whole_and_by_part(writer: Writer) -> None:
    put_turns(writer, "Bob: we call parseRunHeader there", "Bob: edit src/store/git_index.py", "Bob: header files")
    assert search(writer, "parseRunHeader")[0].id == f"{SOURCE}@1#1"
    assert f"{SOURCE}@1#1" in [hit.id for hit in search(writer, "header")]
    assert search(writer, "git_index")[0].id == f"{SOURCE}@1#2"
    assert search(writer, "src/store/git_index.py")[0].id == f"{SOURCE}@1#2"


@pytest.mark.parametrize("words", ["", "   ", "?!", '"', "\x00"])
def test_a_query_without_a_word_finds_nothing(writer: Writer, words: str) -> None:
    told(writer)
    assert search(writer, words) == ()


def test_an_empty_vault_has_nothing(writer: Writer) -> None:
    assert search(writer, "anything at all") == ()


SYNTAX = st.lists(st.sampled_from(['"', "*", "(", "NEAR", "AND", "Boston", ":", "^"])).map(" ".join)


def test_no_string_makes_trouble(writer: Writer) -> None:
    told(writer)

    @given(st.text(st.characters(), max_size=60) | SYNTAX)
    @settings(max_examples=60)
    def ask(words: str) -> None:
        assert all(hit.score > 0 for hit in search(writer, words))

    ask()


@pytest.mark.parametrize("words", ["boston " * 20_000, "b" * 100_000, '"' * 100_000, "北" * 100_000])
def test_a_hostile_query_is_answered(writer: Writer, words: str) -> None:
    told(writer)
    assert len(search(writer, words)) <= 10
