"""Fields are taken one by one: what is missing, of another type or left over is refused by name."""

from collections.abc import Callable
from enum import StrEnum

import pytest

from xysq.errors import BadWire
from xysq.model.wire import Fields, number_item, text_item


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


READS: dict[str, tuple[Callable[[Fields], object], list[object], list[object]]] = {
    "text": (lambda fields: fields.text("x"), ["", "a"], [None, 1, ["a"]]),
    "nullable_text": (lambda fields: fields.nullable_text("x"), ["", "a", None], [1, False]),
    "number": (lambda fields: fields.number("x", least=1), [1, 10**30], [0, -1, True, 1.0, "1", None]),
    "flag": (lambda fields: fields.flag("x"), [True, False], [0, 1, None, "true"]),
    "each": (lambda fields: list(fields.each("x", text_item)), [[], ["a", "b"]], [None, "ab", {"a": 1}, ["a", 1]]),
    "choice": (lambda fields: fields.choice("x", Colour), ["red", "blue"], ["Red", "", None, 1]),
    "value": (lambda fields: fields.value("x"), [None, 1, "a", [], {}], []),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_field_is_read_as_its_type_or_refused(
    read: tuple[Callable[[Fields], object], list[object], list[object]],
) -> None:
    take, good, bad = read
    for value in good:
        fields = Fields("thing", {"x": value})
        assert take(fields) == value
        fields.done()
    for value in bad:
        with pytest.raises(BadWire, match=r"^thing\.x(\[1\])?: (is|has) "):
            take(Fields("thing", {"x": value}))
    with pytest.raises(BadWire, match=r"^thing\.x: is missing"):
        take(Fields("thing", {}))


def test_an_optional_field_may_be_null_or_absent() -> None:
    for value in ({}, {"x": None}):
        fields = Fields("thing", value)
        assert fields.optional_text("x") is None
        assert fields.optional("x", text_item) is None
        assert fields.each_if_there("x", text_item) is None
        fields.done()
    assert Fields("thing", {"x": "a"}).optional_text("x") == "a"
    assert Fields("thing", {"x": "a"}).optional("x", text_item) == "a"
    assert Fields("thing", {"x": ["a"]}).each_if_there("x", text_item) == ("a",)
    with pytest.raises(BadWire, match=r"thing\.x: is not a string"):
        Fields("thing", {"x": 1}).optional_text("x")


def test_fields_that_nobody_took_are_refused_by_name() -> None:
    fields = Fields("thing", {"b": 1, "a": 2, "x": "taken"})
    fields.text("x")
    with pytest.raises(BadWire, match=r"^thing: has unknown fields: a, b$"):
        fields.done()


@pytest.mark.parametrize("value", [None, [], "x", 1])
def test_what_is_no_object_has_no_fields(value: object) -> None:
    with pytest.raises(BadWire, match="thing: is not an object"):
        Fields("thing", value)


def test_reading_leaves_the_object_as_it_was() -> None:
    value = {"x": "a"}
    Fields("thing", value).text("x")
    assert value == {"x": "a"}


def test_items_of_lists_are_checked_one_by_one() -> None:
    assert number_item("n", 0) == 0
    for bad in (-1, True, "1", None, 1.5):
        with pytest.raises(BadWire):
            number_item("n", bad)
    with pytest.raises(BadWire):
        text_item("t", 1)
