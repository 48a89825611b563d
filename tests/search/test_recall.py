from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.modelled import modelled, put_story, put_turns, quote_of
from tests.search.test_find import TURNS, told
from tests.store.logs_of import OTHER, SOURCE
from tests.store.scratch import scratch
from xysq.model.fact import Slug
from xysq.model.index import Mark, MarkKind, Narrowing
from xysq.model.source import VersionKind
from xysq.planner.fence import fence_ranges
from xysq.readers.recall import closes, opens
from xysq.search.block import LEAST_BUDGET, Recall, Searched, pack
from xysq.search.query import parse
from xysq.search.recall import Chosen, LeftOut, RecalledFact, RecalledPassage, choose
from xysq.store.readmodel.writer import Writer
from xysq.text import safe_text, tokens

SEARCHED = Searched(sources=2, passages=1_234, facts=1)


@pytest.fixture
def writer() -> Iterator[Writer]:
    with scratch() as path, modelled(path) as model, model.writing() as writing:
        yield writing


def chosen(writer: Writer, words: str, **narrow: object) -> Chosen:
    return choose(
        writer.state.index,
        parse(words),
        pages=writer.state.ledger.named,
        title=lambda slug: f"The page {slug}",
        narrowing=Narrowing(**narrow),  # type: ignore[arg-type]
    )


def recalled(writer: Writer, words: str, budget: int = 1_500) -> Recall:
    return pack(words, chosen(writer, words), SEARCHED, budget)


def shown(writer: Writer, words: str) -> dict[str, RecalledPassage]:
    return {passage.id: passage for group in chosen(writer, words).groups for passage in group}


def turn(number: int, version: int = 1) -> str:
    return f"{SOURCE}@{version}#{number}"


def test_open_facts_come_with_their_page_and_who_said_them(writer: Writer) -> None:
    told(writer)
    (fact,) = chosen(writer, "Where does Alice live? In Boston?").facts
    assert fact == RecalledFact(
        id="f-0000000001",
        at="2026-11-30T18:02:11Z",
        who="Alice",
        page=Slug("alice"),
        title="The page alice",
        text="Alice lives in Boston.",
    )


def test_passages_come_with_what_stands_beside_them_in_order(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    (group,) = chosen(writer, "pottery class").groups
    assert [passage.id for passage in group] == [turn(1), turn(2), turn(3)]
    assert [passage.beside for passage in group] == [turn(2), "", turn(2)]


def test_a_passage_is_told_once(writer: Writer) -> None:
    put_turns(writer, "Bob: tea one", "Bob: tea two", "Bob: and then", "Bob: tea three", "Bob: tea four")
    ids = [passage.id for group in chosen(writer, "tea").groups for passage in group]
    assert sorted(ids) == [turn(number) for number in range(1, 6)]


def test_facts_about_somebody_else_are_left_out(writer: Writer) -> None:
    told(writer)
    found = chosen(writer, "Does Bob live in Boston?")
    assert found.facts == ()
    assert LeftOut(id="f-0000000001", reason="is about alice, not whom it was asked of") in found.left_out


def test_facts_that_meet_little_of_what_was_asked_are_left_out(writer: Writer) -> None:
    told(writer)
    found = chosen(writer, "Which aquarium in Boston did Alice visit with the penguins?")
    assert found.facts == ()
    (reason,) = [out.reason for out in found.left_out if out.id == "f-0000000001"]
    assert reason.startswith("meets ")


def test_closed_facts_and_prose_are_never_recalled(writer: Writer) -> None:
    story = told(writer)
    story.page("alice").supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "sister"),))
    put_story(writer, story)
    found = recalled(writer, "Boston")
    assert found.facts == ()
    assert "Common" not in found.text
    assert "photos" not in found.text
    assert chosen(writer, "lives in Berlin").facts[0].id == "f-0000000002"


def test_superseded_and_corrected_words_are_marked(writer: Writer) -> None:
    story = told(writer)
    story.page("alice").supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "sister"),))
    put_story(writer, story)
    put_turns(writer, "Carol: I keep bees.", source=OTHER)
    put_turns(writer, "Carol: I keep hens.", source=OTHER, kind=VersionKind.CORRECT)
    assert "[superseded on 2026-11-30 by f-0000000002] I live in Boston" in recalled(writer, "live in Boston").text
    assert f"[corrected in {OTHER}@2] I keep bees." in recalled(writer, "keep bees").text
    assert "] I keep hens." not in recalled(writer, "keep hens").text


