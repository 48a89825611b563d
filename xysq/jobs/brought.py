"""Brought: the versions of sources that came with commits."""

from collections.abc import Iterator

from xysq.jobs.opened import Opened
from xysq.model.source import SourceId, Version
from xysq.store import layout
from xysq.store.git_diff import changed_files


def brought_versions(opened: Opened, old: str, new: str) -> Iterator[Version]:
    """Yield the versions whose meta came with the commits between two, those of a source in order."""
    found: dict[SourceId, set[int]] = {}
    for changed in changed_files(opened.repository, old, new, layout.LOGS):
        source = layout.source_of(changed.path)
        number = layout.meta_number(changed.path.rpartition("/")[2])
        if source is not None and number is not None and changed.status != "D":
            found.setdefault(source, set()).add(number)
    for source, numbers in found.items():
        for number in sorted(numbers):
            yield Version(source, number)
