"""An opened vault on a real disk, with a clock that is moved by hand and counted chance."""

from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from xysq.jobs.init import InitOrder, init, vault_id
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.store.files import Files
from xysq.store.git import Repository


@pytest.fixture
def opened(tmp_path: Path, clock: Clock, entropy: Entropy) -> Opened:
    """Return a fresh vault of Maya's."""
    root = tmp_path / "vault"
    root.mkdir()
    files, repository = Files(root), Repository(root)
    assert init(files, repository, InitOrder(me="Maya", clock=clock, entropy=entropy, timeout_s=5.0))
    return Opened(
        root=root,
        vault_id=vault_id(files),
        files=files,
        repository=repository,
        cache=tmp_path / "cache",
        clock=clock,
        entropy=entropy,
        timeout_s=5.0,
        channel=Channel.CLI,
    )
