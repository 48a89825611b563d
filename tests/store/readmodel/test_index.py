from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import Story
from tests.modelled import modelled, put_story, put_turns, quote_of, text_of
from tests.store.logs_of import OTHER, SOURCE
from xysq.model.fact import CloseReason, Slug
from xysq.model.index import IndexedPassage, Mark, MarkKind, Narrowing
from xysq.model.page import Origin
from xysq.model.source import VersionKind
from xysq.store.readmodel.writer import Writer
from xysq.terms import quoted

TURNS = ("Alice Chen: I live in Boston.", "Bob: Nice town.", "Alice Chen: I have a cat.", "Bob: I live here too.")
ALL = Narrowing()


@pytest.fixture
def writer(quick_path: Path) -> Iterator[Writer]:
    with modelled(quick_path) as model, model.writing() as writing:
        yield writing


def found(writer: Writer, words: str, limit: int = 10, **narrow: object) -> list[str]:
    passages = writer.state.index.passages(quoted(words), Narrowing(**narrow), limit)  # type: ignore[arg-type]
    return sorted(str(passage) for passage in passages)


def one(writer: Writer, words: str) -> IndexedPassage:
    (passage,) = writer.state.index.passages(quoted(words), ALL, 10)
    return passage


def ids(*numbers: int, version: int = 1) -> list[str]:
    return [f"{SOURCE}@{version}#{number}" for number in numbers]


def test_passages_are_found_by_stem(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    assert found(writer, "lives") == ids(1, 4)
    assert found(writer, "cats") == ids(3)
    assert found(writer, "dog") == []
    assert len(found(writer, "lives", limit=1)) == 1


@pytest.mark.parametrize(
    ("narrow", "numbers"),
    [
        ({"speaker": "alice chen"}, (1,)),
        ({"speaker": "ALICE"}, (1,)),
        ({"speaker": "Chen"}, (1,)),
        ({"speaker": "Al"}, ()),
        ({"source": SOURCE}, (1, 4)),
        ({"source": OTHER}, ()),
        ({"project": "/p"}, (1, 4)),
        ({"project": "/q"}, ()),
        ({"since": "2026-11-30"}, (1, 4)),
        ({"since": "2026-12"}, ()),
        ({"before": "2026-12"}, (1, 4)),
        ({"before": "2026-11-30"}, ()),
        ({"page": Slug("alice")}, (1,)),
        ({"page": Slug("bob")}, ()),
    ],
)
def test_passages_are_narrowed(writer: Writer, narrow: dict[str, object], numbers: tuple[int, ...]) -> None:
    put_turns(writer, *TURNS, project="/p")
    story = Story()
    story.page("alice").assert_("f-0000000001", evidence=(quote_of(TURNS, "live in Boston"),))
    put_story(writer, story)
    assert found(writer, "live", 10, **narrow) == ids(*numbers)


def test_a_search_is_narrowed_by_when_it_was_said_before_when_it_was_pushed(writer: Writer) -> None:
    put_turns(writer, "Bob: Hello.", said={"at": "2020-01-01T00:00:00Z"})
    put_turns(writer, "Bob: Hello.", source=OTHER, observed_to="2021-01-01T00:00:00Z")
    assert found(writer, "hello", before="2020-06") == [f"{SOURCE}@1#1"]
    assert found(writer, "hello", since="2020-06", before="2021-06") == [f"{OTHER}@1#1"]


def test_passages_near_one_are_told_once(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    put_turns(writer, "Bob: A cat.", source=OTHER)
    passages = writer.state.index.passages(quoted("Boston"), ALL, 10)
    assert [passage.number for passage in writer.state.index.near(passages, 1)] == [1, 2]
    both = writer.state.index.passages(quoted("live"), ALL, 10)
    near = writer.state.index.near(both, 2)
    assert sorted(passage.number for passage in near) == [1, 2, 3, 4]
    assert {passage.source for passage in near} == {SOURCE}
    assert writer.state.index.near((), 2) == ()


def test_near_goes_on_into_an_appended_part(writer: Writer) -> None:
    put_turns(writer, *TURNS[:2])
    put_turns(writer, "Eve: Hm.", source=OTHER)
    put_turns(writer, TURNS[2], kind=VersionKind.APPEND)
    near = writer.state.index.near([one(writer, "cat")], 1)
    assert sorted(str(passage) for passage in near) == [*ids(2), *ids(3, version=2)]


def test_our_own_recall_is_not_found(writer: Writer) -> None:
    put_turns(writer, "tool: I live in Boston.", said={"own": True})
    put_turns(writer, TURNS[0], source=OTHER)
    assert found(writer, "Boston") == [f"{OTHER}@1#1"]


def test_words_an_update_kept_are_found_once(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    size = len(text_of(TURNS[:3]).encode())
    put_turns(writer, *TURNS[:3], "Bob: Me too.", kind=VersionKind.UPDATE, kept=((0, size, 0),))
    assert found(writer, "Boston") == ids(1, version=2)
    assert writer.state.index.marks(one(writer, "Boston")) == ()
    gone = one(writer, "here too")
    assert str(gone) == f"{SOURCE}@1#4"
    assert writer.state.index.marks(gone) == (Mark(kind=MarkKind.CHANGED, by=f"{SOURCE}@2"),)


def test_words_a_correction_removed_are_found_and_say_so(writer: Writer) -> None:
    put_turns(writer, "Alice: I live in Boston.")
    put_turns(writer, "Alice: I live in Berlin.", kind=VersionKind.CORRECT, kept=((0, 17, 0), (23, 25, 23)))
    old, new = one(writer, "Boston"), one(writer, "Berlin")
    assert [str(mark) for mark in writer.state.index.marks(old)] == [f"corrected in {SOURCE}@2"]
    assert writer.state.index.marks(new) == ()


def moved(writer: Writer) -> Story:
    put_turns(writer, *TURNS)
    story = Story()
    alice = story.page("alice")
    alice.assert_("f-0000000001", "Boston", evidence=(quote_of(TURNS, "I live in Boston"),))
    alice.assert_("f-0000000003", "a cat", evidence=(quote_of(TURNS, "I have a cat"),))
    alice.supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "Nice town"),))
    return story


