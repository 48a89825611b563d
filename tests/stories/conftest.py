"""A tale to tell, on a fresh vault of Maya's."""

import pytest

from tests.builders import Clock
from tests.jobs.conftest import opened as opened  # noqa: PLC0414 - a fixture by that name
from tests.stories.told import Tale
from xysq.jobs.opened import Opened


@pytest.fixture
def tale(opened: Opened, clock: Clock) -> Tale:
    return Tale(opened, clock)
