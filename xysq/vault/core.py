"""An open vault, and what can be done with it: a class a task, each importing only what its task needs.

`OpenVault` can be opened and closed, and no more. The classes made from it (`Landing`, `Indexing`, `Searching`,
`Looking`, `Explaining`, `Correcting`, `Reverting`) add one task each, for a command that lives for a tenth of a
second; `Vault` is all of them.
"""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.vault import place


class OpenVault:
    """A vault that is open."""

    def __init__(self, opened: Opened) -> None:
        """Use `open`."""
        self._opened = opened

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        timeout_s: float = 30.0,
        channel: Channel = Channel.PYTHON,
    ) -> Self:
        """Open a vault: the one at `path`, else XYSQ_VAULT, else at or above the working directory, else the default.

        Raises `NoVault` where there is none. `timeout_s` bounds how long a writer waits for others.
        """
        return cls(place.opened(place.find_root(path), timeout_s, channel))

    def __enter__(self) -> Self:
        """Return the vault."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the vault."""
        self.close()

    def close(self) -> None:
        """Let everything go. Nothing is pending here: what was answered is on the disk."""

    @property
    def root(self) -> Path:
        """The vault's directory."""
        return self._opened.root

    @property
    def notices(self) -> list[str]:
        """What should be told to a person, one line each."""
        return self._opened.notices
