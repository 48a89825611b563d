"""Which format bytes are in, by their content.

Each format has to prove itself: a session by the shape of its records, turns by a clear majority of lines that
begin with one of a few names that come back, Markdown by its signs. What proves nothing is plain text, which can
be read and cited all the same. A file's name only tips the balance between Markdown and text.
"""

import re
from collections import Counter
from typing import NamedTuple

from xysq.model.settings import Me
from xysq.model.source import Role, SourceId
from xysq.readers.encoding import needs_view
from xysq.readers.moment import date_line
from xysq.readers.reading import read
from xysq.readers.request import CLAUDE_CODE, MARKDOWN, TEXT, TURNS, ReadRequest
from xysq.readers.session_record import Record, is_record, is_typical, records
from xysq.readers.speaker import is_nick, is_role_word, role_of
from xysq.readers.turn_line import Turn, turn_of
from xysq.readers.view import make_view

_SAMPLE = 256 * 1024
_FIRST, _MOST = 64 * 1024, 1024 * 1024
_SESSION_LINES = 60
_NOBODY = Me()
_SIGNS = {
    "heading": re.compile(r"#{1,6} \S"),
    "list": re.compile(r"\s{0,8}(?:[-*+]|[0-9]{1,3}\.) \S"),
    "fence": re.compile(r"\s{0,8}(?:```|~~~)"),
    "quote": re.compile(r"> \S"),
    "table": re.compile(r"\|.{1,400}\|\s{0,8}$"),
    "link": re.compile(r".{0,400}(?:\[\[[^\[\]]{1,100}\]\]|\]\([^()\s]{1,300}\))"),
    "emphasis": re.compile(r".{0,400}(?:\*\*[^*\s][^*]{0,200}\*\*|`[^`]{1,200}`)"),
}
_PERSON = re.compile(r"\b(?:I|I'm|my|we|you|your)\b")
_MARKDOWN_NAMES = (".md", ".markdown", ".mdown")
_PLAIN_NAMES = re.compile(r"[^.]*|.*\.(?:txt|text|log)")


class Identity(NamedTuple):
    """What a log says about itself: the key by which its source is known again, session, title, project."""

    key: str
    session: str
    title: str
    project: str


def detect(data: bytes, name: str) -> str:
    """Return the format of the bytes; `name` is the file's, as far as there is one."""
    sample = data[:_SAMPLE]
    if needs_view(data[: _SAMPLE * 8], line_records=True):
        sample = data = make_view(data[: _SAMPLE * 8]).text
    if _is_session(data):
        return CLAUDE_CODE
    text = sample.decode("utf-8", "replace").removeprefix("\ufeff")
    if len(data) > len(sample):
        text = text.rpartition("\n")[0]
    if text.count("\x00") * 100 > len(text) or (text[:1] in {"{", "["} and _is_json_like(text)):
        return TEXT
    lines = text.split("\n")
    if _are_turns(lines):
        return TURNS
    return MARKDOWN if _is_markdown(lines, name.lower()) else TEXT


def identify(name: str, data: bytes) -> Identity:
    """Return what bytes of a format say about themselves; only a session has a key of its own.

    The beginning tells it nearly always; a session's first lines may be longer than that.
    """
    said = _said(name, data[:_FIRST])
    is_enough = said.title and (said.key or name != CLAUDE_CODE)
    return said if is_enough or len(data) <= _FIRST else _said(name, data[:_MOST])


def _said(name: str, sample: bytes) -> Identity:
    view = make_view(sample) if needs_view(sample, line_records=name == CLAUDE_CODE) else None
    request = ReadRequest(source=SourceId(""), version=1, data=sample, format=name, enc_view=view)
    reading = read(request)
    return Identity(reading.key, reading.session, reading.title, reading.project)


def _is_session(data: bytes) -> bool:
    """Tell whether the first lines that can be read are records of a Claude Code session, one of them typical."""
    known = foreign = lines = start = 0
    typical = False
    while start < len(data) and lines < _SESSION_LINES:
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        for record in records(data[start:end], start):
            if isinstance(record, Record):
                known += is_record(record.value)
                foreign += not is_record(record.value)
                typical = typical or is_typical(record.value)
        lines += 1
        start = end + 1
        if not known and lines >= 20:
            return False
    return typical and known > 4 * foreign


