"""The error of a decided run whose branch went somewhere else."""

from typing import ClassVar

from xysq.errors import XysqError
from xysq.model.fact import RunId


class Conflict(XysqError):
    """The branch moved to a history that a decided run does not fit; nothing was touched."""

    code: ClassVar[str] = "conflict"
    exit_status: ClassVar[int] = 12

    def __init__(self, run: RunId, tip: str, parent: str) -> None:
        """Name the run, where the branch is and where it was when the run was decided."""
        super().__init__(
            f"{run} was decided on commit {parent[:12]}; main is now at {tip[:12]}, with other changes of the vault",
            f"git -C VAULT update-ref refs/heads/main {parent}",
        )
