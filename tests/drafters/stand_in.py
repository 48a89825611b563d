"""A server of ours that speaks Ollama's protocol, and enough of OpenAI's, on this machine only.

It checks every request against the models of Ollama's own client, and every answer it gives; what does not fit is a
fault that `faults` keeps. Who answers is a `Brain`: one with its replies written down, or a real model.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from ollama import ChatResponse, EmbedResponse, ListResponse, Options, ShowResponse
from ollama._types import ChatRequest, EmbedRequest, ShowRequest
from pydantic import BaseModel

STAMP = "2026-11-30T18:00:00.000000Z"


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One answer: its pieces, how it ends, what it counts; or a status, silence, a connection cut after the pieces."""

    text: str = '{"facts":[]}'
    ended: str = "stop"
    tokens_in: int | None = 100
    tokens_out: int | None = 20
    status: int = 200
    error: str = ""
    cut: bool = False
    silent_s: float = 0.0
    raw: bytes | None = None


class Brain(Protocol):
    """Whoever answers: the names, sizes and contexts of its models, and its words."""

    models: Mapping[str, tuple[int, int]]

    def chat(self, asked: Mapping[str, Any]) -> Turn: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


@dataclass
class Scripted:
    """Answers with what a function makes of a request."""

    answer: Callable[[Mapping[str, Any]], Turn] = lambda _: Turn()
    models: Mapping[str, tuple[int, int]] = field(default_factory=lambda: {"tiny:latest": (494_000_000, 32_768)})

    def chat(self, asked: Mapping[str, Any]) -> Turn:
        return self.answer(asked)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]


@dataclass
class StandIn:
    """A running server: where it is, what it was asked, and what did not fit."""

    brain: Brain
    host: str = ""
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    refuse_extras: bool = False
    key: str = ""

    def fits(self, kind: type[BaseModel], value: Mapping[str, Any]) -> None:
        """Note what of a value the client's own model does not know or does not take."""
        try:
            kind(**value)
        except (ValueError, TypeError) as error:
            self.faults.append(f"{kind.__name__}: {error}")
        known = {name for key, one in kind.model_fields.items() for name in (key, one.alias)}
        self.faults += [f"{kind.__name__}: has no {key}" for key in value if key not in known]

    def prompt(self, place: int = -1) -> str:
        """Return the last message of a conversation that was held."""
        return str(self.asked[place]["messages"][-1]["content"])


