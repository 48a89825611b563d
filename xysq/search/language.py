"""Language: composed queries, read by Whoosh's parser, as conditions of ours.

    pottery class              any of the words, the more of them the better
    "pottery class" AND bowls  a phrase; AND, OR, NOT and parentheses between anything
    speaker:Bob  page:Alice  source:standup
    before:2026-11  after:"last week"  on:yesterday
    pott*  potery~  potery~2   beginnings of words, words up to one or two letters apart

Of things that stand side by side without an operator, fields, phrases and what NOT takes away have to be met; of the
words, any. Whoosh serves as the parser only: its tree becomes a `Condition`, which the index understands, and the
terms that rank what meets it. A word is compared by its stem, and so is the beginning of one.

What is no syntax in an ordinary question (hyphens, apostrophes, slashes, colons, question marks) is none here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from whoosh.qparser import QueryParser, plugins, syntax
from whoosh.qparser.dateparse import English
from whoosh.query import And, FuzzyTerm, Not, Or, Phrase, Prefix, Term

from xysq.canonical import instant
from xysq.model.index import Condition, Either, Every, Holding, Meeting, Narrowing, Without
from xysq.search import query as plain
from xysq.search.query import MAX_TERMS, Query
from xysq.search.spelling import near
from xysq.search.syntax import FIELDS, Setting
from xysq.search.when import Span, span
from xysq.terms import bare, quoted
from xysq.text import encodable

_NEVER = Either(())
_LONGEST_DATE = 40
_MOST_NEAR = 40
_MOST_FUZZY = 4  # each walks the whole vocabulary; more of them are taken as they are written
_TICK = timedelta(microseconds=1)  # Whoosh's spans end a tick before the next begins


class _Side(Or):  # type: ignore[misc] # of a package without types
    """Things that stand side by side, without an operator."""


class _SideGroup(syntax.OrGroup):  # type: ignore[misc] # of a package without types
    qclass = _Side


def compose(words: str, setting: Setting) -> Query:
    """Read a composed query; operators without anything to stand between are words like any."""
    try:
        tree = _parser().parse(encodable(words), normalize=False)
    except (LookupError, AttributeError):  # Whoosh's way to say that an operator has nothing to work on
        return plain.parse(words)
    reading = _Reading(setting)
    condition = reading.of(tree)
    ranked = plain.parse(" ".join(reading.words))
    kept = {term.words: term for term in (*reading.terms.values(), *ranked.terms)}
    return replace(
        ranked, terms=tuple(kept.values())[:MAX_TERMS], condition=condition, notes=tuple(dict.fromkeys(reading.notes))
    )


@cache
def _parser() -> QueryParser:
    fields = plugins.FieldsPlugin(rf"(?<!\w)(?P<text>{'|'.join(FIELDS)}):(?=[\w\"(])", remove_unknown=False)
    operators = plugins.OperatorsPlugin(AndNot=None, AndMaybe=None, Require=None)
    rest = (plugins.WhitespacePlugin, plugins.PhrasePlugin, plugins.GroupPlugin)
    words = (plugins.PrefixPlugin, plugins.FuzzyTermPlugin)
    return QueryParser(None, None, plugins=[fields, operators, *(kind() for kind in rest + words)], group=_SideGroup)


class _Reading:
    """One query while its tree is walked: `words` and `terms` are what ranks, `notes` what was not understood."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._counts: Mapping[str, int] | None = None
        self._fuzzy = 0
        self.words: list[str] = []
        self.terms: dict[str, plain.Term] = {}
        self.notes: list[str] = []

    def of(self, node: Any, *, counts: bool = True) -> Condition | None:  # noqa: ANN401 - a tree without types
        """Return what a node demands, None where it has no word. What `counts` ranks; what NOT takes away does not."""
        if isinstance(node, Not):
            part = self.of(node.query, counts=False)
            return None if part is None else Without(part)
        if isinstance(node, _Side):
            return self._side(node, counts=counts)
        if isinstance(node, And | Or):
            parts = self._parts(node.subqueries, counts=counts)
            return _of(Every if isinstance(node, And) else Either, parts)
        field = getattr(node, "fieldname", None)
        if field is not None:
            return self._field(field, _text(node))
        if isinstance(node, Phrase):
            return self._words(_text(node), counts=counts)
        if isinstance(node, Prefix):
            return self._holding(f"{node.text}*", _beginning(node.text), counts=counts)
        if isinstance(node, FuzzyTerm):
            return self._holding(f"{node.text}~", self._near(node.text, node.maxdist), counts=counts)
        return self._words(node.text, counts=counts) if isinstance(node, Term) else None

    def _side(self, node: Any, *, counts: bool) -> Condition | None:  # noqa: ANN401
        """Demand fields, phrases and what NOT takes away; where no phrase is among them, any of the words too."""
        has_phrase = any(isinstance(part, Phrase) and part.fieldname is None for part in node.subqueries)
        must: list[Condition] = []
        may: list[Condition] = []
        for part in node.subqueries:
            is_demand = isinstance(part, Not | Phrase) or getattr(part, "fieldname", None) is not None
            found = self.of(part, counts=counts)
            if found is not None:
                (must if is_demand or _is_field(found) else may).append(found)
        if may and not has_phrase:
            must.append(_of(Either, may) or _NEVER)
        return _of(Every, must)

    def _parts(self, nodes: Sequence[Any], *, counts: bool) -> list[Condition]:
        return [part for part in (self.of(node, counts=counts) for node in nodes) if part is not None]

    def _words(self, text: str, *, counts: bool) -> Condition | None:
        if counts:
            self.words.append(text)
        return self._holding(text, quoted(text), counts=counts and " " in text)

    def _holding(self, words: str, match: str, *, counts: bool) -> Condition | None:
        if not match:
            return None
        if counts:
            self.terms.setdefault(words, plain.Term(words, match))
        return Holding(match)

    def _near(self, word: str, distance: int) -> str:
        """Return the expression for the words up to so many letters away from one."""
        if self._fuzzy == _MOST_FUZZY:
            return quoted(word)
        self._fuzzy += 1
        if self._counts is None:
            self._counts = self._setting.index.vocabulary()
        found = near(word, self._counts, max(1, min(distance, 2)))[:_MOST_NEAR]
        return " OR ".join(filter(None, map(quoted, dict.fromkeys((word, *found)))))

    def _field(self, field: str, text: str) -> Condition:
        setting = self._setting
        if field == "speaker":
            return Meeting(Narrowing(speaker=text))
        if field in ("page", "source"):
            names = (
                [Narrowing(page=page) for page in setting.pages(text)]
                if field == "page"
                else [Narrowing(source=source) for source in setting.sources(text)]
            )
            return _of(Either, [*map(Meeting, names)]) or self._unknown(f"no {field} is called {text!r}")
        found = human_span(text, setting.now)
        if found is None:
            return self._unknown(f"{text!r} is no time: write it as 2026-11-30, 2026-11 or 'last week'")
        begin, end = map(instant, found)
        times = {"before": ("", begin), "after": (end, ""), "on": (begin, end)}
        since, before = times[field]
        return Meeting(Narrowing(since=since, before=before))

    def _unknown(self, note: str) -> Condition:
        self.notes.append(note)
        return _NEVER


