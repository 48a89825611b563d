"""The gates about blocks, to the letter: what a refusal names and shows, and the edges where rules meet."""

import pytest

from tests.builders import Story, page_changed, prose_changed, statement
from tests.gates.trial import ALICE, Trial, trial
from xysq.gates.blocks import bijection, closed_shown, fact_behind_block, frozen_text
from xysq.model.event import Asserted, Body, FactClosed, PageOp, SupersededBy
from xysq.model.fact import CloseReason, FactId
from xysq.model.page import BlockId

ONE, TWO, NEW, OTHER = (FactId(f"f-000000000{number}") for number in (1, 2, 8, 9))
PROSE, MORE = BlockId("b-0000000001"), BlockId("b-0000000002")


def story() -> Story:
    told = Story()
    alice = told.page("alice", "Alice Chen")
    alice.assert_(ONE, "Boston", text="Alice lives in Boston.")
    alice.assert_(TWO, "tea", text="Alice prefers tea.", section="Preferences")
    alice.prose(PROSE, "She moved often.")
    return told


def asserts(value: str = "Bob", fact: FactId = NEW, **changes: object) -> Asserted:
    return Asserted(statement=statement(value, **{"fact": fact, "text": f"Alice knows {value}."} | changes))


def closes(fact: FactId = ONE, reason: CloseReason = CloseReason.RETRACTED) -> FactClosed:
    return FactClosed(fact=fact, reason=reason, cause="20261130-k3f9x2@1", by="user")


def told(gate: object, one: Trial) -> list[tuple[str, str, str, str, str]]:
    """Return refusals in full, their gate left out."""
    assert callable(gate)
    return [(r.page, r.anchor, r.sentence, r.expected, r.found) for r in gate(one.run, one.state)]


def test_frozen_text_tells_a_changed_block_from_one_that_is_gone() -> None:
    good, line = trial(story(), asserts()), "- Alice lives in Boston. ^f-0000000001"
    gone = good.after(f"{line}\n".encode(), b"")
    assert told(frozen_text, gone) == [(ALICE, ONE, "is gone without an event that ends the fact", line, "")]
    changed = good.after(b"in Boston", b"in Bonn")
    other = line.replace("Boston", "Bonn")
    assert told(frozen_text, changed) == [
        (ALICE, ONE, "a committed text changed", line, other),
        (ALICE, ONE, "is not the committed text", line, other),
    ]


def test_an_event_that_ends_a_fact_lets_its_block_go_and_not_change() -> None:
    closed = trial(story(), closes())
    assert told(frozen_text, closed) == []
    left = closed.leaving(trial(story(), asserts()).after(b"in Boston", b"in Bonn").run.after)
    assert len(told(frozen_text, left)) == 2


RUN: tuple[tuple[Body, str], ...] = (
    (page_changed(op=PageOp.META, title="Alice Chen", aliases=()), ""),
    (asserts(section="People"), NEW),
    (SupersededBy(statement=statement("Bonn", fact=OTHER, text="In Bonn."), supersedes=ONE), OTHER),
    (closes(TWO), TWO),
    (prose_changed("More words.", block=MORE), MORE),
)


@pytest.mark.parametrize("place", range(len(RUN)))
def test_bijection_names_the_block_that_an_edit_or_an_event_is_about(place: int) -> None:
    good = trial(story(), *(body for body, _ in RUN))
    edits, anchor = good.run.plan.edits, RUN[place][1]
    left = good.declaring(*edits[:place], *edits[place + 1 :])
    assert told(bijection, left) == [(ALICE, anchor, "1 of its events has no edit of its own", "", "")]
    twice = good.declaring(*edits, edits[place])
    assert told(bijection, twice) == [(ALICE, anchor, "1 of its edits has no event of its own", "", "")]


def test_a_fact_that_a_run_states_and_closes_has_an_edit_for_both() -> None:
    good = trial(story(), asserts(), closes(NEW))
    assert told(bijection, good) == []


def test_bijection_shows_the_line_that_differs_also_where_one_page_is_longer() -> None:
    good = trial(story(), asserts())
    data = good.run.after[ALICE].removesuffix(b"\n")
    number = data.count(b"\n") + 1
    last = data.split(b"\n")[-1].decode()
    longer = good.leaving({ALICE: data + b"\nmore"})
    shorter = good.leaving({ALICE: data.rpartition(b"\n")[0]})
    sentence = "is not what the ledger folds to, from line"
    assert told(bijection, longer) == [(ALICE, "", f"{sentence} {number + 1}", "", "more")]
    assert told(bijection, shorter) == [(ALICE, "", f"{sentence} {number}", last, "")]


def test_fact_behind_block_shows_the_words_that_were_stated() -> None:
    good = trial(story(), asserts())
    sentence, line = (
        "shows a fact that no event states on this page in these words",
        "- Alice prefers tea. ^f-0000000002",
    )
    reworded = good.after(b"prefers tea", b"hates tea")
    assert told(fact_behind_block, reworded) == [(ALICE, TWO, sentence, line, line.replace("prefers", "hates"))]
    forged = good.after(b"f-0000000002", b"f-0000000007")
    assert told(fact_behind_block, forged) == [(ALICE, "f-0000000007", sentence, "", line[:-1] + "7")]


@pytest.mark.parametrize("is_first_closed_last", [True, False])
def test_the_latest_of_several_closings_ends_the_words(*, is_first_closed_last: bool) -> None:
    tale = Story()
    alice = tale.page("alice", "Alice Chen")
    for name in (ONE, TWO):
        alice.assert_(name, "tea", text="Alice likes tea.")
    first, last = (TWO, ONE) if is_first_closed_last else (ONE, TWO)
    alice.close(first)
    alice.assert_(OTHER, "tea", text="Alice likes tea.", attribute="other")
    alice.close(last)
    alice.assert_(NEW, "tea", text="Alice likes tea.", attribute="third")
    again = trial(tale, asserts(fact=FactId("f-0000000007")))
    assert [anchor for _, anchor, *_ in told(closed_shown, again)] == [OTHER]