def test_superseded_words_name_what_took_their_place(writer: Writer) -> None:
    put_story(writer, moved(writer))
    (mark,) = writer.state.index.marks(one(writer, "Boston"))
    assert (mark.kind, mark.by, mark.fact) == (MarkKind.SUPERSEDED, "f-0000000002", "f-0000000001")
    assert str(mark) == "superseded on 2026-11-30 by f-0000000002"
    assert writer.state.index.marks(one(writer, "nice")) == ()
    assert writer.state.index.marks(one(writer, "cat")) == ()


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        (CloseReason.RETRACTED, ["no longer held: retracted"]),
        (CloseReason.CORRECTED, ["no longer held: corrected"]),
        (CloseReason.MERGED, []),
    ],
)
def test_words_of_a_closed_fact_say_why(writer: Writer, reason: CloseReason, says: list[str]) -> None:
    story = moved(writer)
    story.page("alice").close("f-0000000003", reason)
    put_story(writer, story)
    assert [str(mark) for mark in writer.state.index.marks(one(writer, "cat"))] == says


def test_marks_go_along_with_words_into_newer_versions(writer: Writer) -> None:
    put_story(writer, moved(writer))
    size = len(text_of(TURNS).encode())
    put_turns(writer, "Eve: First.", *TURNS, kind=VersionKind.UPDATE, kept=((0, size, 12),))
    put_turns(writer, *TURNS, kind=VersionKind.UPDATE, kept=((12, 12 + size, 0),))
    here = one(writer, "Boston")
    assert here.version == 3
    assert [str(mark) for mark in writer.state.index.marks(here)] == ["superseded on 2026-11-30 by f-0000000002"]
    assert writer.state.index.marks(one(writer, "cat")) == ()


