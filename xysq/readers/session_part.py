"""What one record of a Claude Code session says, and who says it.

The words of a record are in few places: a text, the blocks of a message, the input of a tool, what a tool
answered. Whose words they are is decided by the record, not by its `type` alone: of a thousand `user` records
most are answers of tools, and reminders, summaries, prompts for sub-agents and notices stand there too.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from xysq.model.source import Role
from xysq.readers.json_place import Place, inside
from xysq.readers.recall import holds_recall, is_own_tool


class Literal(NamedTuple):
    """The inside of a string literal, in bytes of the record's line, and the string it is."""

    start: int
    end: int
    text: str


class Part(NamedTuple):
    """Literals that one speaker said in a record; `typed` where a person's turn may hold injected words.

    `answers` is the id of the tool use whose result this is.
    """

    role: Role
    literals: tuple[Literal, ...]
    speaker: str = ""
    typed: bool = False
    answers: str = ""
    own: bool = False


class ToolUse(NamedTuple):
    """The name of a tool that was used, and whether what it answers is our own recall."""

    name: str
    own: bool


def parts_of(value: dict[str, Any], places: Place) -> Iterator[Part]:
    """Yield what a record says, in the order of its bytes."""
    match value.get("type"):
        case "user" | "assistant":
            yield from _message(value, inside(places, "message", "content"))
        case "system":
            yield from _plain(Role.SYSTEM, value.get("content"), inside(places, "content"))
        case "summary":
            yield from _plain(Role.SYSTEM, value.get("summary"), inside(places, "summary"))
        case "attachment":
            yield from _attachment(value, inside(places, "attachment"))
        case _:
            return


def tool_uses(value: dict[str, Any]) -> Iterator[tuple[str, ToolUse]]:
    """Yield the id and the tool of each use in an assistant's record."""
    for block in _blocks(value):
        if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("id"), str):
            name = block.get("name")
            given = block.get("input")
            command = given.get("command") if isinstance(given, dict) else None
            shown = name if isinstance(name, str) else ""
            yield block["id"], ToolUse(shown, is_own_tool(shown, command if isinstance(command, str) else ""))


def answered(value: dict[str, Any]) -> Iterator[str]:
    """Yield the ids of the tool uses whose results a record brings."""
    for block in _blocks(value):
        if isinstance(block, dict) and block.get("type") == "tool_result" and isinstance(block.get("tool_use_id"), str):
            yield block["tool_use_id"]


def _blocks(value: dict[str, Any]) -> list[Any]:
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def _plain(role: Role, words: object, place: Place, *, typed: bool = False) -> Iterator[Part]:
    if isinstance(words, str) and isinstance(place, tuple) and words.strip():
        own = role is Role.SYSTEM and holds_recall(words)
        yield Part(role, (Literal(*place, words),), typed=typed, own=own)


def _message(value: dict[str, Any], places: Place) -> Iterator[Part]:
    message = value["message"] if isinstance(value.get("message"), dict) else {}
    content = message.get("content")
    role = _role(value, message)
    if isinstance(content, str):
        yield from _plain(role, content, places, typed=role is Role.USER)
    if not isinstance(content, list) or not isinstance(places, list):
        return
    for block, place in zip(content, places, strict=True):
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                yield from _plain(role, block.get("text"), inside(place, "text"), typed=role is Role.USER)
            case "thinking":
                yield from _plain(Role.OTHER, block.get("thinking"), inside(place, "thinking"))
            case "tool_use":
                literals = tuple(_strings(block.get("input"), inside(place, "input")))
                name = block.get("name")
                yield Part(Role.TOOL, literals, speaker=name if isinstance(name, str) else "")
            case "tool_result":
                literals = tuple(_result(block.get("content"), inside(place, "content")))
                answers = block.get("tool_use_id")
                own = any(holds_recall(literal.text) for literal in literals)
                yield Part(Role.TOOL, literals, answers=answers if isinstance(answers, str) else "", own=own)


def _role(value: dict[str, Any], message: dict[str, Any]) -> Role:
    """Return whose words the texts of a message are."""
    kind = value["type"]
    if message.get("role", kind) != kind:
        return Role.OTHER
    if kind == "assistant":
        made_up = value.get("isApiErrorMessage") or message.get("model") == "<synthetic>"
        return Role.SYSTEM if made_up else Role.ASSISTANT
    if value.get("isMeta") or value.get("isCompactSummary") or value.get("isVisibleInTranscriptOnly"):
        return Role.SYSTEM
    origin = value.get("origin")
    if isinstance(origin, dict) and origin.get("kind", "human") != "human":
        return Role.SYSTEM
    if value.get("isSidechain") or value.get("agentId"):
        return Role.ASSISTANT
    return Role.SYSTEM if any(answered(value)) or value.get("sourceToolUseID") else Role.USER


def _attachment(value: dict[str, Any], places: Place) -> Iterator[Part]:
    """Yield what was attached: a prompt typed while the assistant worked, or what a hook said."""
    attachment = value.get("attachment")
    if not isinstance(attachment, dict):
        return
    if attachment.get("type") == "queued_command":
        typed = attachment.get("commandMode", "prompt") == "prompt" and not value.get("isMeta")
        role = Role.SYSTEM if not typed else Role.ASSISTANT if value.get("isSidechain") else Role.USER
        yield from _plain(role, attachment.get("prompt"), inside(places, "prompt"), typed=role is Role.USER)
        return
    for name in ("content", "stdout", "stderr"):
        for literal in _result(attachment.get(name), inside(places, name)):
            yield from _plain(Role.SYSTEM, literal.text, (literal.start, literal.end))


def _result(content: object, places: Place) -> Iterator[Literal]:
    """Yield the texts of a tool's answer: a string, or the strings and text blocks of a list."""
    if isinstance(content, str) and isinstance(places, tuple):
        yield Literal(*places, content)
    elif isinstance(content, list) and isinstance(places, list):
        for item, place in zip(content, places, strict=True):
            if isinstance(item, str) and isinstance(place, tuple):
                yield Literal(*place, item)
            elif isinstance(item, dict):
                words, where = item.get("text"), inside(place, "text")
                if isinstance(words, str) and isinstance(where, tuple):
                    yield Literal(*where, words)


def _strings(value: object, places: Place) -> Iterator[Literal]:
    """Yield every string in a tool's input, in the order of its bytes."""
    waiting: list[tuple[object, Place]] = [(value, places)]
    while waiting:
        item, place = waiting.pop()
        if isinstance(item, str) and isinstance(place, tuple):
            yield Literal(*place, item)
        elif isinstance(item, dict) and isinstance(place, dict):
            waiting += reversed([(item[name], place.get(name)) for name in item])
        elif isinstance(item, list) and isinstance(place, list):
            waiting += reversed(list(zip(item, place, strict=True)))
