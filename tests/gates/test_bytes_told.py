"""The gates about bytes, to the letter: what is lost and what only seems to be, and what a refusal shows."""

from dataclasses import replace

import pytest

from tests.builders import Story, page_changed, prose_changed, statement
from tests.gates.trial import ALICE, Trial, trial
from xysq.gates.bytes import conflict_markers, shrinkage, structure
from xysq.model.event import Asserted, FactClosed, PageOp, ProseOp
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import BlockId, Origin
from xysq.model.plan import Edit, ProseEdit, RemoveFact

ONE, TWO, NEW = (FactId(f"f-000000000{number}") for number in (1, 2, 9))
PROSE, MORE = BlockId("b-0000000001"), BlockId("b-0000000002")
LOG = "\n## Changelog\n\n- 2026-11-30 18:04Z r-20261130T180400Z-ab12: page changed\n"
HEAD = "---\ntitle: Alice\n---\n\n# Alice\n"
LONG = "## A heading that is far longer than all the facts that stand below it on this page"
FACT, OTHER = "- One. ^f-0000000001", "- Two. ^f-0000000002"
FIRST, SECOND = f"{'x' * 40} ^b-0000000001", f"{'y' * 40} ^b-0000000002"


def asserts(text: str = "Alice knows Bob.", **changes: object) -> Asserted:
    return Asserted(statement=statement("Bob", **{"fact": NEW, "text": text} | changes))


def story() -> Story:
    told = Story()
    told.page("alice", "Alice").assert_(ONE, "One", text="One.")
    return told


def losing(before: str, after: str, *edits: Edit) -> list[tuple[str, str]]:
    """Return what shrinkage says of a page that was one thing and is another; each is what stands below its title."""
    good = trial(story(), asserts()).declaring(*edits)
    files = [{ALICE: f"{HEAD}{body}{LOG}".encode()} for body in (before, after)]
    run = replace(good.run, before=files[0], after=files[1])
    return [(refusal.expected, refusal.found) for refusal in shrinkage(run, good.state)]


def removes(block: str, op: ProseOp = ProseOp.REMOVE) -> ProseEdit:
    return ProseEdit(page=ALICE, op=op, block=BlockId(block), text="", after="")


def body(*blocks: str) -> str:
    return "".join(f"\n{block}\n" for block in blocks)


def test_the_refusal_tells_what_is_allowed_and_what_was_lost() -> None:
    whole = len(FIRST) + len(SECOND)
    assert losing(body(FIRST, SECOND), body()) == [
        (f"at most {whole // 4} bytes and 1 block", f"{whole} bytes and 2 blocks")
    ]
    assert losing(body(FIRST, SECOND), body(FIRST, SECOND)) == []


def test_a_lost_line_of_one_byte_is_a_block_too() -> None:
    kept = "k" * 90
    assert losing(body("x", "y", kept), body(kept)) == [("at most 23 bytes and 1 block", "2 bytes and 2 blocks")]
    assert losing(body("x", kept), body(kept)) == []


def test_equal_lines_are_counted_one_by_one() -> None:
    kept = "k" * 90
    assert losing(body("x", "x", "x", kept), body("x", "x", "x", kept)) == []
    assert losing(body("x", "x", "x", kept), body("x", kept)) == [
        ("at most 23 bytes and 1 block", "2 bytes and 2 blocks")
    ]


def test_only_a_removal_removes_and_only_a_replacement_shortens() -> None:
    gone, shorter = body(SECOND), body("x ^b-0000000001", SECOND)
    assert losing(body(FIRST, SECOND), gone, removes("b-0000000001")) == []
    assert losing(body(FIRST, SECOND), shorter, removes("b-0000000001", ProseOp.REPLACE)) == []
    assert losing(body(FIRST, SECOND), gone, removes("b-0000000001", ProseOp.REPLACE))
    assert losing(body(FIRST, SECOND), shorter, removes("b-0000000001"))
    assert losing(body(FIRST, SECOND), gone)
    assert losing(body(FIRST, SECOND), shorter)


def test_what_grows_is_no_loss() -> None:
    longer = body("x" * 99 + " ^b-0000000001", "y" * 99 + " ^b-0000000002")
    assert losing(body(FIRST, SECOND), longer) == []


