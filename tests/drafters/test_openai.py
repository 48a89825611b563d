"""The drafter on servers with OpenAI's protocol: the same checks, another wire."""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tests.drafters.asking import asked, said
from tests.drafters.stand_in import Scripted, StandIn, Turn, standing_in
from xysq.drafters import choose, trouble
from xysq.drafters.openai import find_key
from xysq.drafters.port import Drafter
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.model.draft import Draft
from xysq.model.settings import OpenAISpec
from xysq.text import tokens

PORTO = asked(said("I live in Porto."))
FACT = {"line": 1, "name": "Nora", "property": "location", "value": "Porto"}
FOUND = Turn(text=json.dumps({"facts": [FACT]}))


@pytest.fixture
def serve() -> Iterator[Callable[..., StandIn]]:
    """Return what starts a server."""
    running = []

    def start(turn: Turn = FOUND, **changes: Any) -> StandIn:  # noqa: ANN401 - frozen, and fields
        running.append(context := standing_in(Scripted(lambda _: turn), **changes))
        return context.__enter__()

    yield start
    for context in running:
        context.__exit__(None, None, None)


def drafter(
    stand_in: StandIn,
    model: str = "tiny:latest",
    environment: Mapping[str, str] | None = None,
    **changes: Any,  # noqa: ANN401 - the fields of a spec
) -> Drafter:
    spec = OpenAISpec(model=model, host=f"{stand_in.host}/v1", **changes)
    return choose("far", {"far": spec}, environment)


def test_a_model_is_asked_and_its_answer_becomes_a_draft(serve: Callable[..., StandIn]) -> None:
    stand_in = serve()
    answer = drafter(stand_in).draft(PORTO)
    (fact,) = Draft.parse(answer.reply).facts
    assert (fact.subject, fact.value) == ("I", "Porto")
    assert (answer.drafting.tokens_in, answer.drafting.tokens_out) == (100, 20)
    (request,) = stand_in.asked
    assert (request["temperature"], request["seed"], request["max_tokens"]) == (0, 7, 640)
    assert request["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    assert "Authorization" not in stand_in.headers[0]


def test_a_server_that_knows_less_is_asked_for_less(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(refuse_extras=True)
    far = drafter(stand_in)
    assert Draft.parse(far.draft(PORTO).reply).facts
    assert Draft.parse(far.draft(PORTO).reply).facts
    assert [set(request) for request in stand_in.asked] == [{"model", "messages", "max_tokens", "stream"}] * 2
    assert len(stand_in.headers) == 3  # the second time it is known


def test_an_answer_in_one_piece_without_counts_is_read_too(serve: Callable[..., StandIn]) -> None:
    whole = {"choices": [{"message": {"content": FOUND.text}, "finish_reason": "stop"}]}
    stand_in = serve(Turn(raw=b"data: " + json.dumps(whole).encode() + b"\n\ndata: [DONE]\n\n"))
    answer = drafter(stand_in).draft(PORTO)
    assert Draft.parse(answer.reply).facts
    assert answer.drafting.tokens_out == tokens(FOUND.text)


@pytest.mark.parametrize(
    "turn", [Turn(ended="length"), Turn(text="no"), Turn(tokens_in=4_090), Turn(ended="content_filter")]
)
def test_an_answer_that_is_none_is_a_bad_draft(turn: Turn, serve: Callable[..., StandIn]) -> None:
    with pytest.raises(BadDraft):
        drafter(serve(turn)).draft(PORTO)


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (Turn(cut=True), "cut|no answer of such a server"),
        (Turn(status=500, error="secret words"), "status 500"),
        (Turn(status=429, error="secret words"), "status 429"),
        (Turn(raw=b"data: nonsense\n\n"), "no answer of such a server"),
        (Turn(raw=b"data: []\n\n"), "no answer of such a server"),
        (Turn(raw=b'data: {"choices":[3]}\n\n'), "no answer of such a server"),
        (Turn(raw=b"data: {}\n\n"), "cut in the middle"),
    ],
    ids=["cut", "500", "429", "no JSON", "a list", "no choice", "nothing"],
)
def test_a_connection_that_breaks_costs_nothing(turn: Turn, told: str, serve: Callable[..., StandIn]) -> None:
    with pytest.raises(DrafterUnreachable, match=told) as caught:
        drafter(serve(turn)).draft(PORTO)
    assert "secret" not in str(caught.value)
    assert caught.value.exit_status == 3


def test_a_model_that_is_too_slow_is_a_bad_draft(serve: Callable[..., StandIn]) -> None:
    with pytest.raises(BadDraft, match=r"no answer in 0\.2 s"):
        drafter(serve(Turn(silent_s=0.6)), timeout_s=0.2).draft(PORTO)


def test_a_model_or_a_server_that_is_not_there_is_unreachable(serve: Callable[..., StandIn]) -> None:
    stand_in = serve()
    with pytest.raises(DrafterUnreachable, match="has no model 'huge'") as caught:
        drafter(stand_in, "huge").draft(PORTO)
    assert caught.value.hint == "it has: tiny:latest"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(DrafterUnreachable, match="no server answers"):
        choose("far", {"far": OpenAISpec(model="m", host=host)}).draft(PORTO)
    assert trouble(OpenAISpec(model="m", host=host), {})[0].startswith("no server answers at")
    assert trouble(OpenAISpec(model="m", host=f"{stand_in.host}/v1"), {}) == ("", "")


def test_a_key_comes_from_the_environment_and_goes_to_the_server_alone(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(key="s3cret")
    answer = drafter(stand_in, environment={"MY_KEY": "s3cret"}, key_from="env:MY_KEY").draft(PORTO)
    assert stand_in.headers[0]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(answer)
    with pytest.raises(DrafterUnreachable, match="does not take the key") as wrong:
        drafter(stand_in, environment={"MY_KEY": "0ther"}, key_from="env:MY_KEY").draft(PORTO)
    assert "0ther" not in f"{wrong.value} {wrong.value.hint}"
    with pytest.raises(DrafterUnreachable, match="MY_KEY is not set"):
        drafter(stand_in, environment={}, key_from="env:MY_KEY").draft(PORTO)


def test_a_key_comes_from_the_keyring_where_there_is_one() -> None:
    ring = SimpleNamespace(get_password=lambda service, user: "s3cret" if (service, user) == ("far", "xysq") else None)
    assert find_key("keyring:far", {}, lambda: ring) == "s3cret"
    with pytest.raises(DrafterUnreachable, match="has no key for near"):
        find_key("keyring:near", {}, lambda: ring)

    def absent() -> None:
        raise ModuleNotFoundError("keyring")

    def locked(*_: str) -> str:
        raise RuntimeError("locked")

    with pytest.raises(DrafterUnreachable, match="not installed"):
        find_key("keyring:far", {}, absent)
    with pytest.raises(DrafterUnreachable, match="cannot be asked: locked"):
        find_key("keyring:far", {}, lambda: SimpleNamespace(get_password=locked))