def human_span(words: str, now: datetime) -> Span | None:
    """Return the time that words name, by our own reading or by Whoosh's; a month without a year is one that was."""
    found = span(words, now)
    if found is not None or len(words) > _LONGEST_DATE:
        return found
    now = now.astimezone(UTC).replace(tzinfo=None)
    try:
        date = English().date_from(words, now) or English().date_from(words.casefold().removeprefix("last "), now)
        begin, end = (date, date) if isinstance(date, datetime) else (date.start, date.end)
        if begin > now and not any(word in words for word in (str(begin.year), "next", "tomorrow")):
            begin, end = begin.replace(year=begin.year - 1), end.replace(year=end.year - 1)
    except (AttributeError, ValueError, OverflowError, TypeError):
        return None
    return begin.replace(microsecond=0, tzinfo=UTC), end.replace(tzinfo=UTC) + _TICK


def _of(kind: type[Every] | type[Either], parts: Sequence[Condition]) -> Condition | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return kind(tuple(parts))


def _is_field(condition: Condition) -> bool:
    """Tell whether a condition is about fields alone, as a group of them is."""
    match condition:
        case Meeting():
            return True
        case Every(parts) | Either(parts):
            return all(map(_is_field, parts))
        case Without(part):
            return _is_field(part)
        case Holding():
            return False


def _text(node: Any) -> str:  # noqa: ANN401 - a tree without types
    return " ".join(node.words) if isinstance(node, Phrase) else str(node.text)


def _beginning(word: str) -> str:
    """Return the expression for the words that begin so. The index keeps stems: `runn` is also a beginning of `run`."""
    match = quoted(word)
    if not match:
        return ""
    begins = match if match.endswith("*") else f"{match} *"
    low = bare(word)
    is_doubled = len(low) > 3 and low[-1] == low[-2] and low[-1] not in "aeiou"
    return f"{begins} OR {quoted(low[:-1])}" if is_doubled else begins
