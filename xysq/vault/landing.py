"""Landing: pushes that are kept, durably, and no more; what a hook calls at every turn."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Unpack

from xysq.canonical import instant
from xysq.jobs import push as push_job
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder
from xysq.model.report import Pushed, Wait
from xysq.model.source import Role
from xysq.text import fold
from xysq.vault import place
from xysq.vault.core import OpenVault
from xysq.vault.options import PushOptions


class Landing(OpenVault):
    """A vault that takes pushes in."""

    WAITS: ClassVar[frozenset[Wait]] = frozenset({Wait.LANDED})

    def push(self, path: str | os.PathLike[str], **options: Unpack[PushOptions]) -> Pushed:
        """Keep a file's bytes (P1); return when they are durable (P2), searchable or distilled, as `wait` says."""
        file = Path(path).expanduser().absolute()
        return self._push(place.read_file(file), file.name, str(file.resolve()), options)

    def push_text(self, text: str | bytes, name: str = "", **options: Unpack[PushOptions]) -> Pushed:
        """Keep words, or bytes that come from no file; `name` is what a file of them would be called."""
        return self._push(text.encode("utf-8") if isinstance(text, str) else text, name, "", options)

    def _push(self, data: bytes, filename: str, origin: str, options: PushOptions) -> Pushed:
        at = options.get("at")
        order = PushOrder(
            data=data,
            filename=filename,
            origin=origin,
            source=options.get("source") or "",
            append=options.get("append", False),
            said_as=_said_as(options.get("said_as"), self._opened),
            title=options.get("title") or "",
            format=options.get("format") or "",
            at=None if at is None else instant(at),
            project=options.get("project") or "",
            piecewise=options.get("piecewise", False),
            sequence=options.get("sequence"),
        )
        wait = Wait(options.get("wait", Wait.INDEXED))
        return self.follow((push_job.push(self._opened, order),), wait)[0]

    def follow(self, pushed: Sequence[Pushed], wait: Wait) -> tuple[Pushed, ...]:
        """Wait for pushes that landed until all are as far as `wait` says; return them with what is known then."""
        if wait not in self.WAITS:
            raise ValueError(f"{type(self).__name__} does not wait until a push is {wait.value}")
        return tuple(pushed)


def _said_as(name: str | None, opened: Opened) -> tuple[Role, str] | None:
    """Return the role and speaker that `--as` means: `me` is the owner, any other name is a person."""
    if name is None:
        return None
    me = opened.settings().me
    is_me = fold(name) in {"me", *map(fold, me.names)}
    return (Role.USER, me.name) if is_me else (Role.PERSON, name)
