"""Statements: what the patterns find in one sentence, each as subject, attribute, value and a readable text.

A pattern is tried where a clause begins, so "a hike I went on" states nothing, and each trial is one anchored
match. Patterns marked `anywhere` look for a phrase such as "my sister Anna".
"""

import re
from collections.abc import Iterator

from xysq.drafters.rules.clause import clauses, hits
from xysq.drafters.rules.language import Language, Pattern
from xysq.drafters.rules.mood import Mood, Signs, clause_mood, signs
from xysq.drafters.rules.value import cut_value
from xysq.frozen import frozen

_SPACES = re.compile(r"\s+")
_GAP = re.compile(r"\s+([.,])")


@frozen
class Speaking:
    """Who speaks to whom: the kind of session, the name behind "I" ("" where unknown), the project ("" for none)."""

    session_kind: str
    speaker: str
    project: str


@frozen
class Statement:
    """One found statement; `subject` is spelled as a draft wants it: "I", "" for the project, or a name."""

    subject: str
    page_kind: str
    attribute: str
    value: str
    text: str


def statements(words: str, tokens: set[str], speaking: Speaking, language: Language) -> Iterator[Statement]:
    """Find what a plain sentence states; the first pattern that takes a piece of a value keeps it."""
    awake = [pattern for pattern in language.awake(tokens) if speaking.session_kind in pattern.kinds]
    if not awake:
        return
    places = clauses(words, language)
    taken: list[tuple[int, int]] = []
    found: Signs | None = None
    for pattern in awake:
        for hit in hits(pattern, words, places, language):
            after = hit.match.string[hit.match.end("value") :]
            value = cut_value(hit.match["value"], pattern.shape, language, after)
            if value is None:
                continue
            begin = hit.value + hit.match["value"].find(value)
            end = begin + len(value)
            if any(begin < other_end and other < end for other, other_end in taken):
                continue
            found = found or signs(words, language)
            if clause_mood(words, found, (hit.clause, hit.start, end), language) is not Mood.STATED:
                continue
            statement = _statement(pattern, hit.match, value, speaking, language)
            if statement is not None:
                taken.append((begin, end))
                yield statement


def _statement(
    pattern: Pattern, match: re.Match[str], value: str, speaking: Speaking, language: Language
) -> Statement | None:
    groups = {name: found or "" for name, found in match.groupdict().items()}
    if pattern.subject == "speaker":
        named = _speaker(speaking)
    elif pattern.subject == "project":
        named = _project(speaking, pattern)
    else:
        named = _named(groups["subject"], pattern, speaking, language)
    if named is None:
        return None
    subject, shown = named
    shown_inside = shown[0].lower() + shown[1:] if shown.startswith("The ") else shown
    fields = groups | {
        "subject": shown,
        "object": shown_inside,
        "value": value,
        "Value": value[0].upper() + value[1:],
        "verb": groups.get("verb", "").lower(),
        "verb_s": language.forms.get(groups.get("verb", "").lower(), ""),
        "key": groups.get("key", "").lower(),
    }
    tech = groups.get("tech", "").lower()
    named_by = fields | {"tech": language.forms.get(tech, tech)}
    text = _GAP.sub(r"\1", _SPACES.sub(" ", pattern.text.format_map(fields))).strip()
    return Statement(
        subject=subject,
        page_kind=pattern.page_kind,
        attribute=pattern.attribute.format_map(named_by),
        value=value,
        text=text.replace("..", ".") if text.endswith("..") else text,
    )


def _speaker(speaking: Speaking) -> tuple[str, str] | None:
    return ("I", speaking.speaker) if speaking.speaker else None


def _project(speaking: Speaking, pattern: Pattern) -> tuple[str, str] | None:
    if not speaking.project:
        return None
    of_session = pattern.attribute.startswith(("decision", "rule", "setting"))
    return "" if of_session else speaking.project, speaking.project


def _named(raw: str, pattern: Pattern, speaking: Speaking, language: Language) -> tuple[str, str] | None:
    subject = raw.strip(" `\"'")
    determiner = language.words["determiner"].match(subject)
    bare = subject[determiner.end() :] if determiner else subject
    if not bare or language.words["not_subject"].search(subject):
        return None
    if pattern.page_kind == "person":
        return (subject, subject) if language.words["person_name"].fullmatch(subject) else None
    if language.words["generic"].fullmatch(bare):
        return (speaking.project, f"The {bare}") if speaking.project else None
    shown = subject if bare == subject else f"The {bare}"
    return bare[0].upper() + bare[1:] if bare[0].islower() and " " in bare else bare, shown
