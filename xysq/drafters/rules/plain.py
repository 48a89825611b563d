"""Which sentences of a passage are somebody's own plain words.

Code, command output, pasted logs, quoted mail, conflict markers, markup injected by tools and words that came out
of this memory's recall are text too, but nobody states anything with them. A sentence that is too long to be one
thought is left alone as well: it is a paste, and patterns should never meet it.
"""

import re
from collections.abc import Iterator

from xysq.sentence import sentences

MAX_SENTENCE = 400
MAX_PASTE = 3_000
_FENCE = re.compile(r"^[ \t]{0,3}(?:[>*-] ?)?(```+|~~~+)", re.MULTILINE)
_RECALL = re.compile(r"<xysq-recall\b")
_RECALL_END = "</xysq-recall>"
_CONFLICT = re.compile(r"^<{7}(?: |$)", re.MULTILINE)
_CONFLICT_END = re.compile(r"^>{7}(?: .*|)$", re.MULTILINE)
_MARKUP_LINE = re.compile(
    r"^(?:[>|$#%]|\+\+|--|@@|<[a-zA-Z/!]|\[[A-Z ]{3,}\]|\d{4}-\d\d-\d\d[T ]\d\d:|\d{1,6}(?:→|\t)"
    r"|at \w+[.(]|Traceback|\w+Error:|[A-Z]+:)"
)
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_CODE_SIGN = re.compile(r"[{}<>=;|\\^~]|\(\)|::|->|=>|&&|\w\(\w*\)|\$\w")
_NAMED = re.compile(r"`[^`]{0,80}`|https?://\S{1,200}")
_MOST_SIGNS = 1


def plain_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield number (from 1) and words, without list mark and curly apostrophes, of sentences that may be prose.

    `is_code` is not asked yet: it costs more than most reasons a caller has to pass a sentence over.
    """
    skipped = _skipped_ranges(text)
    for number, sentence in enumerate(sentences(text), start=1):
        if sentence.end - sentence.start > MAX_SENTENCE:
            continue
        if skipped and any(start <= sentence.start < end for start, end in skipped):
            continue
        words = sentence.text
        if "’" in words or "‘" in words:
            words = words.replace("’", "'").replace("‘", "'")
        yield number, _BULLET.sub("", words)


def is_code(words: str) -> bool:
    """Tell whether a line looks like code, output or markup rather than prose."""
    if _MARKUP_LINE.match(words):
        return True
    if "`" in words or "://" in words:
        words = _NAMED.sub("", words)
    return len(_CODE_SIGN.findall(words)) > _MOST_SIGNS


def _skipped_ranges(text: str) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    if "```" in text or "~~~" in text:
        ranges.extend(_fenced(text))
    if "<xysq-recall" in text:
        for match in _RECALL.finditer(text):
            end = text.find(_RECALL_END, match.start())
            ranges.append((match.start(), len(text) if end < 0 else end + len(_RECALL_END)))
    if "<<<<<<<" in text:
        for match in _CONFLICT.finditer(text):
            closing = _CONFLICT_END.search(text, match.end())
            ranges.append((match.start(), closing.end() if closing else len(text)))
    return ranges


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = (match.start(), match[1])
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]):
            yield opened[0], match.end()
            opened = None
    if opened is not None:
        yield opened[0], len(text)
