"""What search and recall say of words that no longer hold, asked at the end of every story.

Which words those are is worked out from the facts and the bytes of the logs, not from the index.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.stories.told import Tale
from xysq.jobs.show import show
from xysq.model.fact import Closed, CloseReason, Evidence, Fact, FactId, Superseded
from xysq.model.report import ShownPassage
from xysq.model.source import Meta, Version, VersionKind
from xysq.search.block import BUDGET
from xysq.search.hit import Hit, HitKind
from xysq.store import logs
from xysq.vault.api import Vault


@dataclass(frozen=True)
class Shown:
    """A passage as a search or a recall shows it."""

    id: str
    text: str
    marks: tuple[str, ...]
    score: float


@dataclass
class Asked:
    """How many passages with words that no longer hold were shown, and what is wrong with how."""

    shown: int
    wrong: list[str]


def asked(tale: Tale) -> Asked:
    """Ask for the words of every fact that ended, by search and by recall."""
    told = Asked(0, [])
    vault = Vault(tale.opened)
    facts = {fact.id: fact for fact in tale.facts()}
    for fact in facts.values():
        for piece in fact.evidence:
            want = _wanted(fact, piece, tale)
            if not want:
                continue
            hits = vault.search(piece.quote, limit=50)
            found = [Shown(hit.id, hit.text, tuple(map(str, hit.marks)), hit.score) for hit in hits if _passage(hit)]
            groups = vault.recall(piece.quote, budget=10 * BUDGET).groups
            recalled = [Shown(one.id, one.text, tuple(map(str, one.marks)), 0) for group in groups for one in group]
            for one in (*found, *recalled):
                if _holds(tale, one.id, piece):
                    told.shown += 1
                    if not any(mark.startswith(want) for mark in one.marks):
                        told.wrong.append(f"{one.id} {one.text!r} lacks {want!r}, has {one.marks}")
            told.wrong += _too_high(tale, fact, piece, facts, hits)
    return told


def _passage(hit: Hit) -> bool:
    return hit.kind is HitKind.PASSAGE


def _holds(tale: Tale, name: str, piece: Evidence) -> bool:
    """Tell whether a passage has the quoted bytes, as they were or in another version of the source."""
    named = name.partition("#")[0]
    version = Version.parse(named)
    if version.source != piece.source:
        return False
    shown = show(tale.opened, name)
    assert isinstance(shown, ShownPassage)
    place = _followed(tale, piece, version.number)
    return place is not None and place[0] < shown.passage.end and shown.passage.start < place[1]


def _followed(tale: Tale, piece: Evidence, number: int) -> tuple[int, int] | None:
    """Return where the quoted bytes lie in another version; None where they do not."""
    start, end = piece.start, piece.end
    low, high = sorted((piece.version, number))
    for meta in logs.versions(tale.opened.files, piece.source):
        if not low < meta.version <= high or meta.kind is VersionKind.APPEND:
            continue
        if number < piece.version:
            return None
        moved = [new + start - old for old, until, new in meta.kept if old <= start and end <= until]
        if not moved:
            return None
        start, end = moved[0], moved[0] + end - start
    return start, end


def _wanted(fact: Fact, piece: Evidence, tale: Tale) -> str:
    """Return how a mark on the words has to begin; "" where the words may stand unmarked."""
    correction = _corrected(piece, tale)
    if correction is not None:
        return f"corrected in {correction}"
    match fact.life:
        case Superseded():
            return f"superseded on {fact.life.at[:10]} by {fact.life.by}"
        case Closed(reason=reason) if reason is not CloseReason.MERGED:
            return "no longer held: "
        case _:
            return ""


def _corrected(piece: Evidence, tale: Tale) -> Version | None:
    """Return the correction that removed the bytes of a quote; None where none did."""
    place = (piece.start, piece.end)
    metas: list[Meta] = list(logs.versions(tale.opened.files, piece.source))
    for meta in metas:
        if meta.version <= piece.version or meta.kind not in (VersionKind.CORRECT, VersionKind.UPDATE):
            continue
        moved = [new + place[0] - low for low, high, new in meta.kept if low <= place[0] and place[1] <= high]
        if not moved:
            return meta.id if meta.kind is VersionKind.CORRECT else None
        place = (moved[0], moved[0] + place[1] - place[0])
    return None


def _too_high(
    tale: Tale, fact: Fact, piece: Evidence, facts: dict[FactId, Fact], hits: tuple[Hit, ...]
) -> Iterator[str]:
    """Tell which hits stand above what took their place."""
    if not isinstance(fact.life, Superseded) or fact.life.by not in facts:
        return
    heir = facts[fact.life.by]
    passages = [hit for hit in hits if _passage(hit)]
    new = [hit for hit in passages if not hit.beside and any(_holds(tale, hit.id, one) for one in heir.evidence)]
    ids = {hit.id for hit in new}
    old = [hit for hit in passages if _holds(tale, hit.id, piece) and hit.id not in ids]
    for low in old:
        for high in (*new, *(hit for hit in hits if hit.id == heir.id)):
            if low.score >= high.score:
                yield f"{low.id} {low.text!r} stands above {high.id} {high.text!r}"
