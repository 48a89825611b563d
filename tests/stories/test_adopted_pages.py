"""Stories of pages that are edited in their files."""

from tests.stories.told import Tale
from xysq.jobs.adopt import adopt
from xysq.jobs.fsck import fsck
from xysq.jobs.show import raw
from xysq.jobs.status import status
from xysq.model.fact import Closed, Label
from xysq.model.source import Channel, Role

TALK = "Maya: I live in Berlin. I like tea.\n\nTom: I moved to Lisbon.\n\nTom: I like jazz.\n\nTom: I like maps.\n"
LISBON, PORTO = "Tom moved to Lisbon.", "Tom moved to Porto."


def test_another_value_in_a_facts_line_supersedes_it_by_what_was_typed(tale: Tale) -> None:
    tale.said(TALK)
    old = tale.fact(LISBON)
    tale.typed("tom", LISBON, PORTO)
    run = tale.adopted()
    assert [(told.text, told.replaced) for told in run.superseded] == [(PORTO, LISBON)]
    new = tale.fact(PORTO)
    assert (new.value, new.label, new.supersedes) == ("Porto", Label.STATED, old.id)
    (piece,) = new.evidence
    assert (piece.quote, piece.role, piece.speaker, piece.channel) == (PORTO, Role.USER, "Maya", Channel.ADOPT)
    assert raw(tale.opened, str(piece.cited), None) == b"Tom moved to Porto.\n"
    assert f"- {PORTO} ^{new.id}\n" in tale.page("tom")
    assert status(tale.opened, "rules").pending == ()
    tale.said(TALK, "copy.txt")
    assert PORTO in tale.open()
    assert LISBON not in tale.open()
    assert tale.is_sound()


