"""The gates about blocks: what a page shows is what the ledger knows, and each change has its event."""

from dataclasses import replace

import pytest

from tests.builders import Story, evidence, page_changed, prose_changed, statement
from tests.gates.trial import ALICE, Trial, trial
from tests.mutants.base import sealed
from tests.mutants.index import Misread
from xysq.gates.blocks import bijection, changelog, closed_shown, fact_behind_block, frozen_text, value_shown
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, PageOp, ProseOp, SupersededBy
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import Alias, BlockId, PageState
from xysq.model.plan import InsertFact, ProseEdit, RemoveFact, ReplaceFact

ONE, TWO, THREE = (FactId(f"f-000000000{number}") for number in (1, 2, 3))
NEW, OTHER = FactId("f-0000000008"), FactId("f-0000000009")
PROSE, MORE = BlockId("b-0000000001"), BlockId("b-0000000002")


def story() -> Story:
    """Tell of Alice, who lives somewhere and prefers something, and of Bob."""
    told = Story()
    told.page("bob")
    alice = told.page("alice", "Alice Chen")
    alice.assert_(ONE, "Boston", text="Alice lives in Boston.")
    alice.assert_(TWO, "tea", text="Alice prefers tea.", section="Preferences")
    alice.prose(PROSE, "She moved often.")
    return told


def asserts(value: str = "Bob", fact: FactId = NEW, **changes: object) -> Asserted:
    return Asserted(statement=statement(value, **{"fact": fact, "text": f"Alice knows {value}."} | changes))


def supersedes(value: str = "Bonn", old: FactId = ONE) -> SupersededBy:
    return SupersededBy(statement=statement(value, fact=NEW, text=f"Alice lives in {value}."), supersedes=old)


def closes(fact: FactId = ONE, reason: CloseReason = CloseReason.RETRACTED) -> FactClosed:
    return FactClosed(fact=fact, reason=reason, cause="20261130-k3f9x2@1", by="user")


def anchors(gate: object, one: Trial) -> list[str]:
    """Return the anchors of a gate's refusals."""
    assert callable(gate)
    return [refusal.anchor for refusal in gate(one.run, one.state)]


class TestFrozenText:
    """frozen-text: a committed text never changes (P7)."""

    @pytest.mark.parametrize("body", [supersedes(), closes(), asserts()])
    def test_a_block_may_go_with_an_event_that_ends_its_fact(self, body: Body) -> None:
        assert anchors(frozen_text, trial(story(), body)) == []

    def test_a_changed_committed_text_is_refused_even_with_an_event_for_it(self) -> None:
        assert anchors(frozen_text, trial(story(), asserts()).after(b"in Boston", b"in Bonn")) == [ONE, ONE]
        again = trial(story(), closes()).leaving(trial(story(), asserts()).after(b"in Boston", b"in Bonn").run.after)
        assert ONE in anchors(frozen_text, again)

    def test_a_block_that_goes_without_an_event_is_refused(self) -> None:
        bad = trial(story(), asserts()).after(b"- Alice lives in Boston. ^f-0000000001\n", b"")
        assert anchors(frozen_text, bad) == [ONE]

    def test_a_forged_before_does_not_hide_a_changed_text(self) -> None:
        bad = trial(story(), asserts()).after(b"in Boston", b"in Bonn")
        forged = replace(bad, run=replace(bad.run, before={ALICE: bad.run.after[ALICE]}))
        assert anchors(frozen_text, forged) == [ONE]


