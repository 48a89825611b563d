"""The program as typer sees it: a group whose commands are loaded when they are called.

Options that hold for every command are options of the group and of each command, so they may stand before or behind
its name. Help is grouped by task and made from the table of commands, without loading any.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from typer import Abort, BadParameter, Exit, TyperException, echo
from typer._click.core import Command, Context, Parameter
from typer._click.formatting import HelpFormatter
from typer._click.shell_completion import CompletionItem
from typer.core import TyperGroup, TyperOption
from typer.main import get_command_from_info
from typer.models import CommandInfo

from xysq.cli.call import Call, Form
from xysq.cli.commands import ENTRIES, Entry, find, load
from xysq.cli.overview import GENERAL, VERSION_LINE, overview
from xysq.errors import BadInput, XysqError

NAMES = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_LONGEST_S = 86_400
_INTERRUPTED = 130


class UnknownCommand(BadInput):
    """There is no such command."""

    code = "unknown-command"

    def __init__(self, name: str) -> None:
        """Name it, and the one that was probably meant."""
        names = [name for entry in ENTRIES for name in (entry.name, *entry.aliases)]
        close = get_close_matches(name, names, n=1)
        super().__init__(f"there is no command {name!r}", f"try: xysq {close[0]}" if close else "try: xysq help")


class UsageError(XysqError):
    """The command line could not be understood."""

    code = "usage"
    exit_status = 2


class Program(TyperGroup):
    """The commands of the table."""

    def list_commands(self, _: Context) -> list[str]:
        """Return the names of all commands in the order of the table."""
        return [entry.name for entry in ENTRIES]

    def get_command(self, _: Context, cmd_name: str) -> Command | None:
        """Load a command."""
        entry = find(cmd_name)
        return None if entry is None else command_of(entry)

    def resolve_command(self, _: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """Return the command that is called, with its own arguments."""
        entry = find(args[0])
        if entry is None:
            raise UnknownCommand(args[0])
        return entry.name, command_of(entry), args[1:]

    def format_help(self, _: Context, formatter: HelpFormatter) -> None:
        """Write the commands by task."""
        formatter.write(overview())

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so; only the table is looked at."""
        found = [
            CompletionItem(entry.name, help=entry.summary) for entry in ENTRIES if entry.name.startswith(incomplete)
        ]
        return [*found, *Command.shell_complete(self, ctx, incomplete)]


def dispatch(arguments: Sequence[str], call: Call) -> int:
    """Run the command that the arguments name; return the status to end with.

    Raises `XysqError`, or KeyboardInterrupt where the interrupt key was pressed.
    """
    try:
        status = program().main(list(arguments), prog_name="xysq", standalone_mode=False, obj=call)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        path = "xysq" if context is None else context.command_path
        sentence = error.format_message().rstrip(".")
        raise UsageError(sentence[:1].lower() + sentence[1:], f"try: {path} --help") from None
    except Abort:
        raise KeyboardInterrupt from None
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    return status if isinstance(status, int) else 0


def program() -> Program:
    """Return the program."""
    return Program(
        name="xysq",
        params=[*_options(), _version()],
        context_settings=dict(NAMES),
        rich_markup_mode=None,
    )


def command_of(entry: Entry) -> Command:
    """Return a command with its own options and those every command takes."""
    command = get_command_from_info(
        CommandInfo(name=entry.name, callback=load(entry), context_settings=dict(NAMES)),
        pretty_exceptions_short=False,
        rich_markup_mode=None,
    )
    command.params.extend(_options())
    return command


def _options() -> list[TyperOption]:
    return [
        TyperOption(
            param_decls=[name],
            type=float if value == "SECONDS" else None,
            metavar=value or None,
            is_flag=not value,
            default=None if value else False,
            help=told,
            expose_value=False,
            callback=_take,
        )
        for name, value, told in GENERAL
    ]


def _version() -> TyperOption:
    def tell(ctx: Context, _: Parameter, value: Any) -> None:  # noqa: ANN401 - of the option's own type
        if value and not ctx.resilient_parsing:
            echo(VERSION_LINE, nl=False)
            raise Exit

    return TyperOption(
        param_decls=["--version"],
        is_flag=True,
        default=False,
        is_eager=True,
        expose_value=False,
        callback=tell,
        help="Print the version.",
    )


def _take(ctx: Context, param: Parameter, value: Any) -> None:  # noqa: ANN401 - of the option's own type
    """Note a general option where it was given."""
    if value is None or value is False or ctx.resilient_parsing:
        return
    call = ctx.find_object(Call)
    if call is None:
        return
    match param.name:
        case "vault":
            call.vault = value
        case "json":
            call.form = Form.JSON
        case "jsonl":
            call.form = Form.JSONL
        case "timeout":
            if not 0 <= value <= _LONGEST_S:
                raise BadParameter(f"seconds from 0 to {_LONGEST_S:,}", ctx, param)
            call.timeout_s = value
        case "quiet":
            call.quiet = True
