"""Twenty dated sessions pushed in any order: the same values are open, and none is wrongly superseded.

    python -m tests.crash.orders [LIVES] [SEED]

Prints the seeds of the lives that ended otherwise in another order; status 1 where there is one.
"""

import sys
from multiprocessing import get_context

from tests.stories.orders import SESSIONS, disagreement

LIVES, SEED, WORKERS = 60, 20261201, 2


def main() -> int:
    """Tell lives and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LIVES
    first = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    seeds = range(first, first + count)
    with get_context("spawn").Pool(WORKERS) as pool:
        found = zip(seeds, pool.imap(disagreement, seeds), strict=True)
        wrong = [f"seed {seed}: {trouble}" for seed, trouble in found if trouble]
    print("\n".join(wrong[:5]))
    print(f"{count:,} lives of {SESSIONS} sessions, each in three orders, seed {first}")
    print(f"{len(wrong)} ended otherwise in another order")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
