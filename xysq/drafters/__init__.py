"""Drafters: whoever proposes facts. `rules` is built in; programs and models are named in the user's configuration.

`port` is the contract. Nothing a drafter answers is believed; planner, quarantine and gates judge every draft. What
talks to a server is imported when it is first asked: no other command pays for it.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import assert_never

from xysq.drafters.command import CommandDrafter
from xysq.drafters.model.drafter import ModelDrafter
from xysq.drafters.model.server import Server
from xysq.drafters.port import Drafter
from xysq.drafters.rules.drafter import NAME as RULES
from xysq.drafters.rules.drafter import RulesDrafter
from xysq.errors import XysqError
from xysq.model.settings import CommandSpec, DrafterSpec, OllamaSpec, OpenAISpec

__all__ = ["CommandDrafter", "CommandSpec", "Drafter", "RulesDrafter", "UnknownDrafter", "choose", "spec_of", "trouble"]

OLLAMA = "ollama:"
_HOST = "OLLAMA_HOST"
_REACH = "xysq.drafters.reach"


class UnknownDrafter(XysqError):
    """A drafter is named that the user's configuration does not define."""

    code = "unknown-drafter"
    exit_status = 2

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Name the drafter that was asked for and those there are."""
        super().__init__(
            f"no drafter named {name!r}; there are: {', '.join(known)}",
            f"define it in your own configuration (xysq config path --user) as drafters.{name}.command or .ollama",
        )


def spec_of(name: str, specs: Mapping[str, DrafterSpec]) -> DrafterSpec | None:
    """Return how a drafter is asked: as it is defined, or, for `ollama:MODEL`, on this machine's Ollama."""
    model = name.removeprefix(OLLAMA)
    if name in specs or model in ("", name):
        return specs.get(name)
    return OllamaSpec(model=model)


def choose(name: str, specs: Mapping[str, DrafterSpec], environment: Mapping[str, str] | None = None) -> Drafter:
    """Return the drafter of that name: `rules`, `ollama:MODEL`, or one of `specs`.

    `environment` is the process's: a program is given PATH, HOME and LANG of it, Ollama's own OLLAMA_HOST says where
    its server is, and a key may be in it. An unknown name raises `UnknownDrafter`.
    """
    known = environment or {}
    if name == RULES:
        return RulesDrafter()
    spec = spec_of(name, specs)
    match spec:
        case None:
            raise UnknownDrafter(name, (RULES, *sorted(specs)))
        case CommandSpec(argv=argv, timeout_s=timeout_s):
            return CommandDrafter(name=name, argv=argv, timeout_s=timeout_s, environment=known)
        case OllamaSpec(model=model):
            return ModelDrafter(name, model, _connect_ollama(spec, known))
        case OpenAISpec(model=model):
            return ModelDrafter(name, model, _connect_openai(spec, known))
        case _:
            assert_never(spec)


def trouble(spec: DrafterSpec | None, environment: Mapping[str, str]) -> tuple[str, str]:
    """Return what is in the way of a drafter and what to type, "" where nothing is; a server is asked, not a model."""
    match spec:
        case OllamaSpec(model=model):
            found: tuple[str, str] = import_module(_REACH).trouble_of_ollama(ollama_host(spec, environment), model)
        case OpenAISpec(host=host):
            found = import_module(_REACH).trouble_of_openai(host)
        case _:
            found = "", ""
    return found


def ollama_host(spec: OllamaSpec, environment: Mapping[str, str]) -> str:
    """Return where the server of a model on Ollama is; "" for the usual place."""
    return spec.host or environment.get(_HOST, "")


def _connect_ollama(spec: OllamaSpec, environment: Mapping[str, str]) -> Callable[[], Server]:
    def connect() -> Server:
        server: Server = import_module("xysq.drafters.ollama").OllamaServer(
            ollama_host(spec, environment), spec.timeout_s
        )
        return server

    return connect


def _connect_openai(spec: OpenAISpec, environment: Mapping[str, str]) -> Callable[[], Server]:
    def connect() -> Server:
        module = import_module("xysq.drafters.openai")
        key = module.find_key(spec.key_from, environment, lambda: import_module("keyring"))
        server: Server = module.OpenAIServer(spec.host, key, spec.timeout_s)
        return server

    return connect
