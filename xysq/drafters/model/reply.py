"""Replies: what a model answered about a window, checked against the window and turned into drafted facts.

Whatever a server promised about the shape of the answer is checked again. A proposal becomes a drafted fact only if
the line it points at holds its value and its name was seen; a value that stands in exactly one other line is pointed
there. The rest is dropped with a reason. A fact that is not worded, or worded with names and numbers that nobody said,
gets a sentence made by code.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from xysq.canonical import parse_json
from xysq.drafters.model.prompt import Known, unshown
from xysq.drafters.model.window import Line, Window
from xysq.drafters.port import KnownPage
from xysq.errors import BadDraft, BadJson
from xysq.frozen import frozen
from xysq.model.draft import MAX_DRAFT_BYTES, MAX_DRAFT_DEPTH, DraftClose, DraftFact, DraftQuote
from xysq.model.fact import Label
from xysq.model.plan import Drop, DropCode
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.pages.escape import fold_space, stands_in
from xysq.text import fold

_QUESTION = re.compile(r"[?？؟]\W*$")
_WORD = re.compile(r"[^\W_][\w'’.-]*")
_FIRST_PERSON = frozenset(("i", "me", "myself", "my"))
_MOST, _NAME_WORDS = 200, 6
_OF_THE_PROJECT = ("decision", "rule", "setting")
_SIGNS: Mapping[str, re.Pattern[str]] = {
    "email": re.compile(r"[^\s@]+@[^\s@]+"),
    "birthday": re.compile(r"\d|[零一二三四五六七八九十]"),
    "version": re.compile(r"\d"),
}
_NAMES = ("name", "employer", "location", "owner", "knows")
_PEOPLE = ("name", "owner", "knows")


@frozen
class Scene:
    """What a reply is read against: the window, what was known beside it, whose vault it is, in which project."""

    window: Window
    known: Known
    schema: Schema
    me: Me
    project: str = ""
    pages: tuple[KnownPage, ...] = ()


@frozen
class Read:
    """What a reply came to; `moved` counts facts whose value stood in another line than the one pointed at."""

    facts: tuple[DraftFact, ...]
    closes: tuple[DraftClose, ...]
    drops: tuple[Drop, ...]
    moved: int = 0


@frozen
class _Proposal:
    """One proposed fact as the model spelled it."""

    line: int
    name: str
    attribute: str
    value: str
    kind: str = ""
    old: int = 0
    wording: str = ""


def read_reply(text: str, scene: Scene) -> Read:
    """Read a reply; `BadDraft` where it is no answer at all. What of it is unusable is dropped, one by one."""
    whole = _object_in(text)
    facts: dict[tuple[str, str, str], DraftFact] = {}
    drops: list[Drop] = []
    moved = 0
    for item in _items(whole.get("facts", [])):
        proposal = _proposal(item)
        found = _drop(DropCode.BAD_TEXT, "", str(item), "is no fact") if proposal is None else _fact(proposal, scene)
        if isinstance(found, Drop):
            drops.append(found)
        else:
            moved += proposal is not None and not _points_at(proposal, found, scene.window)
            facts.setdefault((fold(found.subject), fold(found.attribute), fold(found.value)), found)
    closes: dict[str, DraftClose] = {}
    for item in _items(whole.get("closes", [])):
        closed = _close(item, scene)
        if isinstance(closed, Drop):
            drops.append(closed)
        else:
            closes.setdefault(closed.fact, closed)
    return Read(facts=tuple(facts.values()), closes=tuple(closes.values()), drops=tuple(drops), moved=moved)


def _object_in(text: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer, also where a server let words stand around it."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        value = parse_json(text[max(begin, 0) : end + 1].encode(), max_bytes=MAX_DRAFT_BYTES, max_depth=MAX_DRAFT_DEPTH)
    except BadJson as error:
        raise BadDraft(f"the model's answer is no JSON: {error}") from None
    if not isinstance(value, dict) or not isinstance(value.get("facts"), list):
        raise BadDraft("the model's answer has no list of facts")
    return value


def _items(value: object) -> list[object]:
    return value[:_MOST] if isinstance(value, list) else []


def _proposal(item: object) -> _Proposal | None:
    if not isinstance(item, dict):
        return None
    line, old = item.get("line"), item.get("old", 0)
    texts = [item.get(key, "") for key in ("name", "property", "value", "of_kind", "wording")]
    if not (_is_number(line) and _is_number(old)) or not all(isinstance(text, str) for text in texts):
        return None
    name, attribute, value, kind, wording = (fold_space(text) for text in texts)
    return _Proposal(line=line, name=name, attribute=attribute, value=value, kind=kind, old=old, wording=wording)


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _fact(proposal: _Proposal, scene: Scene) -> DraftFact | Drop:
    """Return the drafted fact that a proposal comes to; the drop where it comes to none."""
    found = _pointed(proposal, scene.window)
    if found is None:
        return _dropped(DropCode.QUOTE_MISMATCH, proposal, f"the value does not stand in line {proposal.line}")
    line, value = found
    fault = _unstated(proposal, value, line, scene.window)
    if fault:
        return _dropped(DropCode.NOT_STATED, proposal, fault)
    attribute = scene.schema.attribute(proposal.attribute)
    subject = _subject(proposal.name, attribute.name, line, scene)
    if subject is None:
        return _dropped(DropCode.UNSEEN_NAME, proposal, "nobody named it where it was said")
    facts = scene.known.facts
    return DraftFact(
        ref="",
        subject=subject,
        kind="person" if subject == "I" else proposal.kind,
        attribute=attribute.name,
        value=value,
        text=_text(proposal, subject, attribute.name, value, line, scene),
        label=Label.STATED,
        quotes=(DraftQuote(passage=line.passage, sentence=line.sentence),),
        replaces=facts[proposal.old - 1].id if 0 < proposal.old <= len(facts) else None,
    )


def _pointed(proposal: _Proposal, window: Window) -> tuple[Line, str] | None:
    """Return the line that holds the value and the value as the line has it: the line meant, else the only one."""
    for value in dict.fromkeys((proposal.value, unshown(proposal.value))):
        if 0 < proposal.line <= len(window.lines) and stands_in(value, window.lines[proposal.line - 1].text):
            return window.lines[proposal.line - 1], value
        holding = [line for line in window.lines if stands_in(value, line.text)]
        if len(holding) == 1:
            return holding[0], value
    return None


def _points_at(proposal: _Proposal, fact: DraftFact, window: Window) -> bool:
    """Tell whether a fact is quoted from the very line that was pointed at."""
    if not 0 < proposal.line <= len(window.lines):
        return False
    line = window.lines[proposal.line - 1]
    return (line.passage, line.sentence) == (fact.quotes[0].passage, fact.quotes[0].sentence)


def _unstated(proposal: _Proposal, value: str, line: Line, window: Window) -> str:
    """Say why a line does not state a value; "" where it may."""
    if _QUESTION.search(line.text):
        return "the line asks"
    if not proposal.attribute:
        return "it says no property"
    if fold(value) in (fold(proposal.name), fold(proposal.attribute)) or fold(value) in _FIRST_PERSON:
        return "the value says nothing"
    attribute = fold(proposal.attribute)
    sign = _SIGNS.get(attribute)
    is_odd = sign is not None and not sign.search(value)
    if attribute in _NAMES and value == value.lower() != value.upper() and not any(map(str.isdigit, value)):
        is_odd = True  # what has capitals at all spells names with them
    if attribute not in _PEOPLE and fold(value) in {fold(other.speaker) for other in window.lines}:
        is_odd = True
    return f"the value is no {attribute}" if is_odd else ""


def _subject(name: str, attribute: str, line: Line, scene: Scene) -> str | None:
    """Return who a fact is about, as a draft names it; None where the name was not seen.

    Seen is: the speaker, a name in the passage, the title or another name of a known page, a speaker of the window;
    nothing, for what belongs to the project.
    """
    folded = fold(unshown(name))
    if len(folded.split(" ")) > _NAME_WORDS:
        return None
    if not folded or (scene.project and folded == fold(scene.project)):
        return "" if attribute.partition(":")[0] in _OF_THE_PROJECT or not folded else scene.project
    if folded in _FIRST_PERSON or folded == fold(line.speaker) or (line.role is Role.USER and _is_me(folded, scene.me)):
        return "I"
    seen = {fold(other.speaker) for other in scene.window.lines}
    seen.update(fold(known) for page in scene.pages for known in (page.title, *page.aliases))
    if folded in seen or any(stands_in(folded, other.text) for other in scene.window.of_passage(line.passage)):
        return unshown(name)
    return None


def _is_me(folded: str, me: Me) -> bool:
    return folded in ("user", "the user", *map(fold, me.names))


def _text(proposal: _Proposal, subject: str, attribute: str, value: str, line: Line, scene: Scene) -> str:
    """Return a sentence that shows the value: the model's own where it says nothing new, else one made by code."""
    wording = unshown(proposal.wording)
    if wording and stands_in(value, wording) and _is_grounded(wording, proposal, line, scene):
        return wording
    who = subject if subject not in ("I", "") else (line.speaker or scene.me.name if subject else scene.project)
    return f"{who}: {attribute}: {value}" if who else f"{attribute}: {value}"


