"""The first line of a turn: who speaks, when, and where the words begin.

The forms: `Name: words`, `**Name:** words`, `Name (time): words`, `[time] Name: words`, `time - Name: words`,
`[time] <nick> words`, and alone on a line `Name:`, `Name  0:45`, `**Name**  0:45` and `_**Name (time)**_`.
A line is judged by itself; expressions look at its first 240 characters only, and every repetition is bounded.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from xysq.pattern import late
from xysq.readers.speaker import is_name, is_nick, is_number, is_role_word, said_by

_LOOK = 240
_SPACE = "[ \t\u00a0\u202f]"
_STAMP = (
    rf"[\[(]?(?P<stamp>(?=[0-9]{{1,4}}[:/.-])[0-9](?:[0-9:./,T+-]|{_SPACE}){{2,30}}?(?:{_SPACE}?[AaPp]\.?{_SPACE}?[Mm]\b\.?)?"
    rf"(?:{_SPACE}?(?:Z|UTC|GMT))?)[\])]?(?P<gap>{_SPACE}{{0,3}}[-–—|]{_SPACE}{{1,3}}|{_SPACE}{{1,3}})"
)
_NAME = r"(?P<name>[^\s:<>\[\]{}()\"=/\\`#|][^:<>\[\]{}()\"=/\\`#|\t]{0,39}?)"
_INNER = rf"(?:{_SPACE}{{0,2}}\((?P<inner>[0-9](?:[0-9:./,TZhms+-]|{_SPACE}){{1,30}}(?:[AaPp]\.?[Mm]\.?)?)\))?"
_TURN = late(
    rf"\u200e?(?:{_STAMP})?\u200e?[*_]{{0,3}}{_NAME}[*_]{{0,3}}{_INNER}[*_]{{0,3}}:[*_]{{0,3}}(?:{_SPACE}{{1,8}}|(?=\.?$))"
)
_CHAT = late(rf"(?:{_STAMP})<[@+%~&]?(?P<name>[^<>\s]{{1,40}})>(?:{_SPACE}{{1,8}}|$)")
_HEADER = late(
    rf"(?:\*\*{_NAME}\*\*{_SPACE}{{1,8}}|(?P<bare>[A-Z][^:<>\[\]{{}}()\"=/\\`#|\t]{{0,39}}?){_SPACE}{{2,8}})"
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s*$"
)
_BOLD_HEADER = late(
    rf"_\*\*{_NAME}(?:{_SPACE}{{1,2}}\((?:[^()\n]{{0,60}}?{_SPACE})??(?P<inner>[0-9](?:[0-9:./,TZ+-]|{_SPACE}){{1,30}})\))?\*\*_\s*$"
)
_NOTICE = late(rf"(?:{_STAMP}(?:===|\*{{1,3}}|-!-|-->|<--)|===|-!-){_SPACE}")
_WHEN = (
    rf"[0-9]{{1,4}}[/.-][0-9]{{1,2}}[/.-][0-9]{{1,4}}(?:,?{_SPACE}{{1,2}}|T)"
    rf"[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:{_SPACE}?[AaPp]\.?{_SPACE}?[Mm]\.?)?"
)
_DATED = late(rf"\u200e?(?:\[{_WHEN}\]{_SPACE}?|{_WHEN}{_SPACE}{{1,2}}[-–]{_SPACE})\S")


class Turn(NamedTuple):
    """The first line of a turn: whose, when (the stamp as written), and where in the line the words begin."""

    name: str
    stamp: str
    words_at: int


def turn_of(line: str, *, nicks: bool = True) -> Turn | None:
    """Return the turn that a line begins; `nicks` allows for lower-case names without a time."""
    look = line[:_LOOK].rstrip("\r")
    for form in _headers(look):
        header = form().match(look)
        if header:
            groups = header.groupdict()
            name = said_by(groups["name"] or groups.get("bare") or "")
            stamp = groups.get("stamp") or groups.get("inner") or ""
            return Turn(name, stamp, header.end()) if is_name(name, stamped=form is not _HEADER) else None
    match = _TURN().match(look) if ":" in look else None
    return _plain_turn(match, nicks=nicks) if match else None


def _headers(look: str) -> Iterator[Callable[[], re.Pattern[str]]]:
    """Yield the forms that a line may have by the signs none of them can do without: most lines have none."""
    if "<" in look:
        yield _CHAT
    if look.startswith("_"):
        yield _BOLD_HEADER
    if look.rstrip()[-1:].isdecimal():
        yield _HEADER


def _plain_turn(match: re.Match[str], *, nicks: bool) -> Turn | None:
    name = said_by(match["name"])
    stamp = match["stamp"] or match["inner"] or ""
    may = _may_speak_then(match, name) if stamp else _may_speak(match, name, nicks=nicks)
    return Turn(name, stamp, match.end()) if may else None


def _may_speak_then(match: re.Match[str], name: str) -> bool:
    """Tell whether a name may stand behind a time; a log's lower-case one behind a bare time is a program's."""
    marked = match["inner"] or match["gap"].strip() or match.string[0] in "[(\u200e"
    return is_number(name) or (is_name(name, stamped=True) and (bool(marked) or not name[0].islower()))


def _may_speak(match: re.Match[str], name: str, *, nicks: bool) -> bool:
    """Tell whether a name may stand alone before its colon; one without words must look more like a name."""
    has_words = match.end() < len(match.string.rstrip())
    if is_name(name, stamped=False):
        return has_words or not name[0].islower() or is_role_word(name)
    return nicks and has_words and is_nick(name) and is_name(name.capitalize(), stamped=False)


def is_notice(line: str) -> bool:
    """Tell whether a line is a chat program's own: who came, left or changed names; dated, but nobody's words."""
    look = line[:_LOOK]
    return _NOTICE().match(look) is not None or _DATED().match(look) is not None
