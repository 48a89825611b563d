"""The gates about bytes refuse what no edit declares, what shrinks, conflicts or is no page, and let the rest pass."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import Story, page_changed, prose_changed, statement
from tests.gates.trial import ALICE, GATES, trial
from tests.pages.pagelife import SLUG, PageLife
from xysq.gates.bytes import conflict_markers, declared_bytes, shrinkage, structure
from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, PageOp, ProseOp
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import Alias, BlockId, Origin

ONE, TWO, THREE, FOUR = (FactId(f"f-000000000{number}") for number in (1, 2, 3, 4))
NEW = FactId("f-0000000009")
PROSE, TYPED = BlockId("b-0000000001"), BlockId("b-0000000002")


def story() -> Story:
    """Tell of Alice: three facts, one of them under a heading, and prose."""
    told = Story()
    alice = told.page("alice", "Alice Chen", aliases=("Ali",))
    alice.assert_(ONE, "Boston", text="Alice lives in Boston.")
    alice.assert_(TWO, "tea", text="Alice prefers tea in the morning.")
    alice.assert_(THREE, "tests first", text="Write tests first.", section="Rules")
    alice.prose(PROSE, "She moved often.")
    return told


def asserts(text: str = "Alice knows Bob.", value: str = "Bob", **changes: object) -> Asserted:
    return Asserted(statement=statement(value, fact=NEW, text=text, **changes))


def closes(fact: FactId) -> FactClosed:
    return FactClosed(fact=fact, reason=CloseReason.RETRACTED, cause="20261130-k3f9x2@1", by="user")


def test_a_good_run_passes_every_gate() -> None:
    assert trial(story(), asserts(), closes(TWO), prose_changed("New words.", block=TYPED)).refused() == set()


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_every_lawful_run_passes(seed: int) -> None:
    life = PageLife(random.Random(seed))
    life.run(6)
    bodies, _edits = life.next_run(5)
    good = trial(life.story, *bodies)
    refusals = [refusal for gate in GATES for refusal in gate(good.run, good.state)]
    assert [refusal for refusal in refusals if refusal.gate != "closed-shown"] == []


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), luck=st.randoms(use_true_random=False))
def test_no_mutation_of_a_good_runs_bytes_passes(seed: int, luck: random.Random) -> None:
    life = PageLife(random.Random(seed))
    life.run(6)
    bodies, _edits = life.next_run(4)
    good = trial(life.story, *bodies)
    data = good.run.after[SLUG]
    start = luck.randrange(len(data))
    end = min(len(data), start + luck.randrange(4))
    mutated = data[:start] + luck.choice((b"", b"x", b"\n", b"\xff", b"<", b"`", b" ^f-0000000001")) + data[end:]
    if mutated != data:
        assert "bijection" in good.leaving({SLUG: mutated}).refused()


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), luck=st.randoms(use_true_random=False))
def test_no_mutation_of_a_good_runs_edits_passes(seed: int, luck: random.Random) -> None:
    life = PageLife(random.Random(seed))
    life.run(6)
    bodies, edits = life.next_run(4)
    good = trial(life.story, *bodies)
    place = luck.randrange(len(edits))
    other = replace(edits[place], page=Slug("elsewhere"))
    for mutated in (
        edits[:place] + edits[place + 1 :],
        (*edits, edits[place]),
        (*edits[:place], other, *edits[place + 1 :]),
    ):
        assert "bijection" in good.declaring(*mutated).refused()


class TestDeclaredBytes:
    """declared-bytes: bytes are accounted for (P6)."""

    def test_an_undeclared_change_is_refused_with_what_was_there(self) -> None:
        bad = trial(story(), asserts()).after(b"prefers tea", b"prefers coffee")
        refusals = declared_bytes(bad.run, bad.state)
        assert [(refusal.page, refusal.anchor) for refusal in refusals] == [(ALICE, TWO)]
        assert "tea" in refusals[0].expected
        assert "coffee" in refusals[0].found

    def test_an_edit_that_was_not_done_is_refused(self) -> None:
        bad = trial(story(), asserts()).after(b"- Alice knows Bob. ^f-0000000009\n", b"")
        assert [refusal.anchor for refusal in declared_bytes(bad.run, bad.state)] == [NEW]

    def test_bytes_before_that_are_not_the_ledgers_are_refused(self) -> None:
        good = trial(story(), asserts())
        forged = replace(good.run, before={ALICE: good.run.before[ALICE].replace(b"tea", b"tee")})
        assert "not those of the ledger" in declared_bytes(forged, good.state)[0].sentence
        assert declared_bytes(good.run, good.state) == ()

    def test_edits_of_a_page_that_is_not_written_are_refused(self) -> None:
        bad = trial(story(), asserts()).leaving({})
        assert [refusal.page for refusal in declared_bytes(bad.run, bad.state)] == [ALICE]


class TestShrinkage:
    """shrinkage."""

    def test_two_lost_blocks_are_refused_and_declared_ones_are_not(self) -> None:
        good = trial(story(), closes(ONE), closes(TWO), closes(THREE))
        assert shrinkage(good.run, good.state) == ()
        undeclared = good.declaring(*good.run.plan.edits[:1])
        assert "3 blocks" in shrinkage(undeclared.run, undeclared.state)[0].found

    def test_one_small_lost_block_is_left_to_the_other_gates(self) -> None:
        bad = trial(story(), asserts()).after(b"She moved often. ^b-0000000001\n\n", b"")
        assert shrinkage(bad.run, bad.state) == ()
        assert "declared-bytes" in bad.refused()

    def test_a_quarter_of_the_bytes_is_the_most(self) -> None:
        told = Story()
        told.page("alice").prose(PROSE, "x" * 300)
        told.page("alice").prose(TYPED, "y" * 100)
        good = trial(told, asserts())
        fine = good.after(b"y" * 100, b"y")
        assert shrinkage(fine.run, fine.state) == ()
        over = good.after(b"x" * 300, b"x" * 150)
        assert shrinkage(over.run, over.state) != ()

    def test_a_declared_shorter_text_is_no_loss(self) -> None:
        told = Story()
        told.page("alice").prose(PROSE, "x" * 300)
        shorter = prose_changed("x", op=ProseOp.REPLACE, block=PROSE, after="")
        good = trial(told, shorter)
        assert shrinkage(good.run, good.state) == ()
        assert shrinkage(good.declaring().run, good.state) != ()

    def test_an_emptied_heading_is_no_loss_and_another_is(self) -> None:
        good = trial(story(), closes(THREE))
        assert shrinkage(good.run, good.state) == ()
        told = Story()
        told.page("alice").assert_(
            ONE, "it", text="It.", section="A very long heading of a section, longer than its fact"
        )
        bad = trial(told, asserts()).after(b"## A very long heading of a section, longer than its fact\n\n", b"")
        assert shrinkage(bad.run, bad.state) != ()


class TestConflictMarkers:
    """conflict-markers."""

    @pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "  >>>>>>> theirs", "- |||||||", "> <<<<<<< x", "1. >>>>>>> y"])
    def test_a_marker_is_refused_with_its_line(self, marker: str) -> None:
        bad = trial(story(), asserts()).after(b"She moved often.", marker.encode() + b"\nShe moved often.")
        refusals = conflict_markers(bad.run, bad.state)
        assert [refusal.found for refusal in refusals] == [marker]

    @pytest.mark.parametrize("text", ["=======", "<<<<<<", "<<<<<<<<", "a <<<<<<< b", "|||||||x"])
    def test_what_only_resembles_one_passes(self, text: str) -> None:
        fine = trial(story(), asserts()).after(b"She moved often.", text.encode() + b"\nShe moved often.")
        assert conflict_markers(fine.run, fine.state) == ()


class TestStructure:
    """structure."""

    @pytest.mark.parametrize(
        "body",
        [
            asserts("Alice *knows* Bob."),
            asserts("Alice knows <b>Bob</b>."),
            asserts("Alice knows Bob ^f-0000000008"),
            asserts("Alice knows Bob\nand more."),
            asserts("Alice knows Bob\u202e."),
            asserts("![](http://example.org/Bob)"),
            asserts("[Bob](http://example.org/)"),
            asserts("- Bob"),
            asserts("Alice knows  Bob."),
            asserts("[[Not A Slug|Bob]]"),
            asserts(section="Changelog"),
            asserts(section="A\n## B"),
            asserts(section=" Rules"),
            prose_changed("# A heading", block=TYPED),
            prose_changed("two\n\nblocks", block=TYPED),
            prose_changed("> quoted", block=TYPED, origin=Origin.DROPPED),
            prose_changed("```\nopen", block=TYPED, origin=Origin.YOURS),
            prose_changed("<!-- open", block=TYPED, origin=Origin.YOURS),
            prose_changed("one\n\ntwo", block=TYPED, origin=Origin.YOURS),
            prose_changed("## Heading", block=TYPED, origin=Origin.YOURS),
            prose_changed("x", block="b-bad"),
            prose_changed("", block=TYPED, origin=Origin.YOURS),
            prose_changed(" \t", block=TYPED, origin=Origin.YOURS),
            LearnedLate(statement=statement("Bob", fact=FactId("../f"), text="Bob."), superseded_by=ONE),
            page_changed(op=PageOp.META, title="A\u202eB"),
            page_changed(op=PageOp.META, title=""),
            page_changed(op=PageOp.META, title="A ^b"),
            page_changed(op=PageOp.META, aliases=(Alias(name="a\nb"),)),
            page_changed(op=PageOp.META, kind="a\u200bb"),
        ],
    )
    def test_what_makes_structure_is_refused(self, body: Body) -> None:
        bad = trial(story(), body)
        assert structure(bad.run, bad.state) != ()

    @pytest.mark.parametrize(
        "body",
        [
            asserts(r"Alice \*knows\* Bob."),
            asserts(r"Alice knows \<b>Bob\</b>."),
            asserts("Alice knows [[bob|Bob]]."),
            asserts("Bob: 1 < 2, a_b, C# and 100%."),
            asserts(section="Change log"),
            asserts(section="# Odd *section* <b>"),
            prose_changed(r"\# no heading", block=TYPED),
            prose_changed("```\nclosed\n\n## Changelog\n```", block=TYPED, origin=Origin.YOURS),
            prose_changed("| a | b |\n|---|---|\n| 1 | 2 |", block=TYPED, origin=Origin.YOURS),
            prose_changed("**bold** and\nmore", block=TYPED, origin=Origin.YOURS, after="top"),
            prose_changed("- my own\n- list", block=TYPED, origin=Origin.YOURS, after=ONE),
            page_changed(op=PageOp.META, title='"A": [b] #c', aliases=(Alias(name="yes"), Alias(name="- x"))),
        ],
    )
    def test_what_makes_none_passes(self, body: Body) -> None:
        good = trial(story(), body)
        assert structure(good.run, good.state) == ()

    def test_an_anchor_that_stands_twice_is_refused(self) -> None:
        line = b"- Alice lives in Boston. ^f-0000000001\n"
        bad = trial(story(), asserts()).after(line, line + line)
        assert "stands on the page 2 times" in {refusal.sentence for refusal in structure(bad.run, bad.state)}

    def test_another_block_than_intended_is_named(self) -> None:
        bad = trial(story(), asserts()).after(b"Alice lives in Boston.", b"Alice lives in Bonn.")
        refusals = structure(bad.run, bad.state)
        assert [(refusal.expected, refusal.found) for refusal in refusals] == [
            ("fact f-0000000001 Alice lives in Boston.", "fact f-0000000001 Alice lives in Bonn.")
        ]

    def test_a_page_that_ends_needs_its_one_line_or_none(self) -> None:
        told = Story()
        told.page("alice", "Alice")
        told.page("bob", "Bob")
        merge = trial(told, page_changed(op=PageOp.MERGE, title="Bob", into=Slug("bob")))
        assert merge.run.after == {ALICE: b"Merged into [[bob|Bob]].\n"}
        assert merge.refused() == set()
        assert structure(merge.leaving({ALICE: b""}).run, merge.state) != ()
        gone = trial(told, page_changed(op=PageOp.REMOVE))
        assert gone.run.after == {ALICE: b""}
        assert gone.refused() == set()
        assert structure(gone.leaving({ALICE: b"x"}).run, gone.state) != ()


HOSTILE = (
    b"",
    b"\n",
    b"\xff\xfe",
    b"---",
    b"---\n---\n",
    b"# x",
    b"```",
    b"## Changelog",
    b"\0" * 9,
    b"- ^f-",
    b"^b-0000000001\n",
)


@pytest.mark.parametrize("data", HOSTILE)
def test_no_gate_raises_on_hostile_bytes(data: bytes) -> None:
    good = trial(story(), asserts())
    for bad in (good.leaving({ALICE: data}), replace(good, run=replace(good.run, before={ALICE: data}))):
        assert bad.refused() != set()


def test_no_gate_raises_on_hostile_values() -> None:
    good = trial(story(), asserts())
    odd = asserts("", value="", page=Slug(".."), section="\n", derived_from=(NEW,))
    unlawful = replace(good.run.events[1], body=odd)
    for run in (
        replace(good.run, events=()),
        replace(good.run, events=(good.run.events[0], unlawful)),
        replace(good.run, events=good.run.events[:1]),
        replace(good.run, events=(*good.run.events, *good.run.events)),
        replace(good.run, events=tuple(replace(event, body=None) for event in good.run.events)),
        replace(good.run, after={Slug("\ud800/.."): b"x"}),
    ):
        assert replace(good, run=run).refused() != set()
