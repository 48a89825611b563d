"""Judging many runs quickly: pure functions that gates ask again and again remember what they answered.

What is remembered is keyed by everything the function is given, so a gate cannot tell the difference.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Any

from xysq.gates import behind, blocks, bounds, bytes, entitlement, meaning  # noqa: A004 - the module of the gates about bytes
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.run import Candidate
from xysq.model.state import State
from xysq.pages import compare, outline, parse, units

GATE_MODULES: tuple[ModuleType, ...] = (behind, blocks, bounds, bytes, entitlement, meaning)
_units = lru_cache(maxsize=2_000)(units.units.__wrapped__)
_outline = lru_cache(maxsize=20_000)(outline.outline)


class _LastFold:
    """The state behind the run that was asked about last."""

    def __init__(self) -> None:
        self._asked: tuple[Candidate, State] | None = None
        self._fold: Fold | Unlawful | None = None

    def forget(self) -> None:
        """Ask again, also about the same run."""
        self._asked = None

    def __call__(self, run: Candidate, state: State) -> Fold | Unlawful:
        if self._fold is None or self._asked is None or self._asked[0] is not run or self._asked[1] is not state:
            self._fold, self._asked = _fold_behind(run, state), (run, state)
        return self._fold


_fold_behind = behind.fold_behind


def _outlined(data: Any, verbatim: Any = (), proven: Any = b"") -> Any:  # noqa: ANN401 - as it is typed there
    return _outline(data, frozenset(verbatim), proven)


LAST_FOLD = _LastFold()
REMEMBERED: dict[str, Any] = {
    "units": _units,
    "parse": lru_cache(maxsize=4_000)(parse.parse),
    "outline": _outlined,
    "fold_behind": _LastFold(),
}


@contextmanager
def remembering_gates(modules: tuple[ModuleType, ...] = GATE_MODULES) -> Iterator[None]:
    """Let the gates remember, for as long as the context lasts."""
    old: list[tuple[ModuleType, str, Any]] = []
    for module in (*modules, compare, outline):
        for name, quick in REMEMBERED.items():
            if hasattr(module, name) and module is not behind and (module, name) != (outline, "outline"):
                old.append((module, name, getattr(module, name)))
                setattr(module, name, quick)
    try:
        yield
    finally:
        for module, name, slow in old:
            setattr(module, name, slow)
