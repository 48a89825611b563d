"""The errors of a branch that is not where the vault left it."""

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


class OtherBranch(XysqError):
    """HEAD of the vault is not on main; nothing is written then."""

    code: ClassVar[str] = "other-branch"
    exit_status: ClassVar[int] = 1

    def __init__(self, root: str) -> None:
        """Say what to type."""
        super().__init__("the vault's HEAD is not on main", f"git -C {root} switch main")
