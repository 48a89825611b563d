"""Redistilling: what was distilled once more, in the vault itself or into a second one that begins with its logs."""

import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from xysq.errors import BadInput
from xysq.jobs import init as init_job
from xysq.jobs.distill import distill
from xysq.jobs.naming import source_named
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.redistill import redistill_anew, redistill_from_drafts
from xysq.jobs.redraft import redraft
from xysq.jobs.reverted import reverted_sources
from xysq.model.report import RunReport
from xysq.model.source import SourceId
from xysq.store import layout
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.settings import parse_settings
from xysq.vault import place
from xysq.vault.distilling import Distilling
from xysq.vault.options import DistillOptions


class Redistilling(Distilling):
    """A vault that is distilled once more."""

    def redistill(
        self,
        sources: Iterable[str] | None = None,
        drafter: str | None = None,
        *,
        from_drafts: bool = False,
        **options: Unpack[DistillOptions],
    ) -> Iterator[RunReport]:
        """Distil what these sources say once more, of all without names; yield a report as each run ends.

        Without names, sources that were reverted are left out.
        Known facts are confirmed and new ones added; closed ones stay closed. With `from_drafts` the answers that the
        runs kept are planned again, and no drafter is asked.
        """
        wanted = self._sources(sources)
        if from_drafts:
            return redraft(self._opened, wanted, options.get("progress"))
        order = self._order(drafter, options)
        return distill(self._opened, replace(order, again=wanted)) if wanted else iter(())

    def redistill_into(
        self,
        path: str | os.PathLike[str],
        drafter: str | None = None,
        *,
        from_drafts: bool = False,
        **options: Unpack[DistillOptions],
    ) -> Iterator[RunReport]:
        """Distil all logs into a second vault, made in a new directory; yield a report as each run ends.

        With `from_drafts` it is made from the answers that the runs kept, and its pages are those of this vault.
        """
        order = None if from_drafts else self._order(drafter, options)
        second = self._second(Path(path).expanduser().absolute())
        if order is None:
            reports = redistill_from_drafts(self._opened, second, options.get("progress"))
        else:
            reports = redistill_anew(self._opened, second, replace(order, purse=self._opened))
        yield from reports
        self.notices.extend(second.notices)

    def _sources(self, names: Iterable[str] | None) -> tuple[SourceId, ...]:
        with readable(self._opened).reading() as snapshot:
            if names is None:
                gone = reverted_sources(snapshot)
                return tuple(reversed([line.source for line in snapshot.logs.sources() if line.source not in gone]))
            return tuple(source_named(snapshot, name) for name in names)

    def _second(self, root: Path) -> Opened:
        """Make an empty vault with the settings and the schema of this one."""
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise BadInput(f"{root} is there and not empty", "name a new directory")
        place.make_room(root)
        files = Files(root)
        for path in (layout.SETTINGS, layout.SCHEMA):
            files.replace(path, self._opened.files.read(path))
        me = parse_settings(files.read(layout.SETTINGS)).me.name
        order = init_job.InitOrder(
            me=me, clock=self._opened.clock, entropy=secrets.token_bytes, timeout_s=self._opened.timeout_s
        )
        init_job.init(files, Repository(root, os.environ), order)
        return place.opened(root, self._opened.timeout_s, self._opened.channel)
