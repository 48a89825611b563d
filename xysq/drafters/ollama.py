"""Models on Ollama, asked through its official client.

The client is slow to import, so this module is loaded only when a model is asked. Everything the server's defaults
would decide silently is said: the context (whose default cuts long prompts without a word), the length of the answer,
temperature and seed, no thinking. Redirects are not followed: the words of a log go to the host that was named.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import ollama
from pydantic import ValidationError

from xysq.drafters.model.server import Ask, Model, Said, joined
from xysq.drafters.reach import is_loopback, reached
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.text import safe_line, tokens

_NOT_FOUND = 404
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


class OllamaServer:
    """A server that speaks Ollama's protocol. `host` is as Ollama spells it; "" is the usual place on this machine."""

    def __init__(self, host: str, timeout_s: float) -> None:
        """Remember where it is; nothing is sent yet."""
        self._host = host or "127.0.0.1:11434"
        self._timeout_s = timeout_s

    def describe(self, model: str) -> Model:
        """Return what the server tells of a model."""
        with self._reaching(model) as client:
            shown = client.show(model)
            listed = client.list().models
        info = shown.modelinfo or {}
        context = next((int(info[key]) for key in info if key.endswith(".context_length")), 0)
        size = shown.details.parameter_size if shown.details else None
        digest = next((one.digest for one in listed if one.model in (model, f"{model}:latest")), None)
        return Model(
            name=model,
            parameters=int(info.get("general.parameter_count") or 0) or _parameters(size or ""),
            context=context,
            digest=digest or "",
        )

    def chat(self, ask: Ask, stream: Callable[[int], None]) -> Said:
        """Ask once, and read the answer as it comes."""
        pieces: list[str] = []
        last: ollama.ChatResponse | None = None
        with self._reaching(ask.model) as client:
            for part in _parts(client, ask):
                pieces.append(part.message.content or "")
                stream(len(pieces))
                last = part
        if last is None or not last.done:
            raise self._unreachable("the connection was cut in the middle of an answer")
        text = joined(pieces)
        return Said(
            text=text,
            ended=last.done_reason or "",
            tokens_in=last.prompt_eval_count or tokens(ask.words),
            tokens_out=last.eval_count or tokens(text),
        )

    @contextmanager
    def _reaching(self, model: str) -> Iterator[ollama.Client]:
        """Give a client; turn what can go wrong on the way into errors of ours, each with what to do about it."""
        trusts = not is_loopback(self._host)  # a proxy has no business between two programs on one machine
        client = ollama.Client(host=self._host, timeout=self._timeout_s, follow_redirects=False, trust_env=trusts)
        try:
            with client:
                yield client
        except ollama.ResponseError as error:
            if error.status_code == _NOT_FOUND:
                hint = f"fetch it: ollama pull {model}"
                raise DrafterUnreachable(f"the server at {self._host} has no model {model!r}", hint) from None
            raise self._unreachable(f"the server answered: {_words(error.error)}") from None
        except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout):
            hint = "start it: ollama serve"
            raise DrafterUnreachable(f"no server answers at {safe_line(self._host)}", hint) from None
        except httpx.TimeoutException:
            if reached(self._host):
                raise BadDraft(f"the model gave no answer in {self._timeout_s:g} s") from None
            raise self._unreachable(f"it gave no answer in {self._timeout_s:g} s") from None
        except (
            httpx.HTTPError,
            httpx.InvalidURL,
            json.JSONDecodeError,
            ValidationError,
            TypeError,
            AttributeError,
        ) as error:
            raise self._unreachable(f"the connection broke: {_words(str(error)) or type(error).__name__}") from None

    def _unreachable(self, sentence: str) -> DrafterUnreachable:
        return DrafterUnreachable(f"{safe_line(self._host)}: {sentence}", "try again: nothing was lost")


def _parts(client: ollama.Client, ask: Ask) -> Iterator[ollama.ChatResponse]:
    options: dict[str, Any] = {
        "temperature": 0,
        "seed": ask.seed,
        "num_ctx": ask.context,
        "num_predict": ask.predict,
    }
    return client.chat(
        model=ask.model,
        messages=[{"role": message.role, "content": message.content} for message in ask.messages],
        format=dict(ask.schema),
        options=options,
        think=False,
        stream=True,
    )


def _parameters(size: str) -> int:
    """Read a size such as 494.03M; 0 where it is none."""
    with suppress(ValueError):
        return int(float(size[:-1]) * _UNITS.get(size[-1:].upper(), 0))
    return 0


def _words(text: str) -> str:
    return safe_line(text)[:300]
