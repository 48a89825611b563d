"""Replies: what a tool answers, as data and as short text, and never more than a model can read at once.

Text is for people and models: control characters are shown as escapes. Data is JSON, which UTF-8 can spell.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from xysq.errors import BadInput, BadWire, Bug, XysqError, named
from xysq.frozen import frozen
from xysq.text import encodable, safe_json, safe_line, safe_text, tokens

MOST_TOKENS = 6_000
ARGUMENTS = "arguments"  # what errors call the object a tool is given
_CUT = "…"
_NOTICES, _NOTICE_TOKENS = 5, 80


@frozen
class Reply:
    """What a tool answers."""

    data: Mapping[str, Any]
    text: str
    is_error: bool = False


def answered(data: Mapping[str, Any], lines: Iterable[str], notices: Iterable[str] = ()) -> Reply:
    """Return a reply of data and the same in lines; notices are what a person should be told about."""
    told = [cut(notice, _NOTICE_TOKENS) for notice in notices][:_NOTICES]
    whole = {**data, "notices": told} if told else dict(data)
    text = "\n".join((*lines, *(f"note: {notice}" for notice in told)))
    return Reply(data=spellable(whole), text=encodable(cut(safe_text(text), MOST_TOKENS)))


def as_json(data: Mapping[str, Any]) -> Reply:
    """Return a reply whose text is its data, for connectors that read only that."""
    spelled = spellable(data)
    return Reply(data=spelled, text=safe_json(json.dumps(spelled, ensure_ascii=False)))


def failed(error: XysqError, data: Mapping[str, Any] | None = None) -> Reply:
    """Return the reply that tells of an error, with what was done all the same."""
    told = error.told()
    text = f"{told['code']}: {safe_line(told['message'])}"
    hint = f"\nhint: {safe_text(told['hint'])}" if told["hint"] else ""
    return Reply(data=spellable({**(data or {}), "error": told}), text=encodable(text + hint), is_error=True)


def guarded(work: Callable[[], Reply], data: Mapping[str, Any] | None = None) -> Reply:
    """Return the reply of some work; whatever goes wrong in it is a reply too, and never the end of the server."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the one place of this surface where everything ends
        return failed(_named(error), data)


def _named(error: Exception) -> XysqError:
    if isinstance(error, BadWire) and error.where.partition(".")[0] == ARGUMENTS:
        return BadInput(str(error))
    found = named(error)
    if isinstance(found, Bug) and os.environ.get("XYSQ_DEBUG"):
        sys.excepthook(type(error), error, error.__traceback__)
    return found


def spellable(value: Any) -> Any:  # noqa: ANN401 - JSON is any value
    """Return a JSON value in which every text can be spelled in UTF-8."""
    match value:
        case str():
            return encodable(value)
        case Mapping():
            return {encodable(str(key)): spellable(item) for key, item in value.items()}
        case list() | tuple():
            return [spellable(item) for item in value]
        case _:
            return value


def fitting(items: Iterable[Any], most: int = MOST_TOKENS) -> tuple[list[Any], int]:
    """Return as many of the first items as have so many tokens together, spelled as JSON, and how many are left out."""
    kept: list[Any] = []
    every = list(items)
    for item in every:
        most -= tokens(json.dumps(spellable(item), ensure_ascii=False))
        if most < 0 and kept:
            break
        kept.append(item)
    return kept, len(every) - len(kept)


def shortened(lists: Mapping[str, Sequence[Any]], most: int = MOST_TOKENS) -> dict[str, Any]:
    """Return lists that share so many tokens, each with its first items; under `left_out`, how many are missing."""
    shown: dict[str, Any] = {}
    missing: dict[str, int] = {}
    for place, (name, items) in enumerate(lists.items()):
        shown[name], more = fitting(items, most // (len(lists) - place))
        most -= sum(tokens(json.dumps(spellable(item), ensure_ascii=False)) for item in shown[name])
        if more:
            missing[name] = more
    return {**shown, "left_out": missing} if missing else shown


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, with an ellipsis where something is left out; it has at most so many tokens."""
    if tokens(text) <= most:
        return text
    end = len(text)
    while tokens(text[:end]) > most - 1:
        end = min(end - 1, end * 7 // 8)
    return text[:end] + _CUT


def left_out(count: int, what: str, hint: str) -> list[str]:
    """Return the line that says how many were left out, and what shows them; none where all are there."""
    return [f"{count:,} more {what} left out; {hint}"] if count else []


def listed(items: Iterable[Any], spell: Callable[[Any], str]) -> list[str]:
    """Return one line for each item."""
    return [f"- {spell(item)}" for item in items]
