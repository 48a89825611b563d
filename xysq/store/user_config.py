"""The user's own configuration, `$XDG_CONFIG_HOME/xysq/config.yaml`: the one place that names programs and hosts.

It is trusted, since it is the user's, and still read strictly: a key that does not exist is an error with its line.
"""

import re
import shlex
from collections.abc import Callable, Mapping

from xysq.errors import BadInput
from xysq.model.settings import OPENAI_HOST, Budgets, CommandSpec, DrafterSpec, OllamaSpec, OpenAISpec, UserConfig
from xysq.store import yaml
from xysq.store.settings import DRAFTER, plain_word, whole_number
from xysq.store.table import Table

FILE = "config.yaml"
BUILT_IN = "rules"
_LONGEST_S = 86_400
_NAMED_KEY_PARTS = 3
_KINDS = ("command", "ollama", "openai")
_ADDRESS = re.compile(r"https?://[^\s/@]+(/\S*)?")
_CLOSED = re.compile(r"https://|http://(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?(/|$)")
_KEY_PLACE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|keyring:[\w.@:/+-]+")


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
    found = [kind for kind in _KINDS if table.has(kind)]
    argv, host, key_from = table.words("command"), table.word("host", ""), table.word("key_from", "")
    on_ollama, on_openai = table.word("ollama", ""), table.word("openai", "")
    timeout_s = float(table.number("timeout_s", 600, most=_LONGEST_S))
    table.done()
    if len(found) != 1:
        raise drafters.fault(name, line, "has either a command, or the name of a model under ollama or openai")
    match found[0]:
        case "command":
            fault = "has an empty command" if not argv or not argv[0] else _surplus(host=host, key_from=key_from)
            spec: DrafterSpec = CommandSpec(argv=argv, timeout_s=timeout_s)
        case "ollama":
            fault = _surplus(key_from=key_from) if on_ollama else "names no model"
            spec = OllamaSpec(model=on_ollama, host=host, timeout_s=timeout_s)
        case _:
            spec = OpenAISpec(model=on_openai, host=host or OPENAI_HOST, key_from=key_from, timeout_s=timeout_s)
            fault = _openai_fault(spec)
    if fault:
        raise drafters.fault(name, line, fault)
    return spec


def _surplus(**values: str) -> str:
    return next((f"has no use for {key}" for key, value in values.items() if value), "")


def _openai_fault(spec: OpenAISpec) -> str:
    """Say why a server with OpenAI's protocol cannot be asked so; "" where it can."""
    if not spec.model:
        return "names no model"
    if not _ADDRESS.fullmatch(spec.host):
        return "needs the address of its server under host, such as http://127.0.0.1:8080/v1"
    if spec.key_from and not _KEY_PLACE.fullmatch(spec.key_from):
        return "says under key_from where its key is, env:NAME or keyring:SERVICE; a key itself is never written here"
    if spec.key_from and not _CLOSED.match(spec.host):
        return "has a key, which is sent over https or to this machine only"
    return ""


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
    "openai": plain_word,
    "key_from": plain_word,
    "host": plain_word,
    "timeout_s": whole_number,
}
