"""Subjects: which page a drafted fact is about.

"I" is whoever speaks in the passage; where an assistant speaks, nobody. A decision, rule or setting without a
subject belongs to the repository of the session. Everything else is a page by its slug or one of its names, or a new
page. What could be two pages, or is only a pronoun, is nobody's: dropped, never guessed.
"""

import re
import unicodedata

from xysq.frozen import frozen
from xysq.model.fact import Slug
from xysq.model.plan import DropCode
from xysq.model.schema import SETTING, Attribute
from xysq.model.settings import Me
from xysq.model.source import Passage, Role
from xysq.model.state import LedgerState
from xysq.pages.character import JOINERS
from xysq.pages.escape import compose, text_fault
from xysq.pages.slug import is_slug
from xysq.text import fold

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself"))
_OWNER = frozenset(("user", "the user"))
_PROJECT = frozenset(
    ("", "project", "the project", "this project", "repository", "the repository", "this repository", "repo")
)
_PRONOUN = re.compile(
    r"we|us|our(?:s|selves)?|you(?:rs?|rself)?|he|him(?:self)?|his|she|her(?:s|self)?|its?(?:elf)?|they|them(?:selves)?"
    r"|theirs?|this|that|these|those|(?:some|any|every|no)(?:one|body|thing)|who|here|there"
)
_OF_THE_PROJECT = ("decision", "rule", SETTING)
_NAMELESS = frozenset(("user", "human", "me", "you", "i"))
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
_SEPARATOR = re.compile(r"[/\\]+")
_LONGEST_CHAIN = 100


@frozen
class OnPage:
    """The subject has a page."""

    slug: Slug


@frozen
class NewPage:
    """The subject gets a page."""

    title: str
    kind: str


@frozen
class Unresolved:
    """The subject is nobody that can be told."""

    code: DropCode
    reason: str


Subject = OnPage | NewPage | Unresolved


@frozen
class Setting:
    """What a subject is resolved against."""

    ledger: LedgerState
    me: Me
    project: str
    name_bytes: int


def resolve(subject: str, kind: str, attribute: Attribute | None, passage: Passage | None, setting: Setting) -> Subject:
    """Return the page a subject means; `passage` is the one the fact is quoted from, `attribute` what it says."""
    folded = fold(_unlinked(subject))
    if folded in _FIRST_PERSON:
        return _speaker(passage, setting)
    if setting.me.name and (folded in _OWNER or folded in map(fold, setting.me.names)):
        return _owner(setting)
    if folded in _PROJECT and (attribute is not None and attribute.name.split(":")[0] in _OF_THE_PROJECT):
        return _repository(setting)
    if folded in _PROJECT or _is_pronoun(subject, folded):
        return _ambiguous(f"{subject!r} names nobody")
    return _named(subject, kind, setting)


def find(name: str, ledger: LedgerState) -> tuple[Slug, ...]:
    """Return the living pages that go by a name; a merged page's name leads to where it went."""
    folded = fold(name)
    slugs = {living(slug, ledger) for slug in ledger.named(folded)}
    if is_slug(folded):
        slugs.add(living(Slug(folded), ledger))
    return tuple(sorted(slug for slug in slugs if slug is not None))


def pages_called(name: str, setting: Setting) -> tuple[Slug, ...]:
    """Return the pages a name leads to; each name of the vault's owner leads to the owner's page."""
    found = find(name, setting.ledger)
    if found or fold(name) not in map(fold, setting.me.names):
        return found
    return tuple(sorted({slug for own in setting.me.names for slug in find(own, setting.ledger)}))


def composed(text: str, setting: Setting) -> str:
    """Return the Markdown of a drafted text; its links lead to the pages that go by the names in them."""

    def link(name: str) -> tuple[Slug, str] | None:
        found = pages_called(name, setting)
        page = setting.ledger.page(found[0]) if len(found) == 1 else None
        return None if page is None else (page.slug, page.title)

    return compose(text, link)


