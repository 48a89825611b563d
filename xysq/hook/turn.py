"""A moment of Claude Code's: what it tells its hooks on standard input, and what is done about it.

The transcript is pushed as far as it goes, durably and no more, so that a turn never waits for an index or a model.
Nothing that goes wrong reaches the caller: it is kept among the vault's problems, and the next moment tries again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from xysq.canonical import parse_json
from xysq.errors import BadInput, BadJson, named
from xysq.hook.claude_code import PUSHING
from xysq.jobs.opened import Opened
from xysq.model.report import Pushed, Wait
from xysq.readers.request import CLAUDE_CODE
from xysq.vault import place
from xysq.vault.landing import Landing
from xysq.vault.options import PushOptions
from xysq.vault.unseen import note_unseen

MAX_BYTES = 1024 * 1024
_WHO = "hook claude-code"

Moment = Mapping[str, Any]
T = TypeVar("T")


def unseen(opened: Opened, work: Callable[[], T]) -> T | None:
    """Do some work; what goes wrong in it is kept for `xysq doctor`, and None is returned."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the one place of this surface where everything ends
        note_unseen(opened, _WHO, named(error).sentence)
    return None


def moment_of(told: bytes) -> Moment:
    """Read what a hook is told; `BadInput` where it is nothing that Claude Code says."""
    try:
        value = parse_json(told, max_bytes=MAX_BYTES)
    except BadJson as error:
        raise BadInput(f"what the hook was told is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadInput("what the hook was told is no object")
    return value


def take(opened: Opened, moment: Moment) -> Pushed | None:
    """Push the transcript where that is what a moment asks for; else None."""
    if moment.get("hook_event_name") not in PUSHING:
        return None
    path = moment.get("transcript_path")
    if not isinstance(path, str) or not path:
        raise BadInput("the hook was told of no transcript")
    project = project_of(moment)
    options = PushOptions(
        # Of a session that has just begun there may be half a record, which would not be known for one.
        format=CLAUDE_CODE,
        project="" if project is None else str(project),
        wait=Wait.LANDED,
    )
    with Landing(opened) as vault:
        return vault.push(Path(path), **options)


def project_of(moment: Moment) -> Path | None:
    """Return the project that is worked on in a moment; None where it does not tell."""
    directory = moment.get("cwd")
    return place.project_of(Path(directory)) if isinstance(directory, str) and directory else None