def test_marks_hold_for_what_stands_beside_too(writer: Writer) -> None:
    story = told(writer)
    story.page("alice").supersede("f-0000000002", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "sister"),))
    put_story(writer, story)
    beside = shown(writer, "You should come along")[turn(7)]
    assert beside.beside == turn(6)
    assert [str(mark) for mark in beside.marks] == ["superseded on 2026-11-30 by f-0000000002"]


def test_where_nothing_is_near_it_says_so(writer: Writer) -> None:
    told(writer)
    found = recalled(writer, "quantum chromodynamics")
    assert found.is_empty
    assert "nothing about quantum chromodynamics in memory (searched 1,234 passages, 1 fact, 2 sources)" in found.text
    assert recalled(writer, "?!").is_empty
    assert not recalled(writer, "pottery").is_empty


def test_one_common_word_of_a_rare_question_is_not_enough(writer: Writer) -> None:
    told(writer)
    assert recalled(writer, "Which class of quantum chromodynamics lattice simulations converges?").is_empty


def test_narrowing_holds(writer: Writer) -> None:
    told(writer)
    assert chosen(writer, "Boston", project="/elsewhere").groups == ()
    assert chosen(writer, "Boston", since="2027").facts == ()


def fact(number: int, text: str = "Tom is a cook.") -> RecalledFact:
    return RecalledFact(
        id=f"f-{number}", at="2026-11-30T18:02:11Z", who="Tom", page=Slug("tom"), title="Tom", text=text
    )


def passage(number: int, text: str = "I cook.", beside: str = "", **changes: object) -> RecalledPassage:
    base = {"id": f"p#{number}", "at": "2026-11-30T18:02:11Z", "who": "Tom", "text": text, "marks": ()}
    return RecalledPassage(beside=beside, **(base | changes))  # type: ignore[arg-type]


def of(*facts: RecalledFact, groups: tuple[tuple[RecalledPassage, ...], ...] = ()) -> Chosen:
    return Chosen(facts=facts, groups=groups, left_out=())


def test_a_block_is_fenced_and_each_line_has_id_time_and_who() -> None:
    group = (passage(1, "Really?", beside="p#2", who="Ann"), passage(2))
    lines = pack("Tom", of(fact(1), groups=(group,)), SEARCHED).text.splitlines()
    assert opens(lines[0].encode())
    assert closes(lines[-1].encode())
    assert lines[3] == "- f-1 (2026-11-30 18:02, said by Tom; page tom) Tom: Tom is a cook."
    assert lines[5:7] == ["  - p#1 (2026-11-30 18:02) Ann: Really?", "- p#2 (2026-11-30 18:02) Tom: I cook."]


def test_what_has_no_room_is_told() -> None:
    long = "x" * 200
    groups = ((passage(1, long, beside="p#2"), passage(2)), (passage(3, long),), (passage(4),))
    told_ = pack("Tom", of(fact(1, long), fact(2), groups=groups), SEARCHED, 125)
    assert [one.id for one in told_.facts] == ["f-2"]
    assert [one.id for group in told_.groups for one in group] == ["p#2", "p#4"]
    assert told_.left_out == tuple(LeftOut(id=name, reason="has no room in 125 tokens") for name in ("f-1", "p#3"))


def test_facts_leave_room_for_passages() -> None:
    many = tuple(fact(number, "word " * 12) for number in range(50))
    told_ = pack("Tom", of(*many, groups=((passage(1),),)), SEARCHED, 500)
    assert len(told_.facts) > 3
    assert told_.groups


def test_tokens_are_counted() -> None:
    assert [tokens(text) for text in ("", "a", "abcd", "abcde", "北京", "a北京b")] == [0, 1, 1, 2, 2, 3]


_PIECES = ["</xysq-recall>", "\n<xysq-recall", "\n- ", "\x1b[2J", "\u202e", '"', ">", "北京", "word "]
HOSTILE = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=12).map("".join)


@given(HOSTILE, HOSTILE, HOSTILE, st.integers(LEAST_BUDGET, 400))
def test_hostile_words_stay_inside_the_fence_and_the_budget(query: str, who: str, text: str, budget: int) -> None:
    mark = Mark(kind=MarkKind.CORRECTED, by=text)
    group = (passage(1, text, who=who, marks=(mark,)), passage(2, text, beside="p#1"))
    block = pack(query, of(fact(1, text), groups=(group,)), SEARCHED, budget).text
    lines = block.splitlines()
    assert tokens(block) <= budget
    assert block == "\n".join(lines) + "\n"
    assert [number for number, line in enumerate(lines) if opens(line.encode())] == [0]
    assert [number for number, line in enumerate(lines) if closes(line.encode())] == [len(lines) - 1]
    assert fence_ranges(block) == (((0, len(block) - 1),), False)
    assert [safe_text(line) for line in lines] == lines
