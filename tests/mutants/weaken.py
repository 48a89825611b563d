"""Weaken each gate in every way, and see that something notices.

    python -m tests.mutants.weaken [MODULE…]

A weakening is noticed where a good run is refused, a mutant survives, a gate does not refuse what it must
(`tests.mutants.owners`), or a gate raises; else where the tests of the gate fail, in a process of their own. Prints
what nobody noticed; status 1 where one of them is not listed in `tests.mutants.equivalents`. A whole run writes
WEAKENED.md.
"""

import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutants.base import Base, Mutant
from tests.mutants.corpus import OPERATORS, mutants
from tests.mutants.equivalents import EQUIVALENTS
from tests.mutants.fast import LAST_FOLD, remembering_gates
from tests.mutants.judging import judged
from tests.mutants.lived import lived_bases
from tests.mutants.owners import OWNERS
from tests.mutants.recipe import recipe_bases
from tests.mutants.weakening import Weakened, Weakening, weakenings
from xysq.gates import (
    GATES,
    Gate,
    adopt,
    behind,
    blocks,
    bounds,
    bytes,  # noqa: A004 - a module
    deed,
    entitlement,
    meaning,
    merge,
    remit,
    undoing,
)

TESTS = Path(__file__).resolve().parents[1]
MODULES: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "adopt": (adopt, ("gates/test_adopt_edges.py", "gates/test_adopt.py")),
    "behind": (behind, ("gates",)),
    "blocks": (blocks, ("gates/test_blocks_told.py", "gates/test_blocks.py", "gates/test_bytes.py")),
    "bounds": (bounds, ("gates/test_bounds.py",)),
    "bytes": (bytes, ("gates/test_bytes_told.py", "gates/test_bytes.py")),
    "deed": (deed, ("gates/test_deed.py",)),
    "entitlement": (entitlement, ("gates/test_entitlement_edges.py", "gates/test_entitlement.py")),
    "meaning": (meaning, ("gates/test_meaning_told.py", "gates/test_meaning.py")),
    "merge": (merge, ("gates/test_merge_edges.py", "gates/test_merge.py")),
    "remit": (remit, ("gates/test_remit.py",)),
    "undoing": (undoing, ("gates/test_undoing_edges.py", "gates/test_undoing.py")),
}
_LENT = ("adopt", "deed", "merge", "remit", "undoing")  # modules that the gate about authority asks
TABLE = Path(__file__).with_name("WEAKENED.md")
_HEAD = """# The gates, weakened

Written by `make weaken`: every comparison of the gates turned round or moved by one, every condition forced, every
operand, `not`, arm and finding left out, one at a time. Each is noticed: a mutant of a run is not refused as it must
be, or a good run is, or a test of the gate fails.
"""
_QUIETLY = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:unraisableexception")  # files that a parent left open
_SEED, _EACH, _WORLDS, _TIMEOUT_S = 11, 8, 12, 100


@dataclass(frozen=True)
class Item:
    """A run of the corpus: what refuses it besides the gates of a module, and whether quarantine drops anything."""

    base: Base
    mutant: Mutant
    operator: str
    refused: frozenset[str]
    is_dropped: bool


@cache
def corpus(worlds: int = _WORLDS, each: int = _EACH) -> tuple[Item, ...]:
    """Return good runs and a few mutants of every operator, with what the gates say as they are."""
    bases = (*recipe_bases(), *lived_bases(worlds))
    items = [Item(base, Mutant(base.run, base.state), "", frozenset(), is_dropped=False) for base in bases]
    with remembering_gates():
        for operator in OPERATORS:
            for base, mutant in islice(mutants(operator, bases, _SEED), each):
                found = judged(mutant, base)
                items.append(Item(base, mutant, operator.name, found.gates, bool(found.codes)))
    return tuple(items)


def gates_of(name: str) -> tuple[Gate, ...]:
    """Return the gates that a module can change."""
    if name == "behind":
        return GATES
    module = entitlement if name in _LENT else MODULES[name][0]
    return tuple(gate for gate in GATES if gate.__module__ == module.__name__)


