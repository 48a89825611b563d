"""Settings as people name them: the dotted key of each, and its value as text."""

import shlex
from collections.abc import Mapping
from dataclasses import fields
from typing import assert_never

from xysq.model.settings import CommandSpec, DrafterSpec, Limits, OllamaSpec, OpenAISpec, Settings, UserConfig


def of_vault(settings: Settings) -> Mapping[str, str]:
    """Return the settings of a vault by key."""
    return {
        "me.name": settings.me.name,
        "me.aliases": ", ".join(settings.me.aliases),
        "drafter": settings.drafter,
        "run.passages": str(settings.run_passages),
        "run.characters": str(settings.run_characters),
        "idle_s": str(settings.idle_s),
        "max_attempts": str(settings.max_attempts),
        **{f"limits.{field.name}": str(getattr(settings.limits, field.name)) for field in fields(Limits)},
    }


def of_user(config: UserConfig) -> Mapping[str, str]:
    """Return the user's own settings by key; what is not set is empty."""
    found = {
        "vault": config.default_vault or "",
        "drafter": config.drafter or "",
        "budgets.calls": _number(config.budgets.calls),
        "budgets.tokens": _number(config.budgets.tokens),
        "budgets.seconds": _number(config.budgets.seconds),
    }
    for name, spec in sorted(config.drafters.items()):
        found |= {f"drafters.{name}.{key}": value for key, value in _drafter(spec).items()}
    return found


def _drafter(spec: DrafterSpec) -> Mapping[str, str]:
    timeout_s = f"{spec.timeout_s:g}"
    match spec:
        case CommandSpec(argv=argv):
            return {"command": shlex.join(argv), "timeout_s": timeout_s}
        case OllamaSpec(model=model, host=host):
            return {"ollama": model, "host": host, "timeout_s": timeout_s}
        case OpenAISpec(model=model, host=host, key_from=key_from):
            return {"openai": model, "host": host, "key_from": key_from, "timeout_s": timeout_s}
        case _:
            assert_never(spec)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
