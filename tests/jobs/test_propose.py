"""Whoever proposes is a drafter like any other: planned, quarantined, judged; and draws no work away unseen."""

from dataclasses import replace
from typing import Any

import pytest

from tests.builders import Clock
from xysq.errors import BadDraft, NotFound
from xysq.jobs.fsck import fsck
from xysq.jobs.opened import Opened
from xysq.jobs.propose import propose
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.jobs.status import status
from xysq.model.run import Drafting
from xysq.model.source import Channel, Version

DRAFTING = Drafting(drafter="mcp", model="a client")


def told(opened: Opened, words: str, source: str = "mcp:talk") -> Version:
    version = push(opened, PushOrder(data=words.encode(), source=source, piecewise=True)).version
    with readable(opened).reading():
        return version


def location(value: str, *quotes: dict[str, Any], subject: str = "Emil", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "subject": subject,
        "attribute": "location",
        "value": value,
        "text": f"{subject} lives in {value}.",
        "quotes": list(quotes),
        **more,
    }


@pytest.fixture
def agents(opened: Opened) -> Opened:
    return replace(opened, channel=Channel.MCP)


def test_a_proposal_is_planned_from_the_passages_it_names_and_covers_them_alone(agents: Opened) -> None:
    version = told(agents, "Emil: I live in Lisbon.\n\nIda: I like tea a lot.\n\nEmil: So do I.\n\n")
    later = told(agents, "Emil: I live in Porto now.\n\n")
    report = propose(
        agents,
        {
            "facts": [
                location("Porto", {"passage": f"{later}#4"}),
                location("Lisbon", {"passage": f"{version}#1", "text": "I live in Lisbon"}, ref="old"),
                location("Rome", {"passage": f"{later}#4", "text": "I live in Rome"}),
            ]
        },
        DRAFTING,
    )
    assert (report.outcome, report.drafter) == ("applied", "mcp")
    assert {fact.text for fact in (*report.asserted, *report.late)} == {"Emil lives in Porto.", "Emil lives in Lisbon."}
    assert [drop.code.value for drop in report.drops] == ["quote-mismatch"]
    (left,) = status(agents, "rules").pending
    with readable(agents).reading() as snapshot:
        words = [passage.text for passage in snapshot.logs.passages(version, left.start, left.end)]
    assert words == ["I like tea a lot.", "So do I."]
    assert fsck(agents) == ()


def test_what_is_covered_may_be_proposed_about_again(agents: Opened, clock: Clock) -> None:
    version = told(agents, "Emil: I live in Lisbon.\n\nIda: I see, that is nice.\n\n")
    fact = {"facts": [location("Lisbon", {"passage": f"{version}#1"})]}
    assert propose(agents, fact, DRAFTING).asserted
    clock.tick(60)
    again = propose(agents, fact, DRAFTING)
    assert (again.outcome, again.asserted, again.refusals) == ("applied", (), ())


@pytest.mark.parametrize(
    ("proposal", "error"),
    [
        ({}, BadDraft),
        ({"facts": []}, BadDraft),
        ({"facts": {}}, BadDraft),
        ({"facts": [1]}, BadDraft),
        ({"facts": [location("Rome")], "edits": []}, BadDraft),
        ({"facts": [location("Rome", {"passage": 1})]}, BadDraft),
        ({"facts": [location("Rome", {"passage": "20261130-aaaaaa@1#1"}, more=1)]}, BadDraft),
        ({"facts": [location("\ud800", {"passage": "20261130-aaaaaa@1#1"})]}, BadDraft),
        ({"facts": [location("Rome", {"passage": "20261130-aaaaaa@1#1"})]}, NotFound),
    ],
)
def test_what_is_no_proposal_changes_nothing(opened: Opened, proposal: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        propose(opened, proposal, DRAFTING)
    assert status(opened, "rules").refused == status(opened, "rules").staged == ()
