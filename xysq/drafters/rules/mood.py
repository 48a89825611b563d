"""Mood: whether a sentence states something at all.

Only what is stated can be remembered as a fact. Questions, suppositions, reported speech, words in quotation
marks and jokes are set aside before any pattern is tried; what is denied or over is the business of endings.
Being wrong here costs a missed fact; being lenient would cost a false one.
"""

from enum import StrEnum

from xysq.drafters.rules.language import Language
from xysq.frozen import frozen

_TAIL = 6
_OPENING_MARKS = "“«"
_CLOSING_MARKS = "”»"


class Mood(StrEnum):
    """What a speaker does with a sentence."""

    STATED = "stated"
    QUESTION = "question"
    UNSURE = "unsure"
    REPORTED = "reported"
    QUOTED = "quoted"
    JOKE = "joke"
    OVER = "over"


def sentence_mood(words: str, language: Language) -> Mood:
    """Judge a whole sentence: question, joke, or stated as far as this can tell."""
    if "?" in words[-_TAIL:] or language.words["question"].match(words):
        return Mood.QUESTION
    if language.words["joke"].search(words):
        return Mood.JOKE
    return Mood.STATED


@frozen
class Signs:
    """Where a sentence shows what spoils a statement.

    Ends of the first doubt and the first reporting, starts of a late "he said" and a late "haven't in a while", and
    whether all of it is over.
    """

    doubt: int
    reported: int
    said_after: int
    lapsed: int
    over: bool


def signs(words: str, language: Language) -> Signs:
    """Look once for what may spoil any statement of a sentence; a place far behind its end stands for none."""
    never = len(words) + 1
    doubt = language.words["doubt"].search(words)
    reported = language.words["reported"].search(words)
    said = language.words["reported_after"].search(words)
    lapsed = language.words["lapsed"].search(words)
    return Signs(
        doubt=doubt.end() if doubt else never,
        reported=reported.end() if reported else never,
        said_after=said.start() if said else -1,
        lapsed=lapsed.start() if lapsed else -1,
        over=language.words["over"].search(words) is not None,
    )


def clause_mood(words: str, found: Signs, span: tuple[int, int, int], language: Language) -> Mood:
    """Judge a statement by what leads up to it; `span` is the start of its clause, its own start and end."""
    clause, start, end = span
    if in_quotes(words, start):
        return Mood.QUOTED
    if found.doubt <= end or language.words["modal"].search(words, clause, start):
        return Mood.UNSURE
    if found.reported <= end or found.said_after >= start:
        return Mood.REPORTED
    return Mood.OVER if found.over or found.lapsed >= end else Mood.STATED


def in_quotes(words: str, place: int) -> bool:
    """Tell whether a place of a sentence is inside quotation marks or a code span."""
    before = words[:place]
    if before.count('"') % 2 or before.count("`") % 2:
        return True
    opened = sum(before.count(mark) for mark in _OPENING_MARKS)
    return opened > sum(before.count(mark) for mark in _CLOSING_MARKS)
