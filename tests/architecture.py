"""The rules of the source tree, each a function from one module's source to what is wrong with it.

A rule sees names as the module's imports define them, so `from os import environ as e` hides nothing. What a rule
forbids everywhere but in named places is a row of `_ONLY_IN`.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

MODULE_LINES = 400
FUNCTION_LINES = 70

# A package may import what stands in rows above its own; of its own row only itself, but for the pairs below and the
# first row, whose modules are small and free to lean on each other.
LAYERS = (
    ("canonical", "text", "terms", "sentence", "errors", "frozen", "pattern"),
    ("model",),
    ("pages", "ledger"),
    ("planner",),
    ("gates", "store", "search", "drafters", "readers"),
    ("jobs",),
    ("vault",),
    ("hook", "mcp", "watch"),
    ("cli",),
)
_SAME_ROW = {("pages", "ledger")}
_SURFACES = ("cli/*", "vault/*", "vault.py", "mcp/*", "mcp.py", "watch/*", "watch.py")
_LATE_IMPORTS = (
    "__init__.py",
    "cli/commands/*",
    "store/yaml.py",
    "jobs/recover.py",
    "jobs/readable.py",
    "search/syntax.py",
    "cli/output.py",
    "vault/listing.py",
)
_NAMELESS = {"utils", "util", "helpers", "helper", "common", "manager", "service", "handler", "misc"}


@dataclass(frozen=True)
class Module:
    """One file of the package: its path below `xysq/`, and its source."""

    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def package(self) -> str:
        """The first part of its name: the package or module that has a place in the layers."""
        return PurePosixPath(self.path).parts[0].removesuffix(".py")

    @cached_property
    def names(self) -> dict[str, str]:
        """What the module's imports bind: a local name to the full one."""
        bound: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    bound[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for alias in node.names:
                    bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return bound

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def used(self) -> tuple[tuple[int, str], ...]:
        """Every dotted name that is used, and every one that is imported, with its line."""
        return tuple(self._each_used())

    def _each_used(self) -> Iterator[tuple[int, str]]:
        for node in self.nodes:
            if isinstance(node, ast.Name | ast.Attribute):
                yield node.lineno, self.full_name(node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for alias in node.names:
                    yield node.lineno, f"{node.module}.{alias.name}"

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        return tuple(node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    def full_name(self, node: ast.expr) -> str:
        """Return the dotted name an expression stands for, "" where it is none; names of builtins as they are."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            left = self.full_name(node.value)
            return f"{left}.{node.attr}" if left else f"?.{node.attr}"
        return ""

    def is_in(self, places: Iterable[str]) -> bool:
        return any(PurePosixPath(self.path).match(place) or _below(self.path, place) for place in places)


Rule = Callable[[Module], Iterator[str]]


def _below(path: str, place: str) -> bool:
    return place.endswith("/*") and path.startswith(place[:-1])


def _imported(module: Module) -> Iterator[tuple[int, str]]:
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." if node.level else str(node.module)


def _row(package: str) -> int | None:
    return next((place for place, row in enumerate(LAYERS) if package in row), None)


def imports_point_down(module: Module) -> Iterator[str]:
    """A module imports only what stands below it, by its full name."""
    if module.package == "__init__":
        return
    own = _row(module.package)
    if own is None:
        yield f"{module.path}: has no place in the layers"
        return
    for line, name in _imported(module):
        if name == ".":
            yield f"{module.path}:{line}: a relative import"
        if not name.startswith("xysq."):
            continue
        other = name.split(".")[1]
        row = _row(other)
        below = row is not None and (row < own or row == own == 0)
        if not below and other != module.package and (module.package, other) not in _SAME_ROW:
            yield f"{module.path}:{line}: {module.package} may not import {other}"


def imports_stand_at_the_top(module: Module) -> Iterator[str]:
    """No function imports anything, but those in `_LATE_IMPORTS`, whose every command would pay for what few need."""
    if module.is_in(_LATE_IMPORTS):
        return
    for function in module.functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield f"{module.path}:{node.lineno}: an import inside {function.name}"
    for node in module.nodes:
        if isinstance(node, ast.Call) and module.full_name(node.func) in {"importlib.import_module", "__import__"}:
            yield f"{module.path}:{node.lineno}: an import by call"


def nothing_hides_from_the_program(module: Module) -> Iterator[str]:
    """What only a type checker sees is invisible to these rules, so there is none of it."""
    for node in module.nodes:
        if isinstance(node, ast.Name | ast.Attribute) and module.full_name(node).split(".")[-1] == "TYPE_CHECKING":
            yield f"{module.path}:{node.lineno}: TYPE_CHECKING"


_ENVIRONMENT = (
    "os.environ os.environb os.getenv os.getenvb os.putenv os.unsetenv os.getcwd os.getcwdb os.path.expanduser "
    "os.path.expandvars pathlib.Path.home pathlib.Path.cwd ?.expanduser getpass"
)
_CLOCK = (
    "time.time time.time_ns time.localtime time.gmtime time.ctime time.strftime datetime.datetime.now "
    "datetime.datetime.utcnow datetime.datetime.today datetime.date.today"
)
_RANDOM = "os.urandom os.getrandom secrets random uuid"
_STREAMS = "sys.stdin sys.stdout sys.stderr sys.argv print input"
_PROGRAMS = (
    "subprocess multiprocessing pty os.system os.popen os.fork os.forkpty os.posix_spawn os.posix_spawnp os.execv "
    "os.execve os.execvp os.execvpe os.execl os.execle os.execlp os.execlpe os.spawnv os.spawnve os.spawnvp os.spawnl"
)
_SOCKETS = "socket ssl socketserver http.client http.server urllib.request httpx requests aiohttp ollama ftplib smtplib"
_WRITES = (
    "os.write os.writev os.pwrite os.rename os.renames os.replace os.remove os.unlink os.rmdir os.removedirs os.mkdir "
    "os.makedirs os.link os.symlink os.truncate os.ftruncate os.chmod os.fchmod os.chown os.utime os.sendfile "
    "os.copy_file_range ?.write_text ?.write_bytes ?.unlink ?.rename ?.rmdir ?.mkdir ?.touch ?.symlink_to "
    "?.hardlink_to shutil tempfile"
)

_ONLY_IN: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("reads the environment", _ENVIRONMENT, _SURFACES),
    ("reads the clock", _CLOCK, _SURFACES),
    ("draws random bytes", _RANDOM, _SURFACES),
    ("uses a standard stream", _STREAMS, _SURFACES),
    ("starts a program", _PROGRAMS, ("store/git*.py", "drafters/*", "cli/editor.py")),
    ("opens a socket", _SOCKETS, ("drafters/*", "mcp/*")),
    ("uses git", "git gitdb", ("store/git*.py",)),
    (
        "uses SQLite",
        "sqlite3",
        ("store/readmodel*", "store/readmodel/*", "search/scratch.py"),
    ),  # the last in memory only
)
# Vault files have one door. Git's own files and the derived read model, which may be lost, have theirs. The pipe opens
# nothing: it writes messages to the descriptor it is given.
DOORS = ("store/files.py", "store/git*.py", "store/readmodel*", "store/readmodel/*", "mcp/pipe.py")


def _fits(name: str, forbidden: frozenset[str]) -> bool:
    """Tell whether a dotted name is, or is inside, a forbidden one; `?.x` fits any attribute x of a value."""
    parts = name.split(".")
    inside = any(".".join(parts[:count]) in forbidden for count in range(1, len(parts) + 1))
    return inside or (len(parts) > 1 and f"?.{parts[-1]}" in forbidden)


def _only_in(what: str, names: str, places: tuple[str, ...]) -> Rule:
    forbidden = frozenset(names.split())

    def rule(module: Module) -> Iterator[str]:
        if not module.is_in(places):
            for line, name in module.used:
                if _fits(name, forbidden):
                    yield f"{module.path}:{line}: {what}: {name}"

    rule.__name__ = what.replace(" ", "_")
    return rule


def one_door(module: Module) -> Iterator[str]:
    """Only a door changes the file system: no other module opens a file for writing, moves or removes one."""
    if module.is_in(DOORS):
        return
    forbidden = frozenset(_WRITES.split())
    for node in module.nodes:
        if isinstance(node, ast.Call):
            name = module.full_name(node.func)
            if _fits(name, forbidden) or _opens_for_writing(module, name, node):
                yield f"{module.path}:{node.lineno}: writes to the disk: {name}"


def _opens_for_writing(module: Module, name: str, call: ast.Call) -> bool:
    if name == "os.open":
        flags = {module.full_name(node) for node in ast.walk(call) if isinstance(node, ast.Attribute | ast.Name)}
        return bool(flags & {f"os.{flag}" for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC")})
    if name in {"open", "io.open", "os.fdopen"}:
        return _is_writing(call, 1)
    return name.endswith(".open") and not name.startswith(("os.", "xysq.")) and _is_writing(call, 0)


def _is_writing(call: ast.Call, place: int) -> bool:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    mode = named[0] if named else call.args[place] if len(call.args) > place else None
    if mode is None:
        return False
    return not (isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+"))


def sizes_are_kept(module: Module) -> Iterator[str]:
    """No module is longer than 400 lines, no function longer than 70."""
    lines = module.source.count("\n")
    if lines > MODULE_LINES:
        yield f"{module.path}: {lines} lines, more than {MODULE_LINES}"
    for function in module.functions:
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > FUNCTION_LINES:
            yield f"{module.path}:{function.lineno}: {function.name} has {length} lines, more than {FUNCTION_LINES}"


def modules_say_what_they_are(module: Module) -> Iterator[str]:
    """Every module begins with a docstring and is named for what it holds."""
    if not (ast.get_docstring(module.tree) or "").strip():
        yield f"{module.path}: has no docstring"
    if _NAMELESS & set(re.split(r"[/_.]", module.path)):
        yield f"{module.path}: its name says nothing"


def values_are_frozen(module: Module) -> Iterator[str]:
    """Every dataclass of the model is frozen."""
    if module.package != "model":
        return
    for node in module.nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        for mark in node.decorator_list:
            call = mark if isinstance(mark, ast.Call) else None
            if module.full_name(call.func if call else mark) != "dataclasses.dataclass":
                continue
            keywords = {word.arg: ast.unparse(word.value) for word in call.keywords} if call else {}
            if keywords.get("frozen") != "True":
                yield f"{module.path}:{node.lineno}: a dataclass that is not frozen"


def errors_are_told_apart(classes: Iterable[type], statuses: frozenset[int]) -> Iterator[str]:
    """Every error has a code of its own, in kebab case, and a status of the README's table."""
    seen: dict[str, str] = {}
    for error in classes:
        code, status = vars(error).get("code"), getattr(error, "exit_status", None)
        if not isinstance(code, str) or not re.fullmatch(r"[a-z]+(-[a-z]+)*", code):
            yield f"{error.__name__}: {code!r} is no code of its own in kebab case"
            continue
        if code in seen:
            yield f"{error.__name__}: has the code {code!r} of {seen[code]}"
        seen[code] = error.__name__
        if status not in statuses:
            yield f"{error.__name__}: ends with status {status!r}, which no table has"


RULES: tuple[Rule, ...] = (
    imports_point_down,
    imports_stand_at_the_top,
    nothing_hides_from_the_program,
    one_door,
    *(_only_in(what, names, places) for what, names, places in _ONLY_IN),
    sizes_are_kept,
    modules_say_what_they_are,
    values_are_frozen,
)
