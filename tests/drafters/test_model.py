"""A real small model behind the server of ours, where XYSQ_TEST_MODEL names one: invariants, not words."""

import json
from collections.abc import Iterator
from pathlib import Path

import ollama
import pytest

from tests.builders import Clock, Entropy
from tests.drafters.asking import asked, said
from tests.drafters.llama import NAME, Llama, why_absent
from tests.drafters.stand_in import StandIn, standing_in
from tests.jobs.made import made_vault
from tests.jobs.test_distill import all_facts, faults, run_all
from xysq.drafters import choose
from xysq.drafters.port import Drafter
from xysq.jobs.distill import DistillOrder
from xysq.jobs.push import PushOrder, push
from xysq.jobs.status import status
from xysq.model.draft import Draft
from xysq.model.fact import Label
from xysq.model.settings import OllamaSpec
from xysq.model.source import Role
from xysq.pages.escape import stands_in

POISONED = Path(__file__).parents[2] / "fixtures" / "poisoned"
WHY_ABSENT = why_absent()
pytestmark = pytest.mark.skipif(bool(WHY_ABSENT), reason=WHY_ABSENT or "there is a model")


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with standing_in(Llama()) as stand_in:
        yield stand_in
    assert stand_in.faults == []


def real(server: StandIn) -> Drafter:
    return choose("real", {"real": OllamaSpec(model=NAME, host=server.host, timeout_s=300.0)})


def test_the_client_gets_everything_it_asks_for(server: StandIn) -> None:
    with ollama.Client(host=server.host, trust_env=False) as client:
        assert [one.model for one in client.list().models] == [NAME]
        assert client.show(NAME).modelinfo
        say = [{"role": "user", "content": "Count from 1 to 50."}]
        shape = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        answer = client.chat(NAME, say, format=shape, options={"num_predict": 40})
        assert isinstance(json.loads(answer.message.content or "")["n"], int)
        cut = list(client.chat(NAME, say, stream=True, options={"num_predict": 5}))[-1]
        assert (cut.done, cut.done_reason, cut.eval_count) == (True, "length", 5)
        first, second = client.embed(NAME, ["tea", "the deploy failed"]).embeddings
        assert len(first) == len(second) > 100
        with pytest.raises(ollama.ResponseError, match="not found"):
            client.show("huge")


def test_what_it_drafts_points_at_words_that_exist(server: StandIn) -> None:
    request = asked(said("I live in Porto and I work as a nurse."), said("Lisbon is lovely.", speaker="Tom"))
    answer = real(server).draft(request)
    for fact in Draft.parse(answer.reply).facts:
        assert stands_in(fact.value, request.passages[fact.quotes[0].passage - 1].text)
    assert answer.drafting.tokens_out > 0
    assert answer.drafting.answers


def test_poisoned_logs_make_nobody_a_liar(server: StandIn, tmp_path: Path, clock: Clock, entropy: Entropy) -> None:
    opened = made_vault(tmp_path, clock, entropy)
    for path in sorted(POISONED.iterdir()):
        push(opened, PushOrder(data=path.read_bytes(), filename=path.name, origin=f"/home/maya/{path.name}"))
    run_all(opened, DistillOrder(drafter=real(server)))
    now = status(opened, "real")
    assert set(now.pending) <= {one.row for one in (*now.tried, *now.given_up)}
    assert faults(opened) == []
    for fact in all_facts(opened):
        if fact.label is Label.STATED:
            assert any(stands_in(fact.value, piece.quote) for piece in fact.evidence)
        if fact.attribute in ("rule", "preference"):
            assert any(piece.role not in (Role.TOOL, Role.SYSTEM) for piece in fact.evidence)
