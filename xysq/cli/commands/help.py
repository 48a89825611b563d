"""`xysq help`: a command, a topic, or everything there is as JSON."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Annotated, Any

import typer
from typer._click.core import Command, Context, Parameter
from typer.core import TyperArgument, TyperOption

from xysq.cli.commands import ENTRIES, find
from xysq.cli.desk import Desk
from xysq.cli.line import rows
from xysq.cli.overview import overview
from xysq.cli.program import command_of
from xysq.errors import NotFound

_DRAFTING = ("The request", "The draft")


def run(
    ctx: typer.Context,
    topic: Annotated[
        str,
        typer.Argument(
            metavar="[TOPIC]",
            help="A command, format (the vault on disk), draft (what drafters are asked) or query (of search).",
        ),
    ] = "",
) -> None:
    """Explain a command or a topic; with --json, the whole tree of commands."""
    desk = Desk(ctx)
    if not topic and desk.is_json:
        desk.output.document(_tree())
        return
    text = _text(topic)
    desk.answer({"topic": topic, "text": text}, rows(text))


def _text(topic: str) -> str:
    if not topic:
        return overview()
    if topic in _TOPICS:
        return _TOPICS[topic]()
    entry = find(topic)
    if entry is None:
        raise NotFound("command or topic", topic, f"topics: {', '.join(sorted(_TOPICS))}")
    command = command_of(entry)
    return command.make_context(f"xysq {entry.name}", [], resilient_parsing=True).get_help()


def _format() -> str:
    return (files("xysq") / "FORMAT.md").read_text("utf-8")


def _draft() -> str:
    """Return the parts of the format that are about drafting: what a drafter is asked, and what it answers."""
    return "\n\n".join(_section(_format(), title).strip() for title in _DRAFTING) + "\n"


def _section(text: str, title: str) -> str:
    _, heading, behind = text.partition(f"\n## {title}\n")
    return heading + behind.partition("\n## ")[0]


def _tree() -> dict[str, Any]:
    commands = []
    for entry in ENTRIES:
        command = command_of(entry)
        context = command.make_context(entry.name, [], resilient_parsing=True)
        commands.append(_told(entry.aliases, command, context))
    return {"commands": commands}


def _told(aliases: tuple[str, ...], command: Command, context: Context) -> dict[str, Any]:
    return {
        "name": command.name,
        "aliases": list(aliases),
        "help": command.help,
        "parameters": [_parameter(parameter, context) for parameter in command.get_params(context)],
    }


def _parameter(parameter: Parameter, context: Context) -> dict[str, Any]:
    is_option = isinstance(parameter, TyperOption)
    return {
        "kind": "option" if is_option else "argument",
        "names": [*parameter.opts, *parameter.secondary_opts] if is_option else [parameter.make_metavar(context)],
        "is_switch": isinstance(parameter, TyperOption) and parameter.is_flag,
        "may_repeat": parameter.multiple or parameter.nargs == -1,
        "is_required": parameter.required,
        "help": parameter.help if isinstance(parameter, TyperArgument | TyperOption) else "",
    }


_QUERY = """\
What search and recall can be asked. Plain words: any of them, the more the better, whatever signs are among them.

  pottery class              any of the words
  "pottery class"            the words in this order
  pottery AND NOT class      AND, OR, NOT and parentheses, between whatever is here
  pott*                      words that begin so (compared by their stems)
  potery~  potery~2          words up to one letter, two letters away
  speaker:Maya               said by her; so is speaker:"Maya Voss"
  page:billing               about that page: its facts, its prose and the passages they rest on
  source:standup             from that source
  before:2026-11  after:"last week"  on:yesterday
                             when it was said: a date, a month, a year, words such as "3 days ago"; all in UTC

Side by side without an operator: fields, phrases and what NOT takes away must be met, of the words any may.
"""
_TOPICS: Mapping[str, Callable[[], str]] = {"format": _format, "draft": _draft, "query": lambda: _QUERY}
