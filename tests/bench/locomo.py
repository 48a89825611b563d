"""How much of what answers a question is found: evidence recall on conversations of the LoCoMo kind.

    python -m tests.bench.locomo [path] [--short]

Each conversation is a vault of its own; then all of them are one. Of each question's evidence turns, the share among
the first 5 and 10 passages of a search; the mean over all questions that have evidence. `plain` is the same index
without our ranking: any of the words, ordered by SQLite's BM25. Questions of category 5 have no answer in their
conversation: of those, how many make recall claim an open fact, the facts being what the built-in rules drafted.

The ranking's figures are in `xysq.search.ranking.WEIGHTS`. The last table holds one conversation out each time, looks
for the one change of a figure that makes the others better, and measures with it the one that was held out. Prints the
tables and writes them to LOCOMO.md beside this file, no words of the data; `--short` leaves the last table out and
writes nothing.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from tests.bench.conversations import DEFAULT, Conversation, Turns, laid_down, read
from xysq import Vault
from xysq.jobs.readable import readable
from xysq.model.index import Index, Narrowing
from xysq.search.find import find
from xysq.search.hit import Place
from xysq.search.query import parse
from xysq.search.ranking import WEIGHTS, Weights

CUTS = (5, 10)
MUST = {5: 70.0, 10: 79.0}
MOST_CLAIMED = 5.0
NO_ANSWER = 5
# What the last table sets anew, one at a time: figures of the ranking, and what each may be instead.
CHOICES: Mapping[str, Sequence[float]] = {
    "saturation": (0.6, 1.4),
    "length": (0.0, 0.4),
    "around": (0.5, 1.1),
    "name": (0.0, 0.5),
    "speaker": (0.2, 0.7),
    "covered": (0.25, 0.8),
    "sitting": (0.15, 0.5),
    "day": (0.3, 1.0),
    "time_words": (0.2, 0.7),
    "asking": (0.1, 0.4),
}

Search = Callable[[str], Sequence[str]]
Shares = Mapping[int, Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Of each question of a conversation its category and the shares of its evidence by cut; and the seconds taken."""

    shares: tuple[tuple[int, Mapping[int, float]], ...]
    seconds: tuple[float, ...]


def measure(conversation: Conversation, turns: Turns, search: Search) -> Measured:
    """Ask every question that has evidence, and see how much of it is found."""
    shares: list[tuple[int, Mapping[int, float]]] = []
    seconds: list[float] = []
    for question in conversation.questions:
        if question.evidence:
            began = time.perf_counter()
            ids = search(question.text)
            seconds.append(time.perf_counter() - began)
            found = [turns[name] for name in ids]
            wanted = {(conversation.name, place) for place in question.evidence}
            shares.append((question.category, {cut: len(wanted & set(found[:cut])) / len(wanted) for cut in CUTS}))
    return Measured(shares=tuple(shares), seconds=tuple(seconds))


def ours(vault: Vault) -> Search:
    """Search as xysq does."""
    return lambda words: [hit.id for hit in vault.search(words, where=(Place.LOGS,), limit=max(CUTS))]


def weighed(index: Index, weights: Weights) -> Search:
    """Search with other figures."""
    return lambda words: [hit.id for hit in find(index, words, where=(Place.LOGS,), limit=max(CUTS), weights=weights)]


def plain(index: Index) -> Search:
    """Search by SQLite's own ranking alone."""

    def search(words: str) -> list[str]:
        match = parse(words).match
        return [str(passage) for passage in index.passages(match, Narrowing(), max(CUTS))] if match else []

    return search


def claimed(vault: Vault, conversation: Conversation) -> Mapping[int, list[bool]]:
    """Tell by category which questions make recall claim an open fact."""
    found: dict[int, list[bool]] = defaultdict(list)
    for question in conversation.questions:
        found[question.category].append(bool(vault.recall(question.text).facts))
    return found


def recall(measured: Sequence[Measured], cut: int, category: int | None = None) -> float:
    """Return the mean share, as a percentage."""
    shares = [of[cut] for one in measured for kind, of in one.shares if category in (None, kind)]
    return 100 * fmean(shares) if shares else 0.0


def row(name: str, measured: Sequence[Measured]) -> str:
    """Spell a line of the first table."""
    kinds = sorted({kind for one in measured for kind, _ in one.shares})
    parts = "; ".join(f"{kind}: {recall(measured, 5, kind):.1f} / {recall(measured, 10, kind):.1f}" for kind in kinds)
    count = sum(len(one.shares) for one in measured)
    milliseconds = 1000 * median(spent for one in measured for spent in one.seconds)
    return (
        f"| {name} | {count} | {recall(measured, 5):.1f} | {recall(measured, 10):.1f} | {parts} | {milliseconds:.1f} |"
    )


