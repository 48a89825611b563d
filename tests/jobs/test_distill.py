import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.builders import Clock
from tests.jobs.scripted import Scripted, facts, passage_with, stated
from xysq.drafters import choose
from xysq.drafters.port import Answer, Request
from xysq.errors import DrafterUnreachable
from xysq.jobs.apply import Applied, Overtaken, apply
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.jobs.status import status
from xysq.jobs.verify import verify
from xysq.model.fact import Fact
from xysq.model.report import RunReport
from xysq.model.source import Channel
from xysq.store import layout, queue, wal

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"
RULES = DistillOrder(drafter=choose("rules", {}))


def pushed(opened: Opened, data: bytes, name: str = "talk.txt", format: str = "") -> None:  # noqa: A002 - as in the order
    push(opened, PushOrder(data=data, filename=name, origin=f"/home/maya/{name}", format=format))


def all_facts(opened: Opened) -> tuple[Fact, ...]:
    with readable(opened).reading() as snapshot:
        return tuple(
            fact for page in snapshot.lists.pages(with_ended=True) for fact in snapshot.ledger.facts_of(page.slug)
        )


def run_all(opened: Opened, order: DistillOrder = RULES) -> list[RunReport]:
    return list(distill(opened, order))


def faults(opened: Opened) -> list[str]:
    return [finding.code for finding in fsck(opened) if not finding.note]


def test_a_talk_becomes_pages_whose_facts_quote_it(opened: Opened) -> None:
    pushed(opened, TALK)
    (report,) = run_all(opened)
    assert report.outcome == "applied"
    assert {told.text for told in report.asserted} >= {"Maya lives in Berlin.", "Tom moved to Lisbon."}
    page = opened.files.read("pages/ma/maya.md").decode()
    assert "Maya lives in Berlin." in page
    assert not run_all(opened)
    assert faults(opened) == []


def test_the_same_talk_from_elsewhere_confirms_and_asserts_nothing(opened: Opened) -> None:
    pushed(opened, TALK)
    run_all(opened)
    pushed(opened, TALK, "copy.txt")
    (report,) = run_all(opened)
    assert not report.asserted
    assert report.confirmed
    assert faults(opened) == []


def test_a_false_quote_drops_the_fact_and_keeps_the_sentence(opened: Opened) -> None:
    pushed(opened, TALK)
    lie = stated("Tom", "employer", "Initech", "Tom works at Initech.", {"passage": 2, "text": "I work at Initech."})
    (report,) = run_all(opened, DistillOrder(drafter=Scripted(facts(lie))))
    assert [drop.code.value for drop in report.drops] == ["quote-mismatch"]
    page = opened.files.read("pages/to/tom.md").decode()
    assert "Tom works at Initech. ^b-" in page
    assert not all_facts(opened)
    assert faults(opened) == []


def test_garbage_is_refused_halved_and_given_up_and_nothing_else_is_lost(opened: Opened, clock: Clock) -> None:
    lines = [f"Maya: I like number {n}.\n\n" for n in range(20)]
    lines[7] = "Maya: poison.\n\n"
    pushed(opened, "".join(lines).encode())

    def answer(request: Request) -> bytes | dict[str, Any]:
        if any("poison" in passage.text for passage in request.passages):
            return b"\xff not a draft"
        found = [
            stated(
                "Maya",
                "preference",
                p.text.rsplit(" ", 2)[1] + " " + p.text.rsplit(" ", 1)[1].rstrip("."),
                f"Maya likes {p.text[7:]}",
                {"passage": n},
                ref=str(n),
            )
            for n, p in enumerate(request.passages, 1)
        ]
        return {"facts": found}

    order = DistillOrder(drafter=Scripted(answer))
    reports = run_all(opened, order)
    assert sum(len(report.asserted) for report in reports) == 19
    assert [report.outcome for report in reports].count("refused") == 1
    for _ in range(4):
        assert [report.outcome for report in run_all(opened, order)] == ["refused"]
    assert run_all(opened, order) == []
    state = status(opened, "scripted")
    (given_up,) = state.given_up
    assert given_up.attempts == 5
    assert given_up.refusals[0].gate == "bad-draft"
    assert not state.pending
    assert queue.drop_attempt(opened.files, given_up.row)
    assert status(opened, "scripted").pending == (given_up.row,)
    assert faults(opened) == []


