"""Desk: what a command works at: the vault that was asked for, and where its answers go."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from xysq.cli.call import Call, Form
from xysq.cli.commands import load_paint
from xysq.cli.line import Line
from xysq.cli.output import Output
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.core import OpenVault

T = TypeVar("T")
V = TypeVar("V", bound=OpenVault)


class Desk:
    """One command's vault and output."""

    def __init__(self, ctx: typer.Context) -> None:
        """Prepare for the call that the context is of."""
        call = ctx.find_object(Call)
        self.call = Call() if call is None else call
        paint = load_paint() if self.call.form is Form.TEXT and _has_colours() else None
        self.output = Output(self.call.form, out=sys.stdout, err=sys.stderr, quiet=self.call.quiet, paint=paint)

    @property
    def is_json(self) -> bool:
        """Tell whether results are JSON."""
        return self.call.form is not Form.TEXT

    @property
    def may_ask(self) -> bool:
        """Tell whether there is somebody to ask."""
        return not self.is_json and not self.call.quiet and sys.stdin is not None and sys.stdin.isatty()

    @contextmanager
    def vault(self, kind: type[V]) -> Iterator[V]:
        """Open the vault for a kind of task; tell at the end what came up on the way."""
        with self._telling(kind, place.opened) as vault:
            yield vault

    @contextmanager
    def examined(self, kind: type[V]) -> Iterator[V]:
        """Open the vault, whatever state it is in."""
        with self._telling(kind, place.examined) as vault:
            yield vault

    @contextmanager
    def _telling(self, kind: type[V], way: Callable[[Path, float, Channel], Opened]) -> Iterator[V]:
        with kind(way(place.find_root(self.call.vault), self.call.timeout_s, Channel.CLI)) as vault:
            try:
                yield vault
            finally:
                self.tell_notices(vault)

    def tell_notices(self, vault: OpenVault) -> None:
        """Tell what came up in a vault."""
        for notice in vault.notices:
            self.output.warn(notice)

    def answer(self, value: object, lines: Iterable[Line]) -> None:
        """Give the result: for people as lines, else the value as JSON."""
        if self.call.form is Form.TEXT:
            self.output.lines(lines)
        else:
            self.output.document(value)

    def list(
        self,
        name: str,
        items: Sequence[T],
        for_people: Callable[[T], Iterable[Line]],
        for_programs: Callable[[T], Line],
    ) -> None:
        """Give a list: one or more lines an item for people, cells for programs, or JSON under that name."""
        match self.call.form:
            case Form.JSON:
                self.output.document({name: items})
            case Form.JSONL:
                for item in items:
                    self.output.document(item)
            case Form.TEXT if self.output.is_for_people:
                self.output.lines(row for item in items for row in for_people(item))
            case Form.TEXT:
                self.output.lines(for_programs(item) for item in items)


def _has_colours() -> bool:
    """Tell whether standard output shows colours, and nobody asked for none."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()
