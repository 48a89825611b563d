"""The shape of a model's answer, as a JSON schema that any server can turn into a grammar.

It is flat: no references, no alternatives, no patterns. Every key is required, no other is allowed, lists and texts
are bounded. The names of the keys are in alphabetical order as well as in the order in which they are best answered,
since some servers sort them: the line before what it says.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from xysq.drafters.model.profile import Profile

NAME_LENGTH, VALUE_LENGTH, WORDING_LENGTH = 60, 120, 240
KINDS = ("person", "project", "service", "place", "organisation", "event", "thing")


def answer_schema(lines: int, known: int, attributes: Sequence[str], profile: Profile) -> Mapping[str, Any]:
    """Return the schema for a window of so many lines, beside so many known facts."""
    fact: dict[str, Any] = {"line": _one_of(range(1, lines + 1)), "name": _text(NAME_LENGTH)}
    if profile.writes:
        fact["of_kind"] = {"type": "string", "enum": list(KINDS)}
        fact["old"] = _one_of(range(known + 1))
    fact["property"] = _text(NAME_LENGTH) if profile.writes else {"type": "string", "enum": list(attributes)}
    fact["value"] = _text(VALUE_LENGTH)
    if profile.writes:
        fact["wording"] = _text(WORDING_LENGTH)
    whole: dict[str, Any] = {}
    if profile.writes and known:
        close = {"line": _one_of(range(1, lines + 1)), "old": _one_of(range(1, known + 1))}
        whole["closes"] = _list(_object(close), min(known, profile.facts))
    whole["facts"] = _list(_object(fact), profile.facts)
    return _object(whole)


def _object(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any], most: int) -> Mapping[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


def _text(longest: int) -> Mapping[str, Any]:
    return {"type": "string", "maxLength": longest}


def _one_of(numbers: range) -> Mapping[str, Any]:
    return {"type": "integer", "enum": list(numbers)}
