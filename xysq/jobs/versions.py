"""Versions: what changed in a source from one version to another.

Words first, as they are read: passages side by side, whatever the format has around them. The lines of the bytes are
told besides, and which facts ended because of the versions in between.
"""

import difflib
from collections.abc import Iterator, Sequence

from xysq.errors import BadInput, NotFound
from xysq.frozen import frozen
from xysq.jobs.changes import Ended, ref_of
from xysq.jobs.naming import is_version, version_named
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.show import proven
from xysq.model.fact import Closed
from xysq.model.source import Passage, SourceId, Version
from xysq.store.readmodel import FactFilter, Snapshot

_CONTEXT = 3


@frozen
class WordLine:
    """One line of a comparison: " " in both, "-" in the old one alone, "+" in the new one alone."""

    sign: str
    who: str
    text: str


@frozen
class WordHunk:
    """A place where the words differ, with what stands around it: the first passage there on each side."""

    old: str
    new: str
    lines: tuple[WordLine, ...]


@frozen
class VersionDifference:
    """What changed between two versions of a source.

    `words` compares what they say; `patch` is a unified diff of the lines of their bytes, what is no UTF-8 as
    backslash escapes. `closed` are the facts ended by versions after the older one, up to the newer one.
    """

    old: Version
    new: Version
    old_bytes: int
    new_bytes: int
    closed: tuple[Ended, ...]
    words: tuple[WordHunk, ...]
    patch: str
    same: bool

    def __bool__(self) -> bool:
        """Tell whether a byte differs."""
        return not self.same


def diff_versions(opened: Opened, old: str, new: str | None = None) -> VersionDifference:
    """Compare two versions of a source, as SOURCE@N or SOURCE@1..SOURCE@2; without a second, with the newest.

    Raises `NotFound` for a version that is not there, `BadInput` where they are of two sources.
    """
    left, dots, right = old.partition("..")
    if new is None and dots and is_version(left):
        old, new = left, right
    with readable(opened).reading() as snapshot:
        first = version_named(snapshot, old)
        newest = Version(first.source, snapshot.logs.newest(first.source))
        second = newest if new is None else version_named(snapshot, new)
        if first.source != second.source:
            raise BadInput(f"{first} and {second} are versions of two sources", f"the newest one here is {newest}")
        before, after = proven(opened, snapshot, first), proven(opened, snapshot, second)
        return VersionDifference(
            old=first,
            new=second,
            old_bytes=len(before),
            new_bytes=len(after),
            closed=_closed(snapshot, first.source, *sorted((first.number, second.number))),
            words=tuple(_hunks(_lines(snapshot, first), _lines(snapshot, second))),
            patch=_patch(first, before, second, after),
            same=before == after,
        )


def _closed(snapshot: Snapshot, source: SourceId, after: int, until: int) -> tuple[Ended, ...]:
    causes = {str(Version(source, number)) for number in range(after + 1, until + 1)}
    facts = snapshot.lists.facts(FactFilter(source=source, is_open=False)) if causes else ()
    return tuple(
        Ended(fact=ref_of(fact), reason=fact.life.reason.value, cause=fact.life.cause, evidence=fact.life.evidence)
        for fact in facts
        if isinstance(fact.life, Closed) and fact.life.cause in causes
    )


def _lines(snapshot: Snapshot, version: Version) -> tuple[Sequence[tuple[str, str]], Sequence[str]]:
    """Return the lines of a version with who says each, and beside them the passages they are of."""
    if snapshot.logs.meta(version) is None:
        raise NotFound("version", str(version))
    found = [(passage, row) for passage in snapshot.logs.passages(version) for row in passage.text.split("\n")]
    return [(_who(passage), row) for passage, row in found], [f"{version}#{one.number}" for one, _ in found]


def _who(passage: Passage) -> str:
    return passage.speaker or passage.role.value


def _hunks(
    old: tuple[Sequence[tuple[str, str]], Sequence[str]], new: tuple[Sequence[tuple[str, str]], Sequence[str]]
) -> Iterator[WordHunk]:
    (before, old_places), (after, new_places) = old, new
    for group in difflib.SequenceMatcher(a=before, b=after).get_grouped_opcodes(_CONTEXT):
        lines: list[WordLine] = []
        for kind, low, high, new_low, new_high in group:
            if kind == "equal":
                lines += [WordLine(sign=" ", who=who, text=text) for who, text in before[low:high]]
                continue
            lines += [WordLine(sign="-", who=who, text=text) for who, text in before[low:high]]
            lines += [WordLine(sign="+", who=who, text=text) for who, text in after[new_low:new_high]]
        yield WordHunk(old=_place(old_places, group[0][1]), new=_place(new_places, group[0][3]), lines=tuple(lines))


def _place(places: Sequence[str], at: int) -> str:
    """Return the passage of a line; of one behind the last, the last; "" where there is none."""
    return places[min(at, len(places) - 1)] if places else ""


def _patch(old: Version, before: bytes, new: Version, after: bytes) -> str:
    lines, others = (data.decode("utf-8", "backslashreplace").split("\n") for data in (before, after))
    return "\n".join(difflib.unified_diff(lines, others, str(old), str(new), lineterm="", n=_CONTEXT))