def _is_grounded(wording: str, proposal: _Proposal, line: Line, scene: Scene) -> bool:
    """Tell whether every name and every number of a sentence was said or is known."""
    said = [other.text for other in scene.window.of_passage(line.passage)]
    known = (proposal.name, line.speaker, scene.project, *scene.me.names, *(page.title for page in scene.pages))
    words = set(_folded_words((*said, *known)))
    found = list(_WORD.finditer(wording))
    tellings = (m.group() for m in found if m.start() and (m.group()[0].isupper() or any(map(str.isdigit, m.group()))))
    return all(word in words for telling in tellings for word in _folded_words((telling,)))


def _folded_words(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        for match in _WORD.finditer(fold(text)):
            yield match.group().rstrip(".'-").removesuffix("'s")


def _close(item: object, scene: Scene) -> DraftClose | Drop:
    facts = scene.known.facts
    line, old = (item.get("line"), item.get("old")) if isinstance(item, dict) else (None, None)
    if not (_is_number(line) and _is_number(old)):
        return _drop(DropCode.BAD_TEXT, "", str(item), "is no close")
    if not (0 < line <= len(scene.window.lines) and 0 < old <= len(facts)):
        return _drop(DropCode.CLOSE_NOT_SHOWN, "", str(item), "points at nothing that was shown")
    words = scene.window.lines[line - 1]
    if _QUESTION.search(words.text):
        return _drop(DropCode.NOT_STATED, str(facts[old - 1].id), words.text, "the line asks")
    return DraftClose(fact=facts[old - 1].id, quotes=(DraftQuote(passage=words.passage, sentence=words.sentence),))


def _dropped(code: DropCode, proposal: _Proposal, reason: str) -> Drop:
    words = f"{proposal.name}: {proposal.attribute}: {proposal.value}"
    return _drop(code, proposal.name, words, reason)


def _drop(code: DropCode, subject: str, text: str, reason: str) -> Drop:
    return Drop(code=code, subject=subject, text=text[:500], reason=reason)
