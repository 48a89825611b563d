"""The schema of a vault, `schema.yaml`: which attributes there are, as its owner wants them.

The file is the whole list: what init writes into it are the defaults, to be changed, added to and thrown out. A name
leads to one attribute only. A section becomes a heading of a page, so it is plain words; `Changelog` is the
engine's own.
"""

import json
import re

from xysq.model.schema import Attribute, Schema
from xysq.store import yaml
from xysq.store.layout import SCHEMA
from xysq.store.table import Table
from xysq.text import fold

_ONE, _MANY = "one", "many"
_NAME = re.compile(r"[^\W_](?:[\w .'/&-]{0,78}[^\W_])?")
_SECTION = re.compile(r"[^\W_](?:(?:[^\W_]|[ .,'/&()-]){0,78}(?:[^\W_]|\)))?")
_RESERVED_SECTIONS = frozenset({"changelog"})


def parse_schema(data: bytes) -> Schema:
    """Read `schema.yaml`; an empty file is the default schema. Raises `BadSettings` with the line."""
    whole = Table(yaml.read(data, SCHEMA), SCHEMA)
    if not whole.names():
        return Schema()
    attributes = whole.table("attributes")
    whole.done()
    taken: dict[str, str] = {}
    return Schema(attributes=tuple(_attribute(attributes, name, taken) for name in attributes.names()))


def _attribute(attributes: Table, name: str, taken: dict[str, str]) -> Attribute:
    line = attributes.line_of(name)
    folded = fold(name)
    if not _NAME.fullmatch(folded):
        raise attributes.fault(name, line, "is no name of an attribute: letters, digits and spaces, at most 80")
    table = attributes.table(name)
    section = table.word("section", "")
    attribute = Attribute(
        name=folded,
        single=table.choice("values", (_ONE, _MANY), _MANY) == _ONE,
        section=section,
        aliases=table.words("aliases"),
    )
    table.done()
    if section and (not _SECTION.fullmatch(section) or fold(section) in _RESERVED_SECTIONS):
        raise attributes.fault(
            name, line, f"{section!r} cannot be a heading of a page: plain words, at most 80 letters"
        )
    for other in sorted({folded, *map(fold, attribute.aliases)}):
        if taken.setdefault(other, name) != name:
            raise attributes.fault(name, line, f"{other!r} is a name of {taken[other]!r} already")
    return attribute


def schema_text() -> str:
    """Return the `schema.yaml` of a new vault: the default attributes, spelled out."""
    lines = [
        "# The attributes that facts are filed under. This file is yours: change, add and remove as you like. A change",
        "# binds new facts; a fact that is there keeps what was said of its attribute when it was committed.",
        "#",
        "#   values:  one (a new value supersedes the old one) or many",
        "#   section: the heading it stands under on its page; without one it stands at the top",
        "#   aliases: other names that a drafter may use for it",
        "#",
        "# An attribute that is not listed is kept as it is named, with many values, at the top. `setting` stands for",
        "# every setting:<key>, each with one value.",
        "",
        "attributes:",
    ]
    for attribute in Schema().attributes:
        lines += [f"  {attribute.name}:", f"    values: {_ONE if attribute.single else _MANY}"]
        if attribute.section:
            lines.append(f"    section: {json.dumps(attribute.section, ensure_ascii=False)}")
        if attribute.aliases:
            aliases = ", ".join(json.dumps(alias, ensure_ascii=False) for alias in attribute.aliases)
            lines.append(f"    aliases: [{aliases}]")
    return "\n".join(lines) + "\n"
