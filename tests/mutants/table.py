"""The table: which gates refused how many mutants, which of them alone, and what became of each operator's."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.mutants.engine import Tally
from tests.mutants.owners import OWNERS
from xysq.gates import GATES

NAMES = tuple(gate.__name__.replace("_", "-") for gate in GATES)
LEAST_ALONE = 100


def totals(tallies: Sequence[Tally]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return refusals by gate, refusals by that gate alone, and drops by code."""
    refused, alone, dropped = Counter[str](), Counter[str](), Counter[str]()
    for tally in tallies:
        refused.update(tally.refused)
        alone.update(tally.alone)
        dropped.update(tally.dropped)
    return refused, alone, dropped


def faults(tallies: Sequence[Tally], least: int) -> list[str]:
    """Return why the corpus is not as it must be: survivors, too few mutants, gates that are not needed."""
    _, alone, _ = totals(tallies)
    found = [line for tally in tallies for line in tally.told]
    found += [f"{tally.operator} damages nothing" for tally in tallies if not tally.count]
    count = sum(tally.count for tally in tallies)
    if count < least:
        found.append(f"{count} mutants are fewer than {least}")
    found += shirking(tallies)
    return found + [f"{name} alone refuses only {alone[name]}" for name in NAMES if alone[name] < LEAST_ALONE]


def shirking(tallies: Sequence[Tally]) -> list[str]:
    """Return where a gate let mutants pass that it must refuse, whether or not others refused them."""
    return [
        f"{name} refuses {tally.refused[name]} of {tally.count}: {tally.operator}"
        for tally in tallies
        for name in OWNERS.get(tally.operator, ())
        if tally.refused[name] < tally.count
    ]


def lines(tallies: Sequence[Tally], bases: Mapping[str, int], seed: int) -> Iterator[str]:
    """Yield the table as Markdown."""
    refused, alone, dropped = totals(tallies)
    count, survivors = sum(tally.count for tally in tallies), sum(tally.survivors for tally in tallies)
    yield "# Mutants"
    yield ""
    yield "Written by `make mutants`. Good runs are damaged in every way that is listed below and sealed anew, so that"
    yield "no checksum is wrong. Each mutant must be refused by a gate, or its fact dropped by quarantine with the"
    yield "sentence kept or gone as the rules say; what is neither is a survivor."
    yield ""
    of = ", ".join(f"{number:,} {name}" for name, number in bases.items())
    yield f"Seed {seed}. {sum(bases.values()):,} good runs ({of}): 0 refused."
    yield f"{count:,} mutants, {survivors:,} survivors."
    yield ""
    yield "*Alone* counts what no other gate refuses, quarantine switched off; beside `shrinkage`, `declared-bytes` may"
    yield "refuse too."
    yield ""
    yield "| gate | refused | alone |"
    yield "|---|---:|---:|"
    for name in NAMES:
        yield f"| {name} | {refused[name]:,} | {alone[name]:,} |"
    yield ""
    yield "| dropped by quarantine | mutants |"
    yield "|---|---:|"
    for code, number in sorted(dropped.items()):
        yield f"| {code} | {number:,} |"
    yield ""
    yield "| damage | mutants | survivors | refused most by |"
    yield "|---|---:|---:|---|"
    for tally in tallies:
        most = ", ".join(name for name, _ in sorted(tally.refused.items(), key=lambda item: (-item[1], item[0]))[:3])
        yield f"| {tally.family}: {tally.operator.replace('-', ' ')} | {tally.count:,} | {tally.survivors:,} | {most} |"
