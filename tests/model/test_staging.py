"""run.json says the whole run, and nothing but a run."""

import copy
from dataclasses import replace
from typing import Any

import pytest

from tests.builders import AT, RUN, evidence, page_changed, prose_changed, statement
from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadWire
from xysq.model.event import Asserted, Head, PageOp, ProseOp, RunKind, SupersededBy
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId
from xysq.model.plan import (
    Drop,
    DropCode,
    FrontEdit,
    InsertFact,
    Plan,
    ProseEdit,
    RemoveFact,
    ReplaceFact,
)
from xysq.model.run import Drafting, Record
from xysq.model.source import Row, SourceId
from xysq.model.staging import StagedRun

ALICE = Slug("alice")
ROW = Row(SourceId("20261130-k3f9x2"), 1, 0, 90)
STAGED = StagedRun(
    base=Head(n=7, hash="0" * 64),
    record=Record(
        run=RUN,
        kind=RunKind.DISTILL,
        at=AT,
        rows=(ROW,),
        drafting=Drafting(drafter="mine", model="m", parameters={"seed": 1}, tokens_in=3),
        reply='{"facts":[]}',
        drops=(Drop(code=DropCode.OWN_WORDS, subject="Alice", text="…", reason="own words", rows=(ROW,)),),
    ),
    plan=Plan(
        edits=(
            FrontEdit(page=ALICE, op=PageOp.CREATE, title="Alice", kind="person", aliases=("Al",)),
            InsertFact(page=ALICE, fact=FactId("f-1"), section="", text="One."),
            ReplaceFact(page=ALICE, fact=FactId("f-2"), old=FactId("f-1"), text="Two."),
            RemoveFact(page=ALICE, fact=FactId("f-2")),
            ProseEdit(page=ALICE, op=ProseOp.INSERT, block=BlockId("b-1"), text="Three.", after="end"),
        ),
        events=(
            page_changed(),
            Asserted(statement=statement(evidence=(evidence("It is Boston"),))),
            SupersededBy(statement=statement("Berlin"), supersedes=FactId("f-1")),
            prose_changed(),
        ),
    ),
    salts=("aa", "bb", "cc", "dd", "ee"),
    pages=(ALICE,),
    gone=("pages/bo/bob.md",),
)


def test_a_staged_run_is_read_back_as_it_was() -> None:
    assert StagedRun.from_wire("run", parse_json(canonical_json(STAGED.to_wire()))) == STAGED
    assert STAGED.run == RUN


def test_a_run_that_reads_rows_once_more_says_so_and_no_other_does() -> None:
    again = replace(STAGED, again=True)
    assert "again" not in STAGED.to_wire()
    assert StagedRun.from_wire("run", again.to_wire()) == again
    with pytest.raises(BadWire, match="again: is not true or false"):
        StagedRun.from_wire("run", STAGED.to_wire() | {"again": 1})


@pytest.mark.parametrize("name", sorted(STAGED.to_wire()))
def test_every_field_is_needed(name: str) -> None:
    wire = STAGED.to_wire()
    del wire[name]
    with pytest.raises(BadWire, match=f"{name}.*is missing"):
        StagedRun.from_wire("run", wire)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("more",), 1),
        (("base", "more"), 1),
        (("base", "hash"), "short"),
        (("base", "n"), -1),
        (("events", 0, "kind"), "what"),
        (("events", 0, "more"), 1),
        (("edits", 0, "edit"), "what"),
        (("salts",), ["aa"]),
        (("salts", 0), "é"),
        (("salts", 0), 5),
        (("salts", 0), "a" * 65),
        (("pages", 0), 5),
        (("gone",), "pages/bo/bob.md"),
        (("record", "run"), None),
    ],
)
def test_what_is_no_run_is_refused(path: tuple[str | int, ...], value: object) -> None:
    wire: Any = copy.deepcopy(STAGED.to_wire())
    place = wire
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(BadWire):
        StagedRun.from_wire("run", wire)