def test_a_drafter_out_of_reach_costs_no_attempt(opened: Opened) -> None:
    class Gone(Scripted):
        def draft(self, _: Request) -> Answer:
            raise DrafterUnreachable("nobody is there")

    pushed(opened, TALK)
    with pytest.raises(DrafterUnreachable):
        run_all(opened, DistillOrder(drafter=Gone(facts())))
    assert queue.attempts(opened.files) == ()
    assert len(status(opened, "x").pending) == 1


def test_a_staged_run_waits_is_judged_and_applied(opened: Opened) -> None:
    pushed(opened, TALK)
    (report,) = run_all(opened, replace(RULES, stage=True))
    assert report.outcome == "staged"
    assert not all_facts(opened)
    assert status(opened, "rules").pending == ()
    assert [verdict.refusals for verdict in verify(opened)] == [()]
    with hold(opened) as held:
        assert isinstance(apply(held, report.run), Applied)
    assert all_facts(opened)
    assert faults(opened) == []


def test_two_staged_runs_of_other_rows_land_one_after_the_other(opened: Opened) -> None:
    pushed(opened, TALK, "one.txt")
    (first,) = run_all(opened, replace(RULES, stage=True))
    pushed(opened, TALK.replace(b"tea", b"coffee"), "two.txt")
    (second,) = run_all(opened, replace(RULES, stage=True))
    with hold(opened) as held:
        assert isinstance(apply(held, first.run), Applied)
    with hold(opened) as held:
        assert isinstance(apply(held, second.run), Applied)
    likes = [fact.value for fact in all_facts(opened) if fact.attribute == "preference"]
    assert sorted(likes) == ["coffee", "tea"]
    assert faults(opened) == []


def test_a_run_whose_rows_another_one_covered_is_dropped(opened: Opened, tmp_path: Path) -> None:
    pushed(opened, TALK)
    (staged,) = run_all(opened, replace(RULES, stage=True))
    kept = wal.load(opened.files, staged.run)
    wal.discard(opened.files, staged.run)
    run_all(opened)
    wal.stage(opened.files, kept)
    with hold(opened) as held:
        assert isinstance(apply(held, staged.run), Overtaken)
    assert wal.list_runs(opened.files) == ()


def _tampered(opened: Opened, run: str, change: Callable[[dict[str, Any]], None]) -> None:
    path = f"{layout.wal_dir(run)}/run.json"  # type: ignore[arg-type]
    value = json.loads(opened.files.read(path))
    change(value)
    opened.files.replace(path, json.dumps(value).encode())


