"""Somebody else's JSON, changed in one place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.errors import BadJson
from xysq.hook.json_text import Node, insert, locate, read, remove

KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | KEYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.sampled_from([None, 1, 2, 4, "\t"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    around = draw(st.sampled_from(["", "\n", " \r\n"]))
    spelled = json.dumps(draw(VALUES), indent=draw(LAYOUTS), ensure_ascii=draw(st.booleans()))
    return f"{around}{spelled}{around}"


def walk(node: Node) -> list[Node]:
    return [node, *(inner for child in node.children for inner in walk(child))]


def value_of(node: Node, text: str) -> Any:  # noqa: ANN401 - JSON is any value
    return json.loads(text[node.start : node.end])


@given(texts())
def test_every_value_is_where_it_is_said_to_be(text: str) -> None:
    root = locate(text)
    assert value_of(root, text) == read(text)
    for node in walk(root):
        whole = value_of(node, text)
        children = [value_of(child, text) for child in node.children]
        if isinstance(whole, dict):
            assert dict(zip(node.keys, children, strict=True)) == whole
        elif isinstance(whole, list):
            assert children == whole


@given(texts(), st.data())
def test_what_is_inserted_is_there_and_goes_without_a_trace(text: str, data: st.DataObject) -> None:
    containers = [node for node in walk(locate(text)) if text[node.start] in "{["]
    if not containers:
        return
    into = data.draw(st.sampled_from(containers))
    is_object = text[into.start] == "{"
    key = "a key of ours" if is_object else None
    changed = insert(text, into, {"ours": [1, "two"]}, key)
    assert changed.startswith(text[: into.children[-1].end if into.children else into.start + 1])
    assert changed.endswith(text[into.end - 1 :])
    again = next(node for node in walk(locate(changed)) if node.start == into.start and node.children)
    expected = value_of(into, text)
    if is_object:
        expected[key] = {"ours": [1, "two"]}
    else:
        expected.append({"ours": [1, "two"]})
    assert value_of(again, changed) == expected
    assert remove(changed, again, len(again.children) - 1) == text


@given(texts(), st.data())
def test_what_is_removed_is_gone_and_nothing_else(text: str, data: st.DataObject) -> None:
    containers = [node for node in walk(locate(text)) if node.children]
    if not containers:
        return
    out_of = data.draw(st.sampled_from(containers))
    place = data.draw(st.integers(0, len(out_of.children) - 1))
    changed = remove(text, out_of, place)
    again = next(node for node in walk(locate(changed)) if node.start == out_of.start)
    left = [value_of(child, text) for child in out_of.children]
    del left[place]
    assert [value_of(child, changed) for child in again.children] == left
    assert again.keys == tuple(key for number, key in enumerate(out_of.keys) if number != place)


def test_what_is_no_json_is_not_read() -> None:
    for text in ('{"a": 1,}', '{"a": 1, "a": 2}', "{'a': 1}", "[NaN]"):
        with pytest.raises(BadJson):
            read(text)


def test_a_child_is_laid_out_as_its_neighbours_are() -> None:
    text = '{\n    "a": {"b": 1},\n    "c": [1,2]\n}\n'
    root = locate(text)
    inner = root.child("c")
    assert inner is not None
    assert insert(text, inner, 3) == text.replace("[1,2]", "[1,2,3]")
    assert insert(text, root, {"x": 1}, "d") == text.replace("2]\n}", '2],\n    "d": {\n      "x": 1\n    }\n}')
