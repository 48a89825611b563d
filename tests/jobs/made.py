"""An opened vault on a real disk, with a clock that is moved by hand and counted chance."""

from pathlib import Path

from tests.builders import Clock, Entropy
from xysq.jobs.init import InitOrder, init, vault_id
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.store.files import Files
from xysq.store.git import Repository


def made_vault(place: Path, clock: Clock, entropy: Entropy) -> Opened:
    """Make a vault of Maya's in a directory, and open it."""
    root = place / "vault"
    root.mkdir()
    files, repository = Files(root), Repository(root)
    assert init(files, repository, InitOrder(me="Maya", clock=clock, entropy=entropy, timeout_s=5.0))
    return Opened(
        root=root,
        vault_id=vault_id(files),
        files=files,
        repository=repository,
        cache=place / "cache",
        clock=clock,
        entropy=entropy,
        timeout_s=5.0,
        channel=Channel.CLI,
    )
