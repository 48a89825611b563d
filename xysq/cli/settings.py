"""Settings as people name them: the dotted key of each, and its value as text."""

import shlex
from collections.abc import Mapping
from dataclasses import fields

from xysq.model.settings import CommandSpec, DrafterSpec, Limits, Settings, UserConfig


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
    if isinstance(spec, CommandSpec):
        return {"command": shlex.join(spec.argv), "timeout_s": f"{spec.timeout_s:g}"}
    return {"ollama": spec.model, "host": spec.host, "timeout_s": f"{spec.timeout_s:g}"}


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
