"""A vault that is held: what a job takes that writes."""

from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.store.lock import VaultLock
from xysq.store.readmodel import ReadModel


@frozen
class Held:
    """A vault whose lock we hold: decided runs are finished, its read model is of the tip."""

    opened: Opened
    lock: VaultLock
    model: ReadModel
