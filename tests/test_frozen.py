"""What `frozen` makes is what `dataclasses` makes, only later."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from xysq.frozen import frozen


@frozen
class Point:
    """A place."""

    AXES: ClassVar[int] = 2
    x: int
    y: int = 0
    names: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def sum(self) -> int:
        return self.x + self.y


@frozen(kw_only=False, order=True)
class Pair:
    """Two in order."""

    first: str
    second: int = 1


@frozen
class Spot(Point):
    """A place with a colour."""

    colour: str = "red"
    y: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """The same as `Point`, made at once."""

    x: int
    y: int = 0
    names: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


def test_a_value_has_its_fields_its_defaults_and_what_the_class_says() -> None:
    point = Point(x=3, y=4)
    assert (point.x, point.y, point.names, point.notes, point.sum, Point.AXES) == (3, 4, (), [], 7, 2)
    assert Point(x=1).notes is not Point(x=1).notes


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert Pair("a") == Pair("a", 1)
    assert Pair("a") != Pair("b")
    assert len({Pair("a"), Pair("a", 1)}) == 1
    assert Pair("a", 2) < Pair("b", 1)


def test_a_value_is_shown_as_a_dataclass_is() -> None:
    assert repr(Point(x=1)) == repr(Plain(x=1)).replace("Plain", "Point")


@pytest.mark.parametrize("name", ["x", "other"])
def test_nothing_can_be_set_or_deleted(name: str) -> None:
    point = Point(x=1)
    with pytest.raises(FrozenInstanceError):
        setattr(point, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(point, name)
    assert not hasattr(point, "__dict__")


def test_a_value_made_from_another_has_the_fields_of_both() -> None:
    spot = Spot(x=1, colour="blue")
    assert (spot.x, spot.y, spot.names, spot.colour, spot.sum) == (1, 5, (), "blue", 6)
    assert spot != Point(x=1, y=5)
    assert repr(spot).endswith("Spot(x=1, y=5, names=(), notes=[], colour='blue')")
    assert [one.name for one in fields(Spot)] == ["x", "y", "names", "notes", "colour"]
    assert replace(spot, x=2) == Spot(x=2, colour="blue")


def test_replace_keeps_the_rest_and_makes_another() -> None:
    point = Point(x=1, y=2)
    assert replace(point, y=5) == Point(x=1, y=5)
    assert point.y == 2


def test_the_fields_of_a_class_without_values_are_known() -> None:
    @frozen
    class Unused:
        """Nobody made one."""

        one: int
        two: str = ""

    assert is_dataclass(Unused)
    assert [one.name for one in fields(Unused)] == ["one", "two"]


def test_patterns_by_place_and_by_name() -> None:
    def told(value: object) -> str:
        match value:
            case Pair(first, second=second):
                return f"{first}{second}"
            case Point(x=x):
                return f"{x}"
            case _:
                return ""

    assert [told(Pair("a", 3)), told(Point(x=7)), told("a")] == ["a3", "7", ""]


@pytest.mark.parametrize("make", [Point, lambda: Point(x=1, z=2), lambda: Point(1)])  # type: ignore[call-arg]
def test_arguments_that_do_not_fit_are_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        make()


def test_threads_that_make_the_first_values_together_agree() -> None:
    for _ in range(20):

        @frozen
        class Fresh:
            """New in every round."""

            one: int
            two: int = 2

        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda one, kind=Fresh: kind(one=one), [1] * 8))
        assert made == [Fresh(one=1)] * 8