def _is_pronoun(subject: str, folded: str) -> bool:
    """Tell whether a subject is only a pronoun; `US`, `IT` and `WHO` are names."""
    is_acronym = len(folded) > 1 and subject.strip().isupper()
    return not is_acronym and _PRONOUN.fullmatch(folded) is not None


def living(slug: Slug, ledger: LedgerState) -> Slug | None:
    """Return a page, or the one it went into by merging; None where that was removed."""
    for _ in range(_LONGEST_CHAIN):
        page = ledger.page(slug)
        if page is None or page.removed:
            return None
        if page.merged_into is None:
            return slug
        slug = page.merged_into
    return None


def _speaker(passage: Passage | None, setting: Setting) -> Subject:
    if passage is None:
        return _ambiguous("'I' without a passage names nobody")
    match passage.role:
        case Role.USER:
            if setting.me.name:
                return _owner(setting)
            if fold(passage.speaker) in _NAMELESS:
                return _ambiguous("'I' is the owner of the vault, whose name is not set")
        case Role.ASSISTANT:
            return Unresolved(code=DropCode.ASSISTANT_SELF, reason="an assistant said it about itself")
        case Role.PERSON:
            pass
        case Role.TOOL | Role.SYSTEM | Role.OTHER:
            return _ambiguous(f"'I' in words of role {passage.role.value} names nobody")
    if not passage.speaker.strip():
        return _ambiguous("'I' without a speaker names nobody")
    return _named(passage.speaker, "person", setting)


def _owner(setting: Setting) -> Subject:
    """Return the page of the vault's owner, by any of their names."""
    found = {slug for name in setting.me.names for slug in find(name, setting.ledger)}
    if len(found) > 1:
        return _ambiguous(f"the owner's names lead to {len(found)} pages")
    return OnPage(slug=found.pop()) if found else _new(cleaned(setting.me.name), "person", setting)


def _repository(setting: Setting) -> Subject:
    parts = [part for part in _SEPARATOR.split(setting.project.strip()) if part not in ("", ".", "..")]
    if not parts:
        return _ambiguous("no subject, and the session belongs to no repository")
    return _named(parts[-1], "project", setting)


def _named(name: str, kind: str, setting: Setting) -> Subject:
    title = cleaned(name)
    found = find(title, setting.ledger)
    if not found and fold(title).startswith("the "):
        found = find(title[4:], setting.ledger)
    if len(found) > 1:
        return _ambiguous(f"{title!r} could be any of {', '.join(found[:5])}")
    return OnPage(slug=found[0]) if found else _new(title, kind, setting)


def _new(title: str, kind: str, setting: Setting) -> Subject:
    if not any(char.isalnum() for char in title) or len(title.encode("utf-8", "replace")) > setting.name_bytes:
        return _ambiguous("the subject is no name")
    fault = text_fault(title)
    if fault is not None:
        return Unresolved(code=DropCode.BAD_TEXT, reason=f"the subject {fault}")
    tidy = cleaned(kind)
    usable = len(tidy.encode("utf-8", "replace")) <= setting.name_bytes and text_fault(tidy) is None
    return NewPage(title=title, kind=tidy if usable else "")


def cleaned(name: str) -> str:
    """Return a name as it may become a title: no link signs, no control or invisible characters, single spaces."""
    kept = "".join(" " if char.isspace() else char for char in _unlinked(name))
    visible = "".join(char for char in kept if char in JOINERS or unicodedata.category(char) not in _UNSEEN)
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def _unlinked(name: str) -> str:
    """Return what a `[[Name|label]]` around a subject names."""
    stripped = name.strip()
    if stripped.startswith("[[") and stripped.endswith("]]"):
        return stripped[2:-2].split("|")[0].strip()
    return name


def _ambiguous(reason: str) -> Unresolved:
    return Unresolved(code=DropCode.AMBIGUOUS, reason=reason)
