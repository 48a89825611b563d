"""Serial: whether what writers were told, and what a vault holds afterwards, come from one order of whole deeds.

Each law is a function from a `Case` to what is wrong. A deed that was acknowledged is there exactly once, byte for
byte; one that was not is there once or not at all; nothing else is there; numbers have neither holes nor doubles; and
no deed comes before one that had ended when it was begun.
"""

import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.crash.deeds import NOTES, READS, Deed, Kind
from xysq import Vault
from xysq.jobs.opened import Opened
from xysq.model.source import Channel, Meta, VersionKind
from xysq.store import logs, segments
from xysq.vault import place

_NAMED = 3


@dataclass(frozen=True)
class Kept:
    """A version in the vault: its name (that of its source), meta, the bytes of the whole and of its part."""

    name: str
    meta: Meta
    whole: bytes
    part: bytes


@dataclass(frozen=True)
class Case:
    """What is judged: the deeds of all writers, and everything that the vault holds."""

    deeds: Sequence[Deed]
    kept: Sequence[Kept]
    facts: Counter[str]
    events: Sequence[tuple[int, str]]
    runs: Sequence[str]
    commits: Sequence[str]

    @cached_property
    def pushes(self) -> dict[str, list[Deed]]:
        """The deeds that push, by the name of their source; notes, which have none, by their bytes."""
        found: dict[str, list[Deed]] = defaultdict(list)
        for deed in self.deeds:
            if deed.data:
                found[deed.source or _note_name(deed.data)].append(deed)
        return found

    @cached_property
    def versions(self) -> dict[str, list[Kept]]:
        """What is kept, by the name of its source; notes, which have none, by their bytes."""
        found: dict[str, list[Kept]] = defaultdict(list)
        for one in self.kept:
            found[one.name or _note_name(one.whole.removesuffix(b"\n"))].append(one)
        return found


def _note_name(data: bytes) -> str:
    return f"note {data.decode('utf-8', 'replace')}"


def read(root: Path, deeds: Sequence[Deed]) -> Case:
    """Read everything that a vault holds from its files, and its facts from its read model."""
    opened = place.opened(root, 30.0, Channel.PYTHON)
    with Vault.open(root) as vault:
        facts = Counter(fact.text for fact in vault.facts(is_open=True))
    command = ("git", "-C", str(root), "log", "--first-parent", "--format=%(trailers:key=Xysq-Run,valueonly)", "main")
    told = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return Case(
        deeds=deeds,
        kept=tuple(_kept(opened)),
        facts=facts,
        events=tuple((event.n, event.run) for event in segments.read_all(opened.files)),
        runs=tuple(path.stem for path in (root / "runs").rglob("*.json")),
        commits=tuple(told.split()),
    )


def _kept(opened: Opened) -> Iterator[Kept]:
    for source in logs.all_sources(opened.files):
        metas = logs.versions(opened.files, source)
        for meta in metas:
            whole = logs.read_bytes(opened.files, meta.id)
            yield Kept(metas[0].name, meta, whole, whole[meta.offset :])


# The laws


def told_is_kept(case: Case) -> Iterator[str]:
    """A version that was acknowledged is there, with the bytes that were pushed."""
    by_id = {str(one.meta.id): one for one in case.kept}
    for deed in case.deeds:
        if deed.answer is None or "version" not in deed.answer:
            continue
        one = by_id.get(deed.answer["version"])
        if one is None:
            yield f"{deed}: {deed.answer['version']} was acknowledged and is not there"
        elif (one.part if deed.kind is Kind.SHARED else one.whole) != deed.data + _ending(deed):
            yield f"{deed}: {one.meta.id} was acknowledged and has other bytes"


def _ending(deed: Deed) -> bytes:
    return b"\n" if deed.kind in NOTES else b""


def each_once(case: Case) -> Iterator[str]:
    """A deed made one version where it was told so, one or none where it died, and there is no other version."""
    for name in sorted(case.pushes.keys() | case.versions.keys()):
        made: Counter[bytes] = Counter()
        for one in case.versions.get(name, ()):
            made[one.part if name.startswith("shared") else one.whole.removesuffix(b"\n" if not one.name else b"")] += 1
        wanted: Counter[bytes] = Counter()
        allowed: Counter[bytes] = Counter()
        for deed in case.pushes.get(name, ()):
            is_new = deed.is_told and (deed.answer or {}).get("kind", "push") is not None
            wanted[deed.data] |= int(is_new) if deed.kind in (Kind.GROWN, Kind.SAME) else 0
            wanted[deed.data] += int(is_new) if deed.kind not in (Kind.GROWN, Kind.SAME) else 0
            allowed[deed.data] = 1  # no two deeds push the same bytes, but those that push what is there already
        for data in made.keys() | allowed.keys():
            if not wanted[data] <= made[data] <= allowed[data]:
                yield f"{name}: {data[:40]!r} is there {made[data]} times, acknowledged {wanted[data]} times"


def same_is_unchanged(case: Case) -> Iterator[str]:
    """What was pushed already, acknowledged, is answered by the version that has it."""
    for deeds in case.pushes.values():
        known: dict[bytes, tuple[int, str]] = {}
        for deed in sorted((deed for deed in deeds if deed.ended is not None), key=lambda deed: deed.ended or 0):
            version = (deed.answer or {}).get("version", "")
            first = known.setdefault(deed.data, (deed.ended or 0, version)) if version else None
            if first and first[0] < deed.begun and first[1] != version:
                yield f"{deed}: {version} holds what {first[1]} held"


