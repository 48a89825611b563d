"""What tests of the store share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.scratch import scratch


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """Return an empty directory, in memory where the system has such a place."""
    with scratch() as path:
        yield path
