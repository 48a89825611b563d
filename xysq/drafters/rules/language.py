"""A language the rules drafter knows: its patterns and the words they lean on, read once from a data file.

Everything about English stands in `patterns/en.json`: which openings of a clause may precede a statement, where
a value ends, which words make a sentence a question or a joke. The code beside it knows no words. A language
without such a file drafts nothing.

Regular expressions in the file may name fragments as `<<name>>`. They are compiled without regard to case; what
must be a name is checked on the words themselves, by a shape.
"""

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xysq.canonical import sha256_hex
from xysq.errors import BadInput
from xysq.frozen import frozen

_FRAGMENT = re.compile(r"<<([A-Za-z-]+)>>")
_FOLDER = Path(__file__).parent / "patterns"
WORD = re.compile(r"[a-z0-9][a-z0-9'+#-]*")
MIN_SHARE = 0.12
FEW_WORDS = 6


@frozen
class Shape:
    """What a value of a pattern may look like: the whole of it, its number of words, words it may not begin with.

    `commas` keeps commas, `exact` takes the whole as written, `bare` drops a possessive ending,
    `clause` keeps times and conditions that belong to what is said. `open_source` is what may not follow a value: it
    would be half of what was said. `empty_source` is the whole of a value that names nothing anybody could find
    again. `habit`: a value that holds only at times ("when it rains") is none.
    """

    whole_source: str
    most_words: int
    least_words: int
    barred_source: str
    commas: bool
    exact: bool
    bare: bool
    clause: bool
    habit: bool
    open_source: str
    empty_source: str

    @property
    def whole(self) -> re.Pattern[str]:
        """The whole of a value; here capitals count."""
        return _compile_exact(self.whole_source)

    @property
    def barred(self) -> re.Pattern[str] | None:
        """Words a value may not begin with."""
        return _compile(self.barred_source) if self.barred_source else None

    def goes_on(self, rest: str) -> bool:
        """Tell whether what follows a value still belongs to it."""
        return bool(self.open_source) and _compile(self.open_source).match(rest) is not None

    def is_empty(self, value: str) -> bool:
        """Tell whether a value is too general to say anything."""
        return bool(self.empty_source) and _compile(self.empty_source).fullmatch(value) is not None


@frozen
class Pattern:
    """One way to say something: how the clause goes, and the fact it states.

    `subject` is `speaker`, `named` (the clause names it) or `project`. `kinds` are the kinds of session in which
    the pattern holds. `triggers` are words of which one must stand in the sentence. `text` is a template.
    """

    name: str
    subject: str
    kinds: frozenset[str]
    triggers: tuple[str, ...]
    source: str
    anywhere: bool
    attribute: str
    page_kind: str
    shape: Shape
    text: str

    @property
    def match(self) -> re.Pattern[str]:
        """The clause; compiled when a sentence first wakes the pattern, so that starting costs little."""
        return _compile(self.source)


@frozen
class Ending:
    """One way to say that something is over: the clause, and the attributes of the facts it may end."""

    triggers: tuple[str, ...]
    kinds: frozenset[str]
    source: str
    attributes: frozenset[str]

    @property
    def match(self) -> re.Pattern[str]:
        """The clause."""
        return _compile(self.source)


@frozen
class Language:
    """The words and patterns of one language. `words` holds regular expressions by name."""

    name: str
    digest: str
    function_words: frozenset[str]
    words: Mapping[str, re.Pattern[str]]
    patterns: tuple[Pattern, ...]
    by_trigger: Mapping[str, tuple[int, ...]]
    endings: tuple[Ending, ...]
    forms: Mapping[str, str]
    own_word: str
    corrections: tuple[re.Pattern[str], ...]
    triggers: frozenset[str]
    ending_triggers: frozenset[str]

    def spoken_in(self, words: list[str]) -> bool:
        """Tell whether lower-case words look like this language: enough of its function words among them."""
        if not words:
            return False
        known = sum(word in self.function_words for word in words)
        return known >= 1 if len(words) <= FEW_WORDS else known >= MIN_SHARE * len(words)

    def awake(self, words: set[str]) -> list[Pattern]:
        """Return the patterns that have a trigger among the words, in the order of the file."""
        places = {place for word in words & self.by_trigger.keys() for place in self.by_trigger[word]}
        return [self.patterns[place] for place in sorted(places)]