@contextmanager
def standing_in(brain: Brain, **changes: Any) -> Iterator[StandIn]:  # noqa: ANN401 - the fields of StandIn
    """Run a server for the time of a block."""
    stand_in = StandIn(brain=brain, **changes)
    server = _Quiet(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": stand_in}))
    stand_in.host = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that hung up, which is what some tests are about."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    stand_in: StandIn
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        brain = self.stand_in.brain
        match self.path:
            case "/api/version":
                self._send({"version": "0.13.0"})
            case "/api/tags":
                self._send_as(ListResponse, {"models": [_listed(name, *brain.models[name]) for name in brain.models]})
            case "/v1/models" if not self._is_barred():
                models = [
                    {"id": name, "object": "model", "meta": {"n_params": size, "n_ctx_train": context}}
                    for name, (size, context) in brain.models.items()
                ]
                self._send({"object": "list", "data": models})
            case "/v1/models":
                self._send({"error": {"message": "who are you"}}, 401)
            case _:
                self._send({"error": "not found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.stand_in.headers.append(dict(self.headers.items()))
        match self.path:
            case "/api/show":
                self._show(body)
            case "/api/chat":
                self._chat(body)
            case "/api/embed":
                self.stand_in.fits(EmbedRequest, body)
                texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
                reply = {"model": body["model"], "embeddings": self.stand_in.brain.embed(texts)}
                self._send_as(EmbedResponse, reply)
            case "/v1/chat/completions":
                self._complete(body)
            case _:
                self._send({"error": "not found"}, 404)

    def _show(self, body: Mapping[str, Any]) -> None:
        self.stand_in.fits(ShowRequest, body)
        name = self._model(body)
        if name is None:
            return
        size, context = self.stand_in.brain.models[name]
        told = {
            "details": _details(size),
            "model_info": {"general.parameter_count": size, "tiny.context_length": context},
            "capabilities": ["completion"],
            "modified_at": STAMP,
        }
        self._send_as(ShowResponse, told)

    def _model(self, body: Mapping[str, Any]) -> str | None:
        """Return the name of the model that is meant; answer 404 where there is none."""
        models = self.stand_in.brain.models
        for name in (body["model"], f"{body['model']}:latest"):
            if name in models:
                return str(name)
        self._send({"error": f"model '{body['model']}' not found"}, 404)
        return None

    def _chat(self, body: Mapping[str, Any]) -> None:
        self.stand_in.fits(ChatRequest, body)
        self.stand_in.fits(Options, body.get("options") or {})
        if self._model(body) is None:
            return
        turn = self._turn(body)
        if turn is None:
            return
        end: dict[str, Any] = {
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": turn.ended,
            "total_duration": 3,
            "load_duration": 1,
            "prompt_eval_duration": 1,
            "eval_duration": 1,
        }
        counts = {"prompt_eval_count": turn.tokens_in, "eval_count": turn.tokens_out}
        end |= {key: count for key, count in counts.items() if count is not None}
        parts = [
            {"message": {"role": "assistant", "content": piece}, "done": False} for piece in _pieces(turn.text)
        ] + ([] if turn.cut else [end])
        if not body.get("stream"):
            parts = [end | {"message": {"role": "assistant", "content": turn.text}}]
        whole = [{"model": body["model"], "created_at": STAMP} | part for part in parts]
        for part in whole:
            self.stand_in.fits(ChatResponse, part)
        lines = [json.dumps(part).encode() + b"\n" for part in whole]
        self._stream("application/x-ndjson", lines if turn.raw is None else [turn.raw], cut=turn.cut)

    def _complete(self, body: Mapping[str, Any]) -> None:
        if self._is_barred():
            self._send({"error": {"message": "who are you"}}, 401)
            return
        if self.stand_in.refuse_extras and ("response_format" in body or "seed" in body):
            self._send({"error": {"message": "unknown field"}}, 400)
            return
        if self._model(body) is None:
            return
        turn = self._turn(body)
        if turn is None:
            return
        usage = {"prompt_tokens": turn.tokens_in, "completion_tokens": turn.tokens_out}
        choices: list[dict[str, Any]] = [{"index": 0, "delta": {"content": piece}} for piece in _pieces(turn.text)]
        if not turn.cut:
            choices.append({"index": 0, "delta": {}, "finish_reason": turn.ended})
        events: list[dict[str, Any]] = [{"choices": [choice]} for choice in choices]
        if not turn.cut:
            events.append({"choices": [], "usage": usage})
        lines = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]
        end = [] if turn.cut else [b"data: [DONE]\n\n"]
        self._stream("text/event-stream", [*lines, *end] if turn.raw is None else [turn.raw], cut=turn.cut)

    def _is_barred(self) -> bool:
        return bool(self.stand_in.key) and self.headers.get("Authorization") != f"Bearer {self.stand_in.key}"

    def _turn(self, body: Mapping[str, Any]) -> Turn | None:
        """Return what is answered; None where it was a status."""
        self.stand_in.asked.append(body)
        turn = self.stand_in.brain.chat(body)
        time.sleep(turn.silent_s)
        if turn.status != 200:
            self._send({"error": turn.error}, turn.status)
            return None
        return turn

    def _send_as(self, kind: type[BaseModel], value: Mapping[str, Any]) -> None:
        self.stand_in.fits(kind, value)
        self._send(value)

    def _send(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, kind: str, lines: Sequence[bytes], *, cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in lines:
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
                self.wfile.flush()
            if not cut:
                self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            pass  # whoever asked has gone
        if cut:
            self.close_connection = True


def _listed(name: str, size: int, _: int) -> dict[str, Any]:
    return {
        "model": name,
        "name": name,
        "modified_at": STAMP,
        "size": size,
        "digest": sha256(name.encode()).hexdigest(),
        "details": _details(size),
    }


def _details(size: int) -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": "tiny",
        "families": ["tiny"],
        "parameter_size": f"{size / 1e6:.2f}M",
        "quantization_level": "Q4_K_M",
    }


def _pieces(text: str) -> list[str]:
    return [text[place : place + 16] for place in range(0, len(text), 16)]
