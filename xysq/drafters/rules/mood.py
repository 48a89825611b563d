"""Mood: does a sentence state something at all?

Only what is stated can be remembered as a fact. Questions, suppositions, reported speech, words in quotation
marks and jokes are set aside before any pattern is tried; what is denied or over is the business of endings.
Being wrong here costs a missed fact; being lenient would cost a false one.
"""

from enum import StrEnum

from xysq.drafters.rules.language import Language

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
    if language.words["question"].search(words):
        return Mood.QUESTION
    if language.words["joke"].search(words):
        return Mood.JOKE
    return Mood.STATED


def clause_mood(words: str, start: int, end: int, language: Language) -> Mood:
    """Judge the clause `[start, end)` by its own words and by what leads up to it."""
    if in_quotes(words, start):
        return Mood.QUOTED
    if language.words["doubt"].search(words, 0, end):
        return Mood.UNSURE
    if language.words["reported"].search(words, 0, start) or language.words["reported_after"].search(words, start):
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
