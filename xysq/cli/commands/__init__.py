"""The commands by task, and the one place of the command line where modules are loaded late.

A call loads the module of its own command and nothing of the others, so that help is as fast as a hook needs it.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from xysq.cli.call import Call
from xysq.frozen import frozen


@frozen(kw_only=False)
class Entry:
    """A command: its name, which is that of its module, what it does, other names."""

    name: str
    summary: str
    aliases: tuple[str, ...] = ()


TASKS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Begin",
        (Entry("init", "make a vault"), Entry("status", "show where the vault stands and what waits for you")),
    ),
    (
        "Bring in",
        (
            Entry("push", "keep files word for word", ("add",)),
            Entry("note", "keep a sentence of yours and what it says"),
            Entry("hook", "have Claude Code push its sessions by itself"),
            Entry("mcp", "serve the memory to agents as tools"),
        ),
    ),
    (
        "Distil",
        (
            Entry("distill", "turn what was pushed into facts"),
            Entry("redistill", "distil once more, here or into a second vault"),
            Entry("verify", "judge staged runs by the gates"),
            Entry("apply", "make staged runs part of the vault"),
            Entry("discard", "drop a staged run"),
            Entry("retry", "try given-up rows again"),
        ),
    ),
    (
        "Set right",
        (
            Entry("correct", "say once what is right"),
            Entry("edit", "open a page in your editor"),
            Entry("adopt", "take over what was typed into pages"),
            Entry("page", "rename a page, or make two pages one"),
            Entry("revert", "take back what a run or a source brought"),
        ),
    ),
    (
        "Look up",
        (
            Entry("search", "find passages, facts and prose"),
            Entry("recall", "print what is known about something, for a model to read"),
            Entry("show", "show whatever an id or a title means"),
            Entry("ls", "list pages, facts, sources or runs"),
            Entry("why", "show what a fact rests on"),
        ),
    ),
    (
        "Look back",
        (
            Entry("history", "show what happened, newest first", ("log",)),
            Entry("diff", "show what changed between two points"),
        ),
    ),
    (
        "Keep sound",
        (
            Entry("fsck", "prove that the vault is as promised"),
            Entry("doctor", "explain what is wrong and what to type"),
            Entry("repair", "mend what is damaged from a copy"),
            Entry("recover", "finish what a crash interrupted"),
            Entry("reindex", "make the search index anew"),
        ),
    ),
    (
        "Settings and help",
        (
            Entry("config", "read and change settings"),
            Entry("help", "explain a command or a topic"),
            Entry("completion", "print the completion script of a shell"),
        ),
    ),
)
ENTRIES: tuple[Entry, ...] = tuple(entry for _, entries in TASKS for entry in entries)


def find(name: str) -> Entry | None:
    """Return the command of a name or another name of it."""
    return next((entry for entry in ENTRIES if name == entry.name or name in entry.aliases), None)


def load(entry: Entry) -> Callable[..., Any]:
    """Return the function of a command."""
    function: Callable[..., Any] = import_module(f"{__name__}.{entry.name}").run
    return function


def load_dispatch() -> Callable[[Sequence[str], Call], int]:
    """Return what runs a command; help and the version do without typer."""
    from xysq.cli.program import dispatch

    return dispatch


def load_paint() -> Callable[..., str]:
    """Return what paints lines; terminals alone pay for it."""
    from xysq.cli.paint import paint

    return paint


def load_completion(shell: str) -> str:
    """Return the completion script of a shell, as typer generates it."""
    from typer._completion_shared import get_completion_script

    return get_completion_script(prog_name="xysq", complete_var="_XYSQ_COMPLETE", shell=shell)


def enable_completion() -> None:
    """Make typer answer the shells it writes scripts for."""
    from typer._completion_classes import completion_init

    completion_init()
