import json
from dataclasses import dataclass

from tests.builders import RUN, SOURCE, evidence, fact, passage
from xysq.cli.output import spelled
from xysq.cli.wire import to_json
from xysq.errors import NoVault
from xysq.model.fact import Closed, CloseReason, FactId, Open, Superseded
from xysq.model.index import Mark, MarkKind
from xysq.model.report import RunReport, ShownPage, ShownPassage, ShownRun
from xysq.model.source import Row, Version
from xysq.search.hit import Hit, HitKind


def test_ids_versions_and_rows_are_strings() -> None:
    assert to_json((Version(SOURCE, 2), Row(SOURCE, 1, 0, 5))) == [f"{SOURCE}@2", f"{SOURCE}@1:0-5"]


def test_evidence_keeps_its_spelling() -> None:
    assert to_json(evidence()) == evidence().to_wire()


def test_a_fact_says_how_it_lives() -> None:
    superseded = Superseded(by=FactId("f-2"), at="a", run=RUN, n=9, late=True)
    closed = Closed(reason=CloseReason.RETRACTED, cause="c", by="user", evidence=(), at="a", run=RUN, n=9)
    assert to_json(fact(life=Open()))["life"] == {"state": "open"}
    assert to_json(fact(life=superseded))["life"]["state"] == "superseded"
    assert to_json(fact(life=closed))["life"] == {
        "state": "closed",
        "reason": "retracted",
        "cause": "c",
        "by": "user",
        "evidence": [],
        "at": "a",
        "run": RUN,
        "n": 9,
    }


def test_a_shown_thing_says_what_it_is() -> None:
    assert to_json(ShownPage(slug="alice", data="ünï\n".encode())) == {"kind": "page", "slug": "alice", "data": "ünï\n"}
    shown = to_json(ShownPassage(passage=passage("Hello."), title="A day"))
    assert (shown["kind"], shown["passage"]["id"], shown["passage"]["text"]) == ("passage", f"{SOURCE}@1#1", "Hello.")


def test_a_record_is_an_object_where_it_is_one() -> None:
    report = RunReport(run=RUN, outcome="applied", rows=(), drafter="rules")
    assert to_json(ShownRun(report=report, record=b'{"reply":"x"}'))["record"] == {"reply": "x"}
    assert to_json(ShownRun(report=report, record=b"torn"))["record"] == "torn"


def test_a_hit_says_its_marks_in_words_too() -> None:
    mark = Mark(kind=MarkKind.SUPERSEDED, by="f-2", fact=FactId("f-1"))
    hit = Hit(kind=HitKind.FACT, id="f-1", at="", who="alice", text="x", score=1.0, marks=(mark,))
    assert to_json(hit)["marks"] == [
        {"kind": "superseded", "by": "f-2", "fact": "f-1", "on": "", "words": "superseded by f-2"}
    ]


def test_an_error_has_its_code() -> None:
    assert NoVault("/x").told() == {
        "code": "no-vault",
        "message": "no vault at or above /x",
        "hint": "try: xysq init ~/memory",
    }


def test_every_value_is_json() -> None:
    @dataclass(frozen=True)
    class Odd:
        name: str
        inside: tuple[object, ...]

    value = Odd("x", (None, True, 1.5, {"a": Version(SOURCE, 1)}, b"\xff", Odd("y", ())))
    assert json.loads(spelled(value)) == {
        "name": "x",
        "inside": [None, True, 1.5, {"a": f"{SOURCE}@1"}, "\ufffd", {"name": "y", "inside": []}],
    }
