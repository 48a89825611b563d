"""Mood: whether a sentence states something at all.

Only what is stated can be remembered as a fact. Questions, suppositions, reported speech, words in quotation
marks and jokes are set aside before any pattern is tried; what is denied or over is the business of endings.
Being wrong here costs a missed fact; being lenient would cost a false one.
"""

from enum import StrEnum

from xysq.drafters.rules.language import Language

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


def clause_mood(words: str, clause: int, start: int, end: int, language: Language) -> Mood:
    """Judge a statement at `[start, end)` of the clause that begins at `clause`, and what leads up to it."""
    if in_quotes(words, start):
        return Mood.QUOTED
    if language.words["doubt"].search(words, 0, end):
        return Mood.UNSURE
    if language.words["modal"].search(words, clause, start):
        return Mood.UNSURE
    if language.words["reported"].search(words, 0, end) or language.words["reported_after"].search(words, start):
        return Mood.REPORTED
    if language.words["over"].search(words):
        return Mood.OVER
    return Mood.STATED


def in_quotes(words: str, place: int) -> bool:
    """Tell whether a place of a sentence is inside quotation marks or a code span."""
    before = words[:place]
    if before.count('"') % 2 or before.count("`") % 2:
        return True
    opened = sum(before.count(mark) for mark in _OPENING_MARKS)
    return opened > sum(before.count(mark) for mark in _CLOSING_MARKS)
