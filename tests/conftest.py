"""Every test runs the same anywhere: an empty home, no variables of ours or of git's, UTC, a fixed clock."""

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.builders import Clock, Entropy

settings.register_profile(
    "xysq",
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("xysq")

_DIRECTORIES = {"XDG_CONFIG_HOME": ".config", "XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".data"}


@pytest.fixture(autouse=True)
def _hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith(("XYSQ_", "GIT_", "XDG_", "CLAUDE", "LC_")) or name in {"EDITOR", "VISUAL", "NO_COLOR"}:
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name, below in _DIRECTORIES.items():
        monkeypatch.setenv(name, str(home / below))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still until it is told to go on."""
    return Clock()


@pytest.fixture
def entropy() -> Entropy:
    """Return random bytes that are the same in every run of a test."""
    return Entropy()
