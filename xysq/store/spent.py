"""Spent: what drafting cost on each day, in this vault on this machine: one small file a day (UTC), the newest 400.

It bounds what may be spent and is told by `status`; nothing in the vault rests on it. A day's file that cannot be
read counts as nothing spent, and is told by `faults`.
"""

import re
from contextlib import suppress

from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadJson, BadWire, Damaged
from xysq.model.spending import Spending
from xysq.store import layout
from xysq.store.files import Files
from xysq.store.lock import SpentLock

_KEPT = 400
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.json")
_TIMEOUT_S = 10.0


def add(files: Files, day: str, more: Spending) -> None:
    """Count something as spent on a day; durable when this returns."""
    with SpentLock(files, _TIMEOUT_S):
        is_new = not files.exists(_path(day))
        whole = on_day(files, day) + more
        files.replace(_path(day), canonical_json(whole.to_wire()) + b"\n")
        if is_new:
            for old in days(files)[:-_KEPT]:
                files.remove(_path(old), sync=False)


def on_day(files: Files, day: str) -> Spending:
    """Return what was spent on a day."""
    with suppress(Damaged):
        return _load(files, day)
    return Spending()


def days(files: Files) -> tuple[str, ...]:
    """Return the days on which something was spent, oldest first."""
    return tuple(sorted(match[1] for name in files.list_dir(layout.SPENT) if (match := _DAY.fullmatch(name))))


def faults(files: Files) -> tuple[Damaged, ...]:
    """Return the days whose file cannot be read."""
    found = []
    for day in days(files):
        try:
            _load(files, day)
        except Damaged as damage:
            found.append(damage)
    return tuple(found)


def _load(files: Files, day: str) -> Spending:
    path = _path(day)
    data = files.read_or_none(path)
    if data is None:
        return Spending()
    try:
        return Spending.from_wire("spent", parse_json(data))
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None


def _path(day: str) -> str:
    return f"{layout.SPENT}/{day}.json"
