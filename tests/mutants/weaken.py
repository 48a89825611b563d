"""Weaken the gates, one place at a time, and see that something notices.

    python -m tests.mutants.weaken [--quick]

Each comparison, condition and early return of the gates' modules is turned into a weaker one, in memory. A weakening
is *noticed* when the good runs and a few hundred mutants are not judged as before: a gate lets pass what it refused,
or refuses a good run; or when the gates' own tests fail. Prints what nobody noticed; status 1 where that is more than
the list below allows, each of them for a reason that makes it no weakening at all.
"""

import ast
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from tests.mutants.base import Mutant
from tests.mutants.court import made
from tests.mutants.operator import OPERATORS
from tests.mutants.recipe import recipe_bases
from xysq.gates import GATES

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("blocks", "bounds", "bytes", "entitlement", "meaning")
SEEDS = (3, 4)
TESTS = {
    "blocks": "tests/gates/test_blocks.py",
    "bounds": "tests/gates/test_bounds.py",
    "bytes": "tests/gates/test_bytes.py",
    "entitlement": "tests/gates/test_entitlement.py",
    "meaning": "tests/gates/test_meaning.py",
}
_OPPOSITE = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Weakening:
    """One place of one module, and what it becomes."""

    module: str
    line: int
    what: str
    number: int

    def __str__(self) -> str:
        return f"xysq/gates/{self.module}.py:{self.line}: {self.what}"


class Weakener(ast.NodeTransformer):
    """Counts the places that can be weakened; changes the one with the number asked for."""

    def __init__(self, wanted: int = -1) -> None:
        self.wanted = wanted
        self.places: list[tuple[int, str]] = []

    def _is_wanted(self, node: ast.AST, what: str) -> bool:
        self.places.append((getattr(node, "lineno", 0), what))
        return len(self.places) - 1 == self.wanted

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns = ast.unparse(node.returns) if node.returns is not None else ""
        if "Refusal" in returns and self._is_wanted(node, f"{node.name} finds nothing"):
            empty = "yield from ()" if returns.startswith("Iterator") else "return ()"
            return ast.copy_location(_with_body(node, empty), node)
        if returns == "str | None" and self._is_wanted(node, f"{node.name} finds no fault"):
            return ast.copy_location(_with_body(node, "return None"), node)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        kind = type(node.ops[0])
        if len(node.ops) == 1 and kind in _OPPOSITE and self._is_wanted(node, f"{ast.unparse(node)} turned round"):
            return ast.Compare(node.left, [_OPPOSITE[kind]()], node.comparators)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if self._is_wanted(node, f"{ast.unparse(node)}: its first part alone"):
            return node.values[0]
        if self._is_wanted(node, f"{ast.unparse(node)}: its last part alone"):
            return node.values[-1]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.op, ast.Not) and self._is_wanted(node, f"{ast.unparse(node)} without its not"):
            return node.operand
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        other = {"any": "all", "all": "any"}.get(node.id)
        if other is not None and self._is_wanted(node, f"{node.id} becomes {other}"):
            return ast.Name(other, node.ctx)
        return node


def _with_body(node: ast.FunctionDef, body: str) -> ast.FunctionDef:
    return ast.FunctionDef(
        node.name, node.args, ast.parse(body).body, node.decorator_list, node.returns, node.type_comment
    )


def source_of(module: str) -> str:
    return (ROOT / "xysq" / "gates" / f"{module}.py").read_text("utf-8")


def weakenings(module: str) -> Iterator[Weakening]:
    """Yield every place of a module."""
    counter = Weakener()
    counter.visit(ast.parse(source_of(module)))
    for number, (line, what) in enumerate(counter.places):
        yield Weakening(module, line, what, number)


def weakened(weakening: Weakening) -> str:
    """Return the source with one place changed."""
    tree = Weakener(weakening.number).visit(ast.parse(source_of(weakening.module)))
    return ast.unparse(ast.fix_missing_locations(tree))


@cache
def corpus() -> tuple[tuple[Mutant, frozenset[str]], ...]:
    """Return good runs and mutants, each with the gates that refuse it."""
    bases = list(recipe_bases())
    mutants = [Mutant(base.run, base.state) for base in bases]
    for seed in SEEDS:
        mutants += filter(None, (made(base, operator, seed) for base in bases for operator in OPERATORS))
    return tuple(
        (mutant, frozenset(gate.__name__ for gate in GATES if gate(mutant.run, mutant.state))) for mutant in mutants
    )


def is_noticed(weakening: Weakening) -> bool:
    """Tell whether the runs are judged otherwise, or the gates' tests fail."""
    source = weakened(weakening)
    return _judges_otherwise(weakening.module, source) or _fails_tests(weakening.module, source)


def _judges_otherwise(name: str, source: str) -> bool:
    known = importlib.import_module(f"xysq.gates.{name}")
    module = ModuleType(f"xysq.gates.{name}")
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)  # noqa: S102 - our own gates, weakened
    gates = [gate for gate in GATES if gate.__module__ == known.__name__]
    for gate in gates:
        weak = module.__dict__[gate.__name__]
        for mutant, refusing in corpus():
            try:
                if bool(weak(mutant.run, mutant.state)) != (gate.__name__ in refusing):
                    return True
            except Exception:  # noqa: BLE001 - a gate that raises is noticed by whoever asks it
                return True
    return False


def _fails_tests(name: str, source: str) -> bool:
    """Run the module's own tests over a copy of the package in which it is the weakened one."""
    with tempfile.TemporaryDirectory(prefix="xysq-weak-") as folder:
        root = Path(folder)
        for shared in ("tests", "fixtures", "pyproject.toml"):
            (root / shared).symlink_to(ROOT / shared)
        package = root / "xysq"
        package.mkdir()
        for part in (ROOT / "xysq").iterdir():
            if part.name != "gates":
                (package / part.name).symlink_to(part)
        gates = package / "gates"
        gates.mkdir()
        for part in (ROOT / "xysq" / "gates").glob("*.py"):
            if part.stem == name:
                (gates / part.name).write_text(source, encoding="utf-8")
            else:
                (gates / part.name).symlink_to(part)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", TESTS[name]]
        environment = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return ran.returncode == 1


def main() -> int:
    """Weaken everything."""
    quick = "--quick" in sys.argv
    places = [one for module in MODULES for one in weakenings(module)]
    if quick:
        places = [one for one in places if one.what.endswith("finds nothing")]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        noticed = list(pool.map(is_noticed, places))
    alive = [place for place, seen in zip(places, noticed, strict=True) if not seen]
    for place in alive:
        sys.stdout.write(f"nobody noticed: {place}\n")
    sys.stdout.write(f"{len(places) - len(alive)} passed, {len(alive)} failed\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
