"""YAML as ruamel.yaml reads and writes it; the only module that imports it.

Reading takes the parser's events and believes nothing but mappings, sequences and scalars: anchors, aliases, tags,
several documents, double keys and deep or large input are errors with their line. Changing goes through the round-trip
loader, so that comments, order and quotes stay.
"""

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from xysq.store.yaml_node import BadSettings, Entries, Items, Node, Word

MAX_DEPTH = 8
MAX_EVENTS = 4_000
_MOST_OPEN = 64
_BRACKETS = re.compile(r"[\[\]{}]")


def read(text: str, file: str) -> Entries:
    """Read the text of a file of settings; an empty one has no entries."""
    _refuse_towers(text, file)
    try:
        node = _compose(_Events(text, file))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadSettings(file, mark.line + 1 if mark else 1, f"is not YAML: {error.problem}") from None
    except YAMLError:
        raise BadSettings(file, 1, "is not YAML: it has characters that YAML forbids") from None
    if isinstance(node, Word) and node.is_bare and not node.text:
        return Entries(pairs=(), line=1)
    if not isinstance(node, Entries):
        raise BadSettings(file, node.line, "is no table of settings")
    return node


def _refuse_towers(text: str, file: str) -> None:
    """Refuse heaps of open brackets before the scanner sees them, whose work grows with their square."""
    open_now = 0
    for bracket in _BRACKETS.finditer(text):
        open_now = max(open_now + (1 if bracket.group() in "[{" else -1), 0)
        if open_now > _MOST_OPEN:
            line = text.count("\n", 0, bracket.start()) + 1
            raise BadSettings(file, line, f"nested deeper than {MAX_DEPTH}")


def change(text: str, path: Sequence[str], value: str | int | list[str]) -> str:
    """Return the text with a value set at a path of keys, comments kept; tables on the way are made."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    loaded: Any = yaml.load(text)
    whole = CommentedMap() if loaded is None else loaded
    table = whole
    for key in path[:-1]:
        if not isinstance(table.get(key), CommentedMap):
            table[key] = CommentedMap()
        table = table[key]
    if isinstance(value, list):
        table[path[-1]] = CommentedSeq(value)
        table[path[-1]].fa.set_flow_style()
    else:
        table[path[-1]] = value
    out = io.StringIO()
    if loaded is None and text.strip():  # nothing but comments, which the loader does not keep
        out.write(f"{text.rstrip()}\n\n")
    yaml.dump(whole, out)
    return out.getvalue()


class _Events:
    """The parser's events, each checked: no anchor, alias or tag, one document, bounded depth."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self._events: Iterator[Event] = iter(YAML(typ="safe", pure=True).parse(text))
        self._depth = 0
        self._documents = 0
        self._count = 0

    def fault(self, event: Event, sentence: str) -> BadSettings:
        """Return the error for an event."""
        return BadSettings(self.file, event.start_mark.line + 1, sentence)

    def next(self) -> Event | None:
        """Return the next event that is part of the one document; None at its end."""
        for event in self._events:
            self._check(event)
            if isinstance(
                event, ScalarEvent | MappingStartEvent | SequenceStartEvent | MappingEndEvent | SequenceEndEvent
            ):
                return event
        return None

    def _check(self, event: Event) -> None:
        self._count += 1
        if self._count > MAX_EVENTS:
            raise self.fault(event, "more entries than settings may have")
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self.fault(event, "a second document begins here; settings are one")
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self.fault(event, "anchors and aliases are not allowed in settings")
        if getattr(event, "tag", None) is not None:
            raise self.fault(event, "tags are not allowed in settings")
        self._depth += isinstance(event, MappingStartEvent | SequenceStartEvent)
        self._depth -= isinstance(event, MappingEndEvent | SequenceEndEvent)
        if self._depth > MAX_DEPTH:
            raise self.fault(event, f"nested deeper than {MAX_DEPTH}")


def _compose(events: _Events) -> Node:
    event = events.next()
    if event is None:
        return Word(text="", is_bare=True, line=1)
    node = _node(events, event)
    while events.next() is not None:
        pass
    return node


def _node(events: _Events, event: Event) -> Node:
    line = event.start_mark.line + 1
    if isinstance(event, ScalarEvent):
        return Word(text=event.value, is_bare=event.style is None, line=line)
    if isinstance(event, SequenceStartEvent):
        nodes = []
        while not isinstance(inner := events.next(), SequenceEndEvent | None):
            nodes.append(_node(events, inner))
        return Items(nodes=tuple(nodes), line=line)
    pairs: dict[str, tuple[Word, Node]] = {}
    while not isinstance(inner := events.next(), MappingEndEvent | None):
        key = _node(events, inner)
        if not isinstance(key, Word):
            raise events.fault(inner, "a key is a word")
        if key.text in pairs:
            raise events.fault(inner, f"{key.text!r} stands here a second time")
        value = events.next()
        if value is None:
            break
        pairs[key.text] = (key, _node(events, value))
    return Entries(pairs=tuple(pairs.values()), line=line)
