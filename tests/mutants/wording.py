"""Damage to words: texts, sections and names that open or close Markdown structure, front matter, HTML, comments."""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, restated
from tests.mutants.edits import new_id
from tests.mutants.operator import Family, pick
from xysq.model.event import LearnedLate, PageChanged, PageOp, ProseChanged, ProseOp, RunKind
from xysq.model.page import Alias, BlockId, Origin

WORDING = Family("words")

# Each holds `{}`: what the text was.
_STRUCTURE = (
    "*{}*", "**{}**", "_{}_", "`{}`", "<b>{}</b>", "<!-- {}", "[{}](http://example.org)", "![{}](x.png)",
    "[[Not A Slug|{}]]", "[[{}", "# {}", "- {}", "* {}", "> {}", "1. {}", "```{}", "~~~{}", "~~{}~~", "=={}==",
    "%%{}%%", "{} ^f-0000000000", "^b-0000000000 {}", "{} ^x", "{}  ", "  {}", "{}\n", "{}\n\n## Rules",
    "{}\n- more ^f-0000000000", "{}\u2028", "{}\u202e", "{}\u200b", "{}\x00", "{}\x1b[31m", "{}\ufeff",
    "<script>{}", "<?{}?>", "&amp;{}", "$x${}", "$${}$$", "[^1]{}", "#tag {}", "| {} |", "{}\\", "+ {}", "{}\r",
    "---\n{}", "{}\n---", "{}\t", "<<<<<<< {}", "- >>>>>>> {}", "||||||| {}", "<details>{}", "{}\U000e0041",
    "<https://example.org>{}",
)  # fmt: skip


def _told(luck: Random, text: str) -> str:
    return luck.choice(_STRUCTURE).replace("{}", text)


@WORDING
def a_text_that_makes_structure(base: Base, luck: Random) -> Mutant | None:
    """Make the text of a fact more than one line of words and links."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None:
        return None
    text = _told(luck, body.statement.text)
    return None if text == body.statement.text else base.replaced(place, restated(body, text=text))


@WORDING
def a_section_that_makes_structure(base: Base, luck: Random) -> Mutant | None:
    """Name a section so that it is no heading, or the changelog's."""
    found = [(at, body) for at, body in base.stated if not isinstance(body, LearnedLate) and body.statement.section]
    place, body = pick(luck, found) or (None, None)
    if place is None or body is None:
        return None
    name = body.statement.section
    sections = (
        "Changelog",
        "CHANGELOG",
        f" {name}",
        f"{name}\n",
        f"{name}  x",
        "\u202eRules",
        "a ^b",
        "<<<<<<< x",
        "\t",
        "x\x00",
    )
    return base.replaced(place, restated(body, section=luck.choice(sections)))


@WORDING
def prose_that_makes_structure(base: Base, luck: Random) -> Mutant | None:
    """Put down drafted prose that is more than one line of words and links."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    text = _told(luck, "Some words")
    origin = luck.choice((Origin.DRAFTED, Origin.DROPPED))
    code = "unfounded" if origin is Origin.DROPPED else ""
    rows = base.run.rows[:1]
    prose = ProseChanged(
        page=page.slug,
        block=_block(luck),
        op=ProseOp.INSERT,
        text=text,
        after=luck.choice(("end", "top")),
        origin=origin,
        code=code,
        rows=rows,
    )
    return base.added(prose)


def _block(luck: Random) -> BlockId:
    return BlockId(f"b-{luck.randrange(10**10):010d}")


_TYPED = (
    "```\nopen", "<!-- open", "<div>\n\nopen", "one\n\ntwo", "## Heading", "a\n## b", "", " ", "\n",
    "a\n^b-0000000000\nb",
    "~~~\nopen\n```", "## Changelog\n\n- x", "    code\n\n    more", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c",
    "```\n<<<<<<< HEAD\n```", "> >>>>>>> x", "- x ^f-0000000000\n- y", "| a |\n|---|\n\n| b |", "\tcode\n\n\tcode",
)  # fmt: skip


@WORDING
def a_persons_words_that_leave_their_block(base: Base, luck: Random) -> Mutant | None:
    """Write a person's own prose so that it is several blocks, none, or reaches into its neighbours."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    after = luck.choice(("end", "top", *(fact.id for fact in base.after.facts_of(page.slug) if fact.is_open)))
    text = luck.choice(_TYPED)
    prose = ProseChanged(
        page=page.slug, block=_block(luck), op=ProseOp.INSERT, text=text, after=after, origin=Origin.YOURS
    )
    kind = RunKind.ADOPT if base.run.kind is RunKind.DISTILL else base.run.kind
    bodies = base.bodies if base.run.kind is not RunKind.DISTILL else ()
    return base.with_bodies((*bodies, prose), kind=kind)


@WORDING
def a_person_keeps_a_conflict(base: Base, luck: Random) -> Mutant | None:
    """Adopt a page with a merge conflict in it, where Markdown sees one harmless block."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    marker = luck.choice(
        ("<<<<<<< HEAD", ">>>>>>> theirs", "||||||| base", "  <<<<<<< x", "1. >>>>>>> y", "> <<<<<<< z")
    )
    words = luck.choice(("", "words ", "more words "))
    text = luck.choice(
        (
            f"```\n{words}\n{marker}\n```",
            f"Kept {words}as it was\n{marker} {luck.randrange(1000)}",
            f"{marker}\n{words}end",
        )
    )
    prose = ProseChanged(
        page=page.slug, block=_block(luck), op=ProseOp.INSERT, text=text, after="end", origin=Origin.YOURS
    )
    return base.with_bodies((prose,), kind=RunKind.ADOPT)


@WORDING
def a_name_that_makes_structure(base: Base, luck: Random) -> Mutant | None:
    """Give a page a title, kind or alias that is no line of words."""
    page = pick(luck, base.pages)
    if page is None:
        return None
    bad = luck.choice(("", " ", "a\nb", "a\u202eb", "a\u200bb", "a ^b", "\x00", "---\nx", "<<<<<<< a", "a\u2028b"))
    change = PageChanged(page=page.slug, op=PageOp.META, title=page.title, kind=page.kind, aliases=page.aliases)
    named = luck.choice(
        (
            replace(change, title=bad),
            *(
                (replace(change, kind=bad), replace(change, aliases=(*page.aliases, Alias(name=bad))))
                if bad.strip() and bad not in ("a ^b", "<<<<<<< a")
                else ()
            ),
        )
    )
    return base.with_bodies((*(base.bodies if base.run.kind is not RunKind.DISTILL else ()), named), kind=RunKind.PAGE)


@WORDING
def an_id_that_is_none(base: Base, luck: Random) -> Mutant | None:
    """Call a fact or a block by what is no id."""
    place, body = pick(luck, base.stated) or (None, None)
    if place is None or body is None:
        return None
    name = str(new_id(luck))
    bad = luck.choice((name[:-1], f"{name}0", name.upper(), f"b{name[1:]}", "../x", "", f"{name}\n", "f-iloupqrstu"))
    return base.replaced(place, restated(body, fact=bad))
