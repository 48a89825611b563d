"""Models on a server that speaks OpenAI's protocol: llama.cpp, vLLM, LM Studio, or one that is paid for.

Asked with the standard library. A key comes from the environment or from the system's keyring, never from a file of
ours, and is sent to the one host that was named; redirects are not followed. A server that does not know what we ask
for (a schema, a seed) is asked once more with less, and the answer is checked anyway.
"""

import http.client
import json
import math
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

from xysq.drafters.model.server import STOP, Ask, Model, Said, joined
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.text import safe_line, tokens

_OK, _BAD_REQUEST, _UNAUTHORISED, _FORBIDDEN, _NOT_FOUND = 200, 400, 401, 403, 404
_UNPROCESSABLE = 422
_LONGEST_LINE = 1024 * 1024
_LONGEST = 4 * 1024 * 1024


def find_key(place: str, environment: Mapping[str, str], load_keyring: Callable[[], Any]) -> str:
    """Return the key that is kept at a place, `env:NAME` or `keyring:SERVICE`; `DrafterUnreachable` where none is."""
    kind, _, name = place.partition(":")
    if not kind:
        return ""
    if kind == "env":
        key = environment.get(name, "")
        if not key:
            raise DrafterUnreachable(f"the key is not there: {name} is not set", f"export {name}=…")
        return key
    try:
        key = str(load_keyring().get_password(name, "xysq") or "")
    except ImportError:
        raise DrafterUnreachable("the package keyring is not installed", "pip install keyring") from None
    except Exception as error:  # noqa: BLE001 - backends of keyrings raise what they like
        raise DrafterUnreachable(f"the keyring cannot be asked: {safe_line(str(error))[:200]}") from None
    if not key:
        raise DrafterUnreachable(f"the keyring has no key for {name}", f"keyring set {name} xysq")
    return key


class OpenAIServer:
    """A server below an address that ends in `/v1`."""

    def __init__(self, address: str, key: str, timeout_s: float) -> None:
        """Remember where and how to ask; nothing is sent yet."""
        self._address = urlsplit(address.rstrip("/"))
        self._key = key
        self._timeout_s = timeout_s
        self._is_plain = False

    def describe(self, model: str) -> Model:
        """Return what the list of models tells of one; a server without a list is believed to have it."""
        with self._reaching(), self._sent("GET", "/models", None) as reply:
            if reply.status == _NOT_FOUND:
                return Model(name=model)
            self._require(reply, model)
            listed = json.loads(reply.read(_LONGEST))
            models = {str(one["id"]): one for one in listed["data"]}
        if model not in models:
            names = ", ".join(sorted(models)[:10]) or "none"
            raise DrafterUnreachable(
                f"the server at {self._host} has no model {model!r}", f"it has: {safe_line(names)}"
            )
        meta = models[model].get("meta") or {}
        return Model(
            name=model,
            parameters=_whole(meta.get("n_params")),
            context=_whole(meta.get("n_ctx_train") or models[model].get("max_model_len")),
        )

    def chat(self, ask: Ask, stream: Callable[[int], None]) -> Said:
        """Ask once, and read the answer as it comes."""
        with self._reaching():
            if not self._is_plain:
                with self._sent("POST", "/chat/completions", _body(ask)) as reply:
                    if reply.status not in (_BAD_REQUEST, _UNPROCESSABLE):
                        return self._read(reply, ask, stream)
                self._is_plain = True
            with self._sent("POST", "/chat/completions", _plain_body(ask)) as reply:
                return self._read(reply, ask, stream)

    def _read(self, reply: http.client.HTTPResponse, ask: Ask, stream: Callable[[int], None]) -> Said:
        self._require(reply, ask.model)
        pieces: list[str] = []
        usage: dict[str, Any] = {}
        ended, is_whole = "", False
        for event in _events(reply):
            if event is None:
                is_whole = True
                break
            usage = event.get("usage") or usage
            for choice in event.get("choices", [])[:1]:
                pieces.append((choice.get("delta") or choice.get("message") or {}).get("content") or "")
                ended = choice.get("finish_reason") or ended
                stream(len(pieces))
        if not (is_whole or ended):
            raise self._unreachable("the connection was cut in the middle of an answer")
        text = joined(pieces)
        return Said(
            text=text,
            ended=ended or STOP,
            tokens_in=_whole(usage.get("prompt_tokens")) or tokens(ask.words),
            tokens_out=_whole(usage.get("completion_tokens")) or tokens(text),
        )

    @property
    def _host(self) -> str:
        return safe_line(self._address.netloc)

    @contextmanager
    def _sent(self, method: str, path: str, body: Mapping[str, Any] | None) -> Iterator[http.client.HTTPResponse]:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "https":
            context = ssl.create_default_context()
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=self._timeout_s, context=context
            )
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None if body is None else json.dumps(body).encode()
        with closing(connection):
            connection.request(method, self._address.path + path, data, headers)
            yield connection.getresponse()

    def _require(self, reply: http.client.HTTPResponse, model: str) -> None:
        """Raise where an answer is none; what a server says of it may hold words of the log and is not repeated."""
        if reply.status == _OK:
            return
        if reply.status in (_UNAUTHORISED, _FORBIDDEN):
            raise DrafterUnreachable(f"{self._host} does not take the key", "see key_from in your own configuration")
        if reply.status == _NOT_FOUND:
            raise DrafterUnreachable(f"{self._host} has no model {model!r}, or the address is not its /v1")
        raise self._unreachable(f"the server answered with status {reply.status}")

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """Turn what can go wrong on the way into errors of ours."""
        try:
            yield
        except TimeoutError:
            raise BadDraft(f"the model gave no answer in {self._timeout_s:g} s") from None
        except (ConnectionRefusedError, OSError) as error:
            reason = safe_line(error.strerror or str(error)).lower()
            raise DrafterUnreachable(f"no server answers at {self._host}: {reason}", "start it, or mend host") from None
        except (http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError):
            raise self._unreachable("what came is no answer of such a server") from None

    def _unreachable(self, sentence: str) -> DrafterUnreachable:
        return DrafterUnreachable(f"{self._host}: {sentence}", "try again: nothing was lost")


def _plain_body(ask: Ask) -> dict[str, Any]:
    return {
        "model": ask.model,
        "messages": [{"role": message.role, "content": message.content} for message in ask.messages],
        "max_tokens": ask.predict,
        "stream": True,
    }


def _body(ask: Ask) -> dict[str, Any]:
    shape = {"name": "facts", "strict": True, "schema": ask.schema}
    return _plain_body(ask) | {
        "temperature": 0,
        "seed": ask.seed,
        "stream_options": {"include_usage": True},
        "response_format": {"type": "json_schema", "json_schema": shape},
    }


def _events(reply: http.client.HTTPResponse) -> Iterator[dict[str, Any] | None]:
    """Yield the objects of an answer that is streamed, None at its end; one that is not streamed is one object."""
    if "event-stream" not in (reply.getheader("Content-Type") or ""):
        yield json.loads(reply.read(_LONGEST))
        yield None
        return
    read = 0
    while line := reply.readline(_LONGEST_LINE):
        read += len(line)
        if read > _LONGEST:
            raise ValueError("an answer without an end")
        data = line.strip().removeprefix(b"data:").strip() if line.startswith(b"data:") else b""
        if data == b"[DONE]":
            yield None
            return
        if data:
            yield json.loads(data)


def _whole(value: object) -> int:
    return max(0, int(value)) if isinstance(value, int | float) and math.isfinite(value) else 0
