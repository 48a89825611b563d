"""The user's own configuration, `$XDG_CONFIG_HOME/xysq/config.yaml`: the one place that names programs and hosts.

It is trusted, since it is the user's, and still read strictly: a key that does not exist is an error with its line.
"""

import shlex
from collections.abc import Callable, Mapping

from xysq.errors import BadInput
from xysq.model.settings import Budgets, CommandSpec, DrafterSpec, OllamaSpec, UserConfig
from xysq.store import yaml
from xysq.store.settings import DRAFTER, plain_word, whole_number
from xysq.store.table import Table

FILE = "config.yaml"
BUILT_IN = "rules"
_LONGEST_S = 86_400
_NAMED_KEY_PARTS = 3


def parse_user_config(data: bytes) -> UserConfig:
    """Read the user's configuration. Raises `BadSettings` with the line."""
    whole = Table(yaml.read(data, FILE), FILE)
    drafters, budgets = whole.table("drafters"), whole.table("budgets")
    drafter_line = whole.line_of("drafter") if whole.has("drafter") else 1
    config = UserConfig(
        default_vault=whole.word("vault", "") or None,
        drafter=whole.word("drafter", "") or None,
        drafters={name: _drafter(drafters, name) for name in drafters.names()},
        budgets=Budgets(
            calls=budgets.number("calls", 0, least=0) or None,
            tokens=budgets.number("tokens", 0, least=0) or None,
            seconds=budgets.number("seconds", 0, least=0) or None,
        ),
    )
    if config.drafter is not None and not DRAFTER.fullmatch(config.drafter):
        raise whole.fault("drafter", drafter_line, f"{config.drafter!r} is no name of a drafter")
    budgets.done()
    whole.done()
    return config


def set_user_setting(text: str, dotted_key: str, value: str) -> str:
    """Return the text of the configuration with one setting changed, comments kept; the result has been read.

    A command is given as one line, as typed in a shell; it is split into words and never run by a shell.
    """
    parts = dotted_key.split(".")
    read_value = _VALUES.get(dotted_key)
    if read_value is None and len(parts) == _NAMED_KEY_PARTS and parts[0] == "drafters":
        read_value = _DRAFTER_VALUES.get(parts[2])
    if read_value is None:
        names = (*_VALUES, *(f"drafters.NAME.{name}" for name in _DRAFTER_VALUES))
        raise BadInput(f"there is no setting {dotted_key!r}", f"there are: {', '.join(sorted(names))}")
    parse_user_config(text.encode())
    changed = yaml.change(text, parts, read_value(value))
    parse_user_config(changed.encode())
    return changed


def _drafter(drafters: Table, name: str) -> DrafterSpec:
    line = drafters.line_of(name)
    if not DRAFTER.fullmatch(name) or name == BUILT_IN:
        raise drafters.fault(name, line, "is no name that a drafter of yours can have")
    table = drafters.table(name)
    has_command, has_model = table.has("command"), table.has("ollama")
    argv, model, host = table.words("command"), table.word("ollama", ""), table.word("host", "")
    timeout_s = float(table.number("timeout_s", 600, most=_LONGEST_S))
    table.done()
    if has_command == has_model or (has_command and host):
        raise drafters.fault(
            name, line, "has either a command, or the name of a model under ollama and perhaps its host"
        )
    if has_command:
        if not argv or not argv[0]:
            raise drafters.fault(name, line, "has an empty command")
        return CommandSpec(argv=argv, timeout_s=timeout_s)
    if not model:
        raise drafters.fault(name, line, "names no model")
    return OllamaSpec(model=model, host=host, timeout_s=timeout_s)


def _command(value: str) -> list[str]:
    try:
        return shlex.split(value)
    except ValueError as error:
        raise BadInput(f"{value!r} is no command: {error}") from None


_VALUES: Mapping[str, Callable[[str], str | int | list[str]]] = {
    "vault": plain_word,
    "drafter": plain_word,
    "budgets.calls": whole_number,
    "budgets.tokens": whole_number,
    "budgets.seconds": whole_number,
}
_DRAFTER_VALUES: Mapping[str, Callable[[str], str | int | list[str]]] = {
    "command": _command,
    "ollama": plain_word,
    "host": plain_word,
    "timeout_s": whole_number,
}
