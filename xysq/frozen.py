"""Frozen: the decorator of our values. They are frozen dataclasses with slots, finished when first used.

`dataclasses` writes and compiles up to eight functions a class while a module is imported. A command that lives for a
tenth of a second imports a hundred values and uses twenty, so here only the class with its slots is made at once; the
rest is generated, by `dataclasses` itself, when the first value is made or somebody asks for the fields. Everything
else is as there: `replace`, `fields`, patterns, equality, and type checkers take them for dataclasses.
"""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from inspect import get_annotations
from threading import RLock
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_origin, overload

T = TypeVar("T")
_FIELDS = "__dataclass_fields__"
_ONE_AT_A_TIME = RLock()


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = True, order: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, kw_only: bool = True, order: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass with slots, its fields given by name unless `kw_only` is false."""

    def make(plain: type[T]) -> type[T]:
        return _slotted(plain, kw_only=kw_only, order=order)

    return make if cls is None else make(cls)


def _slotted(plain: type[T], *, kw_only: bool, order: bool) -> type[T]:
    """Return the class with slots for its fields, and with what finishes it when it is first needed."""
    names = tuple(name for name, kind in get_annotations(plain).items() if ClassVar not in (kind, get_origin(kind)))

    def finish() -> None:
        with _ONE_AT_A_TIME:
            if isinstance(made.__dict__[_FIELDS], _Later):
                before = dict(plain.__dict__)
                dataclass(frozen=True, kw_only=kw_only, order=order)(plain)
                for name, item in plain.__dict__.items():
                    if name not in {*names, *_REFUSALS} and before.get(name) is not item:
                        setattr(made, name, item)

    def begin(self: object, *args: object, **fields: object) -> None:
        finish()
        made.__init__(self, *args, **fields)

    own = {name: item for name, item in plain.__dict__.items() if name not in {*names, "__dict__", "__weakref__"}}
    own |= {"__slots__": names, "__init__": begin, _FIELDS: _Later(finish), **_REFUSALS}
    made: type[Any] = type(plain.__name__, plain.__bases__, own)
    made.__qualname__ = plain.__qualname__
    return made


def _refuse_to_set(_: object, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_REFUSALS: dict[str, Any] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}


class _Later:
    """The fields of a class, known once it is finished."""

    def __init__(self, finish: Callable[[], None]) -> None:
        """Finish the class with this."""
        self._finish = finish

    def __get__(self, _: object, owner: type) -> Any:  # noqa: ANN401 - as in `dataclasses`
        """Finish the class; return its fields."""
        self._finish()
        return owner.__dict__[_FIELDS]
