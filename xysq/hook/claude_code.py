"""Claude Code: its settings call us when a session starts, a turn ends, before it compacts and when a session ends.

Its settings file has, under `hooks`, a list for each event; an item of that list holds the commands to run. Ours are
known by their words `hook run claude-code`. Everything else in the file stays byte for byte.
"""

from collections.abc import Mapping
from typing import Any

from xysq.errors import BadInput, BadJson
from xysq.hook.json_text import Node, insert, locate, read, remove

START = "SessionStart"
PUSHING = ("Stop", "PreCompact", "SessionEnd")
EVENTS = (START, *PUSHING)
OURS = "hook run claude-code"
_KEY = "hooks"
_TIMEOUT_S = 30


class BadSettingsFile(BadInput):
    """The settings of another program are not as that program writes them; they were left as they are."""

    code = "foreign-settings"

    def __init__(self, problem: str) -> None:
        """Say what is wrong."""
        super().__init__(f"the settings {problem}; they were left as they are", "mend the file, then try again")


def installed(text: str, command: str) -> str:
    """Return settings in which the command is called at every event, and no older one of ours."""
    if commands(text) == dict.fromkeys(EVENTS, (command,)):
        return text
    text = removed(text)
    for event in EVENTS:
        text = _with_hook(text if text.strip() else "{}\n", event, command)
    return text


def removed(text: str) -> str:
    """Return settings without anything of ours; lists that only held it go too."""
    _checked(text)
    while (found := _first_of_ours(text)) is not None:
        text = _without(text, found)
    return text


def commands(text: str) -> dict[str, tuple[str, ...]]:
    """Return our commands by event."""
    found: dict[str, tuple[str, ...]] = {}
    for event, groups in _checked(text).items():
        ours = tuple(hook["command"] for group in groups for hook in _hooks_of(group) if _is_ours(hook))
        if ours:
            found[event] = ours
    return found


def _checked(text: str) -> Mapping[str, list[Any]]:
    """Return the hooks of settings by event."""
    try:
        settings = read(text) if text.strip() else {}
    except BadJson as error:
        raise BadSettingsFile(f"are not JSON ({error})") from None
    if not isinstance(settings, dict):
        raise BadSettingsFile("are not an object")
    hooks = settings.get(_KEY, {})
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise BadSettingsFile("have hooks of another shape than this version knows")
    return hooks


def _hooks_of(group: object) -> list[Any]:
    hooks = group.get(_KEY) if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def _is_ours(hook: object) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and OURS in command


def _with_hook(text: str, event: str, command: str) -> str:
    group = {_KEY: [{"type": "command", "command": command, "timeout": _TIMEOUT_S}]}
    root = locate(text)
    hooks = root.child(_KEY)
    if hooks is None:
        return insert(text, root, {event: [group]}, _KEY)
    groups = hooks.child(event)
    return insert(text, hooks, [group], event) if groups is None else insert(text, groups, group)


def _first_of_ours(text: str) -> tuple[str, int, int] | None:
    """Return the event, group and place of the first command of ours."""
    for event, groups in _checked(text).items():
        for number, group in enumerate(groups):
            for place, hook in enumerate(_hooks_of(group)):
                if _is_ours(hook):
                    return event, number, place
    return None


def _without(text: str, found: tuple[str, int, int]) -> str:
    """Take one command out, and each container that would be left with nothing in it."""
    event, number, place = found
    root = locate(text)
    hooks = _there(root.child(_KEY))
    groups = _there(hooks.child(event))
    inner = _there(groups.children[number].child(_KEY))
    for container, child in (
        (inner, place),
        (groups, number),
        (hooks, hooks.keys.index(event)),
        (root, root.keys.index(_KEY)),
    ):
        if len(container.children) > 1 or container is root:
            return remove(text, container, child)
    return text


def _there(node: Node | None) -> Node:
    if node is None:
        raise BadSettingsFile("changed while they were read")
    return node
