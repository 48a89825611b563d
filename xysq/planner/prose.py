"""Prose: the words of a page that are no fact, and the rule that nothing is written twice.

Drafted prose and the sentences of dropped facts become blocks of their own. Words that already stand on the page are
not written again, and the text of a fact that has ended does not come back as prose either.
"""

from collections.abc import Iterable

from xysq.canonical import derived_id
from xysq.frozen import frozen
from xysq.model.event import ProseChanged, ProseOp
from xysq.model.fact import Evidence, RunId, Slug
from xysq.model.page import BlockId, FactBlock, Origin
from xysq.model.plan import ProseEdit
from xysq.model.source import Encoding, Row
from xysq.model.state import LedgerState
from xysq.pages.escape import plain, text_fault
from xysq.text import fold

END, TOP = "end", "top"


@frozen
class Sentence:
    """Words that become a prose block: their Markdown, where they go, where they came from."""

    page: Slug
    text: str
    origin: Origin
    code: str = ""
    after: str = END
    quotes: tuple[Evidence, ...] = ()
    rows: tuple[Row, ...] = ()


class Wording:
    """The folded words that pages hold, or held as facts that ended; grows as a plan adds to them."""

    def __init__(self, ledger: LedgerState) -> None:
        """Begin with the pages as the ledger has them."""
        self._ledger = ledger
        self._words: dict[Slug, set[str]] = {}

    def add(self, page: Slug, text: str) -> bool:
        """Put the words of a text on a page; False where they are there already."""
        words = self._of(page)
        folded = fold(plain(text))
        is_new = folded not in words
        words.add(folded)
        return is_new

    def _of(self, slug: Slug) -> set[str]:
        if slug not in self._words:
            page = self._ledger.page(slug)
            texts = [] if page is None else [block.text for block in page.blocks]
            texts += [fact.text for fact in self._ledger.facts_of(slug) if not fact.is_open]
            self._words[slug] = {fold(plain(text)) for text in texts}
        return self._words[slug]


def prose_block(sentence: Sentence, run: RunId, position: str, ledger: LedgerState) -> tuple[ProseEdit, ProseChanged]:
    """Return the edit and the event that put a sentence on its page; the block's id follows from the position."""
    block = BlockId(derived_id("b", run, position, lambda name: ledger.block_page(name) is not None))
    edit = ProseEdit(page=sentence.page, op=ProseOp.INSERT, block=block, text=sentence.text, after=sentence.after)
    event = ProseChanged(
        page=sentence.page,
        block=block,
        op=ProseOp.INSERT,
        text=sentence.text,
        after=sentence.after,
        origin=sentence.origin,
        code=sentence.code,
        quotes=sentence.quotes,
        rows=sentence.rows,
    )
    return edit, event


def may_stay(text: str, text_bytes: int) -> bool:
    """Tell whether a text may become prose: one clean line, no longer than allowed."""
    return text_fault(plain(text)) is None and "\n" not in text and len(text.encode("utf-8", "replace")) <= text_bytes


def place_after(after: str, slug: Slug, ledger: LedgerState) -> str:
    """Return where prose goes: behind the block asked for if the page shows it, else at the end."""
    page = ledger.page(slug)
    shown = () if page is None else (b.fact if isinstance(b, FactBlock) else b.block for b in page.blocks)
    return after if after == TOP or after in shown else END


def rows_behind(evidence: Iterable[Evidence], rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows that quotes were taken from; all of them where that cannot be told."""
    pieces = tuple(evidence)
    same = tuple(row for row in rows if any(piece.source == row.source for piece in pieces))
    inside = tuple(row for row in same if any(_touches(piece, row) for piece in pieces if piece.source == row.source))
    return inside or same or rows


def _touches(piece: Evidence, row: Row) -> bool:
    return piece.enc is not Encoding.TEXT and piece.start < row.end and row.start < piece.end
