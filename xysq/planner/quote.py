"""Quotes: from what a drafter pointed at or typed to evidence that the log proves.

Words are looked for in the passage they are said to be in. Found exactly, or in the one place that is equal after
folding, they are cited with the *log's* bytes. Everything else about the evidence comes from the passage and its
version; of the drafter's answer nothing is left but the choice.
"""

from collections.abc import Sequence
from functools import lru_cache

from xysq.frozen import frozen
from xysq.model.draft import DraftQuote
from xysq.model.fact import Evidence
from xysq.model.plan import DropCode
from xysq.model.ranges import Range
from xysq.model.source import Passage, Span, Version
from xysq.model.span import byte_range
from xysq.model.state import State
from xysq.planner.fence import fences
from xysq.planner.locate import locate
from xysq.planner.order import Raw
from xysq.planner.witness import channel_of, is_standing, observed_at
from xysq.sentence import Sentence, sentences


@frozen
class Unquotable:
    """Why a drafted quote is no evidence."""

    code: DropCode
    reason: str


class Quoting:
    """The passages of a run, ready to be quoted from."""

    def __init__(self, passages: Sequence[Passage], state: State, raw: Raw) -> None:
        """Begin with the passages as the drafter saw them numbered."""
        self._passages = tuple(passages)
        self._fences = fences(self._passages)
        self._state = state
        self._raw = raw

    def passage(self, quote: DraftQuote) -> Passage | None:
        """Return the passage a quote points at; None where there is no such number."""
        return self._passages[quote.passage - 1] if quote.passage <= len(self._passages) else None

    def cite(self, quote: DraftQuote) -> Evidence | Unquotable:
        """Return the evidence a quote comes to, or why it comes to none."""
        passage = self.passage(quote)
        if passage is None:
            return _mismatch(f"there is no passage {quote.passage}")
        place = _chosen(quote, passage.text)
        if place is None:
            return _mismatch(f"passage {quote.passage} does not hold the words, or not in one place only")
        if passage.own:
            return _own(f"passage {quote.passage} is what this vault's own tool answered")
        if any(low < place[1] and place[0] < high for low, high in self._fences[quote.passage - 1]):
            return _own("the words stand inside a block that recall printed")
        found = _within(passage, place)
        if found is None:
            return _mismatch("the words run over several parts of the passage")
        return self._evidence(passage, *found)

    def _evidence(self, passage: Passage, span: Span, place: Range) -> Evidence | Unquotable:
        archive = self._state.archive
        version = Version(passage.source, passage.version)
        meta = archive.meta(version)
        raw = self._raw(version, span.enc, span.start, span.end)
        if meta is None or raw is None:
            return _mismatch(f"the log of {version} is not there")
        start, end = byte_range(span, raw, *place)
        if end - start > self._state.limits.quote_bytes:
            return _mismatch(f"a quote of {end - start} bytes is longer than allowed")
        evidence = Evidence(
            source=passage.source,
            version=passage.version,
            start=start,
            end=end,
            enc=span.enc,
            quote=span.text[place[0] : place[1]],
            passage=passage.number,
            speaker=passage.speaker,
            role=passage.role,
            channel=channel_of(archive, version, (start, end), span.enc) or meta.channel,
            at=observed_at(passage, meta),
        )
        return evidence if is_standing(evidence, archive) else _mismatch("the words were corrected since")


def _mismatch(reason: str) -> Unquotable:
    return Unquotable(code=DropCode.QUOTE_MISMATCH, reason=reason)


def _own(reason: str) -> Unquotable:
    return Unquotable(code=DropCode.OWN_WORDS, reason=reason)


def _chosen(quote: DraftQuote, text: str) -> Range | None:
    """Return the characters a quote means: typed words, else a sentence, else the whole passage."""
    if quote.sentence is None:
        return locate(text if quote.text is None else quote.text, text)
    cut = _sentences(text)
    if quote.text is None:
        if quote.sentence > len(cut):
            return None
        sentence = cut[quote.sentence - 1]
        return sentence.start, sentence.end
    if quote.sentence <= len(cut):
        sentence = cut[quote.sentence - 1]
        inside = locate(quote.text, sentence.text)
        if inside is not None:
            return sentence.start + inside[0], sentence.start + inside[1]
    return locate(quote.text, text)


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[Sentence, ...]:
    return sentences(text)


def _within(passage: Passage, place: Range) -> tuple[Span, Range] | None:
    """Return the span that holds a range of the passage's characters, and the range in it."""
    begin = 0
    for span in passage.spans:
        end = begin + len(span.text)
        if begin <= place[0] and place[1] <= end:
            return span, (place[0] - begin, place[1] - begin)
        begin = end + 1
    return None
