"""Keeping sound: what is asked of a vault that may be damaged, and what is done about it."""

import os
from pathlib import Path
from typing import Self

from xysq.jobs import fsck as fsck_job
from xysq.jobs import repair as repair_job
from xysq.jobs.fsck import Depth
from xysq.jobs.proof.handmade import handmade
from xysq.model.report import Finding, Repaired
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.core import OpenVault


class Sound(OpenVault):
    """A vault that is proven or mended; `examine` opens also one whose damage keeps every other command out."""

    @classmethod
    def examine(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        timeout_s: float = 30.0,
        channel: Channel = Channel.PYTHON,
    ) -> Self:
        """Open a vault as `open` does, but whatever state it is in: to prove it, or to mend it."""
        return cls(place.examined(place.find_root(path), timeout_s, channel))

    def fsck(self, depth: Depth | str = Depth.FULL) -> tuple[Finding, ...]:
        """Prove the promises on what lies on the disk; return what is not as promised. Changes nothing."""
        return fsck_job.fsck(self._opened, Depth(depth))

    def judge_index(self) -> tuple[Finding, ...]:
        """Judge what git's index holds as a commit made by hand; inside a hook, the index that git names there."""
        named = os.environ.get("GIT_INDEX_FILE")
        return handmade(self._opened, None if not named else Path(self._opened.root, named))

    def repair(self, *, dry_run: bool = False) -> Repaired:
        """Mend what is damaged from redundant copies; return what was done and what remains."""
        return repair_job.repair(self._opened, is_dry=dry_run)
