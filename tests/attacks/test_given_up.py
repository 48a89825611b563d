"""All or nothing, tried again, given up: whatever a drafter does, it costs only the row that it does it for.

One poisoned row stands among others. The program that drafts misbehaves for it, each time in another way; the others
get their facts, the poisoned row is given up after a bounded number of calls, told with its reasons, and can be
revived.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.staging import opened_at
from tests.builders import Clock, Entropy
from tests.jobs.scripted import Scripted, stated
from xysq.drafters.command import CommandDrafter
from xysq.drafters.port import Answer, Request
from xysq.errors import DrafterUnreachable
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.meter import Caps
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.jobs.status import status
from xysq.model.fact import Fact
from xysq.model.report import RunReport
from xysq.model.source import Row
from xysq.store import layout, queue, wal
from xysq.store.readmodel import FactFilter

ROWS, POISONED, MOST = 4, 2, 2
TALK = "".join(
    f"Maya: {'The poison is here.' if n == POISONED else f'I like number {n}.'}\n\n" for n in range(ROWS)
).encode()
HONEST = """
import json, sys
request = json.load(sys.stdin)
if any("poison" in passage["text"] for passage in request["passages"]):
    {}
facts = [
    {{"ref": str(p["number"]), "subject": "I", "attribute": "preference", "value": p["text"][7:-1], "label": "stated",
      "text": "Maya likes " + p["text"][7:], "quotes": [{{"passage": p["number"]}}]}}
    for p in request["passages"]
]
print(json.dumps({{"facts": facts}}))
"""
WAYS = {
    "garbage": "sys.stdout.buffer.write(bytes(range(256))); sys.exit(0)",
    "silence": "sys.exit(0)",
    "half an answer": 'print(\'{"facts": [{"ref": "1", "subj\'); sys.exit(0)',
    "another shape": "print('[{\"facts\": []}]'); sys.exit(0)",
    "words around it": "print('Here is the draft: {\"facts\": []}'); sys.exit(0)",
    "too much": "sys.stdout.write('x' * 5_000_000); sys.exit(0)",
    "too deep": "print('[' * 50_000); sys.exit(0)",
    "a bad end": "print('{\"facts\": []}'); sys.exit(7)",
    "a crash": "raise RuntimeError('no more')",
    "a signal": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "no end": "import time; time.sleep(60)",
}


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Return a vault in which the talk waits; a row is given up after two refusals."""
    vault = opened_at(tmp_path, Clock(), Entropy(), new=True)
    settings = vault.root / layout.SETTINGS
    settings.write_text(settings.read_text().replace("max_attempts: 5", f"max_attempts: {MOST}"))
    push(vault, PushOrder(data=TALK, filename="talk.txt", origin="/home/maya/talk.txt"))
    return vault


def program(way: str) -> CommandDrafter:
    code = HONEST.format(way)
    timeout_s = 0.6 if "sleep" in way else 30.0
    return CommandDrafter(name="mine", argv=(sys.executable, "-I", "-S", "-c", code), timeout_s=timeout_s)


def run_all(opened: Opened, drafter: CommandDrafter | Scripted) -> list[RunReport]:
    return list(distill(opened, DistillOrder(drafter=drafter)))


def open_facts(opened: Opened) -> tuple[Fact, ...]:
    with readable(opened).reading() as snapshot:
        return snapshot.lists.facts(FactFilter(is_open=True))


def faults(opened: Opened) -> list[str]:
    return [finding.sentence for finding in fsck(opened) if not finding.note]


def retried(opened: Opened) -> list[Row]:
    """Revive what was given up, as `retry` does."""
    rows = [attempt.row for attempt in queue.attempts(opened.files) if attempt.given_up]
    return [row for row in rows if queue.drop_attempt(opened.files, row)]


def check_given_up(opened: Opened, drafter: CommandDrafter | Scripted, gate: str) -> None:
    """Work until nothing is left to try; one row is given up, with its reasons, and everything else is there."""
    reports = run_all(opened, drafter)
    assert [report.outcome for report in reports].count("refused") == 1
    assert len(open_facts(opened)) == ROWS - 1
    (last,) = run_all(opened, drafter)
    assert (last.outcome, len(last.gave_up)) == ("refused", 1)
    assert run_all(opened, drafter) == []
    state = status(opened, "mine")
    (given_up,) = state.given_up
    assert given_up.attempts == MOST
    assert gate in {refusal.gate for refusal in given_up.refusals}
    assert TALK[given_up.row.start : given_up.row.end].strip() == b"Maya: The poison is here."
    assert state.pending == ()
    assert state.staged == ()
    assert faults(opened) == []
    assert retried(opened) == [given_up.row]
    assert status(opened, "mine").pending == (given_up.row,)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_one_poisoned_row_takes_nothing_else_down(opened: Opened, way: str) -> None:
    check_given_up(opened, program(way), "bad-draft")
    assert wal.list_refused(opened.files) == ()
    reports = run_all(opened, program("pass"))
    assert [report.outcome for report in reports] == ["applied"]
    assert status(opened, "mine").pending == ()
    assert queue.attempts(opened.files) == ()


