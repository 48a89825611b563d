"""Backlog: the sessions that were there before anybody pushed them, taken in and told."""

from collections.abc import Sequence
from dataclasses import replace

from xysq.cli.desk import Desk
from xysq.cli.line import ident, line
from xysq.cli.progress import Progress
from xysq.cli.render_push import stored
from xysq.model.report import Wait
from xysq.vault.importing import Imported, Importing, Waiting

_SOME_FAILED = 1


def take_in(desk: Desk, waiting: Sequence[Waiting]) -> int:
    """Push files one after the other, telling each as soon as it is durable; then make all of them searchable.

    Returns 0, or 1 where some could not be taken in.
    """
    done: list[Imported] = []
    with desk.vault(Importing) as vault, Progress(desk.output, "sessions") as progress:
        for count, one in enumerate(vault.import_iter(waiting), start=1):
            done.append(one)
            if one.pushed is not None and not desk.is_json:
                progress.clear()
                desk.output.lines([line(ident(str(one.pushed.version)))])
            progress(count, len(waiting))
        landed = [one.pushed for one in done if one.pushed is not None]
        pushed = vault.follow(landed, Wait.INDEXED)
    counts = {one.version: one for one in pushed}
    kept = [replace(one, pushed=counts[one.pushed.version]) for one in done if one.pushed is not None]
    failed = [one for one in done if one.error is not None]
    if desk.is_json:
        told = [{"path": str(one.path), "error": one.error.told()} for one in failed if one.error is not None]
        desk.output.document({"imported": kept, "failed": told})
    for one in failed:
        desk.output.warn(f"xysq: {'' if one.error is None else one.error.sentence}")
    desk.output.say(stored(pushed, is_searchable=True) if pushed else "nothing to import")
    return _SOME_FAILED if failed else 0
