"""An opened vault, as jobs take it: its files, its repository, where its derived state lies, clock and chance.

Time and random bytes come in from the surface, so that every job can be replayed in a test. `Opened` changes
nothing; a job that writes takes `Held`, which only `xysq.jobs.hold` makes, with the vault's lock. Nothing of the
read model is imported here: a push that only lands has no use for it.
"""

from collections.abc import Callable
from dataclasses import field
from datetime import datetime
from pathlib import Path

from xysq.canonical import instant, run_id
from xysq.frozen import frozen
from xysq.model.fact import RunId
from xysq.model.schema import Schema
from xysq.model.settings import Settings
from xysq.model.source import Channel
from xysq.store import layout
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.git_ref import BrokenRef
from xysq.store.schema_file import parse_schema
from xysq.store.settings import parse_settings


@frozen
class Opened:
    """A vault that was found and may be read.

    `cache` is the private directory of its read model; `notices` collects what a surface should tell in one line.
    """

    root: Path
    vault_id: str
    files: Files
    repository: Repository
    cache: Path
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    timeout_s: float
    channel: Channel
    notices: list[str] = field(default_factory=list)

    def now(self) -> str:
        """Return the present moment as it is spelled in the vault."""
        return instant(self.clock())

    def tip(self) -> str:
        """Return the commit that main is at; `BrokenRef` where it is at none, for a vault always has one."""
        tip = self.repository.tip()
        if tip is None:
            raise BrokenRef("is missing")
        return tip

    def new_run(self) -> RunId:
        """Return an id for a run that begins now."""
        return RunId(run_id(self.clock(), self.entropy(4)))

    def new_salts(self, count: int) -> tuple[str, ...]:
        """Return one random salt an event, as 32 hexadecimal digits each."""
        return tuple(self.entropy(16).hex() for _ in range(count))

    def settings(self) -> Settings:
        """Read the vault's settings."""
        return parse_settings(self.files.read(layout.SETTINGS))

    def schema(self) -> Schema:
        """Read the vault's schema."""
        return parse_schema(self.files.read(layout.SCHEMA))
