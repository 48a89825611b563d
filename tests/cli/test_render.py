from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.builders import AT, RUN, SOURCE, fact
from tests.cli.hostile import HOSTILE, is_fit_for_a_terminal
from xysq.cli.line import Line
from xysq.cli.render import finding, happening, happening_cells, status, verdict
from xysq.cli.render_hit import hit, hit_cells
from xysq.cli.render_list import (
    fact_cells,
    fact_row,
    page_cells,
    page_row,
    run_cells,
    run_row,
    source_cells,
    source_row,
)
from xysq.cli.render_push import stored
from xysq.cli.render_run import run_report, told_sum
from xysq.model.fact import Closed, CloseReason, FactId, RunId, Slug, Superseded
from xysq.model.index import Mark, MarkKind
from xysq.model.plan import Drop, DropCode
from xysq.model.report import Finding, Happening, Pushed, RunReport, Status, Told, Tried, Verdict
from xysq.model.run import Refusal
from xysq.model.source import Row, SourceId, Version, VersionKind
from xysq.search.hit import Hit, HitKind
from xysq.store.readmodel import PageLine, RunLine, SourceLine

ROW = Row(SOURCE, 1, 0, 200)
REFUSAL = Refusal(
    gate="verbatim", page="alice", anchor="f-1", sentence="is not\nin the log", expected="Boston", found="Berlin"
)


def text(lines: Iterable[Line]) -> str:
    return "\n".join(map(str, lines))


