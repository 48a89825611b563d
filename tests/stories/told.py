"""Telling stories: a vault that is pushed to, distilled by rules or by a script, corrected, asked.

Words of a story: `said` pushes a talk and distils it; facts are looked up by the words of their text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.builders import Clock
from tests.jobs.scripted import Scripted
from xysq.drafters import choose
from xysq.drafters.port import Drafter, Request
from xysq.jobs.adopt import adopt
from xysq.jobs.correct_fact import correct_fact
from xysq.jobs.correct_source import correct_source, whole
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.opened import Opened
from xysq.jobs.page_names import merge_pages, rename_page
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.jobs.replacing import replacing
from xysq.jobs.revert import revert_run, revert_source
from xysq.model.fact import Closed, Fact, Superseded
from xysq.model.report import Reverted, RunReport
from xysq.model.source import Version
from xysq.pages.escape import plain
from xysq.store.readmodel import FactFilter

RULES = choose("rules", {})


def done(run: RunReport) -> RunReport:
    """Return the report of a run that was applied."""
    assert not run.refusals, run.refusals
    return run


@dataclass
class Tale:
    """A vault and what is done to it."""

    opened: Opened
    clock: Clock

    # Doing

    def said(self, text: str, name: str = "talk.txt", *, at: str | None = None, drafter: Drafter = RULES) -> Version:
        """Push a file and distil what is pending."""
        version = self.pushed(text, name, at=at)
        self.distilled(drafter)
        return version

    def pushed(self, text: str | bytes, name: str = "talk.txt", *, at: str | None = None, form: str = "") -> Version:
        self.clock.tick(60)
        data = text.encode() if isinstance(text, str) else text
        order = PushOrder(data=data, filename=name, origin=f"/home/maya/{name}", at=at, format=form)
        return push(self.opened, order).version

    def distilled(self, drafter: Drafter = RULES) -> tuple[RunReport, ...]:
        self.clock.tick(60)
        return tuple(distill(self.opened, DistillOrder(drafter=drafter)))

    def drafted(self, text: str, answer: Callable[[Request], Any], name: str = "talk.txt") -> tuple[RunReport, ...]:
        """Push a file and distil it with an answer that is written down."""
        self.pushed(text, name)
        return self.distilled(Scripted(answer))

    def corrected(self, version: Version, old: str, new: str, *, everywhere: bool = False) -> RunReport:
        self.clock.tick(60)
        run = correct_source(self.opened, version.source, replacing(old, new, everywhere=everywhere)).run
        assert run is not None
        assert not run.refusals
        return run

    def rewritten(self, version: Version, text: str) -> RunReport | None:
        self.clock.tick(60)
        run = correct_source(self.opened, version.source, whole(text.encode())).run
        assert run is None or not run.refusals, run
        return run

    def set_right(self, text: str, new: str | None) -> RunReport:
        """Correct the fact with this text; None: it is wrong."""
        self.clock.tick(60)
        run = correct_fact(self.opened, self.fact(text).id, new)
        assert not run.refusals, run.refusals
        return run

    def renamed(self, page: str, title: str) -> RunReport:
        self.clock.tick(60)
        return done(rename_page(self.opened, page, title))

    def merged(self, page: str, other: str) -> RunReport:
        self.clock.tick(60)
        return done(merge_pages(self.opened, page, other))

    def reverted(self, run: str) -> Reverted:
        self.clock.tick(60)
        done = revert_run(self.opened, run)
        assert not done.run.refusals, done.run.refusals
        return done

    def unsaid(self, version: Version) -> Reverted:
        """Revert a source."""
        self.clock.tick(60)
        done = revert_source(self.opened, version.source)
        assert not done.run.refusals, done.run.refusals
        return done

    def typed(self, slug: str, old: str, new: str) -> None:
        """Edit a page's file as a person does."""
        page = self.page(slug)
        assert old in page
        self.saved(slug, page.replace(old, new, 1))

    def saved(self, slug: str, text: str) -> None:
        (self.opened.root / f"pages/{slug[:2]}/{slug}.md").write_text(text, encoding="utf-8", newline="")

    def adopted(self, *, yes: bool = False) -> RunReport:
        """Adopt the one page that has edits, all of them."""
        self.clock.tick(60)
        (one,) = adopt(self.opened, yes=yes)
        assert one.unadopted == ()
        assert one.run is not None
        return one.run

    def stays(self, *, yes: bool = False) -> list[tuple[int, str]]:
        """Adopt what cannot be: nothing changes; return line and code of each edit that stays."""
        self.clock.tick(60)
        tip, files = self.opened.tip(), self._files()
        told = [(one.line, one.code) for page in adopt(self.opened, yes=yes) for one in page.unadopted]
        assert (self.opened.tip(), self._files()) == (tip, files)
        return told

    def _files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted((self.opened.root / "pages").rglob("*.md"))}

    # Asking

    def facts(self) -> tuple[Fact, ...]:
        with readable(self.opened).reading() as snapshot:
            return snapshot.lists.facts(FactFilter())

    def open(self) -> set[str]:
        """Return the texts of the open facts."""
        return {plain(fact.text) for fact in self.facts() if fact.is_open}

    def fact(self, text: str) -> Fact:
        """Return the newest fact with this text."""
        return [fact for fact in self.facts() if plain(fact.text) == text][-1]

    def end_of(self, text: str) -> str:
        """Return how a fact ended: "" where it is open."""
        life = self.fact(text).life
        match life:
            case Closed():
                return life.reason.value
            case Superseded():
                return "superseded"
            case _:
                return ""

    def page(self, slug: str) -> str:
        return self.opened.files.read(f"pages/{slug[:2]}/{slug}.md").decode()

    def is_sound(self) -> bool:
        assert fsck(self.opened) == ()
        return True
