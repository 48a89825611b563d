"""YAML, as little of it as settings need: tables, lists and words, read strictly and changed with their comments.

What a scalar *is* follows from where it stands, not from how it looks: `no`, `007` and `1e3` are words where a word
belongs. Files as we write them, and as people mostly leave them, are read by `yaml_plain`. Anything else, and every
mistake, is read by ruamel.yaml, which is imported then and not before: it would be a sixth of the life of a command.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from xysq.store.yaml_node import BadSettings, Entries, Items, Node, Word
from xysq.store.yaml_plain import read_plain

__all__ = ["MAX_BYTES", "BadSettings", "Entries", "Items", "Node", "Word", "change", "read"]

MAX_BYTES = 32 * 1024


def read(data: bytes, file: str) -> Entries:
    """Read a file of settings; an empty one has no entries. Raises `BadSettings` with the line."""
    if len(data) > MAX_BYTES:
        raise BadSettings(file, 1, f"{len(data)} bytes, more than the {MAX_BYTES} that settings may have")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadSettings(file, data.count(b"\n", 0, error.start) + 1, "is not UTF-8") from None
    plain = read_plain(text)
    if plain is not None:
        return plain
    read_full: Entries = _full().read(text, file)
    return read_full


def change(text: str, path: Sequence[str], value: str | int | list[str]) -> str:
    """Return the text with a value set at a path of keys, comments kept; tables on the way are made."""
    changed: str = _full().change(text, path, value)
    return changed


def _full() -> Any:  # noqa: ANN401 - a module
    return import_module("xysq.store.yaml_full")