@functools.cache
def load(name: str) -> Language:
    """Read a language's data file."""
    path = _FOLDER / f"{name}.json"
    if not path.is_file():
        raise BadInput(f"the rules drafter has no patterns for {name!r}")
    data = path.read_bytes()
    wire = json.loads(data)
    fragments: dict[str, str] = {}
    for key, text in wire["fragments"].items():
        fragments[key] = f"(?:{_expand(text, fragments)})"
    shapes = {key: _shape(item, fragments) for key, item in wire["shapes"].items()}
    patterns = tuple(_pattern(item, fragments, shapes) for item in wire["patterns"])
    by_trigger: dict[str, tuple[int, ...]] = {}
    for place, pattern in enumerate(patterns):
        for trigger in pattern.triggers:
            by_trigger[trigger] = (*by_trigger.get(trigger, ()), place)
    endings = tuple(_ending(item, fragments) for item in wire["endings"])
    ending_triggers = frozenset(trigger for ending in endings for trigger in ending.triggers)
    return Language(
        name=name,
        digest=sha256_hex(data),
        function_words=frozenset(wire["function_words"]),
        words={key: _compiled(text, fragments) for key, text in wire["words"].items()},
        patterns=patterns,
        by_trigger=by_trigger,
        endings=endings,
        forms=wire["forms"],
        own_word=wire["own_word"],
        corrections=tuple(_compiled(text, fragments) for text in wire["corrections"]),
        triggers=frozenset(by_trigger) | ending_triggers | frozenset(wire["correction_triggers"]),
        ending_triggers=ending_triggers,
    )


def _expand(text: str, fragments: Mapping[str, str]) -> str:
    return _FRAGMENT.sub(lambda match: fragments[match[1]], text)


@functools.cache
def _compile_exact(source: str) -> re.Pattern[str]:
    return re.compile(source)


@functools.cache
def _compile(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _compiled(text: str, fragments: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_expand(text, fragments), re.IGNORECASE)


def _shape(item: Mapping[str, Any], fragments: Mapping[str, str]) -> Shape:
    least, most = item["length"]
    return Shape(
        whole_source=_expand(item["whole"], fragments),
        least_words=least,
        most_words=most,
        barred_source=_expand(item.get("barred", ""), fragments),
        commas=item.get("commas", False),
        exact=item.get("exact", False),
        bare=item.get("bare", False),
        clause=item.get("clause", False),
        habit=item.get("habit", False),
        open_source=_expand(item.get("open", ""), fragments),
        empty_source=_expand(item.get("empty", ""), fragments),
    )


def _pattern(item: Mapping[str, Any], fragments: Mapping[str, str], shapes: Mapping[str, Shape]) -> Pattern:
    return Pattern(
        name=item["name"],
        subject=item["subject"],
        kinds=frozenset(item["kinds"]),
        triggers=tuple(item["triggers"]),
        source=_expand(item["match"].removeprefix("~"), fragments),
        anywhere=item["match"].startswith("~"),
        attribute=item["attribute"],
        page_kind=item.get("page_kind", "person" if item["subject"] == "speaker" else ""),
        shape=shapes[item["shape"]],
        text=item["text"],
    )


def _ending(item: Mapping[str, Any], fragments: Mapping[str, str]) -> Ending:
    return Ending(
        triggers=tuple(item["triggers"]),
        kinds=frozenset(item["kinds"]),
        source=_expand(item["match"], fragments),
        attributes=frozenset(item["attributes"]),
    )
