"""Naming: what an id, a unique beginning of one, a page's title, a source's name or its file means."""

import re
from collections.abc import Sequence
from typing import Self

from xysq.errors import Ambiguous, BadInput, NotFound
from xysq.frozen import frozen
from xysq.model.fact import Fact, FactId, RunId, Slug
from xysq.model.page import BlockId
from xysq.model.source import SourceId, Version
from xysq.pages.escape import plain
from xysq.store.readmodel import Snapshot
from xysq.text import encodable, fold

_PASSAGE = re.compile(r"(\d{8}-[0-9a-z]{6})@([1-9]\d{0,8})#([1-9]\d{0,8})")
_VERSION = re.compile(r"(\d{8}-[0-9a-z]{6})@([1-9]\d{0,8})")
_OF_NAMED = re.compile(r"(.+)@([1-9]\d{0,8})(?:#([1-9]\d{0,8}))?", re.DOTALL)
_SOURCE = re.compile(r"\d{8}-[0-9a-z]{1,6}")
_SHORT_SOURCE = re.compile(r"[0-9a-z]{3,6}")
_MOST = 11
_LONGEST = 160


@frozen(kw_only=False)
class PassageName:
    """Passage K of a version."""

    version: Version
    number: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the spelling of a passage, `20261130-k3f9x2@2#7`."""
        match = _PASSAGE.fullmatch(text)
        if not match:
            raise BadInput(f"{text!r} is no passage such as 20261130-k3f9x2@1#7")
        return cls(Version(SourceId(match[1]), int(match[2])), int(match[3]))


Named = FactId | BlockId | RunId | SourceId | Version | PassageName | Slug


@frozen(kw_only=False)
class Meaning:
    """What a name means: which kind of thing, and its full id."""

    kind: str
    name: Named


def meaning(snapshot: Snapshot, words: str, staged: Sequence[RunId] = ()) -> Meaning:
    """Return what the words name; `NotFound` where nothing, `Ambiguous` where several things go by them.

    `staged` are runs that may be named though they are not part of the vault.
    """
    words = encodable(words.strip())
    if not words:
        raise BadInput("an empty name names nothing")
    if words.startswith("r-"):
        runs = {*snapshot.lists.runs_starting(words, _MOST), *(run for run in staged if run.startswith(words))}
        return Meaning("run", RunId(_only(words, tuple(sorted(runs)))))
    for look in (_by_shape, _by_title, _by_source_name, _by_version):
        found = look(snapshot, words)
        if found is not None:
            return found
    raise NotFound("page, fact, block, source, version, passage or run", words[:200])


def fact_named(snapshot: Snapshot, words: str) -> FactId:
    """Return the fact an id, a beginning of one, or words of its text mean."""
    words = encodable(words)
    if words.startswith("f-"):
        return _fact_starting(snapshot, words)
    saying = snapshot.lists.facts_saying(words, _MOST)
    if not saying:
        raise NotFound("fact", words[:200], "xysq search finds facts by their words")
    best = [fact for fact in saying if fact.is_open] or list(saying)
    if len(best) > 1:
        raise _one_of(words, best)
    return best[0].id


def _fact_starting(snapshot: Snapshot, words: str) -> FactId:
    found = snapshot.lists.facts_starting(words, _MOST)
    if len(found) > 1 and words not in found:
        raise _one_of(words, [fact for fact in map(snapshot.ledger.fact, found) if fact is not None])
    return FactId(_only(words, found))


def _one_of(words: str, facts: Sequence[Fact]) -> Ambiguous:
    """Return the error that tells facts apart by their ids and the beginning of their texts."""
    told = tuple(plain(fact.text)[:_LONGEST] for fact in facts)
    return Ambiguous(words[:200], tuple(fact.id for fact in facts), told)


def page_named(snapshot: Snapshot, words: str) -> Slug:
    """Return the page that goes by a slug, title or alias."""
    words = encodable(words)
    if snapshot.ledger.page(Slug(words)) is not None:
        return Slug(words)
    slugs = snapshot.ledger.named(fold(words))
    if not slugs:
        raise NotFound("page", words[:200])
    if len(slugs) > 1:
        raise Ambiguous(words[:200], slugs)
    return slugs[0]


def source_named(snapshot: Snapshot, words: str) -> SourceId:
    """Return the source that goes by an id, a unique beginning of one, its last letters, its name or its file."""
    words = encodable(words)
    found = _source(snapshot, words)
    if found is None:
        raise NotFound("source", words[:200])
    return found


def version_named(snapshot: Snapshot, words: str) -> Version:
    """Return the version `SOURCE@N` means, SOURCE being an id, a beginning of one, a name or a file."""
    match = _OF_NAMED.fullmatch(encodable(words.strip()))
    if not match or match[3]:
        raise BadInput(f"{words[:200]!r} is no version such as 20261130-k3f9x2@1")
    version = Version(source_named(snapshot, match[1]), int(match[2]))
    if snapshot.logs.meta(version) is None:
        newest = snapshot.logs.newest(version.source)
        raise NotFound("version", str(version), f"the newest one is {version.source}@{newest}")
    return version


def is_version(words: str) -> bool:
    """Tell whether words are spelled like a version, `SOURCE@N`, which no rev is."""
    match = _OF_NAMED.fullmatch(words.strip())
    return match is not None and not match[3]


def _by_shape(snapshot: Snapshot, words: str) -> Meaning | None:
    if words.startswith("f-"):
        return Meaning("fact", _fact_starting(snapshot, words))
    if words.startswith("b-") and snapshot.ledger.block_page(words) is not None:
        return Meaning("block", BlockId(words))
    if match := _PASSAGE.fullmatch(words):
        return Meaning("passage", PassageName(Version(SourceId(match[1]), int(match[2])), int(match[3])))
    if match := _VERSION.fullmatch(words):
        return Meaning("version", Version(SourceId(match[1]), int(match[2])))
    if _SOURCE.fullmatch(words):
        source = _source(snapshot, words)
        return None if source is None else Meaning("source", source)
    return None


def _by_title(snapshot: Snapshot, words: str) -> Meaning | None:
    try:
        return Meaning("page", page_named(snapshot, words))
    except NotFound:
        return None


def _by_source_name(snapshot: Snapshot, words: str) -> Meaning | None:
    source = _source(snapshot, words)
    return None if source is None else Meaning("source", source)


def _by_version(snapshot: Snapshot, words: str) -> Meaning | None:
    match = _OF_NAMED.fullmatch(words)
    source = None if match is None else _source(snapshot, match[1])
    if match is None or source is None:
        return None
    version = Version(source, int(match[2]))
    return Meaning("passage", PassageName(version, int(match[3]))) if match[3] else Meaning("version", version)


def _source(snapshot: Snapshot, words: str) -> SourceId | None:
    if _SOURCE.fullmatch(words):
        lines = snapshot.logs.sources(prefix=words, limit=_MOST)
    else:
        lines = snapshot.logs.sources(name=words, limit=_MOST)
        if not lines and _SHORT_SOURCE.fullmatch(words):
            lines = tuple(line for line in snapshot.logs.sources() if line.source[9:].startswith(words))[:_MOST]
        lines = lines or snapshot.logs.sources(file=words, limit=_MOST)
    return SourceId(_only(words, tuple(line.source for line in lines))) if lines else None


def _only(words: str, found: tuple[str, ...]) -> str:
    if words in found:
        return words
    if not found:
        raise NotFound("id", words[:200])
    if len(found) > 1:
        raise Ambiguous(words[:200], found)
    return found[0]
