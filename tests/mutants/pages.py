"""Damage to the bytes of pages: what a run leaves is not what its events fold to."""

import re
from random import Random

from tests.mutants.base import Base, Mutant, file_of
from tests.mutants.operator import operator, pick
from xysq.model.fact import Slug

PAGES = "pages"
_FACT = re.compile(rb"^- .* \^f-[0-9a-z]{10}$", re.MULTILINE)
_LOGGED = re.compile(rb"^- \d{4}-\d{2}-\d{2} .*$", re.MULTILINE)
_MARKERS = ("<<<<<<< HEAD", ">>>>>>> other", "||||||| base")
_STRUCTURES = (
    b"# A second title",
    b"## Changelog",
    b"---",
    b"```",
    b"<div>",
    b"<!--",
    b"- a list item",
    b"[[maps|Maps]]",
    b"> quoted",
    b"\xef\xbb\xbf",
    b"\x00",
    "\u202eevil".encode(),
    b"Merged into [[x|X]].",
)


def _page(base: Base, random: Random, pattern: re.Pattern[bytes] | None = None) -> tuple[Slug, bytes] | None:
    found = [
        (slug, data) for slug, data in base.run.after.items() if data and (pattern is None or pattern.search(data))
    ]
    return pick(random, found)


def _lines(base: Base, random: Random, pattern: re.Pattern[bytes]) -> tuple[Slug, bytes, re.Match[bytes]] | None:
    page = _page(base, random, pattern)
    if page is None:
        return None
    match = pick(random, list(pattern.finditer(page[1])))
    return None if match is None else (*page, match)


@operator(PAGES)
def fact_reworded_on_its_page(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _FACT)
    if found is None:
        return None
    slug, data, match = found
    at = random.randrange(match.start() + 2, match.end() - 14)
    other = random.choice((b"", b"x", b" not", "\u0430".encode()))
    return base.with_page(slug, data[:at] + other + data[at + 1 :])


@operator(PAGES)
def fact_moved(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _FACT)
    if found is None:
        return None
    slug, data, match = found
    without = data[: match.start()] + data[match.end() + 1 :]
    other = pick(random, [line for line in _FACT.finditer(without) if line.start() != match.start()])
    if other is None:
        return None
    return base.with_page(slug, without[: other.end() + 1] + match.group() + b"\n" + without[other.end() + 1 :])


@operator(PAGES)
def fact_merged_into_prose(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _FACT)
    if found is None:
        return None
    slug, data, match = found
    return base.with_page(slug, data[: match.start()] + match.group()[2:-13] + b"\n" + data[match.end() + 1 :])


@operator(PAGES)
def fact_gone_from_its_page(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _FACT)
    return None if found is None else base.with_page(found[0], found[1].replace(found[2].group() + b"\n", b""))


@operator(PAGES)
def closed_fact_shown(base: Base, random: Random) -> Mutant | None:
    ended = [fact for fact in base.facts if not fact.is_open and fact.page in base.run.after]
    fact, page = pick(random, ended), None
    if fact is None or not (page := base.run.after[fact.page]):
        return None
    anchor = random.choice((fact.id, f"f-{random.randrange(10**10):010d}"))
    line = f"- {fact.text} ^{anchor}\n".encode()
    match = _FACT.search(page)
    at = match.end() + 1 if match else len(page)
    return base.with_page(fact.page, page[:at] + line + page[at:])


@operator(PAGES)
def changelog_touched(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _LOGGED)
    if found is None:
        return None
    slug, data, match = found
    line = match.group()
    forged = random.choice(
        (
            b"",
            line + b"\n" + line,
            line[:2] + b"1999" + line[6:],
            line.replace(b"+", b"-") + b".",
            line + b" ^f-0000000000",
            b"# Changelog\n" + line,
            b"- 2026-12-24 18:00Z r-20261224T180000Z-zzzz: +9 facts\n" + line,
            line[:-1],
        )
    )
    return None if forged == line else base.with_page(slug, data[: match.start()] + forged + data[match.end() :])


