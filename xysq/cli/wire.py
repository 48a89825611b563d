"""JSON: what every value of a report is in `--json`.

A value that has a spelling on disk keeps it; ids, versions and rows are strings; of alternatives, a field says which
one it is. Everything else is an object with the fields of its dataclass.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from xysq.canonical import parse_json
from xysq.errors import BadJson
from xysq.model.fact import Closed, Evidence, Fact, Life, Open, Superseded
from xysq.model.plan import Drop
from xysq.model.report import (
    ShownBlock,
    ShownFact,
    ShownPage,
    ShownPassage,
    ShownRun,
    ShownSource,
    ShownVersion,
)
from xysq.model.run import Refusal
from xysq.model.source import Meta, Passage, Row, Version
from xysq.search.hit import Hit

_KINDS: Mapping[type, str] = {
    ShownPage: "page",
    ShownFact: "fact",
    ShownBlock: "block",
    ShownVersion: "version",
    ShownSource: "source",
    ShownPassage: "passage",
    ShownRun: "run",
}


def to_json(value: object) -> Any:  # noqa: ANN401, PLR0911 - JSON is any value; one return a shape
    """Return a value as plain JSON."""
    match value:
        case Enum():
            return value.value
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return value.decode("utf-8", "replace")
        case Version() | Row():
            return str(value)
        case Mapping():
            return {str(key): to_json(item) for key, item in value.items()}
        case list() | tuple():
            return [to_json(item) for item in value]
        case Evidence() | Meta() | Drop() | Refusal():
            return value.to_wire()
        case Fact():
            return _fact(value)
        case Passage():
            return {"id": str(value), "text": value.text} | _fields(value)
        case ShownRun():
            return {"kind": "run", "report": to_json(value.report), "record": _record(value.record)}
        case Hit():
            hit = _fields(value)
            return hit | {"marks": [{**_fields(mark), "words": str(mark)} for mark in value.marks]}
        case _ if is_dataclass(value):
            kind = _KINDS.get(type(value))
            return _fields(value) if kind is None else {"kind": kind} | _fields(value)
        case _:
            return str(value)


def _fields(value: object) -> dict[str, Any]:
    return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "page": fact.page,
        "attribute": fact.attribute,
        "value": fact.value,
        "text": fact.text,
        "label": fact.label.value,
        "single": fact.single,
        "section": fact.section,
        "life": _life(fact.life),
        "evidence": [to_json(piece) for piece in fact.evidence],
        "derived_from": list(fact.derived_from),
        "supersedes": fact.supersedes,
        "revives": fact.revives,
        "observed": fact.observed,
        "at": fact.at,
        "run": fact.run,
        "n": fact.n,
    }


def _life(life: Life) -> dict[str, Any]:
    match life:
        case Open():
            return {"state": "open"}
        case Superseded():
            return {"state": "superseded"} | _fields(life)
        case Closed():
            return {"state": "closed"} | _fields(life)


def _record(data: bytes) -> Any:  # noqa: ANN401 - JSON is any value
    """Return a run's record, as an object where it is one."""
    try:
        return parse_json(data)
    except BadJson:
        return to_json(data)
