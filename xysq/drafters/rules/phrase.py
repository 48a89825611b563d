"""Phrases: the smaller way to know a language, by the fixed phrases in which people say plain things of themselves.

A language of phrases is a data file, `patterns/phrases-NAME.json`. Signs that a sentence states nothing (a question,
doubt, denial, another's words, a joke) put the whole sentence out; what is left is searched for phrases, and what
follows a phrase is a value where it has the shape that the phrase wants. English alone is known clause by clause, see
`language`.
"""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from xysq.canonical import sha256_hex
from xysq.drafters.rules.statement import Speaking, Statement
from xysq.frozen import frozen

_FRAGMENT = re.compile(r"<<([A-Za-z-]+)>>")
_FOLDER = Path(__file__).parent / "patterns"
_EDGES = " \t\"'«»“”„‚‘’"
_QUESTION = ("?", "？")
_QUOTED = re.compile(r"[\"«»“”„「」『』`]")  # where quotations begin and end is told otherwise in every language
NAMES = ("de", "es", "fr", "ja", "zh")


@frozen
class Phrase:
    """One way to say something, and the fact that it states.

    `subject` is `speaker` or `project`; `kinds` are the kinds of session in which it holds; `whole` is what a value
    has to be; `despite` names signs that do not put this phrase out: a rule may say "never".
    """

    subject: str
    kinds: frozenset[str]
    match: re.Pattern[str]
    whole: re.Pattern[str]
    attribute: str
    text: str
    despite: frozenset[str]


@frozen
class Phrases:
    """What is known of one language."""

    name: str
    digest: str
    signs: Mapping[str, re.Pattern[str]]
    phrases: tuple[Phrase, ...]

    def statements(self, words: str, speaking: Speaking) -> Iterator[Statement]:
        """Find what a sentence states; the first phrase that takes a piece of it keeps it."""
        if words.rstrip(_EDGES).endswith(_QUESTION):
            return
        shown = {name for name, sign in self.signs.items() if sign.search(words)}
        shown |= {"quoted"} if _QUOTED.search(words) else set()
        taken: list[tuple[int, int]] = []
        for phrase in self.phrases:
            if speaking.session_kind not in phrase.kinds or shown - phrase.despite or not _who(phrase, speaking):
                continue
            for match in phrase.match.finditer(words):
                value = match["value"].strip(_EDGES).rstrip(".,;:!。、，！")
                begin, end = match.span("value")
                if phrase.whole.fullmatch(value) is None:
                    continue
                if not any(begin < other_end and other < end for other, other_end in taken):
                    taken.append((begin, end))
                    yield _statement(phrase, match, value, speaking)


def _who(phrase: Phrase, speaking: Speaking) -> str:
    return speaking.speaker if phrase.subject == "speaker" else speaking.project


def _statement(phrase: Phrase, match: re.Match[str], value: str, speaking: Speaking) -> Statement:
    groups = {name: found or "" for name, found in match.groupdict().items()}
    is_speaker = phrase.subject == "speaker"
    return Statement(
        subject="I" if is_speaker else "",
        page_kind="person" if is_speaker else "",
        attribute=phrase.attribute,
        value=value,
        text=phrase.text.format_map(groups | {"subject": _who(phrase, speaking), "value": value}),
    )


@functools.cache
def load_phrases(name: str) -> Phrases:
    """Read a language's data file; `name` is one of `NAMES`."""
    data = (_FOLDER / f"phrases-{name}.json").read_bytes()
    wire = json.loads(data)
    fragments: dict[str, str] = {}
    for key, text in wire["fragments"].items():
        fragments[key] = f"(?:{_expand(text, fragments)})"
    return Phrases(
        name=name,
        digest=sha256_hex(data),
        signs={key: _compiled(text, fragments) for key, text in wire["signs"].items()},
        phrases=tuple(_phrase(item, fragments, wire["values"]) for item in wire["phrases"]),
    )


def _phrase(item: Mapping[str, Any], fragments: Mapping[str, str], values: Mapping[str, str]) -> Phrase:
    return Phrase(
        subject=item.get("subject", "speaker"),
        kinds=frozenset(item.get("kinds", ("talk", "work", "text"))),
        match=_compiled(item["match"], fragments),
        whole=re.compile(_expand(values[item["value"]], fragments)),
        attribute=item["attribute"],
        text=item["text"],
        despite=frozenset(item.get("despite", ())),
    )


def _expand(text: str, fragments: Mapping[str, str]) -> str:
    return _FRAGMENT.sub(lambda match: fragments[match[1]], text)


def _compiled(text: str, fragments: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_expand(text, fragments), re.IGNORECASE)
