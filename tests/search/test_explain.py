from tests.modelled import put_turns
from tests.search.test_find import TURNS, told, writer
from tests.store.logs_of import SOURCE
from xysq.model.index import Narrowing
from xysq.search.explain import explain
from xysq.search.find import find
from xysq.search.query import parse
from xysq.store.readmodel.writer import Writer

__all__ = ["writer"]


def test_hits_are_those_of_the_search_and_say_why(writer: Writer) -> None:
    told(writer)
    query = parse("When did Bob go to the pottery class?")
    told_ = explain(writer.state.index, query)
    assert [hit.id for hit in told_.hits] == [hit.id for hit in find(writer.state.index, query)]
    first = told_.hits[0]
    assert first.why == (
        f"score {first.score:.2f}",
        "has pottery, class",
        "said by whom it names: x 1.4",
    )
    assert all(hit.why for hit in told_.hits)


def test_a_passage_beside_a_match_says_which(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    told_ = explain(writer.state.index, parse("pottery"))
    why = {hit.id: hit.why for hit in told_.hits}
    assert f"stands beside {SOURCE}@1#2" in why[f"{SOURCE}@1#3"]
    assert "has none of the words" in why[f"{SOURCE}@1#3"]
    assert "a question: x 0.75" in why[f"{SOURCE}@1#3"]


def test_what_is_left_out_is_told_with_its_reason(writer: Writer) -> None:
    told(writer)
    told_ = explain(writer.state.index, parse("Boston pottery"), limit=1)
    assert told_.left_out
    assert all("below the 1 that are shown" in out.reason for out in told_.left_out)
    shown = {hit.id for hit in told_.hits}
    assert not shown & {out.hit.id for out in told_.left_out}


def test_what_narrowing_took_away_is_told(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    told_ = explain(writer.state.index, parse("pottery glazing"), narrowing=Narrowing(speaker="Bob"))
    reasons = {out.hit.id: out.reason for out in told_.left_out}
    assert reasons[f"{SOURCE}@1#5"] == "not what was asked for besides the words"


def test_words_are_told_by_what_they_are_worth(writer: Writer) -> None:
    put_turns(writer, "Bob: tea", "Bob: tea and rum", "Bob: tea", "Bob: more tea")
    assert [term.split()[0] for term in explain(writer.state.index, parse("tea rum")).terms] == ["rum", "tea"]
