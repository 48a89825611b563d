"""`make mutants`: a hundred thousand mutants through the gates; prints the table and writes it to MUTANTS.md.

    python -m tests.mutants [SEED]

Status 1 where a mutant survives, a good run is refused, or a gate alone refuses fewer than a hundred.
"""

import sys
from pathlib import Path

from tests.mutants.bases import every_base
from tests.mutants.corpus import OPERATORS
from tests.mutants.engine import tally_all
from tests.mutants.fast import remembering_gates
from tests.mutants.table import faults, lines
from xysq.gates import judge
from xysq.gates.quarantine import quarantine

LEAST = 100_000
EACH = 1_300  # of an operator; some have fewer
SEED = 20261130
HERE = Path(__file__).resolve().parent


def main() -> int:
    """Judge the good runs, then the mutants; print and write the table."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    families = every_base()
    if not families["of public transcripts"]:
        print("the public transcripts are not there: mutants of them are skipped")
    bases = [base for family in families.values() for base in family]
    with remembering_gates():
        wrong = [base.name for base in bases if judge(base.run, base.state)]
    wrong += [base.name for base in bases if quarantine(base.run.plan, base.run.run, base.state, base.run.rows).drops]
    tallies = list(tally_all(bases, seed, [EACH] * len(OPERATORS)))
    table = list(lines(tallies, {name: len(family) for name, family in families.items()}, seed))
    print("\n".join(table))
    found = [f"a good run is refused: {name}" for name in wrong] + faults(tallies, LEAST)
    for fault in found:
        print(f"FAULT {fault}")
    if not found and len(sys.argv) == 1:
        (HERE / "MUTANTS.md").write_text("\n".join((*table, "")), "utf-8")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