def held_out(variants: Mapping[str, Sequence[Measured]]) -> Iterator[str]:
    """Yield a line a conversation: its recall with the one change that the others like best.

    `variants` has by `figure=value`, and by "" for the figures as they are, what each conversation came to.
    """
    base = variants[""]
    for place in range(len(base)):

        def of_others(variant: str, place: int = place) -> float:
            others = [one for other, one in enumerate(variants[variant]) if other != place]
            return sum(recall(others, cut) for cut in CUTS)

        best = max(variants, key=of_others)
        was, now = (
            " / ".join(f"{recall([one], cut):.1f}" for cut in CUTS) for one in (base[place], variants[best][place])
        )
        yield f"| {place + 1} | {was} | {now} | {best.replace('=', ' ') or 'none'} |"


@dataclass
class Bench:
    """What was measured so far."""

    conversations: Sequence[Conversation]
    plain: list[Measured]
    ours: list[Measured]
    variants: dict[str, list[Measured]]
    claims: dict[int, list[bool]]


def apart(bench: Bench, *, short: bool) -> None:
    """Measure each conversation in a vault of its own."""
    for conversation in bench.conversations:
        with laid_down([conversation], distilled=True) as (vault, turns):
            bench.ours.append(measure(conversation, turns, ours(vault)))
            for kind, found in claimed(vault, conversation).items():
                bench.claims.setdefault(kind, []).extend(found)
            with readable(vault._opened).reading() as state:
                bench.plain.append(measure(conversation, turns, plain(state.index)))
                for name, weights in {} if short else _variants().items():
                    found_with = measure(conversation, turns, weighed(state.index, weights))
                    bench.variants.setdefault(name, []).append(found_with)


def together(bench: Bench) -> tuple[list[Measured], list[Measured]]:
    """Measure all conversations in one vault: plain, and ours."""
    with laid_down(bench.conversations, distilled=False) as (vault, turns):
        found = [measure(one, turns, ours(vault)) for one in bench.conversations]
        with readable(vault._opened).reading() as state:
            return [measure(one, turns, plain(state.index)) for one in bench.conversations], found


def tables(path: Path, *, short: bool) -> tuple[str, bool]:
    """Measure everything; return the tables, and whether every figure is as it must be."""
    bench = Bench(read(path), [], [], {}, {})
    apart(bench, short=short)
    plain_together, ours_together = together(bench)
    lines = [
        "# What is found",
        "",
        f"{len(bench.conversations)} conversations, evidence recall in percent; written by `tests/bench/locomo.py`.",
        "",
        "| search | questions | recall@5 | recall@10 | by category, @5 / @10 | median ms |",
        "|---|---|---|---|---|---|",
        row("plain FTS5, a vault each", bench.plain),
        row("xysq, a vault each", bench.ours),
        row("plain FTS5, one vault", plain_together),
        row("xysq, one vault", ours_together),
        "",
        "An open fact is claimed for, by category (5 has no answer in its conversation):",
        "",
        "| category | questions | a fact is claimed |",
        "|---|---|---|",
    ]
    share = {kind: 100 * fmean(found) for kind, found in sorted(bench.claims.items())}
    lines += [f"| {kind} | {len(bench.claims[kind])} | {of:.1f} % |" for kind, of in share.items()]
    if not short:
        lines += [
            "",
            "Each conversation held out, and the one change of a figure of the ranking that the others like best:",
            "",
            "| held out | as it is, @5 / @10 | as the others would have it, @5 / @10 | what they would change |",
            "|---|---|---|---|",
            *held_out(bench.variants),
        ]
    kept = all(recall(bench.ours, cut) >= least for cut, least in MUST.items())
    return "\n".join((*lines, "")), kept and share.get(NO_ANSWER, 0.0) <= MOST_CLAIMED


def _variants() -> dict[str, Weights]:
    changed = {f"{name}={value:g}": with_changes({name: value}) for name, of in CHOICES.items() for value in of}
    return {"": WEIGHTS} | changed


def with_changes(changes: Mapping[str, float]) -> Weights:
    """Return the figures with some of them changed."""
    return replace(WEIGHTS, **changes)  # type: ignore[arg-type] # those that can be chosen are all floats


def main(arguments: Sequence[str]) -> int:
    """Measure, print, write; status 1 where a figure is not what it must be."""
    short = "--short" in arguments
    path = next((Path(argument) for argument in arguments if not argument.startswith("--")), DEFAULT)
    if not path.exists():
        print(f"skipped: {path.name} is not here")
        return 0
    text, is_kept = tables(path, short=short)
    print(text)
    if not short:
        (Path(__file__).parent / "LOCOMO.md").write_text(text, encoding="utf-8")
    return 0 if is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
