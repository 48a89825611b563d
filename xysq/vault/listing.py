"""Listing: what there is in a vault, and what happened to it."""

from importlib import import_module
from typing import Unpack

from xysq.errors import NotFound
from xysq.jobs import history as history_job
from xysq.jobs.naming import fact_named, page_named, source_named
from xysq.jobs.readable import readable
from xysq.model.fact import Fact, Label
from xysq.model.report import Happening
from xysq.store.readmodel import FactFilter, PageLine, RunLine, SourceLine
from xysq.text import encodable
from xysq.vault.core import OpenVault
from xysq.vault.options import FactOptions


class Listing(OpenVault):
    """A vault whose things are listed."""

    def fact(self, name: str) -> Fact:
        """Return a fact by its id, a unique beginning of it, or words of its text."""
        with readable(self._opened).reading() as snapshot:
            fact = snapshot.ledger.fact(fact_named(snapshot, name))
        if fact is None:
            raise NotFound("fact", name)
        return fact

    def pages(self) -> tuple[PageLine, ...]:
        """List the pages, by slug."""
        with readable(self._opened).reading() as snapshot:
            return snapshot.lists.pages()

    def facts(self, **wanted: Unpack[FactOptions]) -> tuple[Fact, ...]:
        """List facts in the order they were committed, narrowed by what is given."""
        with readable(self._opened).reading() as snapshot:
            page, source, label = wanted.get("page"), wanted.get("source"), wanted.get("label")
            attribute, as_of = wanted.get("attribute"), wanted.get("as_of")
            narrow = FactFilter(
                page=None if page is None else page_named(snapshot, page),
                attribute=self._opened.schema().attribute(attribute).name if attribute else "",
                is_open=wanted.get("is_open"),
                label=None if label is None else Label(label),
                source=None if source is None else source_named(snapshot, source),
                project=encodable(wanted.get("project") or ""),
            )
            if as_of is None:
                return snapshot.lists.facts(narrow)
            past = import_module("xysq.jobs.past")  # reads git's history, which few lists are made of
            then: tuple[Fact, ...] = past.past_facts(past.past_state(self._opened, snapshot, as_of), narrow, snapshot)
            return then

    def sources(self, *, project: str | None = None) -> tuple[SourceLine, ...]:
        """List the sources, newest push first; those of a project, a directory that they were made in or below."""
        with readable(self._opened).reading() as snapshot:
            return snapshot.logs.sources(project=encodable(project or ""))

    def runs(self) -> tuple[RunLine, ...]:
        """List the runs, newest first."""
        with readable(self._opened).reading() as snapshot:
            return snapshot.lists.runs()

    def history(self, what: str | None = None, *, limit: int = 50) -> tuple[Happening, ...]:
        """Return what happened to the vault, a page, a fact, a source or a block, newest first."""
        return history_job.history(self._opened, what, limit)
