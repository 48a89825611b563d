"""Claude Code sessions: one object a line, one passage for each text, thought, tool use and tool answer in it.

A record's own id is its native id; its further passages add `/2`, `/3` …. The same id again (a session that was
compacted or resumed writes lines anew) is no new passage. The passages of a record share its bytes out among
them, in order, so that work can be cut at any passage.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from xysq.model.source import Certainty, Encoding, Role, Span, decode_span
from xysq.model.span import byte_range
from xysq.readers.cut import PASSAGE_BYTES, cut
from xysq.readers.injected import stretches
from xysq.readers.json_place import string_places, without_lone_surrogates
from xysq.readers.material import Collector, Material
from xysq.readers.moment import iso_moment
from xysq.readers.recall import holds_recall
from xysq.readers.request import CLAUDE_CODE, Reading, ReadRequest
from xysq.readers.session_part import Part, ToolUse, parts_of, tool_uses
from xysq.readers.session_record import SPOKEN, WITH_WORDS, Broken, Record, is_record, records
from xysq.readers.text import title_of

_TITLED = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}
_ESCAPE = re.compile(rb"\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)


class _Said(NamedTuple):
    """The spans of one passage to be, by whom."""

    role: Role
    speaker: str
    spans: tuple[Span, ...]
    own: bool


def read_claude_code(request: ReadRequest) -> Reading:
    """Read the records of a session."""
    return _Session(request).read()


def framed_claude_code(data: bytes) -> int:
    """Return the place behind the last line end."""
    return data.rfind(b"\n") + 1


class _Session:
    """Goes through the lines of a session."""

    def __init__(self, request: ReadRequest) -> None:
        self.request = request
        self.material = Material.of(request.data, request.start, request.enc_view)
        self.collector = Collector(request, self.material)
        self.seen: set[str] = set()
        self.tools = _Tools(request)
        self.about = _About()

    def read(self) -> Reading:
        for line in self.material.lines(0):
            data = self.material.data[line.start : line.end]
            for record in records(data, line.start) if data.strip() else ():
                if isinstance(record, Broken):
                    self.collector.report(record.start, record.reason)
                    continue
                if not is_record(record.value):
                    if record.value.get("type") in SPOKEN:
                        self.collector.report(record.start, "a record of another shape")
                    continue
                self.about.take(record.value)
                if record.value["type"] in WITH_WORDS:
                    self._take(record, line.next if record.end == line.start + len(data) else record.end)
        about = self.about
        first = next((one for one in self.collector.passages if one.role is Role.USER), None)
        return self.collector.reading(
            parsed_to=framed_claude_code(self.material.data),
            certainty=Certainty.LOG,
            title=about.title or (title_of(first.text) if first is not None else ""),
            project=about.project,
            session=about.session,
            key=about.key if self.material.begins_log else "",
        )

    def _take(self, record: Record, end: int) -> None:
        """Add the passages of a record that is not there yet."""
        value = record.value
        self.tools.learn(value)
        native = _native(value)
        if native:
            if native in self.seen or self.request.was_seen(native):
                return
            self.seen.add(native)
        places = string_places(without_lone_surrogates(self.material.data[record.start : record.end]))
        said = [one for part in parts_of(value, places) for one in self._said(part, record.start)]
        said.sort(key=_first_byte)
        at = _at(value)
        starts = [record.start, *(one.spans[0].start - self.material.base for one in said[1:]), end]
        for number, one in enumerate(said, 1):
            self.collector.add(
                start=starts[number - 1],
                end=max(starts[number], *(span.end - self.material.base for span in one.spans)),
                spans=one.spans,
                role=one.role,
                speaker=one.speaker,
                at=at,
                native=native if number == 1 or not native else f"{native}/{number}",
                own=one.own,
                session_kind="work",
            )

    def _said(self, part: Part, base: int) -> Iterator[_Said]:
        """Yield the passages of a part: whose words they are, in pieces that are not too long."""
        speaker, own = part.speaker, part.own
        if part.answers:
            tool = self.tools.used(part.answers)
            speaker, own = (tool.name, own or tool.own) if tool else (speaker, own)
        spans: list[Span] = []
        for literal in part.literals:
            start, end = base + literal.start, base + literal.end
            words = decode_span(self.material.data[start:end], Encoding.JSON)
            if words is None:
                self.collector.report(start, "a string with half of a surrogate pair")
            elif part.typed:
                yield from self._typed(Span(start=start, end=end, enc=Encoding.JSON, text=words))
            else:
                spans += self._spans(start, end)
        yield from _grouped(part.role, speaker, spans, own=own)

    def _typed(self, literal: Span) -> Iterator[_Said]:
        """Yield a person's words as one passage, and each thing that a program put between them as another."""
        data = self.material.data[literal.start : literal.end]
        typed: list[Span] = []
        for stretch in stretches(literal.text):
            spans = self._spans(*byte_range(literal, data, stretch.start, stretch.end))
            if stretch.injected:
                own = holds_recall(literal.text[stretch.start : stretch.end])
                yield from _grouped(Role.SYSTEM, "", spans, own=own)
            else:
                typed += spans
        yield from _grouped(Role.USER, "", typed, own=False)

    def _spans(self, start: int, end: int) -> list[Span]:
        """Cite the inside of a literal; in a text view escapes cannot be cited, so the words between them are."""
        material = self.material
        if material.view is None:
            found = [self._json_span(*piece) for piece in cut(material.data, start, end, Encoding.JSON)]
        else:
            between = _between_escapes(material.data, start, end)
            found = [material.span(*piece) for run in between for piece in cut(material.data, *run, Encoding.TEXT)]
        return [span for span in found if span is not None and span.text.strip()]

    def _json_span(self, start: int, end: int) -> Span | None:
        words = decode_span(self.material.data[start:end], Encoding.JSON)
        base = self.material.base
        return None if words is None else Span(start=base + start, end=base + end, enc=Encoding.JSON, text=words)


