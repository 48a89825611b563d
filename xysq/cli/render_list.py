"""Render of what is listed: facts, pages, sources and runs, as rows for people, and as cells for programs."""

from xysq.cli.line import Line, counted, faint, ident, line, moment, strong, tabbed, warning
from xysq.model.fact import Fact
from xysq.pages.escape import plain
from xysq.store.readmodel import PageLine, RunLine, SourceLine


def fact_cells(fact: Fact) -> Line:
    """Return a fact for programs."""
    state = fact.state
    mark = "" if state == "open" else f"[{state}] "
    return tabbed(fact.id, fact.observed or fact.at, fact.page, f"{mark}{plain(fact.text)}")


def fact_row(fact: Fact) -> Line:
    """Return a fact in a list for people."""
    state = fact.state
    mark = () if state == "open" else (warning(f"  [{state}]"),)
    return line(ident(fact.id), "  ", strong(fact.page), "  ", plain(fact.text), *mark)


def page_cells(page: PageLine) -> Line:
    """Return a page for programs."""
    return tabbed(page.slug, page.changed_at, page.kind, page.title)


def page_row(page: PageLine) -> Line:
    """Return a page in a list for people."""
    facts = faint(f"  {page.kind}, {counted(page.open_facts, 'open fact')}")
    return line(ident(page.slug), "  ", strong(page.title), facts)


def source_cells(source: SourceLine) -> Line:
    """Return a source for programs."""
    return tabbed(source.source, source.pushed_at, source.name or source.session, source.title or source.origin)


def source_row(source: SourceLine) -> Line:
    """Return a source in a list for people."""
    title = source.title or source.name or source.origin
    count = faint(f"  {counted(source.newest, 'version')}, {counted(source.passages, 'passage')}")
    return line(ident(source.source), "  ", faint(moment(source.pushed_at)), "  ", title, count)


def run_cells(run: RunLine) -> Line:
    """Return a run for programs."""
    return tabbed(run.run, run.at, run.drafter or run.kind, _counts(run))


def run_row(run: RunLine) -> Line:
    """Return a run in a list for people."""
    by = f" by {run.drafter}" if run.drafter else ""
    return line(ident(run.run), "  ", faint(moment(run.at)), f"  {run.kind}{by}: {_counts(run)}")


def _counts(run: RunLine) -> str:
    counts = (
        (run.asserted, "asserted"),
        (run.superseded, "superseded"),
        (run.closed, "closed"),
        (run.confirmed, "confirmed"),
        (run.prose, "prose"),
    )
    return ", ".join(f"{count:,} {word}" for count, word in counts if count) or "nothing changed"
