"""Where two ledgers part: the one on the disk and the one of a commit.

Two clones that went on apart have different runs behind the event they share, and neither is wrong. Lines that were
altered, cut off or added by hand are of the same runs, or of none.
"""

from xysq.errors import Damaged, NotFound, XysqError
from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.jobs.past import end_at, events_at
from xysq.model.event import Event, Head
from xysq.store import segments


@frozen
class Fork:
    """The first event that is not the same here and there (None: one ends before it), and where each ends."""

    here: Event | None
    there: Event | None
    end_here: Head
    end_there: Head

    @property
    def is_of_two_clones(self) -> bool:
        """Tell whether each goes on with a run that the other does not have."""
        return self.here is not None and self.there is not None and self.here.run != self.there.run


def fork(opened: Opened, commit: str) -> Fork | None:
    """Return where they part; None where they are the same, or where one of them is damaged."""
    try:
        here, there = segments.tail(opened.files), end_at(opened, commit)
        if here == there:
            return None
        return _parted(opened, commit, here.head, there.head)
    except (Damaged, NotFound):
        return None
    except XysqError:  # git cannot answer; that is told where git is looked at
        return None


def _parted(opened: Opened, commit: str, end_here: Head, end_there: Head) -> Fork | None:
    ours, theirs = segments.read_all(opened.files), events_at(opened, commit)
    while True:
        here, there = next(ours, None), next(theirs, None)
        if here != there:
            for rest in (ours, theirs):
                for _ in rest:  # to its end: one that is damaged further on is no fork
                    pass
            return Fork(here=here, there=there, end_here=end_here, end_there=end_there)
        if here is None:
            return None
