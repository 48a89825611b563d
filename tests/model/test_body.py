"""Every event body has one spelling and is read back from it; anything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import BODIES
from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadWire
from xysq.model.body import body_from_wire, body_to_wire, kind_of
from xysq.model.event import Body

KINDS = st.sampled_from(sorted(BODIES))


@st.composite
def kinds_and_bodies(draw: st.DrawFn) -> tuple[str, Body]:
    kind = draw(KINDS)
    return kind, draw(BODIES[kind])


@given(kinds_and_bodies())
@settings(max_examples=120)
def test_a_body_is_read_back_from_its_spelling(case: tuple[str, Body]) -> None:
    kind, body = case
    spelled = canonical_json(body_to_wire(body))

    assert kind_of(body) == kind
    assert body_from_wire(kind, "body", parse_json(spelled)) == body


@pytest.mark.parametrize("kind", sorted(BODIES))
@given(data=st.data())
@settings(max_examples=10)
def test_a_body_with_a_field_missing_added_or_nulled_is_refused(kind: str, data: st.DataObject) -> None:
    wire = body_to_wire(data.draw(BODIES[kind]))
    for path in _fields_of(wire):
        for change in ("drop", "null", "add"):
            damaged = json.loads(json.dumps(wire))
            holder, name = _reach(damaged, path)
            if change == "drop":
                del holder[name]
            elif change == "null":
                if holder[name] is None:
                    continue
                holder[name] = None
            else:
                holder["surplus"] = 1
            if change == "add" or path not in _FREE:
                _refused(kind, damaged)


# What a spelling may leave out; `at` of evidence may be null, where the log tells no time.
_FREE = {("into",), ("revives",), ("before",)}


def _fields_of(wire: dict[str, Any]) -> list[tuple[str | int, ...]]:
    """Return the ways to every field of every object inside."""
    found: list[tuple[str | int, ...]] = []
    todo: list[tuple[tuple[str | int, ...], Any]] = [((), wire)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, dict):
            found += [(*path, name) for name in value if (*path, name)[-1] != "at"]
            todo += [((*path, name), inner) for name, inner in value.items()]
        elif isinstance(value, list):
            todo += [((*path, place), inner) for place, inner in enumerate(value)]
    return found


def _reach(wire: Any, path: tuple[str | int, ...]) -> tuple[Any, Any]:  # noqa: ANN401 - JSON
    for step in path[:-1]:
        wire = wire[step]
    return wire, path[-1]


def _refused(kind: str, wire: dict[str, Any]) -> None:
    with pytest.raises(BadWire):
        body_from_wire(kind, "body", wire)


def test_what_may_be_left_out_may_not_be_null() -> None:
    page = {"page": "alice", "op": "create", "title": "Alice", "kind": "person", "aliases": []}

    assert kind_of(body_from_wire("page", "body", page)) == "page"
    _refused("page", page | {"into": None})


def test_only_an_init_run_has_a_format_and_a_vault() -> None:
    run = {"run": "r-1", "kind": "distill", "rows": [], "drafter": "", "render": 1, "events": 0, "record": ""}
    init = run | {"kind": "init", "format": 1, "vault": "k3f9"}

    assert kind_of(body_from_wire("run", "body", run)) == kind_of(body_from_wire("run", "body", init)) == "run"
    _refused("run", run | {"format": 1, "vault": "k3f9"})
    _refused("run", run | {"kind": "init"})


@pytest.mark.parametrize("kind", ["", "Assert", "note", "body"])
def test_a_kind_that_the_format_does_not_know_is_refused(kind: str) -> None:
    with pytest.raises(BadWire, match="this format does not know"):
        body_from_wire(kind, "body", {})