class TestBijection:
    """bijection: pages are the ledger (P4)."""

    RUN: tuple[Body, ...] = (
        page_changed(op=PageOp.META, title="Alice Chen", aliases=(Alias(name="Ali"),)),
        asserts(section="People"),
        SupersededBy(statement=statement("Bonn", fact=OTHER, text="Alice lives in Bonn."), supersedes=ONE),
        closes(TWO),
        prose_changed("More words.", block=MORE),
    )

    def test_one_edit_an_event_and_one_event_an_edit_passes(self) -> None:
        good = trial(story(), *self.RUN)
        assert anchors(bijection, good) == []
        assert good.refused() == set()

    @pytest.mark.parametrize("place", range(5))
    def test_an_event_without_its_edit_is_refused(self, place: int) -> None:
        good = trial(story(), *self.RUN)
        edits = good.run.plan.edits
        left = good.declaring(*edits[:place], *edits[place + 1 :])
        assert [refusal.sentence for refusal in bijection(left.run, left.state)] == [
            "1 of its events has no edit of its own"
        ]

    @pytest.mark.parametrize("place", range(5))
    def test_an_edit_that_is_declared_twice_is_refused(self, place: int) -> None:
        good = trial(story(), *self.RUN)
        twice = good.declaring(*good.run.plan.edits, good.run.plan.edits[place])
        assert [refusal.sentence for refusal in bijection(twice.run, twice.state)] == [
            "1 of its edits has no event of its own"
        ]

    @pytest.mark.parametrize(
        "edit",
        [
            InsertFact(page=ALICE, fact=NEW, section="Rules", text="Alice knows Bob."),
            InsertFact(page=ALICE, fact=NEW, section="People", text="Alice knows Rob."),
            InsertFact(page=Slug("bob"), fact=NEW, section="People", text="Alice knows Bob."),
            ReplaceFact(page=ALICE, fact=OTHER, old=TWO, text="Alice lives in Bonn."),
            RemoveFact(page=Slug("bob"), fact=TWO),
            ProseEdit(page=ALICE, op=ProseOp.INSERT, block=MORE, text="More words.", after="top"),
        ],
    )
    def test_an_edit_that_differs_from_its_event_is_refused_both_ways(self, edit: object) -> None:
        good = trial(story(), *self.RUN)
        edits = [edit if type(edit) is type(old) else old for old in good.run.plan.edits]
        bad = good.declaring(*edits)
        assert len(bijection(bad.run, bad.state)) == 2

    def test_events_that_change_no_page_need_no_edit(self) -> None:
        late = LearnedLate(statement=statement("Bern", fact=OTHER, text="Alice lived in Bern."), superseded_by=ONE)
        good = trial(story(), late, Confirmed(fact=ONE, evidence=(evidence(),)))
        assert good.run.plan.edits == ()
        assert anchors(bijection, good) == []

    def test_a_page_that_is_not_the_rendered_fold_is_refused_with_its_line(self) -> None:
        bad = trial(story(), asserts()).after(b"She moved", b"She  moved")
        refusals = bijection(bad.run, bad.state)
        assert ["She moved" in refusal.expected for refusal in refusals] == [True]
        assert "line 15" in refusals[0].sentence

    def test_a_page_no_event_is_about_and_a_page_that_is_missing_are_refused(self) -> None:
        good = trial(story(), asserts())
        more = good.leaving({**good.run.after, Slug("bob"): b"x"})
        assert [refusal.page for refusal in bijection(more.run, more.state)] == ["bob"]
        less = good.leaving({})
        assert [refusal.page for refusal in bijection(less.run, less.state)] == [ALICE]

    def test_unlawful_events_and_another_plan_are_refused(self) -> None:
        good = trial(story(), asserts())
        twice = replace(good.run, events=(*good.run.events, good.run.events[-1]))
        assert any("unlawful" in refusal.sentence for refusal in bijection(twice, good.state))
        planned = replace(good.run, plan=replace(good.run.plan, events=(closes(),)))
        assert len(bijection(planned, good.state)) == 1


class TestFactBehindBlock:
    """fact-behind-block."""

    def test_a_fact_block_nobody_stated_is_refused(self) -> None:
        good = trial(story(), asserts())
        assert anchors(fact_behind_block, good) == []
        line = b"- Alice knows Bob. ^f-0000000008\n"
        made_up = good.after(line, line + b"- Alice is rich. ^f-0000000007\n")
        assert anchors(fact_behind_block, made_up) == [FactId("f-0000000007")]

    def test_a_fact_of_another_page_or_in_other_words_is_refused(self) -> None:
        told = story()
        told.page("bob").assert_(THREE, "chess", text="Bob plays chess.")
        good = trial(told, asserts())
        line = b"- Alice knows Bob. ^f-0000000008\n"
        foreign = good.after(line, line + b"- Bob plays chess. ^f-0000000003\n")
        assert anchors(fact_behind_block, foreign) == [THREE]
        assert anchors(fact_behind_block, good.after(b"knows Bob", b"knows Eve")) == [NEW]


class TestClosedShown:
    """closed-shown."""

    def test_a_closed_facts_anchor_is_refused(self) -> None:
        good = trial(story(), closes())
        assert anchors(closed_shown, good) == []
        kept = good.after(b"## Preferences", b"- Alice lives in Boston. ^f-0000000001\n\n## Preferences")
        assert anchors(closed_shown, kept) == [ONE]

    def test_a_superseded_facts_anchor_is_refused(self) -> None:
        good = trial(story(), supersedes())
        assert anchors(closed_shown, good) == []
        kept = good.after(b"- Alice lives in Bonn. ^f-0000000008", b"- Alice lives in Boston. ^f-0000000001")
        assert anchors(closed_shown, kept) == [ONE]

    @pytest.mark.parametrize("reason", [CloseReason.CORRECTED, CloseReason.RETRACTED, CloseReason.FORGOTTEN])
    def test_another_block_that_still_says_what_was_closed_is_refused(self, reason: CloseReason) -> None:
        told = story()
        told.page("alice").assert_(THREE, "Boston", text="Alice lives in BOSTON.")
        assert anchors(closed_shown, trial(told, closes(ONE, reason))) == [THREE]
        assert anchors(closed_shown, trial(told, closes(ONE, reason), closes(THREE, reason))) == []

    @pytest.mark.parametrize("reason", [CloseReason.MERGED, CloseReason.REVERTED, CloseReason.PREMISE_CLOSED])
    def test_closings_that_do_not_bind_leave_equal_words_alone(self, reason: CloseReason) -> None:
        told = story()
        told.page("alice").assert_(THREE, "Boston", text="Alice lives in Boston.")
        assert anchors(closed_shown, trial(told, closes(ONE, reason))) == []

    def test_words_that_came_back_after_their_closing_are_left_to_another_gate(self) -> None:
        told = story()
        told.page("alice").close(ONE)
        assert anchors(closed_shown, trial(told, asserts("Boston", text="Alice lives in Boston."))) == []