def numbers_are_whole(case: Case) -> Iterator[str]:
    """Versions of a source are 1, 2, 3 …; so are events; every run has its event, its file, and one commit."""
    for name, kept in case.versions.items():
        sources = {one.meta.source for one in kept}
        numbers = sorted(one.meta.version for one in kept)
        if len(sources) != 1 and not name.startswith("note "):
            yield f"{name}: is {len(sources)} sources"
        elif numbers != list(range(1, len(kept) + 1)):
            yield f"{name}: its versions are {numbers}"
    if [n for n, _ in case.events] != list(range(1, len(case.events) + 1)):
        yield "the numbers of the events have holes or doubles"
    runs = Counter({run: 1 for _, run in case.events[1:]})  # the first event is the vault's own, of no run that is kept
    if runs != Counter(case.runs) or runs != Counter(case.commits):
        yield f"{len(runs)} runs, {len(case.runs)} files of runs, {len(case.commits)} commits of runs: not the same"


def appended_in_order(case: Case) -> Iterator[str]:
    """Of two lines behind a shared source, the one that was acknowledged before the other was begun comes first."""
    places = {one.part: one.meta.version for one in case.kept if one.name.startswith("shared")}
    for deeds in (deeds for name, deeds in case.pushes.items() if name.startswith("shared")):
        latest, its = 0, ""
        for deed in sorted((deed for deed in deeds if deed.data in places), key=lambda deed: places[deed.data]):
            if deed.ended is not None and deed.ended < latest:
                yield f"{its} was begun after {deed} had ended, and its line stands before"
            if deed.begun > latest:
                latest, its = deed.begun, str(deed)


def appended_whole(case: Case) -> Iterator[str]:
    """The last version of a source that grew is all that was added, in the order of its versions."""
    for name, kept in case.versions.items():
        ordered = sorted(kept, key=lambda one: one.meta.version)
        if name.startswith("shared") and ordered[-1].whole != b"".join(one.part for one in ordered):
            yield f"{name}: is not its parts"
        if name.startswith(("shared", "grown")):
            kinds = {one.meta.kind for one in ordered[1:]} - {VersionKind.APPEND}
            if kinds:
                yield f"{name}: grew, and has a version that is {kinds}"


def said_once(case: Case) -> Iterator[str]:
    """Every acknowledged note is one open fact; whatever landed is one fact, now that all is distilled; no other is."""
    wanted: dict[str, Deed] = {}
    for deed in case.deeds:
        if deed.said and deed.kind not in READS:
            wanted[deed.said] = deed
            is_kept = (deed.source or _note_name(deed.data)) in case.versions
            if case.facts[deed.said] != int(is_kept):
                yield f"{deed}: {deed.said!r} stands {case.facts[deed.said]} times, its log {int(is_kept)} times"
    for text in case.facts.keys() - wanted.keys():
        if " likes " in text:
            yield f"{text!r} was said by nobody"


def found_when_told(case: Case) -> Iterator[str]:
    """What was acknowledged as searchable is found by whoever was told so."""
    for deed in case.deeds:
        if deed.kind is Kind.FIND and deed.answer is not None and not deed.answer["found"]:
            yield f"{deed}: {deed.source or deed.said!r} was acknowledged and not found"


def looks_grow(case: Case) -> Iterator[str]:
    """A look sees at least what every look that had ended before it saw, and what had been acknowledged by then."""
    looks = [deed for deed in case.deeds if deed.kind is Kind.LOOK and deed.answer is not None]
    for what in sorted({name for deed in looks for name in deed.answer or ()}):
        told = [(deed.ended or 0, (deed.answer or {}).get(what, 0), str(deed)) for deed in looks]
        told += _acknowledged(case.deeds, what)
        told.sort()
        most, its, place = 0, "", 0
        for deed in sorted(looks, key=lambda deed: deed.begun):
            while place < len(told) and told[place][0] < deed.begun:
                if told[place][1] > most:
                    most, its = told[place][1], told[place][2]
                place += 1
            seen = (deed.answer or {}).get(what, 0)
            if seen < most:
                yield f"{deed}: saw {what} at {seen}, after {its} had it at {most}"


def _acknowledged(deeds: Iterable[Deed], what: str) -> Iterator[tuple[int, int, str]]:
    """Yield when something had been acknowledged as searchable, and what a look must see from then on."""
    runs: set[str] = set()
    for deed in sorted((deed for deed in deeds if deed.is_told and deed.is_indexed), key=lambda one: one.ended or 0):
        answer = deed.answer or {}
        if what == "runs" and answer.get("runs"):
            runs.update(answer["runs"])
            yield deed.ended or 0, len(runs), str(deed)
        elif deed.kind is Kind.SHARED and deed.source == what:
            yield deed.ended or 0, int(answer["version"].rpartition("@")[2]), str(deed)


def proven_meanwhile(case: Case) -> Iterator[str]:
    """Whoever proves the vault while others write finds nothing."""
    for deed in case.deeds:
        findings = (deed.answer or {}).get("findings", ())
        if findings:
            yield f"{deed}: found {len(findings)}, such as {findings[0]}"


def nothing_failed(case: Case) -> Iterator[str]:
    """No deed failed: everybody waits for everybody else."""
    for deed in case.deeds:
        if deed.failed:
            yield f"{deed}: {deed.failed}"


LAWS: tuple[Callable[[Case], Iterator[str]], ...] = (
    told_is_kept,
    each_once,
    same_is_unchanged,
    numbers_are_whole,
    appended_in_order,
    appended_whole,
    said_once,
    found_when_told,
    looks_grow,
    proven_meanwhile,
    nothing_failed,
)


def faults(case: Case) -> Iterator[str]:
    """Yield what is wrong, the first few by each law."""
    for law in LAWS:
        found = list(law(case))
        yield from (f"{law.__name__}: {fault}" for fault in found[:_NAMED])
        if len(found) > _NAMED:
            yield f"{law.__name__}: and {len(found) - _NAMED} more"
