"""Desk: where a tool finds the vault, opened anew for each call, so that a call sees what is there now."""

import threading
from contextlib import suppress
from typing import TypeVar

from xysq.errors import XysqError
from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.core import OpenVault
from xysq.vault.unseen import note_unseen

V = TypeVar("V", bound=OpenVault)


@frozen
class Desk:
    """Where the vault is (None: it is found), how long a call waits for others, which client calls.

    `distilling` is held by the call that distils.
    """

    place: str | None
    timeout_s: float
    distilling: threading.Lock
    client: str = ""

    def vault(self, kind: type[V]) -> V:
        """Open the vault for a kind of task; what it keeps came over MCP. Raises `NoVault` where there is none."""
        return kind(self._opened())

    def note_unseen(self, trouble: str) -> None:
        """Keep what went wrong when nobody waits for the answer any more."""
        with suppress(XysqError, OSError):
            note_unseen(self._opened(), "mcp", trouble)

    def _opened(self) -> Opened:
        return place.opened(place.find_root(self.place), self.timeout_s, Channel.MCP)
