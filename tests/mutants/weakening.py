"""Weakenings: every way in which one gate's code can be made to look away, as changed syntax trees.

Comparisons are turned round or moved by one, conditions forced, operands and `not` dropped, `any` and `all`
exchanged, numbers moved, arms of a match left out, functions made to find nothing. Sentences are not touched.
"""

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
# Sentences are no rules, and a value's defaults are written into it when its class is made.
_LEFT_OUT = (ast.JoinedStr, ast.AnnAssign)
Change = Callable[[ast.AST], None]


@dataclass(frozen=True)
class Weakening:
    """One change of one module: where and what, and how to come to the module as it then is."""

    module: str
    line: int
    what: str
    _unchanged: ast.Module
    _number: int
    _change: Change

    def __str__(self) -> str:
        """Name it, so that a table can list it; lines move, so the function is named."""
        return f"{self.module}:{self.line}: {self.what}"

    def tree(self) -> ast.Module:
        """Return the module as it then is."""
        copy = deepcopy(self._unchanged)
        _, target = next(islice(_walked(copy), self._number, None))
        self._change(target)
        return ast.fix_missing_locations(copy)


def weakenings(module: ModuleType) -> Iterator[Weakening]:
    """Yield every weakening of a module."""
    path = Path(str(module.__file__))
    tree = ast.parse(path.read_text("utf-8"))
    name = path.stem
    for number, (owner, node) in enumerate(_walked(tree)):
        for what, change in _changes(node):
            yield Weakening(name, getattr(node, "lineno", 0), f"{owner}: {what}", tree, number, change)


def _walked(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes of a module that do something, each with the function it stands in."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Assign):
            owner = statement.name if not isinstance(statement, ast.Assign) else ast.unparse(statement.targets[0])
            spoken = {
                id(part) for node in ast.walk(statement) if isinstance(node, _LEFT_OUT) for part in ast.walk(node)
            }
            yield from ((owner, node) for node in ast.walk(statement) if id(node) not in spoken)


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare(ops=ops):
            shown = ast.unparse(node)
            for place, operator in enumerate(ops):
                for other in _TURNED[type(operator)]:
                    yield f"{shown}: {other.__name__}", _put(f"ops.{place}", other())
        case ast.BoolOp(values=values):
            for place, value in enumerate(values):
                yield f"{ast.unparse(node)}: without {ast.unparse(value)}", _drop(place)
        case ast.UnaryOp(op=ast.Not()):
            yield f"{ast.unparse(node)}: not dropped", _drop_not
        case ast.If(test=test) | ast.IfExp(test=test):
            for forced in (True, False):
                yield f"if {ast.unparse(test)}: {forced}", _put("test", ast.Constant(forced))
        case ast.comprehension(ifs=ifs):
            for place, test in enumerate(ifs):
                yield f"for … if {ast.unparse(test)}: True", _put(f"ifs.{place}", ast.Constant(value=True))
        case _:
            yield from _other_changes(node)


def _other_changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield f"{value} moved", _put("value", value + 1)
        case ast.Call(func=ast.Name(id="any" | "all" as name)):
            yield f"{ast.unparse(node)[:60]}: {name} exchanged", _put("func.id", "all" if name == "any" else "any")
        case ast.Match(cases=cases):
            for place, case in enumerate(cases):
                if ast.unparse(case.pattern) != "_":
                    yield f"case {ast.unparse(case.pattern)[:60]}: left out", _leave_out(place)
        case ast.FunctionDef(returns=returns) if returns is not None:
            for what, body in _findings(ast.unparse(returns)):
                yield f"finds {what}", _put("body", body)
        case _:
            pass


def _findings(returns: str) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield what a function could find instead, by what it returns."""
    if returns.startswith("Iterator["):
        yield "nothing", ast.parse("def f():\n    return\n    yield").body[0].body  # type: ignore[attr-defined]
    elif returns.startswith("tuple["):
        yield "nothing", [ast.Return(ast.Tuple([], ast.Load()))]
    elif returns.endswith("| None"):
        yield "nothing", [ast.Return(ast.Constant(None))]
    elif returns == "bool":
        for forced in (True, False):
            yield str(forced), [ast.Return(ast.Constant(forced))]


def _drop_not(node: ast.AST) -> None:
    """Make `not x` the same as `bool(x)`."""
    operand = node.operand  # type: ignore[attr-defined]
    node.__class__ = ast.Call
    node.__dict__ = dict(ast.Call(ast.Name("bool", ast.Load()), [operand], []).__dict__)


def _put(path: str, value: object) -> Change:
    def change(node: ast.AST) -> None:
        *steps, last = path.split(".")
        holder: Any = node
        for step in steps:
            holder = getattr(holder, step)
        if isinstance(holder, list):
            holder[int(last)] = value
        else:
            setattr(holder, last, value)

    return change


def _drop(place: int) -> Change:
    def change(node: ast.AST) -> None:
        values = node.values  # type: ignore[attr-defined]
        del values[place]
        if len(values) == 1:
            values.append(deepcopy(values[0]))

    return change


def _leave_out(place: int) -> Change:
    def change(node: ast.AST) -> None:
        cases = node.cases  # type: ignore[attr-defined]
        never = ast.match_case(
            pattern=deepcopy(cases[place].pattern), guard=ast.Constant(value=False), body=cases[place].body
        )
        cases[place] = never

    return change


class Weakened:
    """A module whose functions have the code of a weakening, for as long as the context lasts.

    The functions stay the same objects, so whoever imported them sees the change.
    """

    def __init__(self, module: ModuleType, weakening: Weakening) -> None:
        """Compile the weakening."""
        self._module = module
        self._space: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
        exec(compile(weakening.tree(), str(module.__file__), "exec"), self._space)  # noqa: S102 - our own code, changed
        self._codes: list[tuple[FunctionType, CodeType]] = []
        self._values: dict[str, object] = {}

    def __enter__(self) -> None:
        """Put the weakened code in."""
        for name, new in self._space.items():
            old = self._module.__dict__.get(name)
            if isinstance(old, FunctionType) and old.__module__ == self._module.__name__:
                self._exchange(old, new)
            elif isinstance(old, type) and old.__module__ == self._module.__name__:
                for part, inner in vars(old).items():
                    if isinstance(inner, FunctionType) and part in vars(new):
                        self._exchange(inner, vars(new)[part])
            elif name.startswith("_") and not name.startswith("__") and not callable(old) and old != new:
                self._values[name] = old
                setattr(self._module, name, new)

    def _exchange(self, old: FunctionType, new: FunctionType) -> None:
        is_written = new.__code__.co_filename == self._module.__file__  # and not made by a decorator
        if is_written and old.__code__ != new.__code__:
            self._codes.append((old, old.__code__))
            old.__code__ = new.__code__

    def __exit__(self, *_: object) -> None:
        """Put the module's own code back."""
        for function, code in self._codes:
            function.__code__ = code
        for name, value in self._values.items():
            setattr(self._module, name, value)
