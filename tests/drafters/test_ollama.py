"""The drafter on Ollama: the real client, against a server of ours with its answers written down."""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import ollama
import pytest

from tests.drafters.asking import asked, page, said
from tests.drafters.stand_in import Scripted, StandIn, Turn, standing_in
from xysq.drafters import choose
from xysq.drafters.port import Drafter
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.model.draft import Draft
from xysq.model.plan import DropCode
from xysq.model.settings import OllamaSpec

Answer = Callable[[Mapping[str, Any]], Turn]


@pytest.fixture
def serve() -> Iterator[Callable[..., StandIn]]:
    """Return what starts a server; when the test is over, every request and answer must have fitted the client."""
    running = []

    def start(answer: Answer | Turn = Turn(), **changes: Any) -> StandIn:  # noqa: ANN401, B008 - frozen, and fields
        script = (lambda _: answer) if isinstance(answer, Turn) else answer
        context = standing_in(Scripted(script, **changes))
        running.append((context, stand_in := context.__enter__()))
        return stand_in

    yield start
    for context, stand_in in running:
        context.__exit__(None, None, None)
        assert stand_in.faults == []


def drafter(stand_in: StandIn, model: str = "tiny", timeout_s: float = 10.0) -> Drafter:
    return choose("mine", {"mine": OllamaSpec(model=model, host=stand_in.host, timeout_s=timeout_s)})


def fact(line: int = 1, name: str = "Nora", attribute: str = "location", value: str = "Porto") -> dict[str, Any]:
    return {"line": line, "name": name, "property": attribute, "value": value}


def answering(*facts: dict[str, Any]) -> Turn:
    return Turn(text=json.dumps({"facts": facts}))


PORTO = asked(said("I live in Porto."))


