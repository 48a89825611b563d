"""Vault: the Python API. Every surface calls these methods and holds nothing else.

A vault can be used from several threads and processes. Methods return frozen values and raise `XysqError`s with
stable codes. Moments are UTC; sizes are bytes.
"""

import os
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self

from xysq.drafters import choose, spec_of, trouble
from xysq.errors import Ambiguous, BadInput, NotFound
from xysq.jobs import push as push_job
from xysq.jobs import status as status_job
from xysq.jobs import verify as verify_job
from xysq.jobs.apply import apply
from xysq.jobs.distill import report_of
from xysq.jobs.follow import rebuild
from xysq.jobs.hold import hold
from xysq.jobs.noting import distill_noted
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder
from xysq.model.fact import RunId
from xysq.model.report import Noted, Progress, Pushed, RunReport, Status, Verdict, Wait
from xysq.model.source import Channel, Role, Row
from xysq.store import layout, queue, wal
from xysq.store.lock import VaultLock
from xysq.store.settings import set_setting
from xysq.vault import place
from xysq.vault.adopting import Adopting
from xysq.vault.comparing import Comparing
from xysq.vault.correcting import Correcting
from xysq.vault.explaining import Explaining
from xysq.vault.importing import Importing
from xysq.vault.listing import Listing
from xysq.vault.looking import Looking
from xysq.vault.paging import Paging
from xysq.vault.proposing import Proposing
from xysq.vault.recalling import Recalling
from xysq.vault.redistilling import Redistilling
from xysq.vault.reverting import Reverting
from xysq.vault.sound import Sound


class Vault(
    Importing,
    Recalling,
    Looking,
    Listing,
    Comparing,
    Explaining,
    Correcting,
    Adopting,
    Paging,
    Reverting,
    Redistilling,
    Proposing,
    Sound,
):
    """An open vault. Use it as a context manager, or call `close`.

    `notices` collects, in one line each, what a person should be told about: a run that was finished after a crash,
    a page that was left as it is.
    """

    WAITS: ClassVar[frozenset[Wait]] = frozenset(Wait)

    def __init__(self, opened: Opened, *, created: bool = False) -> None:
        """Use `open` or `init`."""
        super().__init__(opened)
        self.created = created

    # Opening

    @classmethod
    def init(cls, path: str | os.PathLike[str], *, me: str | None = None, timeout_s: float = 30.0) -> Self:
        """Make a vault in a directory; on a vault, change nothing. `me` is the owner's name (default: git's, or yours).

        Raises `BadInput` inside another git repository that does not ignore the directory.
        """
        root, created = place.make(path, me, timeout_s)
        return cls(place.opened(root, timeout_s, Channel.PYTHON), created=created)

    # Bringing in

    def note(self, text: str) -> Noted:
        """Keep words of the owner's, said now, and distil them at once with the built-in rules."""
        if not text.strip():
            raise BadInput("an empty note says nothing")
        me = self._opened.settings().me
        order = PushOrder(
            data=f"{text.strip()}\n".encode(),
            filename="note.txt",
            said_as=(Role.USER, me.name),
            format="text",
            title=text.strip()[:80],
            at=self._opened.now(),
        )
        (pushed,) = self.follow((push_job.push(self._opened, order),), Wait.INDEXED)
        return Noted(pushed=pushed, runs=distill_noted(self._opened, pushed.source, choose("rules", {})))

    def follow(self, pushed: Sequence[Pushed], wait: Wait) -> tuple[Pushed, ...]:
        """Wait for pushes that landed until all are as far as `wait` says; return them with what is known then."""
        known = super().follow(pushed, wait)
        if wait is Wait.DISTILLED:
            self.distill()
        return known

    # Distilling

    def verify(self, runs: Iterable[str] = ()) -> tuple[Verdict, ...]:
        """Return what the gates say of staged runs, of all of them without names. Changes nothing."""
        return verify_job.verify(self._opened, tuple(map(self._staged_run, runs)))

    def apply(self, runs: Iterable[str] = ()) -> tuple[RunReport, ...]:
        """Make staged runs part of the vault, of all of them without names; those the gates refuse are reported."""
        wanted = tuple(map(self._staged_run, runs)) or self.staged()
        reports = []
        for run in wanted:
            with hold(self._opened) as held:
                if run not in wal.list_runs(self._opened.files):
                    continue  # it was decided before a crash, and finished just now
                outcome = apply(held, run)
                with held.model.reading() as snapshot:
                    reports.append(report_of(outcome, snapshot.ledger))
        return tuple(reports)

    def discard(self, run: str) -> None:
        """Drop a staged run; its rows are pending again."""
        name = self._staged_run(run)
        with hold(self._opened):
            if name in self.staged():
                wal.discard(self._opened.files, name)

    def retry(self, rows: Iterable[str] = ()) -> tuple[Row, ...]:
        """Make given-up rows pending again, all of them without names; return which."""
        wanted = {Row.parse(row) for row in rows}
        given_up = [attempt.row for attempt in queue.attempts(self._opened.files) if attempt.given_up]
        unknown = wanted.difference(given_up)
        if unknown:
            raise NotFound("given-up row", str(min(unknown)))
        return tuple(
            row for row in given_up if not wanted or row in wanted if queue.drop_attempt(self._opened.files, row)
        )

    def staged(self) -> tuple[RunId, ...]:
        """Return the staged runs, oldest first."""
        files = self._opened.files
        return tuple(run for run in wal.list_runs(files) if not wal.is_decided(files, run))

    def _staged_run(self, name: str) -> RunId:
        found = [run for run in self.staged() if run == name or run.startswith(name)]
        if len(found) > 1:
            raise Ambiguous(name, tuple(found))
        if not found:
            raise NotFound("staged run", name)
        return found[0]

    # Looking

    def status(self) -> Status:
        """Return where the vault stands."""
        config = place.user_config()
        name = config.drafter or self._opened.settings().drafter
        spec = config.drafters.get(name) if config.drafter is None else spec_of(name, config.drafters)
        sentence, hint = trouble(spec, os.environ)
        told = f"{sentence}. Next: {hint}" if hint else sentence
        return status_job.status(self._opened, name, drafter_trouble=told, budgets=config.budgets)

    # Keeping sound

    def recover(self) -> tuple[str, ...]:
        """Finish decided runs and settle what landed; return what was done, one line each."""
        before = len(self.notices)
        with hold(self._opened):
            return tuple(self.notices[before:])

    def reindex(self, progress: Progress | None = None) -> int:
        """Make the read model from nothing; return how many passages it has."""
        with hold(self._opened):
            model = rebuild(self._opened, progress)
            with model.reading() as snapshot:
                return snapshot.lists.totals().passages

    @property
    def me(self) -> str:
        """The owner's name, as the vault's settings have it."""
        return self._opened.settings().me.name

    def settings_text(self) -> str:
        """Return the text of the vault's settings."""
        return self._opened.files.read(layout.SETTINGS).decode("utf-8")

    def set_setting(self, key: str, value: str) -> None:
        """Change one of the vault's settings; comments stay."""
        with VaultLock(self._opened.files, self._opened.timeout_s):
            changed = set_setting(self.settings_text(), key, value)
            self._opened.files.replace(layout.SETTINGS, changed.encode("utf-8"))
