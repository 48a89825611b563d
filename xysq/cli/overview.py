"""Overview: the help that bare `xysq` prints, and the options that hold for every command.

It is made from tables alone, so that nothing need be loaded for it.
"""

from xysq import __version__
from xysq.cli.commands import TASKS

# Name, what stands for its value ("" for a switch), what it does.
GENERAL = (
    ("--vault", "DIR", "The vault; else XYSQ_VAULT, the one around this directory, your default one."),
    ("--json", "", "Answer with one JSON document."),
    ("--jsonl", "", "Lists: one document a line."),
    ("--timeout", "SECONDS", "How long to wait for another xysq (30)."),
    ("--quiet", "", "Say only what is wrong."),
)
VERSION_LINE = f"xysq {__version__}\n"
_ALONE = (("--version", "", "Print the version."), ("-h, --help", "", "Explain; behind a command, that command."))
_WIDTH = 20


def overview() -> str:
    """Return the commands by task, then the general options."""
    lines = [
        "Usage: xysq COMMAND …",
        "",
        "A memory for AI work. The model proposes, code disposes.",
        "Begin with: xysq init ~/memory, then xysq push FILE and xysq distill.",
    ]
    for task, entries in TASKS:
        lines += ["", f"{task}:"]
        lines += [_row(", ".join((entry.name, *entry.aliases)), entry.summary) for entry in entries]
    lines += ["", "Options, before or behind a command:"]
    lines += [_row(f"{name} {value}".rstrip(), told) for name, value, told in (*GENERAL, *_ALONE)]
    return "\n".join((*lines, "", "More about one: xysq help COMMAND", ""))


def _row(name: str, told: str) -> str:
    return f"  {name:<{_WIDTH}}{told}"
