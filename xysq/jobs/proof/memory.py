"""The memory itself: logs by their digests, the ledger by its chain, pages by the fold, facts by their quotes.

Logs against their metas (P1, P12); the chain of the ledger and the lawfulness of its fold (P12); records against the
events that name them; every committed page against the rendered fold (P4, and with it P7: a fact's block is the text
of its event); quotes of open stated facts against the bytes they cite (P5); single-valued attributes (P8).
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

from xysq.canonical import sha256_hex
from xysq.errors import Damaged
from xysq.jobs.fork import Fork
from xysq.jobs.proof.cited import CitedLogs
from xysq.jobs.proof.view import View, fault, note, told
from xysq.model.fact import Evidence, Fact, Label
from xysq.model.page import PageState
from xysq.model.report import Finding
from xysq.pages.escape import stands_in
from xysq.pages.render import render
from xysq.store import bases, layout, logs, segments
from xysq.store.git_object import git_object


def ledger(view: View) -> Iterator[Finding]:
    """Prove every line of every segment, and that each event may follow those before it."""
    yield from map(told, view.ledger_faults)
    if view.is_newer:
        yield fault(layout.segment_path(1), "newer-format", "is of a format that only a newer xysq knows", "1")
    elif view.fork is not None and view.has_diverged:
        yield _diverged(view.fork)
    elif view.ledger_faults:
        if view.fold is None:
            yield note(layout.LEDGER, "unproven", "pages and quotes could not be proven without it")
    elif view.unlawful is not None:
        number = segments.find(view.files, view.unlawful.n) or 1
        yield fault(layout.segment_path(number), "unlawful", view.unlawful.sentence)


def _diverged(fork: Fork) -> Finding:
    here, there = (f"event {head.n}, {head.hash[:12]}" for head in (fork.end_here, fork.end_there))
    first = min(event.n for event in (fork.here, fork.there) if event is not None)
    sentence = f"and main's went on apart from event {first}: here it ends at {here}, on main at {there}"
    return fault(layout.LEDGER, "diverged", f"the ledger on the disk {sentence}")


def records(view: View) -> Iterator[Finding]:
    """Compare every run's record with the digest its first event has of it."""
    for begun in view.runs:
        if begun.record:
            path = layout.record_path(begun.run)
            data, damage = view.read(path)
            if damage is not None:
                yield damage
            elif data is None:
                yield fault(path, "record", f"the record of {begun.run} is missing")
            elif sha256_hex(data) != begun.record:
                yield fault(path, "record", f"the record of {begun.run} is not the one that was committed")


def pages(view: View) -> Iterator[Finding]:
    """Compare every page with the rendered fold; there is no other (P4, P7)."""
    if view.fold is None or view.unlawful is not None or view.has_diverged or view.is_newer:
        return
    expected: set[str] = set()
    for page in view.fold.every_page():
        data = render(page)
        if data:
            path = layout.page_path(page.slug)
            expected.add(path)
            yield from _page(view, page, path, data)
    for path in sorted(view.committed or ()):
        if path.startswith(f"{layout.PAGES}/") and path not in expected:
            yield fault(path, "page", "the ledger knows no such page", "1")


def _page(view: View, page: PageState, path: str, data: bytes) -> Iterator[Finding]:
    if view.committed is not None and not view.is_between:
        committed = view.committed.get(path)
        if committed is None or committed.blob != git_object("blob", data).id:
            yield fault(path, "page", "the committed page is not what the ledger folds to", "1")
            return
    found, damage = view.read(path)
    if damage is not None:
        yield damage
    elif found is None:
        yield note(path, "unsaved", "its file is gone; xysq repair puts it back")
    elif not found.strip(b"\0"):
        sentence = "its file is empty, as after a power cut" if not found else "its file holds nothing but NUL"
        yield fault(path, "page-file", sentence)
    elif found != data:
        base = bases.base_of(view.files, page.slug)
        older = ", older than the last run" if base else ""
        line = str(1 + _equal_lines(found, data))
        yield note(path, "unsaved", f"has edits of yours that are not adopted{older}", line)


def _equal_lines(one: bytes, other: bytes) -> int:
    """Count the lines that are equal at the beginning."""
    count = 0
    for mine, yours in zip(one.split(b"\n"), other.split(b"\n"), strict=False):
        if mine != yours:
            break
        count += 1
    return count


def single_values(view: View) -> Iterator[Finding]:
    """Find attributes with more open facts than the one they may have (P8)."""
    held: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in () if view.fold is None else view.fold.every_fact():
        if fact.single and fact.is_open:
            held[fact.page, fact.attribute].append(fact)
    for (page, attribute), facts in held.items():
        if len(facts) > 1:
            names = ", ".join(fact.id for fact in facts)
            sentence = f"{page}: {attribute} has {len(facts)} open facts: {names}"
            yield fault(layout.page_path(facts[0].page), "one-value", sentence, "1")


def log_bytes(view: View) -> Iterator[Finding]:
    """Prove every part by its digest and every version by its parts (P1, P12)."""
    for source in logs.all_sources(view.files):
        try:
            yield from map(told, logs.faults(view.files, source))
        except Damaged as damage:  # what stands in the directory's place
            yield told(damage)
            continue
        with suppress(Damaged):  # told just now
            for stray in logs.strays(view.files, source):
                if layout.log_dir(source) not in view.landed_folders:
                    yield note(stray, "stray", "belongs to a push that was never acknowledged")


def quotes(view: View) -> Iterator[Finding]:
    """Look for a standing quote of every open stated fact, with its value in one (P5)."""
    cited = CitedLogs(view.files)
    for fact in () if view.fold is None else view.fold.every_fact():
        if fact.is_open and fact.label is Label.STATED:
            sentence = _quote_fault(view, cited, fact)
            if sentence:
                yield fault(layout.page_path(fact.page), "quote", sentence, f"^{fact.id}")


def _quote_fault(view: View, cited: CitedLogs, fact: Fact) -> str:
    standing = [evidence for evidence in fact.evidence if cited.stands(evidence)]
    if standing:
        is_shown = any(stands_in(fact.value, evidence.quote) for evidence in standing)
        return "" if is_shown else "its value stands in none of its quotes"
    if any(_is_told(view, cited, evidence) for evidence in fact.evidence):
        return ""
    return "no quote of it stands in the logs"


def _is_told(view: View, cited: CitedLogs, evidence: Evidence) -> bool:
    """Tell whether it is the log that is damaged or gone: that is found where logs are proven."""
    if cited.is_there(evidence):
        return cited.is_damaged(evidence)
    return layout.meta_path(evidence.cited) in (view.committed or ())
