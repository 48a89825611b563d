"""Make mutants, judge them, print what became of them.

    python -m tests.mutants [COUNT] [SEED]

Every operator damages every base until so many mutants were made (100,000 without a number). Each has to be refused
by a gate, or to lose what is bad in it to the pass before the gates. Prints the table; from 100,000 on writes it to
MUTANTS.md beside this file. Status 1 where a mutant survived, or a good run was refused.
"""

import os
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from tests.mutants.base import Mutant
from tests.mutants.court import Tally, judge_seed, verdict
from tests.mutants.operator import OPERATORS
from tests.mutants.recipe import recipe_bases
from xysq.gates import GATES

DEFAULT = 100_000
FILE = Path(__file__).with_name("MUTANTS.md")


def judge_many(count: int, first: int) -> Tally:
    """Judge so many mutants on every core."""
    tally = Tally()
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for part in pool.imap(judge_seed, range(first, first + count)):
            tally.add(part)
            if tally.made.total() >= count:
                pool.terminate()
                break
    return tally


def refused_bases() -> list[str]:
    """Return the good runs that are refused."""
    return [base.name for base in recipe_bases() if verdict(Mutant(base.run, base.state)).is_caught]


def table(tally: Tally, first: int, bases: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Mutants"
    yield ""
    yield f"{bases} good runs, {len(OPERATORS)} kinds of damage, seeds from {first}: {tally.made.total():,} mutants,"
    yield f"{len(tally.survivors)} survivors; good runs refused: 0."
    yield ""
    yield "*Alone*: no other gate refused the mutant. Three gates compare the bytes of whole pages (`declared-bytes`,"
    yield "`bijection`, `structure`), so whatever any gate sees on a page one of them sees too; *alone beside them*"
    yield "counts the mutants that no gate but this one and those three refused."
    yield ""
    yield "| gate | refused | alone | alone beside them |"
    yield "|---|---|---|---|"
    for gate in (gate.__name__.replace("_", "-") for gate in GATES):
        yield f"| {gate} | {tally.refused[gate]:,} | {tally.alone[gate]:,} | {tally.alone_but_whole_pages[gate]:,} |"
    yield ""
    yield "| taken out before the gates | mutants |"
    yield "|---|---|"
    for code, count in sorted(tally.dropped.items()):
        yield f"| {code} | {count:,} |"
    yield ""
    yield "| damage | mutants |"
    yield "|---|---|"
    for operator in OPERATORS:
        yield f"| {operator.family}: {operator.name.replace('_', ' ')} | {tally.made[operator.name]:,} |"


def main() -> int:
    """Make, judge, print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    refused = refused_bases()
    tally = judge_many(count, first)
    text = "\n".join(table(tally, first, len(list(recipe_bases())))) + "\n"
    sys.stdout.write(text)
    if count >= DEFAULT and not tally.survivors and not refused:
        FILE.write_text(text, encoding="utf-8")
    for name in (*refused, *tally.survivors[:50]):
        sys.stdout.write(f"NOT CAUGHT, OR CAUGHT WRONGLY: {name}\n")
    sys.stdout.write(
        f"{tally.made.total() - len(tally.survivors)} passed, {len(tally.survivors) + len(refused)} failed\n"
    )
    return 1 if tally.survivors or refused else 0


if __name__ == "__main__":
    sys.exit(main())
