"""What an agent corrects over MCP is done, in its own name, and seen by the owner."""

from dataclasses import replace

from tests.stories.told import Tale
from xysq.jobs.correct_source import correct_source
from xysq.jobs.replacing import replacing
from xysq.jobs.status import status
from xysq.model.fact import Closed
from xysq.model.source import Channel

TALK = "Nora: I live in Vienna.\n\nEmil: I work at Acme.\n\nNora: I see.\n"


def test_a_correction_by_an_agent_closes_in_its_name_and_is_listed(tale: Tale) -> None:
    version = tale.said(TALK)
    agents = replace(tale.opened, channel=Channel.MCP)
    tale.clock.tick(60)
    run = correct_source(agents, version.source, replacing("Acme", "Apex")).run
    assert run is not None
    assert (run.outcome, run.drafter) == ("applied", "agent")
    ended = tale.fact("Emil works at Acme.").life
    assert isinstance(ended, Closed)
    assert ended.by == "agent"
    assert status(tale.opened, "rules").by_agents == (run.run,)
    tale.distilled()
    assert "Emil works at Apex." in tale.open()
    (quote,) = tale.fact("Emil works at Apex.").evidence
    assert quote.channel is Channel.MCP
    assert tale.is_sound()


def test_a_correction_by_the_owner_is_the_users_and_is_not_listed(tale: Tale) -> None:
    version = tale.said(TALK)
    assert tale.corrected(version, "Acme", "Apex").drafter == "user"
    ended = tale.fact("Emil works at Acme.").life
    assert isinstance(ended, Closed)
    assert ended.by == "user"
    assert status(tale.opened, "rules").by_agents == ()