def noticed(gates: Sequence[Gate], items: Sequence[Item]) -> str:
    """Say what in the corpus is not as it must be, asking these gates again; "" where everything is."""
    names = frozenset(gate.__name__.replace("_", "-") for gate in gates)
    LAST_FOLD.forget()
    for item in items:
        try:
            refused = {refusal.gate for gate in gates for refusal in gate(item.mutant.run, item.mutant.state)}
        except Exception as error:  # noqa: BLE001 - whatever a broken gate raises
            return f"raises {type(error).__name__}"
        if not item.operator:
            if refused:
                return f"{item.base.name} is refused by {', '.join(sorted(refused))}"
        elif not (refused | (item.refused - names) or item.is_dropped):
            return f"{item.operator} survives"
        elif missing := (names & set(OWNERS.get(item.operator, ()))) - refused:
            return f"{item.operator} is not refused by {', '.join(sorted(missing))}"
    return ""


def judge_weakening(weakening: Weakening) -> str:
    """Say who notices a weakening; "" for nobody."""
    module, tests = MODULES[weakening.module]
    with Weakened(module, weakening):
        with remembering_gates():
            found = noticed(gates_of(weakening.module), _in_order(weakening.module))
        return found or _failing_test(tests)


@cache
def _in_order(name: str) -> tuple[Item, ...]:
    """Return the corpus, with what a module's gates alone refuse in front."""
    names = {gate.__name__.replace("_", "-") for gate in gates_of(name)}
    return tuple(sorted(corpus(), key=lambda item: len(item.refused - names) if item.refused & names else 99))


def _failing_test(tests: Sequence[str]) -> str:
    """Run tests in a process that has this very weakening; say so where one fails, or where they do not end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
                os.dup2(nothing.fileno(), 1)
                os.dup2(nothing.fileno(), 2)
                paths = [str(TESTS / name) for name in tests]
                signal.alarm(_TIMEOUT_S)
                status = int(pytest.main([*_QUIETLY, *paths]))
        finally:
            os._exit(status)  # whatever happens, the child never goes on as its parent
    _, status = os.waitpid(child, 0)
    return "" if os.waitstatus_to_exitcode(status) == 0 else f"{tests[0]} fails"


def _work(task: tuple[str, int]) -> tuple[str, str, int]:
    name, place = task
    weakening = _weakenings(name)[place]
    return str(weakening), judge_weakening(weakening), place


@cache
def _weakenings(name: str) -> tuple[Weakening, ...]:
    return tuple(weakenings(MODULES[name][0]))


def main() -> int:
    """Try every weakening; print the table of who noticed."""
    names = [name for name in MODULES if name in sys.argv[1:] or len(sys.argv) == 1]
    tasks = [(name, place) for name in names for place in range(len(_weakenings(name)))]
    corpus()
    by_corpus, by_tests, alive = Counter[str](), Counter[str](), list[str]()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for shown, found, _ in pool.imap(_work, tasks, chunksize=4):
            module = shown.split(":")[0]
            if not found:
                alive.append(shown)
                if key(shown) not in EQUIVALENTS:
                    print(f"ALIVE {shown}", flush=True)
            else:
                (by_tests if found.endswith("fails") else by_corpus)[module] += 1
    lines = ["| gates in | weakenings | noticed by mutants | by tests | change nothing |", "|---|---:|---:|---:|---:|"]
    for name in names:
        equal = sum(shown.startswith(f"{name}:") for shown in alive)
        lines.append(f"| {name} | {len(_weakenings(name))} | {by_corpus[name]} | {by_tests[name]} | {equal} |")
    is_whole = len(sys.argv) == 1
    faults = [shown for shown in alive if key(shown) not in EQUIVALENTS]
    if is_whole:
        faults += [f"STALE {name}" for name in sorted(set(EQUIVALENTS) - {key(shown) for shown in alive})]
    print("\n".join((*lines, f"{len(faults)} alive or stale", *(one for one in faults if one.startswith("STALE")))))
    if is_whole and not faults:
        TABLE.write_text("\n".join((_HEAD, *lines, "", *_reasons())) + "\n", "utf-8")
    return int(bool(faults))


def _reasons() -> Iterator[str]:
    yield "Those that change nothing, and why:"
    yield ""
    yield from (f"- `{name}`: {reason}." for name, reason in EQUIVALENTS.items())


def key(shown: str) -> str:
    """Return the name of a weakening without its line, which moves."""
    module, _, what = shown.split(":", 2)
    return f"{module}:{what}"


if __name__ == "__main__":
    sys.exit(main())