def test_a_model_is_asked_and_its_answer_becomes_a_draft(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(answering(fact()))
    answer = drafter(stand_in).draft(PORTO)
    (drafted,) = Draft.parse(answer.reply).facts
    assert (drafted.subject, drafted.attribute, drafted.value) == ("I", "location", "Porto")
    assert drafted.text == "Nora: location: Porto"
    assert (drafted.quotes[0].passage, drafted.quotes[0].sentence) == (1, 1)
    kept = answer.drafting
    assert (kept.drafter, kept.model, kept.tokens_in, kept.tokens_out) == ("mine", "tiny", 100, 20)
    assert kept.answers == (json.dumps({"facts": [fact()]}),)
    assert len(kept.prompt_sha256) == 64
    assert kept.parameters is not None
    assert kept.parameters["digest"]


def test_everything_that_the_server_would_decide_silently_is_said(serve: Callable[..., StandIn]) -> None:
    stand_in = serve()
    drafter(stand_in).draft(PORTO)
    (request,) = stand_in.asked
    assert request["options"] == {"temperature": 0, "seed": 7, "num_ctx": 4096, "num_predict": 640}
    assert (request["think"], request["stream"]) == (False, True)
    facts = request["format"]["properties"]["facts"]
    assert facts["items"]["properties"]["line"] == {"type": "integer", "enum": [1]}
    assert facts["items"]["additionalProperties"] is False
    assert facts["maxItems"] == 6


def test_a_short_context_of_the_model_is_kept(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(models={"tiny:latest": (494_000_000, 2_048)})
    drafter(stand_in).draft(PORTO)
    assert stand_in.asked[0]["options"]["num_ctx"] == 2_048
    assert stand_in.asked[0]["options"]["num_predict"] == 320


def test_a_larger_model_is_shown_more_and_may_write(serve: Callable[..., StandIn]) -> None:
    known = page("Nora", ("f-0000000001", "location", "Lisbon", "Nora lives in Lisbon."))
    moved = {
        "line": 1,
        "name": "Nora",
        "of_kind": "person",
        "old": 1,
        "property": "location",
        "value": "Porto",
        "wording": "Nora has moved to Porto.",
    }
    reply = {"closes": [{"line": 2, "old": 1}], "facts": [moved]}
    stand_in = serve(Turn(text=json.dumps(reply)), models={"big:latest": (8_000_000_000, 131_072)})
    passages = (said("I moved to Porto."), said("Lisbon is over."))
    draft = Draft.parse(drafter(stand_in, "big").draft(asked(*passages, pages=(known,))).reply)
    assert [(one.text, one.replaces) for one in draft.facts] == [("Nora has moved to Porto.", "f-0000000001")]
    assert [(close.fact, close.quotes[0].passage) for close in draft.closes] == [("f-0000000001", 2)]
    assert "(1) location: Lisbon" in stand_in.prompt()
    assert "f-0000000001" not in json.dumps(stand_in.asked)
    assert stand_in.asked[0]["options"]["num_ctx"] == 12_288


def test_what_a_model_invents_is_dropped_with_a_reason(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(
        answering(
            fact(value="Berlin"),
            fact(name="Zelda"),
            fact(2, attribute="role", value="chef"),
            fact(line=99),
            fact(attribute="email", value="Porto"),
            {"line": True, "name": "Nora", "property": "location", "value": "Porto"},
        )
    )
    answer = drafter(stand_in).draft(asked(said("I live in Porto. Should I become a chef?")))
    assert [one.value for one in Draft.parse(answer.reply).facts] == ["Porto"]  # the line was wrong, its words are not
    assert [drop.code for drop in answer.drafting.drops] == [
        DropCode.QUOTE_MISMATCH,
        DropCode.UNSEEN_NAME,
        DropCode.NOT_STATED,
        DropCode.NOT_STATED,
        DropCode.BAD_TEXT,
    ]


def test_an_answer_that_was_cut_is_asked_for_again_in_halves(serve: Callable[..., StandIn]) -> None:
    def answer(request: Mapping[str, Any]) -> Turn:
        both = "[2]" in request["messages"][-1]["content"]
        place = "Porto" if "Porto" in request["messages"][-1]["content"] else "Faro"
        return Turn(text='{"facts":[{"li', ended="length") if both else answering(fact(value=place))

    stand_in = serve(answer)
    reply = drafter(stand_in).draft(asked(said("I live in Porto."), said("I live in Faro.")))
    assert [one.value for one in Draft.parse(reply.reply).facts] == ["Porto", "Faro"]
    assert [one.ref for one in Draft.parse(reply.reply).facts] == ["1", "2"]
    assert len(stand_in.asked) == 3
    assert len(reply.drafting.answers) == 3


@pytest.mark.parametrize(
    "turn",
    [
        Turn(ended="length"),
        Turn(ended="load"),
        Turn(tokens_in=4_090, tokens_out=5),
        Turn(text="I cannot do that."),
        Turn(text=""),
        Turn(text="{}"),
        Turn(text='{"facts": 3}'),
        Turn(text="[" * 5_000),
    ],
    ids=lambda turn: f"{turn.text[:20]} {turn.ended} {turn.tokens_in}",
)
def test_an_answer_that_is_none_is_a_bad_draft(turn: Turn, serve: Callable[..., StandIn]) -> None:
    with pytest.raises(BadDraft):
        drafter(serve(turn)).draft(PORTO)


def test_a_line_without_an_answer_is_dropped_and_the_others_are_not(serve: Callable[..., StandIn]) -> None:
    def answer(request: Mapping[str, Any]) -> Turn:
        shown = request["messages"][-1]["content"]
        return Turn(text="no") if "Faro" in shown else answering(fact())

    reply = drafter(serve(answer)).draft(asked(said("I live in Porto."), said("I like Faro.")))
    assert [one.value for one in Draft.parse(reply.reply).facts] == ["Porto"]
    (drop,) = reply.drafting.drops
    assert (drop.code, drop.text) == (DropCode.CUT_SHORT, "I like Faro.")


def test_words_around_the_answer_do_not_matter(serve: Callable[..., StandIn]) -> None:
    turn = Turn(text=f"Here you are:\n```json\n{json.dumps({'facts': [fact()]})}\n```")
    assert Draft.parse(drafter(serve(turn)).draft(PORTO).reply).facts


def test_counts_that_a_server_leaves_out_are_estimated(serve: Callable[..., StandIn]) -> None:
    kept = drafter(serve(Turn(tokens_in=None, tokens_out=None))).draft(PORTO).drafting
    assert kept.tokens_in > 100
    assert kept.tokens_out == 3


def test_a_model_that_is_not_there_is_unreachable_with_what_to_type(serve: Callable[..., StandIn]) -> None:
    with pytest.raises(DrafterUnreachable, match="has no model 'huge'") as caught:
        drafter(serve(), "huge").draft(PORTO)
    assert (caught.value.hint, caught.value.exit_status) == ("fetch it: ollama pull huge", 3)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(DrafterUnreachable, match="no server answers at") as caught:
        choose("mine", {"mine": OllamaSpec(model="tiny", host=host)}).draft(PORTO)
    assert caught.value.hint == "start it: ollama serve"


@pytest.mark.parametrize(
    "turn",
    [
        Turn(text='{"facts":[]}', cut=True),
        Turn(status=500, error="model runner has \x1b[31mstopped"),
        Turn(status=503, error="busy"),
        Turn(raw=b"<html>\n"),
        Turn(raw=b'{"error":"out of memory"}\n'),
        Turn(raw=b'{"message":3,"done":true}\n'),
        Turn(raw=b"[]\n"),
        Turn(raw=b""),
    ],
    ids=["cut", "500", "503", "no JSON", "an error in the stream", "no message", "a list", "nothing"],
)
def test_a_connection_that_breaks_costs_nothing(turn: Turn, serve: Callable[..., StandIn]) -> None:
    with pytest.raises(DrafterUnreachable) as caught:
        drafter(serve(turn)).draft(PORTO)
    assert caught.value.exit_status == 3
    assert "\x1b" not in str(caught.value)


def test_a_model_that_is_too_slow_on_a_server_that_answers_is_a_bad_draft(serve: Callable[..., StandIn]) -> None:
    with pytest.raises(BadDraft, match=r"no answer in 0\.2 s"):
        drafter(serve(Turn(silent_s=0.6)), timeout_s=0.2).draft(PORTO)


def test_nothing_to_read_asks_nothing(serve: Callable[..., StandIn]) -> None:
    stand_in = serve()
    assert Draft.parse(drafter(stand_in).draft(asked(said("...  !"))).reply).facts == ()
    assert stand_in.asked == []


def test_ollama_colon_a_model_is_a_drafter_of_its_own(serve: Callable[..., StandIn]) -> None:
    stand_in = serve(answering(fact()))
    answer = choose("ollama:tiny", {}, {"OLLAMA_HOST": stand_in.host}).draft(PORTO)
    assert answer.drafting.drafter == "ollama:tiny"
    assert Draft.parse(answer.reply).facts


def test_the_server_of_ours_does_everything_the_client_can_ask(serve: Callable[..., StandIn]) -> None:
    with ollama.Client(host=serve(Turn(text='{"facts":[]}')).host, trust_env=False) as client:
        _ask_everything(client)


def _ask_everything(client: ollama.Client) -> None:
    assert [one.model for one in client.list().models] == ["tiny:latest"]
    assert client.show("tiny").details is not None
    assert client.embed(model="tiny", input=["a", "bc"]).embeddings == [[1.0, 1.0], [2.0, 1.0]]
    whole = client.chat(model="tiny", messages=[{"role": "user", "content": "hi"}])
    assert (whole.message.content, whole.done_reason) == ('{"facts":[]}', "stop")
    parts = list(client.chat(model="tiny", messages=[{"role": "user", "content": "hi"}], stream=True))
    assert "".join(part.message.content or "" for part in parts) == '{"facts":[]}'
    with pytest.raises(ollama.ResponseError, match="not found"):
        client.show("huge")
