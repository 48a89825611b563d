"""Stories of pages that get other names, and of two that become one."""

import pytest

from tests.jobs.scripted import passage_with, stated
from tests.stories.told import Tale
from xysq.drafters.port import Request
from xysq.errors import BadInput, NotFound
from xysq.jobs.page_names import NameTaken, alias_page, merge_pages, rename_page, unalias_page
from xysq.model.fact import Closed, Superseded

TALK = "Maya: I live in Berlin. I like tea.\n\nTom: I moved to Lisbon.\n\nTom: I like jazz.\n"
LATER = "Thomas: I moved to Porto.\n\nThomas: I like jazz.\n\nThomas: I like chess.\n"


def test_a_renamed_page_keeps_its_file_and_its_old_name(tale: Tale) -> None:
    tale.said(TALK)
    tale.renamed("tom", "Thomas Weber")
    page = tale.page("tom")
    assert page.startswith("---\ntitle: Thomas Weber\nkind: person\naliases: [Tom]\n---\n\n# Thomas Weber\n")
    assert "page changed" in page
    tale.said("Tom: I like chess.\n\nThomas Weber: I like maps.\n", "later.txt")
    assert {"Tom likes chess.", "Thomas Weber likes maps."} <= tale.open()
    assert tale.page("tom").count("likes") == 3
    tale.renamed("tom", "Tom")
    assert "aliases: [Thomas Weber]" in tale.page("tom")
    assert tale.is_sound()


def test_an_alias_comes_and_goes(tale: Tale) -> None:
    tale.said(TALK)
    alias_page(tale.opened, "Tom", "Tommy")
    tale.said("Tommy: I like chess.\n\nMaya: Me too.\n\nTommy: Good.\n", "later.txt")
    assert "likes chess" in tale.page("tom")
    unalias_page(tale.opened, "tommy", "TOMMY")
    assert "aliases" not in tale.page("tom")
    tale.said("Tommy: I like maps.\n\nMaya: Me too.\n\nTommy: Good.\n", "last.txt")
    assert "likes maps" in tale.page("tommy")
    assert tale.is_sound()


def test_what_is_no_new_name_changes_nothing(tale: Tale) -> None:
    tale.said(TALK)
    before = tale.page("tom")
    for name in ("", " Tom", "a\nb", "x ^f-0000000000", "…", "a" * 300, "Tom"):
        for change in (rename_page, alias_page, unalias_page):
            with pytest.raises(BadInput):
                change(tale.opened, "tom", name)
    for change in (rename_page, alias_page):
        with pytest.raises(NameTaken, match="'maya'"):
            change(tale.opened, "tom", "MAYA")
    with pytest.raises(NotFound):
        rename_page(tale.opened, "nobody", "Somebody")
    assert tale.page("tom") == before


def test_merged_pages_are_one_and_no_text_is_touched(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(LATER, "later.txt")
    assert "Thomas moved to Porto." in tale.open()
    texts = tale.open()
    run = tale.merged("tom", "thomas")
    assert tale.open() == texts - {"Tom moved to Lisbon.", "Thomas likes jazz."}
    assert tale.page("thomas") == "Merged into [[tom|Tom]].\n"
    assert "aliases: [thomas]" in tale.page("tom")
    assert [told.replaced for told in run.superseded] == ["Tom moved to Lisbon."]
    assert len(tale.fact("Tom likes jazz.").evidence) == 2
    assert tale.fact("Thomas moved to Porto.").page == "tom"
    tale.said("Thomas: I like maps.\n\nMaya: Me too.\n\nThomas: Good.\n", "last.txt")
    assert "likes maps" in tale.page("tom")
    assert tale.is_sound()


def test_an_older_value_of_a_merged_page_is_history(tale: Tale) -> None:
    tale.said(LATER, "first.txt")
    tale.said(TALK)
    tale.merged("tom", "thomas")
    life = tale.fact("Thomas moved to Porto.").life
    assert isinstance(life, Superseded)
    assert (life.late, life.by) == (True, tale.fact("Tom moved to Lisbon.").id)
    assert tale.is_sound()


def test_what_was_wrong_on_one_page_does_not_come_back_from_the_other(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(LATER, "later.txt")
    tale.set_right("Tom likes jazz.", None)
    tale.merged("tom", "thomas")
    life = tale.fact("Thomas likes jazz.").life
    assert isinstance(life, Closed)
    assert (life.reason.value, life.cause) == ("merged", tale.fact("Tom likes jazz.").id)
    assert not any("jazz" in text for text in tale.open())
    assert tale.is_sound()


def test_conclusions_go_along_and_fall_with_what_they_rest_on(tale: Tale) -> None:
    def answer(request: Request) -> object:
        number = passage_with(request, "Porto")
        first = stated("Thomas", "location", "Porto", "Thomas moved to Porto.", {"passage": number}, ref="1")
        mine = stated("Thomas", "note", "an hour behind", "Thomas is an hour behind.", {"passage": number}, ref="2")
        other = stated("Maya", "note", "a visit", "Maya plans a visit.", {"passage": number}, ref="3")
        for one in (mine, other):
            one.update(label="inferred", quotes=[], derived_from=["1"])
        return {"facts": [first, mine, other]}

    tale.said(TALK)
    tale.drafted(LATER, answer, "later.txt")
    tale.merged("tom", "thomas")
    assert {"Thomas is an hour behind.", "Maya plans a visit."} <= tale.open()
    assert tale.fact("Thomas is an hour behind.").derived_from == (tale.fact("Thomas moved to Porto.").id,)
    tale.set_right("Thomas moved to Porto.", None)
    assert {"Thomas is an hour behind.", "Maya plans a visit."}.isdisjoint(tale.open())
    assert tale.is_sound()


def test_prose_moves_along_and_stands_once(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(LATER, "later.txt")
    tale.set_right("Thomas likes chess.", "He never said so.")
    tale.set_right("Tom likes jazz.", "He is loud.")
    tale.merged("tom", "thomas")
    assert tale.page("tom").count("He never said so.") == 1
    assert tale.page("tom").index("He is loud.") < tale.page("tom").index("He never said so.")
    with pytest.raises(BadInput, match="merged into"):
        merge_pages(tale.opened, "maya", "thomas")
    assert tale.is_sound()


def test_a_merged_name_stays_and_a_page_is_not_merged_into_itself(tale: Tale) -> None:
    tale.said(TALK)
    tale.said(LATER, "later.txt")
    with pytest.raises(BadInput, match="itself"):
        merge_pages(tale.opened, "tom", "Tom")
    tale.merged("tom", "thomas")
    with pytest.raises(BadInput, match="stays"):
        unalias_page(tale.opened, "tom", "thomas")
    tale.merged("maya", "tom")
    assert tale.page("tom") == "Merged into [[maya|Maya]].\n"
    assert tale.is_sound()