def test_marks_are_there_too_when_the_run_comes_after_the_version(writer: Writer) -> None:
    story = moved(writer)
    size = len(text_of(TURNS).encode())
    put_turns(writer, "Eve: First.", *TURNS, kind=VersionKind.UPDATE, kept=((0, size, 12),))
    put_story(writer, story)
    here = one(writer, "Boston")
    assert here.version == 2
    assert [str(mark) for mark in writer.state.index.marks(here)] == ["superseded on 2026-11-30 by f-0000000002"]


def facts(writer: Writer, words: str, **narrow: object) -> list[str]:
    found = writer.state.index.facts(quoted(words), Narrowing(**narrow), 10)  # type: ignore[arg-type]
    return sorted(fact.id[-1] for fact in found)


@pytest.mark.parametrize(
    ("narrow", "found"),
    [
        ({}, "123"),
        ({"only_open": True}, "23"),
        ({"page": Slug("alice")}, "123"),
        ({"page": Slug("bob")}, ""),
        ({"source": SOURCE}, "123"),
        ({"source": OTHER}, ""),
        ({"project": "/p"}, ""),
        ({"speaker": "Alice"}, "13"),
        ({"speaker": "Bob"}, "2"),
        ({"since": "2026-12"}, ""),
        ({"before": "2026-12"}, "123"),
    ],
)
def test_facts_are_found_and_narrowed(writer: Writer, narrow: dict[str, object], found: str) -> None:
    put_story(writer, moved(writer))
    assert facts(writer, "says", **narrow) == list(found)


def test_facts_are_found_by_value_and_attribute(writer: Writer) -> None:
    story = Story()
    story.page("app").assert_("f-0000000001", "3.12", attribute="setting:python version", text="It runs on that.")
    put_story(writer, story)
    assert facts(writer, "python version") == ["1"]
    assert facts(writer, "3.12") == ["1"]
    assert facts(writer, "ruby") == []


def prose(writer: Writer, words: str, **narrow: object) -> list[str]:
    found = writer.state.index.prose(quoted(words), Narrowing(**narrow), 10)  # type: ignore[arg-type]
    return [f"{block.block[-1]} {block.text}" for block in found]


def test_prose_is_found_as_it_is_now(writer: Writer) -> None:
    put_turns(writer, *TURNS, project="/p")
    story = Story()
    alice = story.page("alice")
    alice.prose("b-0000000001", "She is \\*kind\\*.", quotes=(quote_of(TURNS, "cat"),))
    alice.prose("b-0000000002", "She is tall.", origin=Origin.YOURS)
    put_story(writer, story)
    assert prose(writer, "kind") == ["1 She is \\*kind\\*."]
    assert prose(writer, "kind", page=Slug("alice")) == ["1 She is \\*kind\\*."]
    assert prose(writer, "kind", page=Slug("bob")) == []
    assert prose(writer, "she", source=SOURCE) == ["1 She is \\*kind\\*."]
    assert prose(writer, "she", project="/p") == ["1 She is \\*kind\\*."]
    assert prose(writer, "she", speaker="Alice") == []
    assert prose(writer, "she", since="2026-12") == []
    alice.replace_prose("b-0000000001", "She is wise.")
    alice.remove_prose("b-0000000002")
    put_story(writer, story)
    assert prose(writer, "kind") == []
    assert prose(writer, "she") == ["1 She is wise."]


def test_how_often_words_stand_and_who_speaks_is_known(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    index = writer.state.index
    assert (index.frequency(quoted("live")), index.frequency(quoted("dog")), index.size()) == (2, 0, 4)
    assert index.speakers(["alice", "bob", "eve"]) == {"alice": {"alice chen"}, "bob": {"bob"}}
