"""Budgets: what drafting may cost, and what it did cost."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.builders import Clock
from tests.drafters.stand_in import Scripted, StandIn, Turn, standing_in
from tests.jobs.test_distill import all_facts, faults, pushed, run_all
from xysq.drafters import choose
from xysq.drafters.port import Drafter
from xysq.errors import DrafterUnreachable
from xysq.jobs.distill import DistillOrder, price
from xysq.jobs.meter import Caps
from xysq.jobs.opened import Opened
from xysq.jobs.status import status
from xysq.model.settings import Budgets, OllamaSpec
from xysq.model.spending import Spending
from xysq.store import layout, spent

TOWNS = ("Porto", "Faro", "Braga", "Aveiro", "Leiria", "Evora")
TALK = "".join(f"N{town}: I live in {town}.\n\n" for town in TOWNS for _ in range(3)).encode()  # six windows


def _where_they_live(asked: Mapping[str, Any]) -> Turn:
    shown = asked["messages"][-1]["content"]
    town = next(town for town in TOWNS if town in shown)
    fact = {"line": 1, "name": f"N{town}", "property": "location", "value": town}
    return Turn(text=json.dumps({"facts": [fact]}), tokens_in=600, tokens_out=100)


@pytest.fixture
def server() -> Iterator[StandIn]:
    with standing_in(Scripted(_where_they_live)) as stand_in:
        yield stand_in
    assert stand_in.faults == []


def tiny(server: StandIn) -> Drafter:
    return choose("tiny", {"tiny": OllamaSpec(model="tiny", host=server.host)})


def test_a_cap_of_three_calls_makes_three_calls(opened: Opened, server: StandIn) -> None:
    pushed(opened, TALK)
    reports = run_all(opened, DistillOrder(drafter=tiny(server), caps=Caps(calls=3)))
    assert len(server.asked) == 3
    assert [report.outcome for report in reports] == ["applied"] * 3
    assert opened.notices[-1] == "stopped at the cap of 3 calls; what is left stays pending"
    assert len(status(opened, "tiny").pending) == 1
    assert len(all_facts(opened)) == 3

    run_all(opened, DistillOrder(drafter=tiny(server)))
    assert len(server.asked) == 6
    assert status(opened, "tiny").pending == ()
    assert {fact.value for fact in all_facts(opened)} == set(TOWNS)
    assert faults(opened) == []


@pytest.mark.parametrize(
    ("caps", "calls", "told"),
    [
        (Caps(tokens=1_500), 2, "the cap of 1,500 tokens"),
        (Caps(seconds=0), 0, "the cap of 0 seconds"),
        (Caps(day=Budgets(calls=2)), 2, "the day's budget of 2 calls"),
        (Caps(day=Budgets(tokens=1_500)), 2, "the day's budget of 1,500 tokens"),
        (Caps(calls=2, day=Budgets(calls=4)), 2, "the cap of 2 calls"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_cap_stops_cleanly(caps: Caps, calls: int, told: str, opened: Opened, server: StandIn) -> None:
    pushed(opened, TALK)
    run_all(opened, DistillOrder(drafter=tiny(server), caps=caps))
    assert len(server.asked) == calls
    assert told in opened.notices[-1]
    assert status(opened, "tiny").pending
    assert faults(opened) == []


def test_what_a_day_has_spent_counts_for_every_pass_of_it_and_not_for_the_next_day(
    opened: Opened, clock: Clock, server: StandIn
) -> None:
    pushed(opened, TALK)
    order = DistillOrder(drafter=tiny(server), caps=Caps(day=Budgets(calls=2)))
    run_all(opened, order)
    run_all(opened, order)
    assert len(server.asked) == 2
    clock.tick(24 * 3600)
    run_all(opened, order)
    assert len(server.asked) == 4
    now = status(opened, "tiny", budgets=Budgets(calls=2))
    assert (now.spent_today.calls, now.spent_lately.calls) == (2, 4)
    assert now.spent_today.facts == 2
    assert now.spent_today.tokens_a_fact == 700


def test_seconds_of_calls_count_against_the_day(opened: Opened, server: StandIn) -> None:
    pushed(opened, TALK)
    spent.add(opened.files, opened.now()[:10], Spending(calls=1, milliseconds=9_000))
    run_all(opened, DistillOrder(drafter=tiny(server), caps=Caps(day=Budgets(seconds=9))))
    assert server.asked == []
    assert "the day's budget of 9 seconds" in opened.notices[-1]


def test_a_call_that_fails_has_been_paid_for(opened: Opened) -> None:
    pushed(opened, TALK)
    with standing_in(Scripted(lambda _: Turn(text='{"fa', cut=True))) as server, pytest.raises(DrafterUnreachable):
        run_all(opened, DistillOrder(drafter=tiny(server)))
    today = spent.on_day(opened.files, opened.now()[:10])
    assert (today.calls, today.facts) == (1, 0)
    assert today.tokens_in > 100
    assert status(opened, "tiny").tried == ()


def test_the_estimate_before_is_near_what_is_spent(opened: Opened, server: StandIn) -> None:
    pushed(opened, TALK)
    expected = price(opened, tiny(server))
    run_all(opened, DistillOrder(drafter=tiny(server)))
    assert expected.calls == len(server.asked) == 6
    shown = [message["content"] for asked in server.asked for message in asked["messages"]]
    assert expected.tokens >= sum(map(len, shown)) // 4
    assert price(opened, choose("rules", {})).calls == 0


def test_a_meter_runs_while_a_model_answers(opened: Opened, server: StandIn) -> None:
    seen: list[tuple[int, int]] = []
    pushed(opened, TALK)
    order = DistillOrder(drafter=tiny(server), spending=lambda spending, pieces: seen.append((spending.calls, pieces)))
    run_all(opened, replace(order, caps=Caps(calls=1)))
    assert seen[0] == (1, 0)
    assert (1, 3) in seen


def test_a_days_file_that_is_damaged_is_told_and_counts_as_nothing(opened: Opened) -> None:
    today = opened.now()[:10]
    spent.add(opened.files, today, Spending(calls=1))
    assert spent.on_day(opened.files, today) == Spending(calls=1)
    opened.files.replace(f"{layout.SPENT}/{today}.json", b'{"calls": -1}')
    assert spent.on_day(opened.files, today) == Spending()
    (told,) = status(opened, "rules").damaged
    assert f"{layout.SPENT}/{today}.json" in told


def test_old_days_are_forgotten(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spent, "_KEPT", 3)
    for number in range(1, 6):
        spent.add(opened.files, f"2026-11-{number:02d}", Spending(calls=1))
    assert spent.days(opened.files) == ("2026-11-03", "2026-11-04", "2026-11-05")