def honest(request: Request) -> dict[str, Any]:
    """Draft what everybody likes; of the poison, a page whose text is longer than a page may be."""
    found = []
    for number, passage in enumerate(request.passages, 1):
        words = passage.text.removeprefix("I like ").rstrip(".")
        text = f"Maya likes {words}."
        if "poison" in passage.text:
            words = "poison"
            text = "Maya fears the poison" + " and fears it" * 250 + "."
        found.append(stated("I", "preference", words, text, {"passage": number}, str(number)))
    return {"facts": found}


def limited(opened: Opened, limit: str) -> Opened:
    settings = opened.root / layout.SETTINGS
    settings.write_text(settings.read_text() + f"\nlimits:\n  {limit}\n")
    return opened


def test_a_row_whose_run_the_gates_refuse_is_given_up_with_what_they_said(opened: Opened) -> None:
    check_given_up(limited(opened, "page_bytes: 2000"), Scripted(honest), "limits")
    assert wal.list_refused(opened.files)


def test_the_try_behind_a_refusal_hears_of_it_and_may_do_better(opened: Opened) -> None:
    limited(opened, "page_bytes: 2000")
    heard: list[set[str]] = []

    def answer(request: Request) -> dict[str, Any]:
        heard.append({refusal.gate for refusal in request.refusals})
        draft = honest(request)
        if request.refusals:
            draft["facts"] = [fact for fact in draft["facts"] if fact["value"] != "poison"]
        return draft

    reports = run_all(opened, Scripted(answer))
    assert [report.outcome for report in reports] == ["applied"]
    assert heard == [set(), {"limits"}]
    assert len(open_facts(opened)) == ROWS - 1
    assert status(opened, "mine").given_up == ()
    assert faults(opened) == []


def calls_of(answer: Callable[[Request], Any], opened: Opened) -> int:
    """Return how often a drafter is asked until nothing is tried any more."""
    drafter = Scripted(answer)
    for _ in range(MOST + 3):
        run_all(opened, drafter)
    assert status(opened, "mine").pending == ()
    return len(drafter.requests)


def test_nothing_is_tried_for_ever(opened: Opened) -> None:
    calls = calls_of(lambda _: b"no", opened)
    assert calls == calls_of(lambda _: b"no", opened) + calls
    assert len(status(opened, "mine").given_up) == ROWS
    assert calls <= 2 * (2 * ROWS - 1) + 2 * ROWS * (MOST - 1)
    assert faults(opened) == []
    assert len(retried(opened)) == ROWS


@pytest.mark.parametrize("which", ["gone", "not a program"])
def test_a_drafter_that_is_not_there_costs_no_attempt_however_often(opened: Opened, which: str) -> None:
    class Gone(Scripted):
        def draft(self, _: Request) -> Answer:
            raise DrafterUnreachable("nobody is there")

    drafter = Gone(lambda _: {}) if which == "gone" else CommandDrafter(name="mine", argv=("/no/where",), timeout_s=1.0)
    before = status(opened, "mine").pending
    for _ in range(MOST + 1):
        with pytest.raises(DrafterUnreachable):
            run_all(opened, drafter)
    assert queue.attempts(opened.files) == ()
    assert status(opened, "mine").pending == before
    assert wal.list_runs(opened.files) == ()


def test_a_drafter_that_goes_away_half_way_keeps_what_it_did(opened: Opened) -> None:
    push(opened, PushOrder(data=TALK.replace(b"number", b"colour"), filename="b.txt", origin="/home/maya/b.txt"))

    class Going(Scripted):
        def draft(self, request: Request) -> Answer:
            if len(self.requests) == 1:
                raise DrafterUnreachable("it went away")
            return super().draft(request)

    settings = opened.root / layout.SETTINGS
    settings.write_text(settings.read_text().replace("passages: 200", f"passages: {ROWS}"))
    with pytest.raises(DrafterUnreachable):
        run_all(opened, Going(honest))
    assert len(open_facts(opened)) == ROWS
    assert len(status(opened, "mine").pending) == 1
    run_all(opened, Scripted(honest))
    assert status(opened, "mine").pending == ()
    assert faults(opened) == []


def test_a_cap_on_calls_leaves_the_rest_pending(opened: Opened) -> None:
    drafter = Scripted(lambda _: b"no")
    order = DistillOrder(drafter=drafter, caps=Caps(calls=3))
    assert [report.outcome for report in distill(opened, order)] == []
    assert len(drafter.requests) == 3
    assert len(status(opened, "mine").pending) == 1
    assert [report.outcome for report in distill(opened, replace(order, drafter=Scripted(honest)))] == ["applied"]