class TestValueShown:
    """value-shown."""

    @pytest.mark.parametrize(
        ("value", "text", "fits"),
        [
            ("Bob", "Alice knows Bob.", True),
            ("bob", "Alice knows BOB.", True),
            ("Bob", "Alice knows [[bob-x|Bob]].", True),
            ("Bob", "Alice knows [[bob|Robert]].", False),
            ("Bob", "Alice knows Bobby.", False),
            ("a_b", r"Alice uses a_b.", True),
            ("*x*", r"Alice uses \*x\*.", True),
            ("", "Alice knows Bob.", False),
        ],
    )
    def test_a_value_stands_in_its_text(self, value: str, text: str, *, fits: bool) -> None:
        for body in (
            asserts(value, text=text),
            LearnedLate(statement=statement(value, fact=NEW, text=text), superseded_by=ONE),
        ):
            assert anchors(value_shown, trial(story(), body)) == ([] if fits else [NEW])

    def test_a_value_stands_in_the_block_that_was_written(self) -> None:
        bad = trial(story(), asserts()).after(b"knows Bob", b"knows Eve")
        assert anchors(value_shown, bad) == [NEW]


class TestChangelog:
    """changelog."""

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({}, None),
            ({"at": "2025-11-30T18:05:00Z"}, "another date or count"),
            ({"asserted": 2}, "another date or count"),
            ({"superseded": 1}, "another date or count"),
            ({"closed": 1}, "another date or count"),
            ({"prose": 4}, None),  # what prose a run wrote is told by no fact
        ],
    )
    def test_an_older_run_did_what_its_facts_say(self, changes: dict[str, object], sentence: str | None) -> None:
        told = story()
        page = told.page("alice").state
        (newest, *older) = page.changelog
        at = next(place for place, entry in enumerate(page.changelog) if entry.asserted)
        entries = [newest, *older]
        entries[at] = replace(entries[at], **changes)  # type: ignore[arg-type]
        assert self.told_of(told, replace(page, changelog=tuple(entries))) == ([] if sentence is None else [sentence])

    def test_no_older_run_is_left_out_or_out_of_order(self) -> None:
        told = story()
        page = told.page("alice").state
        with_facts = [entry for entry in page.changelog if entry.asserted]
        rest = [entry for entry in page.changelog if not entry.asserted]
        assert self.told_of(told, replace(page, changelog=(*rest[:1], *with_facts, *rest[1:]))) == []
        assert self.told_of(told, replace(page, changelog=(*with_facts[1:], *rest))) == ["leaves out"]
        assert self.told_of(told, replace(page, changelog=(*with_facts[::-1], *rest))) == ["out of order"]

    def told_of(self, told: Story, page: PageState) -> list[str]:
        """Return what is said of a run that closes nothing on a page as it is remembered."""
        good = trial(told, asserts())
        ledger = Misread(told.fold, {ALICE: page})
        run = sealed(good.run, good.run.plan.events, ledger)
        sentences = [refusal.sentence for refusal in changelog(run, replace(good.state, ledger=ledger))]
        words = ("another date or count", "leaves out", "out of order")
        return [next(part for part in words if part in sentence) for sentence in sentences]

    def test_pages_that_were_merged_with_all_their_facts_have_no_changelog(self) -> None:
        told = story()
        told.page("bob").assert_(OTHER, "maps", text="Bob likes maps.")
        merge = page_changed("bob", op=PageOp.MERGE, title="Alice Chen", into=ALICE)
        good = trial(told, closes(OTHER, CloseReason.MERGED), merge)
        assert anchors(changelog, good) == []

    def test_a_changelog_the_engine_did_not_compose_is_refused(self) -> None:
        good = trial(story(), asserts())
        assert anchors(changelog, good) == []
        for old, new in (
            (b"+1 fact", b"+2 facts"),
            (b"\n## Changelog\n", b"\n## Change log\n"),
            (b": 1 prose", b": 1"),
        ):
            bad = good.after(old, new)
            assert [refusal.page for refusal in changelog(bad.run, bad.state)] == [ALICE]

    def test_only_the_newest_runs_are_named(self) -> None:
        told = story()
        for number in range(30):
            told.page("alice").prose(f"b-00000001{number:02}", f"Words {number}.")
        good = trial(told, asserts())
        assert anchors(changelog, good) == []
        assert good.run.after[ALICE].partition(b"## Changelog")[2].count(b"\n- ") == 20


def test_an_unlawful_run_is_refused_and_not_judged_further() -> None:
    good = trial(story(), asserts())
    bad = replace(good.run, events=good.run.events[:1])
    for gate in (fact_behind_block, closed_shown, changelog):
        assert [refusal.sentence[:16] for refusal in gate(bad, good.state)] == ["cannot be judged"]
