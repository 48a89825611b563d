"""Subjects lead to pages by their names; what could be two pages, or is a pronoun, leads nowhere."""

import pytest

from tests.builders import Story, passage
from xysq.model.fact import Slug
from xysq.model.plan import DropCode
from xysq.model.schema import Attribute, Schema
from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.planner.subject import NewPage, OnPage, Setting, Subject, Unresolved, cleaned, find, resolve

MIA = Me(name="Mia Voss", aliases=("Mia",))
ROLE = Schema().attribute("role")


def resolved(
    subject: str,
    story: Story | None = None,
    *,
    role: Role = Role.PERSON,
    speaker: str = "Alice",
    attribute: Attribute = ROLE,
    me: Me = MIA,
    project: str = "",
    kind: str = "",
) -> Subject:
    setting = Setting(ledger=(story or Story()).fold, me=me, project=project, name_bytes=240)
    return resolve(subject, kind, attribute, passage(role=role, speaker=speaker), setting)


def code(subject: Subject) -> DropCode:
    assert isinstance(subject, Unresolved)
    return subject.code


def people() -> Story:
    story = Story()
    story.page("alice-chen", "Alice Chen", aliases=("Alice", "AC"))
    story.page("bob", "Bob")
    return story


@pytest.mark.parametrize("subject", ["Alice Chen", "alice", "ac", "alice-chen", "[[Alice]]", "[[alice-chen|Al]]"])
def test_a_page_is_found_by_slug_title_alias_or_link(subject: str) -> None:
    assert resolved(subject, people()) == OnPage(slug=Slug("alice-chen"))


def test_an_unknown_name_gets_a_new_page_with_its_kind() -> None:
    assert resolved("  Billing\n service ", kind="service") == NewPage(title="Billing service", kind="service")


def test_an_article_is_no_part_of_a_known_name() -> None:
    story = Story()
    story.page("billing", "Billing service", kind="service")
    assert resolved("the billing service", story) == OnPage(slug=Slug("billing"))


def test_a_name_of_two_pages_is_nobodys() -> None:
    story = people()
    story.page("alice-wong", "Alice Wong", aliases=("Alice",))
    assert code(resolved("Alice", story)) is DropCode.AMBIGUOUS
    assert resolved("Alice Wong", story) == OnPage(slug=Slug("alice-wong"))


def test_a_merged_page_leads_to_where_it_went() -> None:
    story = people()
    story.page("ally", "Ally").merge_into("alice-chen")
    assert resolved("ally", story) == OnPage(slug=Slug("alice-chen"))


def test_a_removed_page_is_not_found() -> None:
    story = people()
    story.page("bob").remove()
    assert isinstance(resolved("Bob", story), NewPage)


def test_i_is_the_speaker() -> None:
    assert resolved("I", people()) == OnPage(slug=Slug("alice-chen"))
    assert resolved("me", speaker="Carol") == NewPage(title="Carol", kind="person")


def test_i_is_the_owner_where_the_user_speaks() -> None:
    assert resolved("I", role=Role.USER, speaker="") == NewPage(title="Mia Voss", kind="person")
    story = Story()
    story.page("mia", "Mia")
    assert resolved("I", story, role=Role.USER, speaker="") == OnPage(slug=Slug("mia"))


def test_the_user_is_the_owner_by_any_words() -> None:
    assert resolved("the user", role=Role.ASSISTANT) == NewPage(title="Mia Voss", kind="person")


def test_every_name_of_the_owner_is_one_page() -> None:
    assert resolved("Mia") == NewPage(title="Mia Voss", kind="person")
    story = Story()
    story.page("mia-voss", "Mia Voss")
    assert resolved("mia", story) == OnPage(slug=Slug("mia-voss"))
    story.page("mia", "Mia")
    assert code(resolved("Mia", story)) is DropCode.AMBIGUOUS


def test_an_owner_without_a_name_is_nobody_unless_the_log_names_them() -> None:
    assert code(resolved("I", role=Role.USER, speaker="", me=Me())) is DropCode.AMBIGUOUS
    assert code(resolved("I", role=Role.USER, speaker="User", me=Me())) is DropCode.AMBIGUOUS
    assert resolved("I", role=Role.USER, speaker="Mia", me=Me()) == NewPage(title="Mia", kind="person")


def test_an_assistants_i_drafts_nothing_but_its_words_about_others_do() -> None:
    assert code(resolved("I", role=Role.ASSISTANT, speaker="Claude")) is DropCode.ASSISTANT_SELF
    assert resolved("Bob", people(), role=Role.ASSISTANT) == OnPage(slug=Slug("bob"))


@pytest.mark.parametrize("role", [Role.TOOL, Role.SYSTEM, Role.OTHER])
def test_i_in_words_without_a_person_is_nobody(role: Role) -> None:
    assert code(resolved("I", role=role)) is DropCode.AMBIGUOUS


@pytest.mark.parametrize("subject", ["we", "You", "it", "They", "someone", "this", "", "  ", "—", "our"])
def test_a_pronoun_is_nobody(subject: str) -> None:
    assert code(resolved(subject)) is DropCode.AMBIGUOUS


@pytest.mark.parametrize("subject", ["US", "IT", "WHO", "Ally", "Itzel"])
def test_a_name_that_only_looks_like_a_pronoun_is_a_name(subject: str) -> None:
    assert resolved(subject) == NewPage(title=subject, kind="")


@pytest.mark.parametrize("attribute", ["decision", "rule", "setting:python", "guideline"])
@pytest.mark.parametrize("project", ["/home/mia/src/billing", "C:\\src\\billing\\"])
def test_a_decision_without_a_subject_belongs_to_the_repository(attribute: str, project: str) -> None:
    found = resolved("", attribute=Schema().attribute(attribute), project=project)
    assert found == NewPage(title="billing", kind="project")


def test_a_decision_without_a_subject_or_a_repository_is_nobodys() -> None:
    assert code(resolved("this project", attribute=Schema().attribute("decision"))) is DropCode.AMBIGUOUS


def test_what_is_no_decision_needs_a_subject_though_there_is_a_repository() -> None:
    assert code(resolved("", attribute=ROLE, project="/src/billing")) is DropCode.AMBIGUOUS


def test_a_title_is_cleaned_of_what_cannot_be_seen() -> None:
    assert resolved("Bil\u200bling\u202e serv\u0007ice") == NewPage(title="Billing service", kind="")
    assert cleaned("نام\u200cخانوادگی") == "نام\u200cخانوادگی"


def test_a_subject_that_could_make_structure_is_refused_and_a_long_one_is_no_name() -> None:
    assert code(resolved("Bob ^f-7k2m9qx4aa")) is DropCode.BAD_TEXT
    assert code(resolved("B" * 241)) is DropCode.AMBIGUOUS
    assert isinstance(resolved("B" * 240), NewPage)


def test_a_hostile_kind_is_left_out() -> None:
    assert resolved("Billing", kind="x" * 300) == NewPage(title="Billing", kind="")


def test_find_is_empty_for_a_name_nobody_has() -> None:
    assert find("Nobody", Story().fold) == ()
