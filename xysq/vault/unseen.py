"""Unseen: what goes wrong where nobody is looking is kept, and told by `status` and `doctor`."""

from xysq.errors import XysqError
from xysq.jobs.opened import Opened
from xysq.model.report import Problem
from xysq.store import problems


def note_unseen(opened: Opened, who: str, trouble: str) -> None:
    """Keep what went wrong; a vault that cannot take even that is left alone."""
    try:
        problems.note(opened.files, Problem(at=opened.now(), who=who, what=trouble))
    except (XysqError, OSError):
        return
