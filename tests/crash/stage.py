"""A vault with one staged run, and what the harnesses do with it in this process: apply it, watched; prove it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from xysq import Vault
from xysq.jobs.apply import Outcome, apply
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.store import wal
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.step import Step, unwatched
from xysq.vault import place

KNOWN = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n"
STAGED = b"Maya: I like jazz.\n\nNora: I live in Lima.\n\n"


class Cut(BaseException):
    """The process ends here."""


def staged_vault(root: Path) -> None:
    """Make a vault that knows one talk and has a run of another staged: it changes one page and makes one."""
    with Vault.init(root, me="Maya") as vault:
        vault.push_text(KNOWN, "known.txt", source="known")
        vault.distill("rules")
        vault.push_text(STAGED, "staged.txt", source="staged")
        vault.distill("rules", stage=True)


def watched(root: Path, watch: Callable[[Step], None] = unwatched) -> Opened:
    """Open a vault whose every change is told to `watch` before it is made."""
    opened = place.opened(root, 30.0, Channel.PYTHON)
    return replace(opened, files=Files(root, watch), repository=Repository(root, watch=watch))


def applied(opened: Opened) -> tuple[Outcome, ...]:
    """Apply whatever is staged."""
    with hold(opened, tidies=False) as held:
        return tuple(apply(held, run) for run in wal.list_runs(opened.files))


def faults(root: Path) -> list[tuple[str, str]]:
    """Return what fsck finds that is no note."""
    return [(finding.file, finding.code) for finding in fsck(watched(root)) if not finding.note]
