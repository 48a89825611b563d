"""An opened vault for every test."""

from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from xysq.jobs.opened import Opened


@pytest.fixture
def opened(tmp_path: Path, clock: Clock, entropy: Entropy) -> Opened:
    """Return a fresh vault of Maya's."""
    return made_vault(tmp_path, clock, entropy)
