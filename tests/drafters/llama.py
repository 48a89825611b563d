"""A real small model behind the server of ours, where there is one: `XYSQ_TEST_MODEL` names its file.

The package that runs it is for tests only and may be absent; so may the weights, which are never fetched here. A file
with another digest than the pinned one is not loaded.
"""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.drafters.stand_in import Turn

VARIABLE = "XYSQ_TEST_MODEL"
PINNED = frozenset({"1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"})
NAME = "qwen2.5-coder:0.5b"
CONTEXT = 4_096
_PARAMETERS, _TRAINED_CONTEXT = 494_032_768, 32_768
# Read before any test takes the environment away.
_FILE = os.environ.get(VARIABLE, "")


def why_absent() -> str:
    """Say why there is no model; "" where there is one."""
    if not _FILE:
        return f"{VARIABLE} is not set"
    path = Path(_FILE)
    if not path.is_file():
        return f"{VARIABLE} names no file"
    with path.open("rb") as opened:
        if hashlib.file_digest(opened, "sha256").hexdigest() not in PINNED:
            return f"{VARIABLE} names a file whose digest is not pinned"
    try:
        import_module("xllamacpp")
    except ImportError:
        return "xllamacpp is not installed"
    return ""


class Llama:
    """A brain that is a model, on one thread; it answers one at a time."""

    models: Mapping[str, tuple[int, int]] = {NAME: (_PARAMETERS, _TRAINED_CONTEXT)}

    def __init__(self, context: int = CONTEXT) -> None:
        self._context = context
        self._lock = threading.Lock()

    def chat(self, asked: Mapping[str, Any]) -> Turn:
        options = asked.get("options") or {}
        wanted: dict[str, Any] = {
            "messages": list(asked["messages"]),
            "temperature": options.get("temperature", 0),
            "seed": options.get("seed", 1),
            "max_tokens": options.get("num_predict", 256),
            "cache_prompt": True,
        }
        if isinstance(asked.get("format"), Mapping):
            wanted["response_format"] = {"type": "json_schema", "json_schema": {"schema": asked["format"]}}
        with self._lock:
            answer = self._server.handle_chat_completions(wanted)
        if "choices" not in answer:
            return Turn(status=500, error=str(answer.get("error", answer))[:300])
        (choice,), usage = answer["choices"], answer["usage"]
        return Turn(
            text=choice["message"].get("content") or "",
            ended=choice["finish_reason"],
            tokens_in=usage["prompt_tokens"],
            tokens_out=usage["completion_tokens"],
        )

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:
            answer = self._embedder.handle_embeddings({"input": list(texts), "model": NAME})
        return [one["embedding"] for one in answer["data"]]

    @cached_property
    def _server(self) -> Any:  # noqa: ANN401 - a package without types
        return self._start(embedding=False)

    @cached_property
    def _embedder(self) -> Any:  # noqa: ANN401 - the same
        return self._start(embedding=True)

    def _start(self, *, embedding: bool) -> Any:  # noqa: ANN401 - the same
        llama = import_module("xllamacpp")
        parameters = llama.CommonParams()
        parameters.model.path = _FILE
        parameters.n_ctx = self._context
        parameters.n_parallel = 1
        parameters.n_gpu_layers = 0
        parameters.cpuparams.n_threads = 1
        parameters.cpuparams_batch.n_threads = 1
        parameters.warmup = False
        parameters.verbosity = 0
        parameters.embedding = embedding
        if embedding:
            parameters.pooling_type = llama.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        return llama.Server(parameters)