@pytest.mark.parametrize(
    ("before", "after", "removed", "is_lost"),
    [
        ((LONG, FACT), (), (ONE,), False),
        ((LONG, FACT), (FACT,), (), True),
        ((LONG, f"{FACT}\n{OTHER}"), (OTHER,), (ONE,), True),
        ((LONG, FACT, "Prose at the end. ^b-0000000001"), ("Prose at the end. ^b-0000000001",), (ONE,), False),
        ((FACT, LONG, OTHER), (OTHER,), (ONE,), True),
        ((LONG, "Prose. ^b-0000000001"), ("Prose. ^b-0000000001",), (), True),
    ],
)
def test_a_heading_goes_with_its_last_fact_and_never_before(
    before: tuple[str, ...], after: tuple[str, ...], removed: tuple[FactId, ...], *, is_lost: bool
) -> None:
    edits = [RemoveFact(page=ALICE, fact=fact) for fact in removed]
    assert bool(losing(body(*before), body(*after), *edits)) is is_lost


def test_a_conflict_marker_is_told_with_its_line() -> None:
    bad = trial(story(), asserts()).after(b"---\ntitle", b"<<<<<<< HEAD\n---\ntitle")
    assert [refusal.sentence for refusal in conflict_markers(bad.run, bad.state)] == ["line 1 is a conflict marker"]


def told(one: Trial) -> list[tuple[str, str, str]]:
    return [(r.sentence, r.expected, r.found) for r in structure(one.run, one.state)]


def test_the_fault_of_a_section_is_told_by_its_kind() -> None:
    (fault, *_) = told(trial(story(), asserts(section="\u202eRules ")))
    assert "bidirectional" in fault[0]
    assert told(trial(story(), asserts(section="Rules "))) == [("its section is no name of a section", "", "Rules ")]


FILE_OR_PAGE = ("there is a file without a page, or a page without a file", "", "")


def test_a_page_and_its_file_are_there_together() -> None:
    good = trial(story(), asserts())
    assert told(good.leaving({ALICE: b""})) == [FILE_OR_PAGE]
    nobody = Slug("nobody")
    assert told(good.leaving({**good.run.after, nobody: b""})) == []
    assert told(good.leaving({**good.run.after, nobody: good.run.after[ALICE]})) == [FILE_OR_PAGE]
    told_of = Story()
    told_of.page("alice", "Alice")
    gone = trial(told_of, page_changed(op=PageOp.REMOVE))
    assert told(gone) == []
    assert told(gone.leaving({ALICE: good.run.after[ALICE]})) == [FILE_OR_PAGE]


def test_a_block_that_is_missing_or_too_many_at_the_end_is_told_by_its_place() -> None:
    good = trial(story(), asserts())
    data = good.run.after[ALICE]
    page, log = data.split(b"\n## Changelog", 1)
    assert told(good.leaving({ALICE: page})) == [("block 5 is not the intended one", "changelog", "")]
    more = data + b"\nMore words. ^b-0000000001\n"
    assert ("block 5 is not the intended one", "changelog", "heading Changelog") in told(good.leaving({ALICE: more}))
    assert log


def test_old_faults_of_drafted_prose_are_found_where_a_change_touches_them_and_not_elsewhere() -> None:
    tale = story()
    page = tale.page("alice")
    page.prose(PROSE, "> quoted", after=ONE)
    for number in range(3, 7):
        page.assert_(FactId(f"f-000000000{number}"), "x", text=f"x {number}.", section="Notes")
    beside = trial(tale, prose_changed("New words.", block=MORE, after=PROSE))
    assert [sentence for sentence, *_ in told(beside) if "CommonMark" in sentence]
    apart = trial(tale, prose_changed("New words.", block=MORE, after="end"))
    assert told(apart) == []
    own = story()
    own.page("alice").prose(PROSE, "> quoted", origin=Origin.YOURS)
    assert told(trial(own, prose_changed("New words.", block=MORE, after=PROSE))) == []


def test_a_closing_leaves_a_page_of_nothing_but_its_names() -> None:
    closing = FactClosed(fact=ONE, reason=CloseReason.RETRACTED, cause="x", by="user")
    good = trial(story(), closing)
    assert good.refused() == set()
