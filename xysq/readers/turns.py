"""Transcripts of turns: one passage a turn, whoever's it is.

Further paragraphs of a turn are further passages of the same speaker. A line that is only a date, with a turn
behind it, is a passage of its own and gives the day of what follows. A name without words waits for the words
below it. Nobody's turn begins between code fences. Everything that a line's meaning depends on is in the lines just
before and behind it, in its fence or in the last passage, so a transcript that grows is read on from the last turn
that was finished by another.
"""

from dataclasses import replace
from typing import NamedTuple

from xysq.model.source import Certainty, Passage, Role
from xysq.readers.fenced import fences
from xysq.readers.material import Collector, Line, Material
from xysq.readers.moment import date_line, stamp_moment
from xysq.readers.paragraph import Paragraph, paragraphs
from xysq.readers.request import Reading, ReadRequest
from xysq.readers.speaker import is_nick, role_of
from xysq.readers.text import title_of
from xysq.readers.turn_line import Turn, is_notice, turn_of

_DATE_SIGNS = frozenset("/-.")


class _Segment(NamedTuple):
    """Lines that belong together: a turn's, or one date line, or one notice, or the rest of somebody's words."""

    lines: list[Line]
    turn: Turn | None = None
    date: str | None = None
    notice: bool = False
    own: bool = False


def read_turns(request: ReadRequest) -> Reading:
    """Read turns."""
    return _Turns(request).read()


class _Turns:
    """Goes through the lines; `held` is a date or a name whose meaning the next line decides."""

    def __init__(self, request: ReadRequest) -> None:
        self.request = request
        self.material = Material.of(request.data, request.start, request.enc_view)
        self.collector = Collector(request, self.material)
        self.fences = fences(self.material)
        self.held: _Segment | None = None
        self.finished = 0

    def read(self) -> Reading:
        last = self.material.first
        for paragraph in paragraphs(self.material, self.request.previous):
            self._blank(last, paragraph.start)
            if paragraph.own:
                self._take(_Segment(list(paragraph.lines), own=True))
            else:
                self._cut(paragraph)
            last = paragraph.lines[-1].next
        self._blank(last, len(self.material.data))
        self._release(before_turn=True)
        passages = self.collector.passages
        kind = _session_kind(passages, self.request.previous)
        return self.collector.reading(
            parsed_to=self.finished,
            certainty=Certainty.LOCAL,
            title=title_of(passages[0].text) if passages and self.material.begins_log else "",
            finish=lambda passage: replace(passage, session_kind=kind),
        )

    def _blank(self, begin: int, following: int) -> None:
        """Finish what stands before the complete blank lines in a gap, unless the next line is waited for."""
        end = self.material.data.rfind(b"\n", begin, following) + 1
        if end > begin and self.held is None:
            self._finish(end)

    def _finish(self, place: int) -> None:
        if self.fences.allow(place):
            self.finished = place

    def _cut(self, paragraph: Paragraph) -> None:
        """Take the segments of a paragraph."""
        current: _Segment | None = None
        for place, line in enumerate(paragraph.lines):
            words = "" if self.fences.hold(line.start) else self._words(line)
            date = date_line(words)
            nicks = self._may_be_nicks(current)
            turn = None if date else turn_of(words, nicks=nicks)
            if turn is None and current is not None and current.date is None and not current.notice:
                following = paragraph.lines[place + 1] if place + 1 < len(paragraph.lines) else None
                if not is_notice(words) and not (date and following and turn_of(self._words(following))):
                    current.lines.append(line)
                    continue
            if current is not None:
                self._take(current)
            # What was just taken may have had no words, and then somebody else spoke last.
            if turn is not None and nicks != self._may_be_nicks(None):
                turn = turn_of(words, nicks=not nicks)
            if turn is not None and line.whole:
                self._release(before_turn=True)
                self._finish(line.start)
            current = _Segment([line], turn, date, notice=turn is None and date is None and is_notice(words))
        if current is not None:
            self._take(current)

    def _words(self, line: Line) -> str:
        return self.material.data[line.start : line.end].decode("utf-8", "replace")

    def _speaker(self, current: _Segment | None) -> str:
        """Return who speaks last: in the segment being read, else in the last passage."""
        if current is None or (current.turn is None and current.date is None and not current.notice):
            return self.collector.previous.speaker if self.collector.previous is not None else ""
        return current.turn.name if current.turn is not None else ""

    def _may_be_nicks(self, current: _Segment | None) -> bool:
        """Tell whether lower-case names may speak: they are for talks among such names only."""
        speaker = self._speaker(current)
        return not speaker or is_nick(speaker)

    def _take(self, segment: _Segment) -> None:
        """Add a segment's passage; hold it where only the next one tells what it is."""
        if segment.turn is None and segment.date is None and not segment.notice:
            turn = self.held.turn if self.held is not None else None
            start = self.held.lines[0].start if self.held is not None and turn is not None else segment.lines[0].start
            self._release(before_turn=False)
            self._add(segment._replace(turn=turn), start, segment.lines[0].start)
            return
        self._release(before_turn=True)
        words_at = self._words_at(segment)
        if segment.date is not None or (segment.turn is not None and self._is_empty(segment, words_at)):
            self.held = segment
        else:
            self._add(segment, segment.lines[0].start, words_at)

    def _release(self, *, before_turn: bool) -> None:
        """Add a date that was held: as a date before a turn, else as words of who spoke last; forget a bare name."""
        held, self.held = self.held, None
        if held is not None and held.date is not None:
            start = held.lines[0].start
            self._add(held if before_turn else held._replace(date=None), start, start)

    def _words_at(self, segment: _Segment) -> int:
        line = segment.lines[0]
        if segment.turn is None:
            return line.start
        return min(line.end, line.start + len(self._words(line)[: segment.turn.words_at].encode("utf-8")))

    def _is_empty(self, segment: _Segment, words_at: int) -> bool:
        start, end = self.material.trimmed(words_at, segment.lines[-1].end)
        return start == end

    def _add(self, segment: _Segment, start: int, words_at: int) -> None:
        previous = self.collector.previous
        speaker, role, at = (previous.speaker, previous.role, previous.at) if previous else ("", Role.OTHER, None)
        if segment.turn is not None:
            speaker = segment.turn.name
            role = role_of(speaker, self.request.me)
            at = _moment(segment.turn.stamp, at)
        elif segment.date is not None or segment.notice:
            speaker, role, at = "", Role.SYSTEM if segment.notice else Role.OTHER, segment.date or at
        self.collector.add_words(
            start=start,
            end=segment.lines[-1].next,
            words=self.material.trimmed(words_at, segment.lines[-1].end),
            role=role,
            speaker=speaker,
            at=at,
            own=segment.own,
        )


def _moment(stamp: str, previous: str | None) -> str | None:
    """Return when a turn was said: its stamp's moment; an offset from some beginning leaves the day as it was."""
    if not stamp:
        return previous
    moment = stamp_moment(stamp, previous)
    return previous if moment is None and not _DATE_SIGNS & set(stamp) else moment


def _session_kind(passages: list[Passage], previous: Passage | None) -> str:
    """Return "work" where an assistant speaks, else "talk"."""
    before = previous is not None and previous.session_kind == "work"
    return "work" if before or any(passage.role is Role.ASSISTANT for passage in passages) else "talk"
