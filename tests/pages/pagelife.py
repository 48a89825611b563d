"""Random lives of a page: lawful events, and the edits that belong to them."""

import random
from dataclasses import dataclass, field

from tests.builders import Story, statement
from xysq.ledger.board import block_id
from xysq.model.event import (
    Asserted,
    Body,
    FactClosed,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    Statement,
    SupersededBy,
)
from xysq.model.fact import CloseReason, FactId, Slug
from xysq.model.page import Alias, BlockId, FactBlock, Origin, PageState, ProseBlock
from xysq.model.plan import Edit
from xysq.pages.declare import edit_of
from xysq.pages.escape import escape, plain

SLUG = Slug("billing-service")
SECTIONS = ("", "Rules", "Setup", "C# & <b>", "1. Notes")
WORDS = (
    "Acme",
    "a_b",
    "*star*",
    "<div>",
    "PostgreSQL",
    "#tag",
    "3.11",
    "x == y",
    "日本",
    "- dash",
    "`code`",
    "$5",
    "&amp;",
)
NAMES = (
    "Billing service",
    "yes",
    "a: b",
    'the "Ledger"',
    "null",
    "C #",
    "12",
    "- x",
    "päge",
    "[x]",
    "two  spaces",
    "~",
)
TYPED = (
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nx = 1\n\ny = 2\n```",
    "A paragraph\nof two lines.",
    "- one\n- two",
    "> quoted\n> words",
    "**bold** and [a link](https://example.com)",
    "~~~\n## Changelog\n- no fact\n~~~",
    "### A smaller heading",
)


@dataclass(slots=True)
class PageLife:
    """One page under way in a story of its own."""

    luck: random.Random
    story: Story = field(default_factory=Story)
    count: int = 0

    def page(self) -> PageState | None:
        return self.story.fold.page(SLUG)

    def run(self, most: int) -> tuple[Edit, ...]:
        """Live through one run of at most so many events; return the declared edits of the page."""
        bodies, edits = self.next_run(most)
        self.story.commit(*bodies)
        return edits

    def next_run(self, most: int) -> tuple[tuple[Body, ...], tuple[Edit, ...]]:
        """Return the events of one more run and its edits, without living through it."""
        scratch = Story(base=self.story.fold)
        bodies: list[Body] = []
        edits: list[Edit] = []
        for _ in range(self.luck.randint(1, most)):
            body = self._next(scratch.fold.page(SLUG))
            edit = edit_of(body, lambda _fact: SLUG)
            assert edit is not None
            edits.append(edit)
            bodies.append(body)
            scratch.commit(body)
        return tuple(bodies), tuple(edits)

    def _name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}-{self.count:010d}"

    def _text(self) -> str:
        return escape(" ".join(self.luck.choices(WORDS, k=self.luck.randint(1, 4))))

    def _named(self, op: PageOp) -> PageChanged:
        aliases = tuple(Alias(name=name) for name in self.luck.sample(NAMES, self.luck.randint(0, 3)))
        kind = self.luck.choice(("", "service", "true"))
        return PageChanged(page=SLUG, op=op, title=self.luck.choice(NAMES[:-1]), kind=kind, aliases=aliases)

    def _next(self, page: PageState | None) -> Body:
        if page is None:
            return self._named(PageOp.CREATE)
        shown = [block for block in page.blocks if isinstance(block, FactBlock)]
        prose = [block for block in page.blocks if isinstance(block, ProseBlock)]
        acts = ["assert", "assert", "assert", "prose", "prose", "name"] + ["close", "supersede", "close"] * bool(shown)
        match self.luck.choice(acts + ["replace", "remove"] * bool(prose)):
            case "assert":
                return Asserted(statement=self._statement(self.luck.choice(SECTIONS)))
            case "supersede":
                return SupersededBy(statement=self._statement(""), supersedes=self.luck.choice(shown).fact)
            case "close":
                return FactClosed(fact=self.luck.choice(shown).fact, reason=CloseReason.RETRACTED, cause="x", by="user")
            case "prose":
                anchors = [block_id(block) for block in page.blocks]
                return self._prose(self._name("b"), ProseOp.INSERT, self.luck.choice(["top", "end", *anchors]))
            case "replace":
                return self._prose(self.luck.choice(prose).block, ProseOp.REPLACE, "")
            case "remove":
                return self._prose(self.luck.choice(prose).block, ProseOp.REMOVE, "")
            case _:
                return self._named(PageOp.META)

    def _statement(self, section: str) -> Statement:
        text = self._text()
        return statement(plain(text), fact=FactId(self._name("f")), page=SLUG, section=section, text=text)

    def _prose(self, block: str, op: ProseOp, after: str) -> ProseChanged:
        typed = self.luck.random() < 0.4
        text = self.luck.choice(TYPED) if typed else self._text()
        return ProseChanged(
            page=SLUG,
            block=BlockId(block),
            op=op,
            text="" if op is ProseOp.REMOVE else text,
            after=after,
            origin=Origin.YOURS if typed else Origin.DRAFTED,
        )
