"""A tale to tell, on a fresh vault of Maya's; at its end, all words that no longer hold are marked where they show."""

from collections.abc import Iterator

import pytest

from tests.builders import Clock
from tests.jobs.conftest import opened as opened  # noqa: PLC0414 - a fixture by that name
from tests.stories.marks import asked
from tests.stories.told import Tale
from xysq.jobs.opened import Opened


@pytest.fixture
def tale(opened: Opened, clock: Clock) -> Iterator[Tale]:
    told = Tale(opened, clock)
    yield told
    assert asked(told).wrong == []
