"""Random histories of whole vaults, crashes among them, with the promises proved after every step.

    python -m tests.crash.histories [HISTORIES] [SEED]

What happens in them and what has to hold stands in `tests.stories.histories`. Prints how many were lived through;
status 1 where a promise was broken, with the steps that led there.
"""

import io
import sys
import time
from contextlib import redirect_stdout
from multiprocessing import get_context

from hypothesis import Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.stories.histories import Histories

HISTORIES, SEED, WORKERS, STEPS, SHARE = 1_000, 20261201, 2, 8, 25


def live(job: tuple[int, int]) -> str:
    """Live through some histories; return what went wrong, with the steps."""
    number, count = job

    @seed(number)
    class Seeded(Histories):
        """The same machine, driven by this seed."""

    some = settings(
        max_examples=count, stateful_step_count=STEPS, deadline=None, database=None, phases=(Phase.generate,)
    )
    told = io.StringIO()
    try:
        with redirect_stdout(told):
            run_state_machine_as_test(Seeded, settings=some)
    except Exception as error:  # noqa: BLE001 - whatever a broken promise raises
        steps = "\n".join(getattr(error, "__notes__", ()))
        return f"seed {number}: {type(error).__name__}: {error}\n{steps}\n{told.getvalue()[-2000:]}"
    return ""


def main() -> int:
    """Live and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else HISTORIES
    first = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    began = time.monotonic()
    jobs = [(first + place, min(SHARE, count - begin)) for place, begin in enumerate(range(0, count, SHARE))]
    with get_context("spawn").Pool(WORKERS) as pool:
        wrong = [found for found in pool.imap_unordered(live, jobs) if found]
    print("\n".join(wrong[:5]))
    print(f"{count:,} histories of {STEPS} steps in {time.monotonic() - began:.0f} s, seed {first}")
    print(f"{len(wrong)} of {len(jobs)} shares broke a promise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