def _assert(run: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = next(event["body"] for event in run["events"] if event["kind"] == "assert")
    return body


@pytest.mark.parametrize(
    "change",
    [
        lambda run: _assert(run).update(text="Maya lives in Paris."),
        lambda run: _assert(run)["evidence"][0].update(quote="I live in Paris."),
        lambda run: _assert(run)["evidence"][0].update(speaker="Tom"),
        lambda run: run["edits"].pop(),
        lambda run: run["events"].pop() and run["salts"].pop(),
        lambda run: run["record"].update(at="2020-01-01T00:00:00Z"),
        lambda run: run["record"].update(rows=[]),
        lambda run: run["base"].update(n=7),
    ],
)
def test_a_staged_run_that_was_touched_by_hand_is_refused_with_a_reason(
    opened: Opened, change: Callable[[dict[str, Any]], None]
) -> None:
    pushed(opened, TALK)
    (staged,) = run_all(opened, replace(RULES, stage=True))
    _tampered(opened, staged.run, change)
    (verdict,) = verify(opened)
    assert verdict.refusals
    assert all(refusal.sentence for refusal in verdict.refusals)


def test_a_page_in_a_staged_run_that_was_touched_is_refused(opened: Opened) -> None:
    pushed(opened, TALK)
    (staged,) = run_all(opened, replace(RULES, stage=True))
    path = f"{layout.wal_dir(staged.run)}/after/pages+ma+maya.md"
    data = opened.files.read(path)
    opened.files.replace(path, data.replace(b"Berlin", b"Bergen"))
    (verdict,) = verify(opened)
    assert verdict.refusals
    assert "declared-bytes" in {refusal.gate for refusal in verdict.refusals}


def test_an_edited_draft_is_planned_again(opened: Opened) -> None:
    pushed(opened, TALK)
    (staged,) = run_all(opened, replace(RULES, stage=True))
    path = f"{layout.wal_dir(staged.run)}/draft.json"
    draft = json.loads(opened.files.read(path))
    draft["facts"] = [fact for fact in draft["facts"] if "Berlin" in fact["value"]]
    opened.files.replace(path, json.dumps(draft).encode())
    assert [verdict.refusals for verdict in verify(opened)] == [()]
    with hold(opened) as held:
        apply(held, staged.run)
    assert [fact.value for fact in all_facts(opened)] == ["Berlin"]
    assert faults(opened) == []


def test_dry_run_leaves_nothing(opened: Opened) -> None:
    pushed(opened, TALK)
    (report,) = run_all(opened, replace(RULES, dry_run=True))
    assert report.asserted
    assert wal.list_runs(opened.files) == ()
    assert not all_facts(opened)


def test_an_unsaved_edit_of_a_page_that_is_not_understood_survives_a_run_that_touches_it(opened: Opened) -> None:
    pushed(opened, TALK, "one.txt")
    run_all(opened)
    path = opened.root / "pages/ma/maya.md"
    mine = path.read_text().replace("tea", "green tea") + "```\n"
    path.write_text(mine)
    pushed(opened, b"Maya: I love jazz.\n\nTom: Me too.\n\nMaya: I live in Rome.\n\n", "two.txt")
    run_all(opened)
    assert path.read_text() == mine
    assert status(opened, "rules").unsaved_pages == ("pages/ma/maya.md",)
    assert faults(opened) == []


def test_an_unfinished_tail_over_a_hook_waits_until_it_is_idle(opened: Opened, clock: Clock) -> None:
    hooked = replace(opened, channel=Channel.HOOK)
    pushed(hooked, b"Maya: I live in Berlin.\n\nTom: I moved to Lis", format="turns")
    run_all(hooked)
    assert {fact.value for fact in all_facts(opened)} == {"Berlin"}
    pushed(hooked, b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n", format="turns")
    run_all(hooked)
    assert {fact.value for fact in all_facts(opened)} == {"Berlin", "Lisbon"}
    assert faults(opened) == []


def test_a_request_shows_what_is_known_of_those_who_speak(opened: Opened) -> None:
    pushed(opened, TALK, "one.txt")
    run_all(opened)
    pushed(opened, b"Maya: Tom is here.\n\nTom: Hello all.\n\nMaya: Hi.\n\n", "two.txt")
    drafter = Scripted(facts())
    run_all(opened, DistillOrder(drafter=drafter))
    (request,) = drafter.requests
    assert {page.slug for page in request.pages} == {"maya", "tom"}
    assert passage_with(request, "Hello") == 2


def test_a_word_that_an_update_changed_is_read_in_its_passage(opened: Opened, clock: Clock) -> None:
    pushed(opened, b"Kim: I live in Rome.\n\nLee: Yes.\n\nKim: I work at Acme.\n\n")
    run_all(opened)
    clock.tick(86_400)
    pushed(opened, b"Kim: I live in Oslo.\n\nLee: Yes.\n\nKim: I work at Acme.\n\n")
    (report,) = run_all(opened)
    assert [told.text for told in report.superseded] == ["Kim lives in Oslo."]
    assert run_all(opened) == []
    assert faults(opened) == []


def test_only_what_an_update_touched_is_asked_for_again(opened: Opened) -> None:
    lines = [f"Kim: line {n} says something.\n\nLee: Yes.\n\n" for n in range(20)]
    pushed(opened, "".join(lines).encode())
    run_all(opened)
    pushed(opened, "".join(lines).replace("line 7 ", "line 77 ").replace("line 8 ", "line 88 ").encode())
    drafter = Scripted(facts())
    run_all(opened, DistillOrder(drafter=drafter))
    asked = [passage.text for request in drafter.requests for passage in request.passages]
    assert [text for text in asked if text != "Yes."] == ["line 77 says something.", "line 88 says something."]
