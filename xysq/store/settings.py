"""The settings of a vault, `xysq.yaml`: read strictly, changed with its comments, written for a new vault.

A vault may come from somebody else, so its settings name no program, no host and no key; such words are refused with a
sentence that says where they belong. Keys that do not exist are errors too, with their line: a misspelled bound must
not silently be the default.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import get_annotations

from xysq.errors import BadInput
from xysq.model.settings import Limits, Me, Settings
from xysq.store import yaml
from xysq.store.layout import SETTINGS
from xysq.store.table import Table
from xysq.store.yaml import BadSettings
from xysq.text import safe_line

DRAFTER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}")
# Words of settings that would name a program, a host or a key; `drafter` alone is a name.
_ELSEWHERE = frozenset(
    {
        "drafters",
        "command",
        "argv",
        "program",
        "exec",
        "shell",
        "script",
        "hook",
        "plugin",
        "path",
        "host",
        "url",
        "endpoint",
        "base_url",
        "server",
        "proxy",
        "port",
        "ollama",
        "model",
        "key",
        "api_key",
        "apikey",
        "token",
        "password",
        "secret",
        "credential",
        "env",
        "environment",
    }
)
# First words of the keys that only the user's own configuration has.
_OF_THE_USER = frozenset({"vault", "drafters", "budgets"})
_LIMITS = tuple(get_annotations(Limits))


def parse_settings(data: bytes) -> Settings:
    """Read `xysq.yaml`; what it leaves out has its default. Raises `BadSettings` with the line."""
    whole = Table(yaml.read(data, SETTINGS), SETTINGS)
    _refuse_what_belongs_elsewhere(whole)
    me, run, limits = whole.table("me"), whole.table("run"), whole.table("limits")
    drafter_line = whole.line_of("drafter") if whole.has("drafter") else 1
    default = Settings()
    settings = Settings(
        me=Me(name=me.word("name", ""), aliases=me.words("aliases")),
        drafter=whole.word("drafter", default.drafter),
        run_passages=run.number("passages", default.run_passages),
        run_characters=run.number("characters", default.run_characters),
        idle_s=whole.number("idle_s", default.idle_s, least=0),
        max_attempts=whole.number("max_attempts", default.max_attempts),
        limits=replace(default.limits, **{name: limits.number(name, getattr(Limits(), name)) for name in _LIMITS}),
    )
    if not DRAFTER.fullmatch(settings.drafter):
        raise BadSettings(SETTINGS, drafter_line, f"drafter: {settings.drafter!r} is no name of a drafter")
    for table in (me, run, limits, whole):
        _refuse_what_belongs_elsewhere(table)
        table.done()
    return settings


def set_setting(text: str, dotted_key: str, value: str) -> str:
    """Return the text of `xysq.yaml` with one setting changed, comments kept; the result has been read and is lawful.

    Lists are given as words with commas between. Raises `BadInput` for an unknown key, `BadSettings` for a bad value.
    """
    read_value = _VALUES.get(dotted_key)
    if read_value is None and dotted_key.partition(".")[0] in _OF_THE_USER:
        raise BadInput(f"{dotted_key!r} is a setting of yours, not of a vault", "use --user: xysq config set --user …")
    if read_value is None:
        raise BadInput(f"there is no setting {dotted_key!r}", f"there are: {', '.join(sorted(_VALUES))}")
    parse_settings(text.encode())
    changed = yaml.change(text, dotted_key.split("."), read_value(value))
    parse_settings(changed.encode())
    return changed


def setting_names() -> tuple[str, ...]:
    """Return the dotted keys of all settings."""
    return tuple(sorted(_VALUES))


def settings_text(me: Me) -> str:
    """Return the `xysq.yaml` of a new vault."""
    default = Settings()
    aliases = ", ".join(json.dumps(alias, ensure_ascii=False) for alias in me.aliases)
    return f"""\
# Settings of this vault. `xysq config set KEY VALUE` changes them and leaves your comments where they are.
# Programs, hosts and keys have no place here, because a vault may come from somebody else: they belong into your own
# configuration. `xysq config path --user` says where that is.

# Who you are. What a log says under one of these names, or as "user", was said by you.
me:
  name: {json.dumps(me.name, ensure_ascii=False)}
  aliases: [{aliases}]

# Who drafts facts: `rules` is built in and needs no model; other names are defined in your own configuration.
drafter: {default.drafter}

# How much one run takes on.
run:
  passages: {default.run_passages}
  characters: {default.run_characters}

# The last, unfinished record of a log counts as finished after this many seconds without a change.
idle_s: {default.idle_s}

# A row that was refused so often, alone in its run, waits for `xysq retry`.
max_attempts: {default.max_attempts}

# Bounds of a run and of what it may leave, such as page_bytes: {default.limits.page_bytes}
# limits:
#   page_bytes: {default.limits.page_bytes}
"""


def _refuse_what_belongs_elsewhere(table: Table) -> None:
    for name in table.names():
        word = name.casefold().replace("-", "_")
        if word in _ELSEWHERE or word.removesuffix("s") in _ELSEWHERE:
            sentence = "belongs to your own configuration, never to a vault, which may come from somebody else"
            raise table.fault(name, table.line_of(name), sentence)


def whole_number(value: str) -> int:
    """Read a number given as an argument."""
    if not value.isascii() or not value.isdigit() or len(value) > 10:
        raise BadInput(f"{value!r} is no whole number")
    return int(value)


def plain_word(value: str) -> str:
    """Read a word given as an argument: one line without control characters."""
    if safe_line(value) != value.strip():
        raise BadInput(f"{value!r} is not one plain line")
    return value.strip()


def word_list(value: str) -> list[str]:
    """Read words given as an argument, with commas between."""
    return [plain_word(word) for word in value.split(",") if word.strip()]


_VALUES: Mapping[str, Callable[[str], str | int | list[str]]] = {
    "me.name": plain_word,
    "me.aliases": word_list,
    "drafter": plain_word,
    "run.passages": whole_number,
    "run.characters": whole_number,
    "idle_s": whole_number,
    "max_attempts": whole_number,
    **{f"limits.{name}": whole_number for name in _LIMITS},
}
