"""`xysq correct`: say once what is right."""

import sys
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.editor import edited
from xysq.cli.line import Line, faint, ident, line
from xysq.cli.render_run import run_report
from xysq.errors import BadInput
from xysq.model.report import Corrected
from xysq.vault import place
from xysq.vault.correcting import Correcting

_STDIN = "-"
_REFUSED = 5


def run(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="SOURCE|FACT", help="What is wrong.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|NEW-TEXT]", help="A source's new file (- for standard input); a fact's new text."
        ),
    ] = None,
    replace: Annotated[
        tuple[str, str] | None,
        typer.Option("--replace", metavar="OLD NEW", help="Words of a source, and the right ones."),
    ] = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Wherever the words stand.")] = False,
    passage: Annotated[int | None, typer.Option("--passage", metavar="K", min=1, help="In passage K only.")] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Close the fact; nothing takes its place.")] = False,
    edit: Annotated[bool, typer.Option("--edit", help="Open the source in your editor.")] = False,
) -> int:
    """Correct a source or a fact, without any model.

    A corrected source is a new version: whatever rested on words that went is closed in the same step, and stays
    closed. A fact is superseded by its new text, or closed with --wrong. Ends with 5 where the gates refused it.
    """
    desk = Desk(ctx)
    given = words or []
    if (replace is not None) + wrong + edit + bool(given) != 1:
        raise BadInput("say one thing: a new text or file, --replace, --edit or --wrong", "xysq correct --help")
    if (everywhere or passage is not None) and replace is None:
        raise BadInput("--all and --passage belong to --replace")
    with desk.vault(Correcting) as vault:
        if replace is not None:
            done = vault.correct(what, replace=replace, everywhere=everywhere, passage=passage)
        elif what.startswith("f-") or wrong:
            done = vault.correct(what, None if wrong else " ".join(given), wrong=wrong)
        else:
            done = vault.correct(what, data=_edited(desk, vault, what) if edit else _read(given))
    desk.answer(done, _lines(done))
    if done.run is None:
        desk.output.say("unchanged: the source has these bytes already")
        return 0
    return _REFUSED if done.run.refusals else 0


def _read(given: list[str]) -> bytes:
    if len(given) != 1:
        raise BadInput("a source is corrected by one file", "a fact is named by its id: f-…")
    return sys.stdin.buffer.read() if given[0] == _STDIN else place.read_file(place.path_of(given[0]))


def _edited(desk: Desk, vault: Correcting, what: str) -> bytes:
    if not desk.may_ask:
        raise BadInput("--edit needs a terminal", "--replace OLD NEW, or give the corrected file")
    try:
        text = vault.source_bytes(what).decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{what} is not UTF-8, so no editor would keep it", "give the corrected file") from None
    return edited(text).encode("utf-8")


def _lines(done: Corrected) -> list[Line]:
    version = [] if done.version is None else [line(ident(str(done.version)), faint("  corrected"))]
    return [*version, *(() if done.run is None else run_report(done.run))]
