"""Reading wire objects: one strict reader for every JSON shape of the format.

A wire object is consumed field by field; what is missing, of another type or left over is an error that names
where it stands. Nothing is guessed and no unknown key is dropped.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from xysq.errors import BadWire

T = TypeVar("T")
S = TypeVar("S", bound=StrEnum)
_MISSING: Any = object()


class Fields:
    """The fields of one JSON object, taken one after the other; `done` refuses what nobody took."""

    __slots__ = ("_left", "where")

    def __init__(self, where: str, value: object) -> None:
        """Start on `value`, which must be an object; `where` names it in errors."""
        if not isinstance(value, dict):
            raise BadWire(where, "is not an object")
        self.where = where
        self._left: dict[str, Any] = value.copy()

    def _unfit(self, name: str, value: object, sentence: str) -> BadWire:
        return BadWire(f"{self.where}.{name}", "is missing" if value is _MISSING else sentence)

    def text(self, name: str) -> str:
        """Take a string."""
        value = self._left.pop(name, _MISSING)
        if isinstance(value, str):
            return value
        raise self._unfit(name, value, "is not a string")

    def nullable_text(self, name: str) -> str | None:
        """Take a string or null, which must be there."""
        value = self._left.pop(name, _MISSING)
        if value is None or isinstance(value, str):
            return value
        raise self._unfit(name, value, "is neither a string nor null")

    def optional_text(self, name: str) -> str | None:
        """Take a string, or null, or nothing."""
        value = self._left.pop(name, None)
        if value is None or isinstance(value, str):
            return value
        raise self._unfit(name, value, "is not a string")

    def number(self, name: str, *, least: int = 0) -> int:
        """Take a whole number that is at least `least`."""
        value = self._left.pop(name, _MISSING)
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        raise self._unfit(name, value, f"is not a whole number of at least {least}")

    def flag(self, name: str) -> bool:
        """Take true or false."""
        value = self._left.pop(name, _MISSING)
        if isinstance(value, bool):
            return value
        raise self._unfit(name, value, "is not true or false")

    def choice(self, name: str, kind: type[S]) -> S:
        """Take one of the values of an enumeration."""
        value = self.text(name)
        try:
            return kind(value)
        except ValueError:
            allowed = ", ".join(member.value for member in kind)
            raise BadWire(f"{self.where}.{name}", f"is {value!r}, not one of {allowed}") from None

    def each(self, name: str, read: Callable[[str, object], T]) -> tuple[T, ...]:
        """Take a list and read every item with `read(where, item)`."""
        value = self._left.pop(name, _MISSING)
        if isinstance(value, list):
            return tuple([read(f"{self.where}.{name}[{place}]", item) for place, item in enumerate(value)])
        raise self._unfit(name, value, "is not a list")

    def each_if_there(self, name: str, read: Callable[[str, object], T]) -> tuple[T, ...] | None:
        """Take and read a list, or null, or nothing."""
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return None
        return self.each(name, read)

    def value(self, name: str) -> Any:  # noqa: ANN401 - any JSON by contract
        """Take whatever stands there."""
        value = self._left.pop(name, _MISSING)
        if value is _MISSING:
            raise self._unfit(name, value, "")
        return value

    def optional(self, name: str, read: Callable[[str, object], T]) -> T | None:
        """Take and read a value, or null, or nothing."""
        value = self._left.pop(name, None)
        return None if value is None else read(f"{self.where}.{name}", value)

    def has(self, name: str) -> bool:
        """Tell whether the field is there and still untaken."""
        return name in self._left

    def done(self) -> None:
        """Refuse fields that the format does not know."""
        if self._left:
            raise BadWire(self.where, f"has unknown fields: {', '.join(sorted(self._left))}")


def text_item(where: str, value: object) -> str:
    """Read a string out of a list."""
    if not isinstance(value, str):
        raise BadWire(where, "is not a string")
    return value


def number_item(where: str, value: object) -> int:
    """Read a whole number out of a list."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadWire(where, "is not a whole number")
    return value
