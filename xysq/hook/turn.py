"""A moment of Claude Code's: what it tells its hooks on standard input, and what is done about it.

The transcript is pushed as far as it goes, durably and no more, so that a turn never waits for an index or a model.
Nothing that goes wrong reaches the caller: it is kept among the vault's problems, and the next moment tries again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xysq.canonical import parse_json
from xysq.errors import BadInput, BadJson, XysqError
from xysq.hook.claude_code import EVENTS
from xysq.jobs.opened import Opened
from xysq.model.report import Pushed, Wait
from xysq.vault.landing import Landing
from xysq.vault.unseen import note_unseen

MAX_BYTES = 1024 * 1024
_WHO = "hook claude-code"


def take(opened: Opened, told: bytes) -> Pushed | None:
    """Do what a moment asks for; None where that is nothing, or went wrong and was noted."""
    try:
        return _push(opened, _parsed(told))
    except XysqError as error:
        trouble = error.sentence
    except OSError as error:
        trouble = f"{error.filename or 'a file'}: {error.strerror or error}"
    note_unseen(opened, _WHO, trouble)
    return None


def _parsed(told: bytes) -> Mapping[str, Any]:
    try:
        value = parse_json(told, max_bytes=MAX_BYTES)
    except BadJson as error:
        raise BadInput(f"what the hook was told is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadInput("what the hook was told is no object")
    return value


def _push(opened: Opened, moment: Mapping[str, Any]) -> Pushed | None:
    if moment.get("hook_event_name") not in EVENTS:
        return None
    path = moment.get("transcript_path")
    if not isinstance(path, str) or not path:
        raise BadInput("the hook was told of no transcript")
    project = moment.get("cwd")
    with Landing(opened) as vault:
        return vault.push(Path(path), project=project if isinstance(project, str) else "", wait=Wait.LANDED)