def pushed(**changes: object) -> Pushed:
    base = Pushed(
        version=Version(SOURCE, 1),
        kind=VersionKind.PUSH,
        name="",
        format="text",
        gained=4182,
        passages=41,
        unreadable=0,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_push_says_what_was_kept_and_what_to_type_next() -> None:
    assert stored([pushed()], is_searchable=True) == (
        "stored 4,182 bytes as 41 passages, searchable. Next: xysq distill"
    )


def test_a_push_that_is_only_durable_says_so() -> None:
    told = stored([pushed(passages=None)], is_searchable=False)
    assert told == "stored 4,182 bytes, durable and not searchable yet. Next: xysq distill"


def test_several_pushes_are_summed() -> None:
    told = stored(
        [pushed(), pushed(gained=18, passages=1, unreadable=2), pushed(kind=None, gained=0)], is_searchable=True
    )
    assert told.startswith("stored 4,200 bytes of 2 sources as 42 passages, searchable; 2 records could not be read")


def test_the_same_bytes_again_are_unchanged() -> None:
    assert stored([pushed(kind=None)], is_searchable=True) == "unchanged: these bytes are kept already"


def test_bytes_without_words_are_said_to_have_none() -> None:
    none = replace(pushed(), passages=0, unreadable=0)
    assert stored([none], is_searchable=True).endswith("with no words in it to search")


def test_a_row_that_was_refused_before_shows_its_refusals() -> None:
    shown = text(status(now(pending=(ROW,), tried=(Tried(row=ROW, attempts=2, refusals=(REFUSAL,)),))))
    assert "1 pending row refused before. Next: xysq distill tries again" in shown
    assert "verbatim: alice#f-1: is not in the log" in shown


def now(**changes: object) -> Status:
    base = Status(
        root="/home/alice/memory",
        commit="1a2b3c4d5e6f7a8b",
        events=42,
        sources=2,
        passages=10,
        pages=3,
        open_facts=5,
        facts=7,
        pending=(),
        landed=(),
        staged=(),
        refused=(),
        given_up=(),
        unsaved_pages=(),
        outdated_facts=0,
        drafter="rules",
        drafter_trouble="",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_quiet_vault_says_that_nothing_is_pending() -> None:
    shown = text(status(now()))
    assert "pending   nothing" in shown
    assert "rules (no model)" in shown
    assert "Next:" not in shown


def test_status_names_what_waits_and_what_to_type() -> None:
    waiting = now(
        pending=(ROW,),
        landed=(Version(SOURCE, 2),),
        staged=(RUN,),
        refused=(RUN,),
        given_up=(Tried(row=ROW, attempts=5, refusals=(REFUSAL,)),),
        unsaved_pages=("pages/al/alice.md",),
        outdated_facts=2,
        drafter="local",
        drafter_trouble="it does not answer",
        damaged=("queue/x: torn",),
    )
    shown = text(status(waiting))
    for expected in (
        "1 row, 200 bytes. Next: xysq distill",
        "1 push not searchable yet",
        "1 run. Next: xysq show RUN, xysq verify, then xysq apply",
        "1 row. Next: xysq retry",
        "5 attempts",
        "verbatim: alice#f-1: is not in the log",
        "pages/al/alice.md",
        "2 open facts whose words",
        "it does not answer",
        "queue/x: torn",
    ):
        assert expected in shown


def test_long_lists_of_a_status_end_in_a_number() -> None:
    rows = tuple(Row(SOURCE, 1, start, start + 1) for start in range(14))
    assert "and 4 more" in text(status(now(pending=rows)))


def found(**changes: object) -> Hit:
    base = Hit(kind=HitKind.PASSAGE, id=f"{SOURCE}@1#3", at=AT, who="Alice", text="I live in Boston", score=1.0)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_hit_shows_who_said_it_when() -> None:
    assert text(hit(found())) == f"{SOURCE}@1#3  2026-11-30 18:02Z  Alice\n    I live in Boston"
    assert str(hit_cells(found())) == f"{SOURCE}@1#3\t{AT}\tAlice\tI live in Boston"


def test_what_became_of_a_hit_is_marked_for_people_and_programs() -> None:
    mark = Mark(kind=MarkKind.SUPERSEDED, by="f-2", fact=FactId("f-1"))
    for shown in (text(hit(found(marks=(mark,)))), str(hit_cells(found(marks=(mark,))))):
        assert "[superseded by f-2]" in shown


def test_prose_is_marked_unproven() -> None:
    assert "[unproven]" in str(hit_cells(found(kind=HitKind.PROSE, unproven=True)))
    assert "[unproven]" not in str(hit_cells(found(kind=HitKind.PROSE)))


def test_a_fact_in_a_list_is_plain_words_with_its_state() -> None:
    superseded = Superseded(by=FactId("f-2"), at=AT, run=RUN, n=9, late=False)
    closed = Closed(reason=CloseReason.RETRACTED, cause="x", by="user", evidence=(), at=AT, run=RUN, n=9)
    assert str(fact_cells(fact(text="Alice likes [[tea|Tea]]."))) == f"f-0000000001\t{AT}\talice\tAlice likes Tea."
    assert "[superseded by f-2]" in str(fact_row(fact(life=superseded)))
    assert "[closed, retracted]" in str(fact_cells(fact(life=closed)))


def test_lists_have_four_cells_for_programs() -> None:
    page = PageLine(slug=Slug("alice"), title="Alice", kind="person", living=True, open_facts=1, changed_at=AT)
    source = SourceLine(
        source=SOURCE,
        newest=2,
        name="diary",
        title="A day",
        origin="/x",
        project="",
        session="",
        pushed_at=AT,
        passages=3,
    )
    run = RunLine(
        run=RUN,
        n=2,
        kind="distill",
        at=AT,
        drafter="rules",
        rows=(),
        asserted=2,
        superseded=0,
        closed=1,
        confirmed=0,
        prose=0,
        commit="",
    )
    happened = Happening(at=AT, run=RUN, what="asserted", subject="f-1", text="Alice: Boston.")
    cells = (page_cells(page), source_cells(source), run_cells(run), happening_cells(happened))
    assert [str(row).count("\t") for row in cells] == [3, 3, 3, 3]
    assert str(page_row(page)) == "alice  Alice  person, 1 open fact"
    assert str(source_row(source)) == f"{SOURCE}  2026-11-30 18:02Z  A day  2 versions, 3 passages"
    assert str(run_row(run)) == f"{RUN}  2026-11-30 18:02Z  distill by rules: 2 asserted, 1 closed"
    assert str(happening(happened)) == f"2026-11-30 18:02Z  asserted  f-1  Alice: Boston.  {RUN}"


def test_a_verdict_without_refusals_is_silent() -> None:
    assert text(verdict(Verdict(run=RUN, refusals=()))) == ""


def test_a_verdict_names_run_gate_place_and_difference() -> None:
    long = replace(REFUSAL, expected="x" * 500)
    assert text(verdict(Verdict(run=RUN, refusals=(REFUSAL,)))) == (
        f"{RUN}: verbatim: alice#f-1: is not in the log\n    expected “Boston”\n    found    “Berlin”"
    )
    assert max(map(len, text(verdict(Verdict(run=RUN, refusals=(long,)))).split("\n"))) < 200


@pytest.mark.parametrize(
    ("expected", "found", "shown"),
    [
        ("a" * 500 + "b", "a" * 500 + "c", (f"“…{'a' * 60}b”", f"“…{'a' * 60}c”")),
        ("Boston" + "x" * 100, "Berlin" + "x" * 100, (f"“Boston{'x' * 55}…”", f"“Berlin{'x' * 55}…”")),
        ("tea and", "tea", ("“tea and”", "“tea”")),
        ("one two", "one  two", ("“one two”", "“one  two”")),
        ("one two", "one\u00a0two", ("“one two”", "“one\\xa0two”  U+00A0")),
        ("a\nb", "a\tb", ("“a\\nb”", "“a\\tb”")),
        ("Berlin", "B\u0435rlin", ("“Berlin”", "“B\u0435rlin”  U+0435")),
        ("", "\x1b[31m\u202e", ("“”", "“\\x1b[31m\\u202e”")),
    ],
)
def test_two_texts_are_shown_where_they_differ(expected: str, found: str, shown: tuple[str, str]) -> None:
    refusal = replace(REFUSAL, expected=expected, found=found)
    lines = text(verdict(Verdict(run=RUN, refusals=(refusal,)))).split("\n")[1:]
    assert lines == [f"    expected {shown[0]}", f"    found    {shown[1]}"]


def test_a_finding_is_file_line_code_sentence() -> None:
    assert str(finding(Finding(file="ledger/1", line="3", code="damaged", sentence="is torn"))) == (
        "ledger/1:3: damaged: is torn"
    )


def report(**changes: object) -> RunReport:
    base = RunReport(run=RUN, outcome="applied", rows=(ROW,), drafter="rules")
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_run_tells_what_it_brought_and_what_it_left_out() -> None:
    told = Told(fact=FactId("f-2"), page="alice", title="Alice", text="Alice lives in Berlin.", replaced="In Boston.")
    drop = Drop(code=DropCode.QUOTE_MISMATCH, subject="Bob", text="Bob flies.", reason="nobody said it", kept_on="bob")
    shown = text(run_report(report(superseded=(told,), drops=(drop,), gave_up=(ROW,), refusals=(REFUSAL,))))
    assert shown == (
        f"{RUN}  applied  by rules from {ROW}\n"
        "    ~ superseded f-2  Alice: Alice lives in Berlin.\n"
        "        instead of: In Boston.\n"
        "    ! dropped    Bob: Bob flies.\n"
        "        quote-mismatch: nobody said it; its sentence stays on bob, unproven\n"
        "    refused: verbatim: alice#f-1: is not in the log\n"
        f"    given up: {ROW}. Try again with: xysq retry"
    )


def test_a_run_without_facts_says_so() -> None:
    assert text(run_report(report())).endswith("no fact in it")


def test_runs_are_summed() -> None:
    told = Told(fact=FactId("f-2"), page="alice", title="Alice", text="x")
    reports = [report(asserted=(told,)), report(asserted=(told, told)), report(refusals=(REFUSAL,))]
    assert told_sum(reports) == "3 runs: 3 asserted, 1 refused"


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_never_reach_a_line(words: str) -> None:
    told = Told(fact=FactId(words), page=words, title=words, text=words, replaced=words)
    drop = Drop(code=DropCode.BAD_TEXT, subject=words, text=words, reason=words, kept_on=words)
    refusal = Refusal(gate=words, page=words, anchor=words, sentence=words, expected=words, found="x")
    lines = [
        *hit(found(id=words, who=words, text=words)),
        hit_cells(found(id=words, who=words, text=words)),
        *run_report(report(asserted=(told,), superseded=(told,), drops=(drop,), refusals=(refusal,), drafter=words)),
        *verdict(Verdict(run=RunId(words), refusals=(refusal,))),
        *status(now(root=words, drafter=words, unsaved_pages=(words,), damaged=(words,))),
        finding(Finding(file=words, line=words, code=words, sentence=words)),
        happening(Happening(at=words, run=words, what=words, subject=words, text=words)),
        fact_row(fact(text=words, page=Slug(words), proofs=())),
        fact_cells(replace(fact(text=words), page=Slug(words))),
        source_row(
            SourceLine(
                source=SourceId(words),
                newest=1,
                name=words,
                title=words,
                origin=words,
                project=words,
                session=words,
                pushed_at=words,
                passages=1,
            )
        ),
    ]
    assert [str(line) for line in lines if not is_fit_for_a_terminal(str(line))] == []