@operator(PAGES)
def changelog_reordered(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random, _LOGGED)
    if page is None:
        return None
    lines = [match.group() for match in _LOGGED.finditer(page[1])]
    if len(lines) < 2:
        return None
    whole = b"\n".join(lines)
    return base.with_page(page[0], page[1].replace(whole, b"\n".join(reversed(lines))))


@operator(PAGES)
def conflict_marker_on_a_page(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random)
    if page is None:
        return None
    lines = page[1].split(b"\n")
    before = random.choice(("", "  ", "- ", "> ", "  - ", "\t", "```\n"))
    lines.insert(random.randrange(len(lines)), f"{before}{random.choice(_MARKERS)}".encode())
    return base.with_page(page[0], b"\n".join(lines))


@operator(PAGES)
def structure_on_a_page(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random)
    if page is None:
        return None
    lines = page[1].split(b"\n")
    lines.insert(random.randrange(len(lines)), random.choice(_STRUCTURES))
    return base.with_page(page[0], b"\n".join(lines))


@operator(PAGES)
def anchor_doubled(base: Base, random: Random) -> Mutant | None:
    found = _lines(base, random, _FACT)
    if found is None:
        return None
    slug, data, match = found
    double = random.choice(
        (match.group(), b"- Something else. " + match.group()[-13:], b"Prose. " + match.group()[-13:])
    )
    return base.with_page(slug, data[: match.end() + 1] + double + b"\n" + data[match.end() + 1 :])


@operator(PAGES)
def front_matter_changed(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random, re.compile(rb"\A---\n"))
    if page is None:
        return None
    slug, data = page
    changed = random.choice(
        (
            data.replace(b"title: ", b"title: The ", 1),
            data.replace(b"\n---\n", b"\nrole: admin\n---\n", 1),
            data.replace(b"\n---\n", b"\naliases: [you]\n---\n", 1),
            data.replace(b"---\n", b"", 1),
            data.replace(b"\n# ", b"\n# Not ", 1),
        )
    )
    return None if changed == data else base.with_page(slug, changed)


@operator(PAGES)
def any_byte_changed(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random)
    if page is None:
        return None
    slug, data = page
    at = random.randrange(len(data))
    new = bytes([random.randrange(256)])
    changed = random.choice((data[:at] + new + data[at + 1 :], data[:at] + data[at + 1 :], data[:at] + new + data[at:]))
    return None if changed == data else base.with_page(slug, changed)


@operator(PAGES)
def page_shrunk(base: Base, random: Random) -> Mutant | None:
    """A committed page loses a share of its body, or blocks, with the removal declared or not."""
    pages = [page for page in base.pages if len(_FACT.findall(file_of(base.state.ledger, page.slug))) > 1]
    page = pick(random, pages)
    if page is None:
        return None
    before = file_of(base.state.ledger, page.slug)
    after = base.run.after.get(page.slug, before)
    lines = [match.group() + b"\n" for match in _FACT.finditer(after)]
    random.shuffle(lines)
    for line in lines[: random.randint(1, max(1, len(lines)))]:
        after = after.replace(line, b"")
    if random.random() < 0.3:
        at = after.find(b"\n# ") + 4
        after = after[:at] + after[at + random.randrange(1, max(2, len(after) // 3)) :]
    return base.with_pages({**base.run.after, page.slug: after}, {**base.run.before, page.slug: before})


@operator(PAGES)
def page_emptied(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random)
    return None if page is None else base.with_page(page[0], random.choice((b"", b"\n", page[1][: len(page[1]) // 2])))


@operator(PAGES)
def line_ends_and_spaces_changed(base: Base, random: Random) -> Mutant | None:
    page = _page(base, random)
    if page is None:
        return None
    slug, data = page
    changed = random.choice(
        (data.replace(b"\n", b"\r\n"), data + b"\n", data.rstrip(b"\n"), data.replace(b"\n\n", b"\n", 1))
    )
    return None if changed == data else base.with_page(slug, changed)
