"""Frozen: the decorator of our values. They are frozen dataclasses with slots, finished piece by piece when first used.

`dataclasses` writes and compiles up to a dozen functions a class while a module is imported. A command that lives for a
tenth of a second imports a hundred values, uses twenty and compares five. So here only the class with its slots is
made at once. Making the first value writes `__init__`, the first comparison `__eq__`; who asks for the fields gets
them from `dataclasses` itself. Everything else is as there: `replace`, `fields`, patterns, equality, order; and type
checkers take them for dataclasses.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from functools import partial
from inspect import get_annotations
from threading import RLock
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_origin, overload

T = TypeVar("T")
_FIELDS, _PARAMETERS = "__dataclass_fields__", "__dataclass_params__"
_DEFAULTS = "__frozen_defaults__"  # the names of a class's fields and those it inherits, and their defaults or MISSING
_ONE_AT_A_TIME = RLock()
_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = True, order: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, kw_only: bool = True, order: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass with slots, its fields given by name unless `kw_only` is false.

    A field may have a default or a `default_factory`, and nothing else of what `field` offers.
    """

    def make(plain: type[T]) -> type[T]:
        return _slotted(plain, kw_only=kw_only, order=order)

    return make if cls is None else make(cls)


def _slotted(plain: type[T], *, kw_only: bool, order: bool) -> type[T]:
    """Return the class with slots for its fields, and in the place of each method what writes it."""
    slots = tuple(name for name, kind in get_annotations(plain).items() if ClassVar not in (kind, get_origin(kind)))
    defaults: dict[str, Any] = {}
    for base in reversed(plain.__mro__):
        defaults |= base.__dict__.get(_DEFAULTS, {})
    defaults |= {name: plain.__dict__.get(name, MISSING) for name in slots}
    names = tuple(defaults)
    own = {name: item for name, item in plain.__dict__.items() if name not in {*slots, "__dict__", "__weakref__"}}
    own = {"__repr__": _shown, **own, "__slots__": slots, "__match_args__": () if kw_only else names}
    own |= {
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        _FIELDS: _Fields(plain),
        _DEFAULTS: defaults,
    }
    made: type[Any] = type(plain.__name__, plain.__bases__, own)
    made.__qualname__ = plain.__qualname__
    _later(made, "__init__", lambda: _init(made, defaults, kw_only=kw_only))
    _later(made, "__hash__", lambda: (f"def __hash__(a): return hash({_tuple('a', names)})", {}))
    for name, sign in {"__eq__": "==", **(_ORDER if order else {})}.items():
        _later(made, name, partial(_comparison, names, name, sign))
    return made


def _later(made: type[Any], name: str, source: Callable[[], tuple[str, dict[str, Any]]]) -> None:
    """Put a method into the class that writes the real one in its own place and goes on there.

    When two threads do so at once, they put equal ones.
    """

    def begin(self: object, *args: object, **fields: object) -> object:
        text, known = source()
        exec(text, known)  # noqa: S102 - names in it are those of fields in the class body, as in `dataclasses`
        known[name].__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, known[name])
        return known[name](self, *args, **fields)

    setattr(made, name, begin)


def _init(made: type[Any], defaults: Mapping[str, Any], *, kw_only: bool) -> tuple[str, dict[str, Any]]:
    known: dict[str, Any] = {"_missing": MISSING}
    arguments, steps = ["self", *(["*"] if kw_only and defaults else [])], ["pass"]
    for name, given in defaults.items():
        default, factory = _default(given)
        known |= {f"_set_{name}": getattr(made, name).__set__, f"_default_{name}": default, f"_make_{name}": factory}
        if factory is not MISSING:
            arguments.append(f"{name}=_missing")
            steps.append(f"_set_{name}(self, _make_{name}() if {name} is _missing else {name})")
        else:
            arguments.append(name if default is MISSING else f"{name}=_default_{name}")
            steps.append(f"_set_{name}(self, {name})")
    return f"def __init__({', '.join(arguments)}):\n " + "\n ".join(steps), known


def _default(given: object) -> tuple[Any, Any]:
    """Return the default of a field and what makes one, MISSING where there is none."""
    return (given.default, given.default_factory) if isinstance(given, Field) else (given, MISSING)


def _comparison(names: tuple[str, ...], name: str, sign: str) -> tuple[str, dict[str, Any]]:
    compared = f"{_tuple('a', names)} {sign} {_tuple('b', names)}"
    return f"def {name}(a, b):\n return {compared} if a.__class__ is b.__class__ else NotImplemented", {}


def _tuple(whose: str, names: tuple[str, ...]) -> str:
    return f"({''.join(f'{whose}.{name}, ' for name in names)})"


def _shown(self: object) -> str:
    cls: type[Any] = type(self)
    return f"{cls.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in cls.__dict__[_DEFAULTS])})"


class _Fields:
    """The fields of a class, as `dataclasses` finds them in what it was made from."""

    def __init__(self, plain: type[Any]) -> None:
        """Find them there when somebody asks."""
        self._plain = plain

    def __get__(self, _: object, owner: type[Any]) -> Any:  # noqa: ANN401 - as in `dataclasses`
        """Find the fields, once."""
        with _ONE_AT_A_TIME:
            if owner.__dict__[_FIELDS] is self:
                dataclass(init=False, repr=False, eq=False, match_args=False)(self._plain)
                for name in (_PARAMETERS, _FIELDS):
                    setattr(owner, name, self._plain.__dict__[name])
        return owner.__dict__[_FIELDS]


def _refuse_to_set(_: object, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