def test_another_sentence_closes_the_fact_and_stands_where_it_stood(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", "Tom likes jazz.", "He never liked *jazz*, see [[Maya]].")
    tale.adopted()
    life = tale.fact("Tom likes jazz.").life
    assert isinstance(life, Closed)
    assert (life.reason.value, life.by, life.evidence[0].channel) == ("retracted", "user", Channel.ADOPT)
    page = tale.page("tom")
    assert r"He never liked \*jazz\*, see [[maya|Maya]]. ^b-" in page
    assert page.index("He never") < page.index("Tom likes maps.")
    tale.said(TALK, "copy.txt")
    assert "Tom likes jazz." not in tale.open()
    assert tale.is_sound()


def test_a_deleted_line_closes_its_fact_and_a_moved_one_stays(tale: Tale) -> None:
    tale.said(TALK)
    page = tale.page("tom")
    jazz, maps = (f"- Tom likes {what}. ^{tale.fact(f'Tom likes {what}.').id}\n" for what in ("jazz", "maps"))
    assert jazz + maps in page
    tale.saved("tom", page.replace(jazz + maps, maps).replace("# Tom\n", "# Tom\n\n" + maps, 1).replace(maps, "", 0))
    tale.saved("tom", page.replace(jazz, "").replace(maps, "").replace("# Tom\n", f"# Tom\n\n{maps}"))
    run = tale.adopted()
    assert [told.text for told in run.closed] == ["Tom likes jazz."]
    life = tale.fact("Tom likes jazz.").life
    assert isinstance(life, Closed)
    assert (life.reason.value, life.cause, life.evidence) == ("retracted", run.run, ())
    assert f"## Preferences\n\n{maps}" in tale.page("tom")
    assert tale.is_sound()


def test_prose_is_kept_as_it_was_typed_changed_and_taken_away(tale: Tale) -> None:
    tale.said(TALK)
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    fence = "```py\nx = 1\n\ny = 2\n```"
    tale.typed(
        "tom", "# Tom\n", f"# Tom\n\nA *first* line.\n\n{table}\n\n{fence}\n\n### Mine\n- a new item\n  - nested\n"
    )
    tale.adopted()
    page = tale.page("tom")
    for text in (
        "A *first* line. ^b-",
        f"{table}\n^b-",
        f"{fence}\n^b-",
        "### Mine ^b-",
        "- a new item\n  - nested ^b-",
    ):
        assert text in page
    assert page.index("first") < page.index("| a |") < page.index("x = 1") < page.index("Mine") < page.index("new item")
    assert page.index("new item") < page.index(LISBON)
    start = page.index("### Mine")
    tale.saved("tom", page[:start] + page[page.index("- a new") :].replace("nested", "nested twice"))
    run = tale.adopted()
    assert run.asserted == run.superseded == run.closed == ()
    assert "nested twice ^b-" in tale.page("tom")
    assert "### Mine" not in tale.page("tom")
    assert tale.is_sound()


def test_text_typed_anywhere_finds_a_place(tale: Tale) -> None:
    tale.said(TALK)
    page = tale.page("tom")
    jazz = f"- Tom likes jazz. ^{tale.fact('Tom likes jazz.').id}\n"
    text = page.replace("## Preferences\n", "## Preferences\n\nUnder the heading.\n").replace(
        jazz, f"{jazz}  - under it\n"
    )
    tale.saved("tom", f"{text}\n- Behind everything.\n")
    tale.adopted()
    order = ("## Preferences", "jazz", "Under the heading.", "under it", "maps", "Behind everything.", "## Changelog")
    places = [tale.page("tom").index(words) for words in order]
    assert sorted(places) == places or tale.page("tom").index("under it") < tale.page("tom").index("Under the heading.")
    assert tale.is_sound()


def test_names_typed_into_the_front_matter_are_the_pages(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed(
        "tom", "title: Tom\nkind: person\n", 'title: Thomas Weber\naliases:\n  - Tommy\n  - "the: boss"\nkind: person\n'
    )
    tale.adopted()
    page = tale.page("tom")
    assert page.startswith(
        '---\ntitle: Thomas Weber\nkind: person\naliases: [Tom, Tommy, "the: boss"]\n---\n\n# Thomas Weber\n'
    )
    tale.typed("tom", "# Thomas Weber\n", "# Thomas\n")
    tale.typed("tom", ", Tommy", "")
    tale.adopted()
    assert 'title: Thomas\nkind: person\naliases: [Tom, "the: boss", Thomas Weber]\n' in tale.page("tom")
    assert tale.is_sound()


def test_a_page_is_merged_by_the_one_line_it_has_then(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(TALK.replace("Tom:", "Thomas:").replace("Lisbon", "Porto"), "later.txt")
    tale.saved("thomas", "Merged into [[Tom]].\n")
    run = tale.adopted()
    assert [told.replaced for told in run.superseded] == [LISBON]
    assert tale.page("thomas") == "Merged into [[tom|Tom]].\n"
    assert "aliases: [thomas]" in tale.page("tom")
    assert tale.is_sound()


def test_what_formatters_and_other_editors_do_is_no_edit(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right("Tom likes jazz.", "He is very loud.")
    page = tale.page("tom")
    text = page.replace("- ", "*   ").replace("\n\n", "\n\n\n").replace("moved to", "moved\n  to")
    head = text.index("## Changelog")
    tale.saved("tom", "\ufeff" + (text[:head] + page[page.index("## Changelog") :]).replace("\n", "\r\n"))
    (one,) = adopt(tale.opened)
    assert (one.laid_out, one.run, one.unadopted) == (True, None, ())
    assert tale.page("tom") == page
    assert tale.is_sound()


def test_a_line_that_lost_its_anchor_is_still_its_fact(tale: Tale) -> None:
    tale.said(TALK)
    page = tale.page("tom")
    tale.saved("tom", page.replace(f" ^{tale.fact(LISBON).id}", ""))
    (one,) = adopt(tale.opened)
    assert (one.laid_out, tale.page("tom")) == (True, page)


def test_lines_that_changed_places_without_their_anchors_are_no_edit(tale: Tale) -> None:
    tale.said(TALK)
    page = tale.page("tom")
    tale.saved(
        "tom",
        page.replace("likes jazz", "likes X").replace("likes maps", "likes jazz").replace("likes X", "likes maps"),
    )
    (one,) = adopt(tale.opened)
    assert (one.laid_out, tale.page("tom")) == (True, page)


def test_a_run_in_between_is_held_against_the_edit(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", "Tom likes maps.", "Tom likes globes.")
    tale.typed("tom", "## Changelog", "Typed before the run.\n\n## Changelog\n\nand [not] closed\n")
    edit = tale.page("tom")
    tale.saved("tom", edit.replace("and [not] closed\n", "```\n"))  # not understood: the run leaves it alone
    tale.said("Tom: I moved to Porto.\n\nMaya: Good.\n\nTom: I like chess.\n\nTom: Yes.\n", "later.txt")
    assert {"Tom moved to Porto.", "Tom likes chess."} <= tale.open()
    assert LISBON in tale.page("tom")
    tale.saved("tom", edit.replace("and [not] closed\n", ""))
    tale.adopted()
    assert {PORTO, "Tom likes chess.", "Tom likes globes.", "Tom likes jazz."} <= tale.open()
    page = tale.page("tom")
    assert page.count("Typed before the run.") == 1
    assert LISBON not in page
    assert tale.is_sound()


def test_what_both_changed_stays_in_the_file(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", LISBON, "Tom moved to Faro.")
    tale.typed("tom", "# Tom\n", "# Tom\n\n```\n")
    tale.said("Tom: I moved to Porto.\n\nMaya: Good.\n\nTom: Yes.\n", "later.txt")
    tale.typed("tom", "```\n", "")
    assert tale.stays() == [(9, "conflict")]
    assert "Tom moved to Faro." in tale.page("tom")
    tale.typed("tom", "Tom moved to Faro.", LISBON)
    tale.typed("tom", LISBON, "Tom moved to Porto.")
    (one,) = adopt(tale.opened)
    assert one.laid_out
    assert PORTO in tale.open()
    assert tale.is_sound()


def test_a_run_adopts_first_what_was_typed_into_its_pages(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", "Tom likes maps.", "Tom likes globes.")
    tale.said("Tom: I moved to Porto.\n\nMaya: Good.\n\nTom: Yes.\n", "later.txt")
    assert {PORTO, "Tom likes globes."} <= tale.open()
    assert LISBON not in tale.page("tom")
    tale.typed("tom", "Tom likes globes.", "Tom likes charts.")
    tale.set_right(PORTO, "Tom moved to Faro.")
    assert {"Tom moved to Faro.", "Tom likes charts."} <= tale.open()
    tale.typed("tom", "Tom likes charts.", "Tom likes plans.")
    tale.renamed("tom", "Thomas")
    assert "Tom likes plans." in tale.page("tom")
    assert tale.is_sound()


STAYING = (
    ("Tom likes jazz.", "Tom likes jazz. ^f-0000000000 and", [(12, "anchor-inside")]),
    ("- Tom likes jazz.", "- Mine. ^f-0000000000\n- Tom likes jazz.", [(12, "foreign-anchor")]),
    ("- Tom likes jazz.", "Mine. ^b-0000000000\n- Tom likes jazz.", [(12, "foreign-anchor")]),
    ("## Preferences", "## Likings", [(10, "heading")]),
    ("## Changelog", "```\nopen\n\n## Changelog", [(15, "open-fence")]),
    ("Tom likes jazz.", "<<<<<<< HEAD", [(12, "conflict-marker")]),
    ("Tom likes jazz.", "Tom \u202elikes jazz.", [(12, "bad-character")]),
    ("Tom likes jazz.", "Tom \x1b[31mlikes jazz.", [(12, "bad-character")]),
    ("title: Tom", "title: Maya", [(6, "name-taken")]),
    ("# Tom\n", "# Maya\n", [(6, "name-taken")]),
    ("kind: person", "kind: person\ntags: [a]", [(4, "front-matter")]),
    ("kind: person", "kind: [person", [(4, "front-matter")]),
    ("+3 facts", "+4 facts", [(17, "changelog")]),
)


def test_what_cannot_be_adopted_is_told_with_its_line_and_stays(tale: Tale) -> None:
    tale.said(TALK)
    page = tale.page("tom")
    for old, new, told in STAYING:
        tale.typed("tom", old, new)
        assert (new, tale.stays()) == (new, told)
        assert [finding for finding in fsck(tale.opened) if not finding.note] == []
        tale.saved("tom", page)


def test_what_looks_like_structure_is_words(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", "Tom likes jazz.", "[x]: http://example.org")
    tale.typed("tom", "# Tom\n", "# Tom\n\n[y]: http://example.org\n\n<b>bold</b>\n\n---\n\n    code\n")
    tale.adopted()
    page = tale.page("tom")
    for text in (
        "\\[x]: http://example.org ^b-",
        "[y]: http://example.org ^b-",
        "<b>bold</b>\n^b-",
        "--- ^b-",
        "    code\n^b-",
    ):
        assert text in page
    assert tale.is_sound()


def test_three_things_need_to_be_meant(tale: Tale) -> None:
    first = tale.said(TALK)
    old = tale.page("tom")
    tale.said("Tom: I moved to Porto.\n\nMaya: Good.\n\nTom: I like chess.\n", "later.txt")
    tale.saved("tom", old)
    assert tale.stays() == [(1, "older-state")]
    tale.adopted(yes=True)
    assert LISBON in tale.open()
    assert {PORTO, "Tom likes chess."}.isdisjoint(tale.open())
    lines = [line for line in tale.page("tom").splitlines(keepends=True) if "^f-" not in line]
    tale.saved("tom", "".join(lines))
    assert tale.stays() == [(1, "many-deleted")]
    (tale.opened.root / "pages/ma/maya.md").unlink()
    assert tale.stays() == [(1, "missing-file"), (1, "many-deleted")]
    tale.clock.tick(60)
    assert [one.unadopted for one in adopt(tale.opened, yes=True)] == [(), ()]
    assert tale.open() == set()
    assert tale.page("maya").startswith("---\ntitle: Maya\nkind: person\n---\n\n# Maya\n\n## Changelog\n")
    tale.said(TALK, "copy.txt")
    assert tale.open() == set()
    assert first.number == 1
    assert tale.is_sound()


def test_a_file_that_no_page_has_is_told(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(TALK.replace("Tom:", "Thomas:"), "later.txt")
    tale.merged("tom", "thomas")
    tale.saved("thomas", "Merged into [[tom|Tom]].\n\nAnd more.\n")
    (tale.opened.root / "pages/mine.md").write_text("Mine.\n", encoding="utf-8")
    (tale.opened.root / "pages/to/tommy.md").write_text("# Tommy\n", encoding="utf-8")
    assert tale.stays() == [(1, "no-page")] * 3
    assert [one.unadopted[0].code for one in adopt(tale.opened, ("thomas",))] == ["no-page"]
