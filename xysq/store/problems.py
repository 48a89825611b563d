"""Problems: what went wrong where nobody was looking, kept so that somebody can be told.

A hook must never stop the program that calls it, so it ends well and writes here what it could not do. One line of
JSON each, the newest hundred; a line that cannot be read is dropped, because nothing was ever promised about it.
"""

from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadJson
from xysq.model.report import Problem
from xysq.store import layout
from xysq.store.files import Files

_KEPT = 100
_LONGEST = 500


def note(files: Files, problem: Problem) -> None:
    """Keep a problem behind those that are kept already."""
    kept = (*problems(files)[1 - _KEPT :], problem)
    lines = ({"at": one.at, "who": one.who, "what": one.what[:_LONGEST]} for one in kept)
    files.replace(layout.PROBLEMS, b"".join(canonical_json(line) + b"\n" for line in lines))


def problems(files: Files) -> tuple[Problem, ...]:
    """Return the problems that are kept, oldest first."""
    data = files.read_or_none(layout.PROBLEMS) or b""
    return tuple(found for line in data.split(b"\n") if (found := _parse(line)) is not None)


def _parse(line: bytes) -> Problem | None:
    try:
        value = parse_json(line)
    except BadJson:
        return None
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in ("at", "who", "what")):
        return None
    return Problem(at=value["at"], who=value["who"], what=value["what"])