def _grouped(role: Role, speaker: str, spans: list[Span], *, own: bool) -> Iterator[_Said]:
    """Yield spans as passages of at most 32 KiB."""
    group: list[Span] = []
    size = 0
    for span in spans:
        if group and size + span.end - span.start > PASSAGE_BYTES:
            yield _Said(role, speaker, tuple(group), own)
            group, size = [], 0
        group.append(span)
        size += span.end - span.start
    if group:
        yield _Said(role, speaker, tuple(group), own)


def _between_escapes(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _ESCAPE.finditer(data, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _first_byte(said: _Said) -> int:
    return said.spans[0].start


def _native(value: dict[str, Any]) -> str:
    """Return a record's own id; a summary goes by the record it sums up to."""
    own = value.get("uuid")
    if isinstance(own, str):
        return own
    leaf = value.get("leafUuid")
    return f"summary:{leaf}" if value["type"] == "summary" and isinstance(leaf, str) else ""


def _at(value: dict[str, Any]) -> str | None:
    timestamp = value.get("timestamp")
    return iso_moment(timestamp) if isinstance(timestamp, str) else None


class _Tools:
    """Which tool a result answers: known from the uses before it, if need be from before this reading."""

    def __init__(self, request: ReadRequest) -> None:
        self.known: dict[str, ToolUse] = {}
        self.before = _uses_before(request)

    def learn(self, value: dict[str, Any]) -> None:
        """Take note of the uses in a record."""
        self.known.update(tool_uses(value))

    def used(self, name: str) -> ToolUse | None:
        """Return the tool whose use has this id."""
        while name not in self.known:
            use = next(self.before, None)
            if use is None:
                return None
            self.known.setdefault(*use)
        return self.known[name]


def _uses_before(request: ReadRequest) -> Iterator[tuple[str, ToolUse]]:
    """Yield the tool uses in the bytes before a reading, the last line first."""
    data = request.earlier()
    end = len(data)
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        if data.find(b'"tool_use"', start, end) >= 0:
            for record in records(data[start:end].rstrip(b"\r\n"), start):
                if isinstance(record, Record) and is_record(record.value):
                    yield from tool_uses(record.value)
        end = start


class _About:
    """Gathers what a session says about itself: the first id and directory, the last title it was given."""

    def __init__(self) -> None:
        self.key = self.session = self.title = self.project = ""

    def take(self, value: dict[str, Any]) -> None:
        """Look at a record."""
        session, agent, project = (_text(value, name) for name in ("sessionId", "agentId", "cwd"))
        if value["type"] in SPOKEN and not self.key and session:
            self.session = session
            self.key = f"{CLAUDE_CODE}:{session}"
            if agent and value.get("isSidechain") is True:
                self.key += f":{agent}"
        self.project = self.project or project
        if value["type"] in _TITLED:
            self.title = title_of(_text(value, _TITLED[value["type"]])) or self.title


def _text(value: dict[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