def _is_json_like(text: str) -> bool:
    first = text[:400].split("\n", 1)[0].rstrip()
    return first.startswith(('{"', '[{"', '["')) or first in {"{", "["}


def _are_turns(lines: list[str]) -> bool:
    """Tell whether a clear majority of lines, or of paragraphs, begin with names that come back."""
    starts = paragraphs = paragraph_turns = 0
    found: list[Turn] = []
    blank, waits = True, False
    for line in lines:
        if not line.strip():
            blank = True
            continue
        begins, blank = blank, False
        if date_line(line):
            continue
        turn = turn_of(line)
        # Below a name alone on a line stand its words: they begin nothing.
        waited, waits = waits, turn is not None and not line[turn.words_at :].strip()
        if waited and turn is None:
            continue
        starts += 1
        paragraphs += begins
        if turn is not None:
            found.append(turn)
            paragraph_turns += begins
    names = Counter(turn.name for turn in found)
    roles = {role_of(name, _NOBODY) for name in names if is_role_word(name)}
    dialogue = Role.ASSISTANT in roles and Role.USER in roles
    if len(found) == starts and _is_short_talk(lines, found):
        return True
    stamped = {turn.name for turn in found if turn.stamp}
    recurring = sum(count for name, count in names.items() if count > 1 or name in stamped or is_role_word(name))
    if len(found) < (2 if dialogue or stamped else 3) or (not dialogue and recurring < 2):
        return False
    if recurring < 0.6 * len(found) or (len(names) < 2 and len(found) < 4):
        return False
    if all(is_nick(turn.name) and not turn.stamp for turn in found) and not _is_talk(lines, len(names)):
        return False
    return len(found) > 0.6 * starts or (paragraph_turns > 0.6 * paragraphs and paragraphs >= 2)


def _is_short_talk(lines: list[str], found: list[Turn]) -> bool:
    """Tell whether nothing but two or more named lines, in whole sentences, speak of I, you or we."""
    if len(found) < 2 or any(is_nick(turn.name) for turn in found):
        return False
    values = [line.partition(":")[2] for line in lines if line.strip() and not date_line(line)]
    spoken = sum(_PERSON.search(value) is not None for value in values)
    return spoken >= 1 and sum(len(value.split()) >= 3 for value in values) > 0.5 * len(values)


def _is_talk(lines: list[str], names: int) -> bool:
    """Tell whether `word: words` lines are a talk, not settings: several names, values of several words."""
    values = [line.partition(":")[2].split() for line in lines if line.strip()]
    return names >= 2 and sum(len(words) >= 3 for words in values) > 0.5 * len(values)


def _is_markdown(lines: list[str], name: str) -> bool:
    """Tell whether a text has Markdown's signs; under a Markdown file's name one of them is enough."""
    counts = {sign: sum(pattern.match(line) is not None for line in lines) for sign, pattern in _SIGNS.items()}
    kinds = sum(count > 0 for count in counts.values())
    if name.endswith(_MARKDOWN_NAMES):
        return kinds >= 1 or lines[0].rstrip() == "---"
    if not _PLAIN_NAMES.fullmatch(name.rpartition("/")[2]):
        return False
    structured = (counts["heading"] and _headings_stand_alone(lines)) or counts["fence"] >= 2
    return bool(structured) and kinds >= 2 and sum(counts.values()) >= 3


def _headings_stand_alone(lines: list[str]) -> bool:
    """Tell whether most lines like headings have a blank line behind or before them, as comments in code do not."""
    heading = _SIGNS["heading"]
    around = ["", *lines, ""]
    headings = [place for place in range(1, len(around) - 1) if heading.match(around[place])]
    alone = sum(not around[place + 1].strip() or not around[place - 1].strip() for place in headings)
    return alone > 0.6 * len(headings)
