"""`xysq push`: keep files word for word."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, assert_never

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import ident, line
from xysq.cli.render_push import stored
from xysq.errors import BadInput, XysqError
from xysq.frozen import frozen
from xysq.model.report import Pushed, Wait
from xysq.vault.landing import Landing
from xysq.vault.options import PushOptions

_STDIN = "-"
_OF_THE_FILE = (1, 2)  # statuses of errors that say nothing about the next file


@frozen(kw_only=False)
class _Failed:
    """An argument that could not be pushed."""

    path: str
    error: XysqError


def run(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files, or - for standard input.")],
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="NAME|ID", help="The source it belongs to; the first use makes it."),
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Add to the end of the source.")] = False,
    said_as: Annotated[
        str | None, typer.Option("--as", metavar="me|NAME", help="Whose words a text without turns is.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="WORDS", help="What to call it.")] = None,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="How to read it; found out without it.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="When it was said, where the file does not tell.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="DIR", help="The directory it is about.")] = None,
    wait: Annotated[
        Wait, typer.Option("--wait", help="Answer when it is durable, searchable or distilled.")
    ] = Wait.INDEXED,
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Folders, with all files in them.")] = False,
) -> int:
    """Keep files word for word, and print SOURCE@VERSION for each.

    A known source gets a new version; of a file that has grown only the new bytes are stored.
    """
    desk = Desk(ctx)
    options = PushOptions(
        source=source,
        append=append,
        said_as=said_as,
        title=title,
        format=format_,
        at=None if at is None else _time(at),
        project=project,
        wait=Wait.LANDED,
    )
    paths = list(_named_files(files, recursive=recursive, desk=desk))
    with desk.vault(_kind(wait)) as vault:
        return _push(desk, vault, paths, options, wait)


def _kind(wait: Wait) -> type[Landing]:
    """Return as much of a vault as is waited for: a hook that only lands must not pay for the rest."""
    match wait:
        case Wait.LANDED:
            return Landing
        case Wait.INDEXED:
            from xysq.vault.indexing import Indexing

            return Indexing
        case Wait.DISTILLED:
            from xysq.vault.api import Vault

            return Vault
        case _:
            assert_never(wait)


def _push(desk: Desk, vault: Landing, paths: Sequence[str], options: PushOptions, wait: Wait) -> int:
    """Land one after the other, telling each as soon as it is durable; then see to all of them together."""
    pushed: list[Pushed] = []
    failed: list[_Failed] = []
    for path in paths:
        try:
            pushed.append(_one(vault, path, options))
        except XysqError as error:
            if len(paths) == 1:
                raise
            failed.append(_Failed(path, error))
            if error.exit_status not in _OF_THE_FILE:
                break
        else:
            if not desk.is_json:
                desk.output.lines([line(ident(str(pushed[-1].version)))])
    left = None
    try:
        pushed = list(vault.follow(pushed, wait))
    except XysqError as error:
        if not desk.is_json:
            raise
        left = error
    if desk.is_json:
        desk.output.document(_document(pushed, failed, left))
    for one in failed:
        desk.output.warn(f"xysq: {one.path}: {one.error.sentence}")
    if left is not None:
        return left.exit_status
    if pushed:
        desk.output.say(stored(pushed, is_searchable=wait is not Wait.LANDED))
    return _status(failed)


def _document(pushed: Sequence[Pushed], failed: Sequence[_Failed], left: XysqError | None) -> dict[str, Any]:
    """Return everything as one document; `left` is what went wrong after the bytes were kept."""
    errors = [{"path": one.path, "error": one.error.told()} for one in failed]
    document: dict[str, Any] = {"pushed": list(pushed), "failed": errors}
    return document if left is None else document | {"error": left.told()}


def _status(failed: Sequence[_Failed]) -> int:
    """Return 0, 1 where only some arguments failed, or the status of what ended it all."""
    if not failed:
        return 0
    last = failed[-1].error.exit_status
    return 1 if last in _OF_THE_FILE else last


def _one(vault: Landing, path: str, options: PushOptions) -> Pushed:
    if path == _STDIN:
        return vault.push_text(sys.stdin.buffer.read(), **options)
    return vault.push(path, **options)


def _named_files(names: Sequence[str], *, recursive: bool, desk: Desk) -> Iterator[str]:
    """Yield the files that arguments name, those of folders in the order of their names."""
    for name in names:
        if name == _STDIN or not Path(name).is_dir():
            yield name
        elif not recursive:
            raise BadInput(f"{name} is a folder", f"to keep every file in it: xysq push --recursive {name}")
        else:
            yield from _files_below(name, desk)


def _files_below(folder: str, desk: Desk) -> Iterator[str]:
    """Yield the regular files below a folder; what is hidden is left out and no link is followed."""
    left = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if name.startswith(".") or not stat.S_ISREG(path.lstat().st_mode):
                left += 1
            else:
                yield str(path)
    if left:
        desk.output.say(f"left out {left:,} below {folder}: hidden files, links, and what is no file")


def _time(words: str) -> datetime:
    try:
        return datetime.fromisoformat(words).astimezone()
    except (ValueError, OverflowError):
        raise BadInput(f"--at {words!r} is no time", "write it as 2026-11-30 or 2026-11-30T18:02") from None
