"""The planner's table, row by row: what a draft comes to against what is known."""

import pytest

from tests.archive import assistant, turn, user
from tests.builders import evidence
from tests.world import World, block, closing, codes, drafted, inferred, kinds
from xysq.model.draft import DraftQuote
from xysq.model.event import PageChanged, PageOp, ProseChanged, SupersededBy
from xysq.model.fact import FactId, Label, Slug
from xysq.model.page import Origin
from xysq.model.plan import FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.model.settings import Limits
from xysq.model.source import Channel, Role

EARLY, MIDDLE, LATE = "2026-11-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"


def known(value: str = "Boston", at: str | None = EARLY, **changes: object) -> World:
    """Return a world where Alice said on her own page where she lives, under `location`."""
    world = World()
    world.tell(turn(f"I live in {value}.", at=at, **changes), source="before")
    world.learn(drafted(value=value))
    return world


def only(world: World, slug: str = "alice") -> FactId:
    (fact,) = world.facts(slug)
    return fact.id


# A new fact


def test_a_fact_of_a_new_subject_makes_its_page_and_one_block() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.plan(drafted())
    page, _ = planned.plan.events
    assert isinstance(page, PageChanged)
    assert (page.op, page.page, page.title, page.kind) == (PageOp.CREATE, "alice", "Alice", "person")
    front, insert = planned.plan.edits
    assert isinstance(front, FrontEdit)
    assert isinstance(insert, InsertFact)
    assert (insert.page, insert.text) == ("alice", "The location is Boston.")
    assert kinds(planned) == ["assert Boston"]
    assert planned.drops == ()


def test_a_page_is_made_once_for_all_its_facts() -> None:
    world = World()
    world.tell(turn("I live in Boston and like tea."))
    planned = world.learn(drafted(), drafted(attribute="preference", value="tea"))
    assert sum(isinstance(body, PageChanged) for body in planned.plan.events) == 1
    assert world.values("alice") == {"Boston", "tea"}


def test_an_attribute_is_known_by_its_alias_and_shown_in_its_section() -> None:
    world = World()
    world.tell(turn("I live in Boston and like tea."))
    world.learn(drafted(attribute="Lives  in"), drafted(attribute="likes", value="tea"))
    assert {(f.attribute, f.single, f.section) for f in world.facts("alice")} == {
        ("location", True, ""),
        ("preference", False, "Preferences"),
    }


def test_links_go_to_pages_that_are_there_or_made_by_the_same_draft() -> None:
    world = World()
    world.tell(turn("I use Postgres. Postgres is a database. And Redis."))
    text = "Uses [[Postgres]], not [[Redis]]."
    planned = world.learn(
        drafted(attribute="uses", value="Postgres", text=text), drafted("Postgres", "note", "database")
    )
    assert world.facts("alice")[0].text == "Uses [[postgres|Postgres]], not Redis."
    assert planned.drops == ()


def test_a_link_by_any_name_of_the_owner_goes_to_their_page() -> None:
    world = World()
    world.tell(user("I live in Boston."))
    world.learn(drafted(text="[[Mia]] lives in Boston."))
    assert world.facts("mia-voss")[0].text == "[[mia-voss|Mia]] lives in Boston."


def test_planning_again_gives_the_same_plan() -> None:
    world = known()
    world.tell(turn("I like tea. I moved to Berlin.", at=LATE))
    draft = (drafted(attribute="likes", value="tea"), drafted(value="Berlin"), drafted("Bob", "note", "tea"))
    assert world.plan(*draft) == world.plan(*draft)


def test_ids_stay_the_same_on_a_base_that_moved() -> None:
    world = known()
    world.tell(turn("I like tea."), source="one")
    first = world.plan(drafted(attribute="likes", value="tea"))
    world.story.page("bob", "Bob").assert_("f-0000000009", "chess")
    second = world.plan(drafted(attribute="likes", value="tea"))
    assert [body.statement.fact for body in first.plan.events if hasattr(body, "statement")] == [
        body.statement.fact for body in second.plan.events if hasattr(body, "statement")
    ]


# The quote


def test_a_stated_fact_whose_quote_is_not_there_leaves_its_sentence_as_prose() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(drafted(value="Berlin", quote="I live in Berlin."))
    assert codes(planned) == ["quote-mismatch"]
    assert kinds(planned) == ["prose"]
    prose = planned.plan.events[-1]
    assert isinstance(prose, ProseChanged)
    assert (prose.origin, prose.code, prose.text) == (Origin.DROPPED, "quote-mismatch", "The location is Berlin.")
    assert planned.drops[0].kept_on == prose.page == "alice"
    assert prose.rows == world.rows


def test_a_false_quote_beside_a_true_one_is_left_out_and_said() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    quotes = (DraftQuote(passage=1), DraftQuote(passage=1, text="in Berlin"))
    planned = world.learn(drafted(quotes=quotes))
    assert (kinds(planned), codes(planned)) == (["assert Boston"], ["quote-mismatch"])
    assert len(world.facts("alice")[0].evidence) == 1


def test_an_inferred_fact_only_loses_a_quote_that_is_not_there() -> None:
    world = known()
    world.tell(turn("Snow again."))
    planned = world.learn(
        drafted("Alice", "note", "snow", label=Label.INFERRED, quote="hail", derived_from=(only(world),))
    )
    assert (kinds(planned), codes(planned)) == (["assert snow"], ["quote-mismatch"])


def test_the_sentence_of_a_dropped_fact_is_not_written_twice() -> None:
    world = known()
    world.tell(turn("Nothing."))
    planned = world.plan(drafted("Alice", text="The location is **Boston**.", quote="in Boston"))
    again = world.plan(drafted("Alice", text="The location is BOSTON.", quote="in Boston"))
    assert kinds(planned) == ["prose"], "the stars are words here"
    assert kinds(again) == []
    assert again.drops[0].kept_on == ""


def test_the_words_of_a_fact_that_ended_do_not_come_back_as_prose() -> None:
    world = known()
    world.story.page("alice").close(only(world))
    world.tell(turn("Nothing."))
    assert kinds(world.plan(drafted("Alice", quote="in Boston"))) == []


# Own words


def test_what_recall_printed_is_no_evidence_and_leaves_no_prose() -> None:
    world = World()
    world.tell(user("<xysq-recall>\nMia lives in Boston.\n</xysq-recall>\nI live in Berlin."))
    planned = world.learn(drafted("Mia", quote="lives in Boston"), drafted(value="Berlin", quote="I live in Berlin."))
    assert (kinds(planned), codes(planned)) == (["assert Berlin"], ["own-words"])


def test_an_inference_from_recall_alone_is_dropped_too() -> None:
    world = World()
    world.tell(turn("Mia lives in Boston.", role=Role.TOOL, own=True))
    planned = world.learn(drafted("Mia", label=Label.INFERRED))
    assert (kinds(planned), codes(planned)) == ([], ["own-words"])


# The subject


def test_an_assistants_i_is_dropped_and_a_users_is_the_owner() -> None:
    world = World()
    world.tell(assistant("I live in the cloud."), user("I live in Boston."))
    planned = world.learn(drafted(value="the cloud"), drafted(passage=2))
    assert codes(planned) == ["assistant-self"]
    assert world.values("mia-voss") == {"Boston"}


def test_an_ambiguous_subject_is_dropped() -> None:
    world = World()
    world.story.page("alice-chen", "Alice Chen", aliases=("Al",))
    world.story.page("al-pacino", "Al Pacino", aliases=("Al",))
    world.tell(turn("Al lives in Boston."))
    assert codes(world.plan(drafted("Al"))) == ["ambiguous"]
    assert codes(world.plan(drafted("Al Pacino"))) == []


def test_a_rule_without_a_subject_is_the_repositorys() -> None:
    world = World(project="/home/mia/src/billing")
    world.tell(user("We always squash commits."))
    world.learn(drafted("", "rule", "squash commits", text="Always squash commits."))
    assert world.values("billing") == {"squash commits"}


# Text


@pytest.mark.parametrize(
    "change",
    [
        {"text": "It is Boston. ^f-7k2m9qx4aa"},
        {"text": "<<<<<<< HEAD Boston"},
        {"text": "It is\nBoston."},
        {"text": "It is Boston.\u202e"},
        {"text": "Boston " + "x" * 5000},
        {"text": "Boston" + "*" * 4000},
        {"value": "Bos\x07ton"},
        {"value": " "},
        {"attribute": "x" * 300},
        {"attribute": "  "},
    ],
)
def test_a_text_that_could_make_structure_is_dropped(change: dict[str, object]) -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.plan(drafted(**change))  # type: ignore[arg-type]
    assert (kinds(planned), codes(planned)) == ([], ["bad-text"])
    assert planned.plan.events == ()


def test_signs_in_a_text_become_words() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    world.learn(drafted(text="# It *is* <b>Boston</b> `now`"))
    assert world.facts("alice")[0].text == "\\# It \\*is\\* \\<b>Boston\\</b> \\`now\\`"


# Same value open already


def test_the_same_value_from_another_source_confirms() -> None:
    world = known()
    world.tell(turn("Boston is my home.", at=LATE))
    planned = world.learn(drafted(value="BOSTON"))
    assert (kinds(planned), codes(planned)) == (["confirm"], [])
    assert len(world.facts("alice")[0].evidence) == 2


def test_a_source_confirms_a_fact_once() -> None:
    world = known()
    world.tell(turn("Boston is home.", at=LATE), turn("Yes, Boston.", at=LATE))
    first = world.learn(drafted())
    second = world.learn(drafted(passage=2))
    assert (kinds(first), kinds(second)) == (["confirm"], [])


def test_an_assistant_that_had_recalled_confirms_nothing() -> None:
    world = known()
    world.tell(assistant("Alice lives in Boston.", after_recall=True))
    heard = world.plan(drafted("Alice"))
    assert (kinds(heard), codes(heard)) == ([], ["own-words"])
    world.tell(assistant("Alice lives in Boston."), source="other")
    assert kinds(world.plan(drafted("Alice"))) == ["confirm"]


def test_a_stated_value_takes_the_place_of_an_equal_inferred_one() -> None:
    world = World()
    world.tell(turn("The harbour of Massachusetts is home."), source="before")
    world.learn(drafted("Alice", label=Label.INFERRED))
    old = only(world)
    world.tell(turn("I live in Boston."))
    planned = world.learn(drafted())
    assert kinds(planned) == ["supersede Boston"]
    assert world.facts("alice")[0].label is Label.STATED
    (edit,) = planned.plan.edits
    assert isinstance(edit, ReplaceFact)
    assert edit.old == old


def test_an_inferred_value_adds_nothing_to_an_equal_stated_one() -> None:
    world = known()
    world.tell(turn("The harbour is home."))
    assert kinds(world.plan(drafted("Alice", label=Label.INFERRED))) == []


def test_words_that_do_not_hold_the_value_confirm_nothing_stated() -> None:
    world = known()
    world.tell(turn("The harbour is home."))
    assert kinds(world.plan(drafted("Alice"))) == []


# Closed before (P11)


def test_a_closed_value_comes_back_only_from_new_words() -> None:
    world = known()
    old = world.passages
    world.story.page("alice").close(only(world))
    again = world.plan(drafted())
    assert (kinds(again), codes(again)) == ([], ["returned"])
    world.tell(turn("I live in Boston again.", at="2027-01-01T00:00:00Z"), pushed_at="2027-01-01T00:00:00Z")
    assert kinds(world.plan(drafted(), at="2027-01-02T00:00:00Z")) == ["assert Boston"]
    assert old != world.passages


def test_being_closed_before_is_asked_before_anything_else() -> None:
    world = known()
    first = world.passages
    world.tell(turn("I live in Berlin.", at=MIDDLE), source="middle")
    world.learn(drafted(value="Berlin"))
    world.tell(turn("Boston again.", at=LATE), source="late")
    world.learn(drafted())
    world.passages = first
    assert codes(world.plan(drafted())) == ["returned"]


# Single-valued, another value open


def test_newer_words_supersede() -> None:
    world = known()
    old = only(world)
    world.tell(turn("I live in Berlin.", at=LATE))
    planned = world.learn(drafted(value="Berlin"))
    assert kinds(planned) == ["supersede Berlin"]
    body = planned.plan.events[0]
    assert isinstance(body, SupersededBy)
    assert body.supersedes == old
    assert world.values("alice") == {"Berlin"}


def test_older_words_are_history_learned_late() -> None:
    world = known(at=LATE)
    world.tell(turn("I live in Berlin.", at=EARLY))
    planned = world.learn(drafted(value="Berlin"))
    assert (kinds(planned), planned.plan.edits) == (["late Berlin"], ())
    assert world.values("alice") == {"Boston"}


def test_lower_authority_is_dropped_though_newer() -> None:
    world = known()
    world.tell(assistant("Alice lives in Berlin.", at=LATE), turn("Alice is in Berlin.", speaker="Bob", at=LATE))
    planned = world.plan(drafted("Alice", value="Berlin"), drafted("Alice", value="berlin", passage=2))
    assert (kinds(planned), codes(planned)) == ([], ["lower-authority", "lower-authority"])


def test_higher_authority_supersedes_though_older() -> None:
    world = World()
    world.tell(turn("Alice lives in Boston.", speaker="Bob", at=LATE), source="before")
    world.learn(drafted("Alice"))
    world.tell(turn("I live in Berlin.", at=EARLY))
    assert kinds(world.plan(drafted(value="Berlin"))) == ["supersede Berlin"]


def test_the_owner_over_mcp_does_not_outrank_the_owner() -> None:
    world = World()
    world.tell(user("I live in Boston.", at=EARLY), source="before", channel=Channel.HOOK)
    world.learn(drafted())
    world.tell(user("I live in Berlin.", at=LATE), channel=Channel.MCP)
    assert codes(world.plan(drafted(value="Berlin"))) == ["lower-authority"]
    world.tell(user("I live in Berlin.", at=LATE), source="typed")
    assert kinds(world.plan(drafted(value="Berlin"))) == ["supersede Berlin"]


def test_an_inference_does_not_end_what_is_stated() -> None:
    world = known()
    world.tell(turn("The wall runs past my house.", at=LATE))
    planned = world.plan(drafted(value="Berlin", label=Label.INFERRED))
    assert (kinds(planned), codes(planned)) == ([], ["weaker-label"])


def test_words_that_do_not_hold_the_value_do_not_end_what_is_stated() -> None:
    world = known()
    world.tell(turn("The wall runs past my house.", at=LATE))
    assert codes(world.plan(drafted(value="Berlin"))) == ["weaker-label"]


def test_unknown_times_are_ordered_by_when_they_were_pushed() -> None:
    world = known(at=None)
    world.tell(turn("I live in Berlin.", at=None), pushed_at="2026-12-01T00:00:00Z")
    assert kinds(world.plan(drafted(value="Berlin"))) == ["supersede Berlin"]


def test_a_value_of_another_page_or_attribute_is_no_rival() -> None:
    world = known()
    world.tell(turn("I work at Berlin.", at=LATE), turn("I live in Bonn.", speaker="Bob", at=LATE))
    planned = world.plan(drafted(attribute="employer", value="Berlin"), drafted(value="Bonn", passage=2))
    assert kinds(planned) == ["assert Berlin", "assert Bonn"]


# Several values of one run


def test_of_one_run_the_newest_is_asserted_and_earlier_ones_become_late() -> None:
    world = World()
    world.tell(
        turn("I live in Bonn.", at=MIDDLE), turn("I live in Boston.", at=LATE), turn("I live in Berlin.", at=EARLY)
    )
    planned = world.learn(drafted(value="Bonn"), drafted(value="Boston", passage=2), drafted(value="Berlin", passage=3))
    assert kinds(planned) == ["assert Boston", "late Bonn", "late Berlin"]
    assert world.values("alice") == {"Boston"}


def test_of_one_run_lower_authority_loses_though_newer_and_is_late_when_older() -> None:
    world = World()
    world.tell(
        assistant("Alice lives in Bonn.", at=EARLY),
        turn("I live in Boston.", at=MIDDLE),
        assistant("Alice lives in Berlin.", at=LATE),
    )
    planned = world.learn(
        drafted("Alice", value="Bonn"), drafted(passage=2), drafted("Alice", value="Berlin", passage=3)
    )
    assert (kinds(planned), codes(planned)) == (["assert Boston", "late Bonn"], ["lower-authority"])


def test_the_newest_of_a_run_supersedes_and_the_others_are_late_behind_it() -> None:
    world = known()
    world.tell(turn("I live in Bonn.", at=MIDDLE), turn("I live in Berlin.", at=LATE))
    planned = world.learn(drafted(value="Bonn"), drafted(value="Berlin", passage=2))
    assert kinds(planned) == ["supersede Berlin", "late Bonn"]


def test_a_run_that_confirms_and_contradicts_ends_with_the_newest() -> None:
    world = known(at=MIDDLE)
    world.tell(turn("I live in Boston.", at=LATE), turn("I live in Berlin.", at=EARLY))
    planned = world.learn(drafted(), drafted(value="Berlin", passage=2))
    assert kinds(planned) == ["confirm", "late Berlin"]
    world.tell(
        turn("Boston it is.", at="2026-11-21T00:00:00Z"), turn("No, Bonn.", at="2026-11-22T00:00:00Z"), source="x"
    )
    planned = world.learn(drafted(), drafted(value="Bonn", passage=2))
    assert kinds(planned) == ["confirm", "supersede Bonn"]


def test_of_equal_values_in_one_run_the_first_is_kept_and_the_double_goes_with_its_sentence() -> None:
    world = World()
    world.tell(turn("I live in Boston."), turn("Boston is my home."))
    planned = world.learn(drafted(), drafted(value="boston", passage=2, text="Her home is boston."))
    assert (kinds(planned), codes(planned)) == (["assert Boston"], ["duplicate-assert"])
    (fact,) = world.facts("alice")
    assert fact.text == "The location is Boston."
    assert [piece.passage for piece in fact.evidence] == [1, 2]


def test_many_values_stand_beside_each_other_and_an_equal_one_adds_nothing() -> None:
    world = World()
    world.tell(turn("I like tea and milk. Tea!"))
    world.also(turn("Tea is best."), source="other")
    likes = [drafted(attribute="likes", value=value) for value in ("tea", "milk", "Tea")]
    planned = world.learn(*likes, drafted("Alice", "likes", "tea", passage=2, ref="other"))
    assert (kinds(planned), codes(planned)) == (["assert tea", "assert milk", "confirm"], [])


# Replaces


def editor(world: World, *, at: str = EARLY) -> FactId:
    world.tell(turn("I use Emacs.", at=at), source="before")
    world.learn(drafted(attribute="uses", value="Emacs"))
    return only(world)


def test_a_value_replaces_the_one_its_words_name() -> None:
    world = World()
    old = editor(world)
    world.tell(turn("Neovim instead of Emacs now.", at=LATE))
    planned = world.learn(drafted(attribute="uses", value="Neovim", replaces=old))
    assert kinds(planned) == ["supersede Neovim"]
    assert world.values("alice") == {"Neovim"}


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        (turn("Neovim is great.", at=LATE), "Alice"),
        (turn("Neovim instead of Emacs now.", at="2026-10-01T00:00:00Z"), "I"),
        (turn("Alice uses Neovim instead of Emacs.", speaker="Bob", at=LATE), "Alice"),
    ],
    ids=["names neither value nor subject", "older", "lower authority"],
)
def test_a_hint_that_its_words_do_not_bear_out_only_adds_a_value(said: object, subject: str) -> None:
    world = World()
    old = editor(world)
    world.tell(said)  # type: ignore[arg-type]
    planned = world.plan(drafted(subject, "uses", "Neovim", replaces=old))
    assert kinds(planned) == ["assert Neovim"]


def test_an_inference_replaces_nothing_stated_and_a_hint_to_another_attribute_nothing() -> None:
    world = World()
    old = editor(world)
    world.tell(turn("Neovim instead of Emacs now.", at=LATE))
    guessed = world.plan(drafted(attribute="uses", value="Neovim", replaces=old, label=Label.INFERRED))
    assert kinds(guessed) == ["assert Neovim"]
    assert kinds(world.plan(drafted(attribute="likes", value="Neovim", replaces=old))) == ["assert Neovim"]
    assert kinds(world.plan(drafted(attribute="uses", value="Neovim", replaces="f-unknown"))) == ["assert Neovim"]


# Closes


@pytest.mark.parametrize("words", ["Forget Boston.", "Alice moved out.", "I moved out."])
def test_words_that_name_the_value_or_the_subject_close_a_fact(words: str) -> None:
    world = known()
    world.tell(turn(words, at=LATE))
    planned = world.plan(closes=[closing(only(world))])
    assert (kinds(planned), codes(planned)) == (["close retracted"], [])
    (edit,) = planned.plan.edits
    assert edit == RemoveFact(page=Slug("alice"), fact=only(world))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (turn("Forget the plan.", at=LATE), "close-not-shown"),
        (turn("Forget Boston.", at="2026-10-01T00:00:00Z"), "close-not-shown"),
        (turn("Forget Boston.", speaker="Bob", at=LATE), "lower-authority"),
        (assistant("Boston is no longer right.", at=LATE), "lower-authority"),
        (turn("I moved out.", speaker="Bob", at=LATE), "close-not-shown"),
        (turn("Forget Boston.", role=Role.TOOL, own=True, at=LATE), "own-words"),
    ],
)
def test_words_that_may_not_close_a_fact_do_not(said: object, code: str) -> None:
    world = known()
    world.tell(said)  # type: ignore[arg-type]
    planned = world.plan(closes=[closing(only(world))])
    assert (kinds(planned), codes(planned)) == ([], [code])


def test_a_close_without_its_words_in_the_log_is_none() -> None:
    world = known()
    world.tell(turn("Hello.", at=LATE))
    assert codes(world.plan(closes=[closing(only(world), quote="Forget Boston")])) == ["quote-mismatch"]
    assert codes(world.plan(closes=[closing("f-unknown")])) == ["close-not-shown"]


def test_the_very_words_of_a_fact_do_not_close_it() -> None:
    world = known()
    planned = world.plan(closes=[closing(only(world))])
    assert codes(planned) == ["close-not-shown"]


def test_a_fact_is_ended_once_in_a_run() -> None:
    world = known()
    world.tell(turn("Forget Boston, I live in Berlin.", at=LATE))
    planned = world.plan(drafted(value="Berlin"), closes=[closing(only(world)), closing(only(world))])
    assert (kinds(planned), codes(planned)) == (["supersede Berlin"], ["close-not-shown"] * 2)


# Premises


def test_a_conclusion_names_the_facts_of_the_draft_it_rests_on() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(inferred("Alice", "note", "cold winters", "I/location/Boston"), drafted())
    assert kinds(planned) == ["assert Boston", "assert cold winters"]
    facts = {fact.value: fact for fact in world.facts("alice")}
    assert facts["cold winters"].derived_from == (facts["Boston"].id,)


def test_a_conclusion_falls_with_its_premise_unless_an_equal_value_took_its_place() -> None:
    world = known()
    world.tell(turn("Hm."))
    world.learn(inferred("Alice", "note", "cold winters", only(world)))
    world.tell(turn("I live in Berlin.", at=LATE), source="late")
    planned = world.plan(drafted(value="Berlin"))
    assert kinds(planned) == ["supersede Berlin", "close premise-closed"]
    assert isinstance(planned.plan.edits[-1], RemoveFact)


def test_a_conclusion_from_a_premise_that_is_proven_by_the_run_stays() -> None:
    world = World()
    world.tell(turn("The harbour is home."), source="before")
    world.learn(drafted("Alice", label=Label.INFERRED))
    world.learn(inferred("Alice", "note", "cold winters", only(world)))
    world.tell(turn("I live in Boston."))
    assert kinds(world.plan(drafted())) == ["supersede Boston"]


def test_a_conclusion_from_nothing_stays_as_prose() -> None:
    world = known()
    world.tell(turn("Hm."))
    planned = world.learn(inferred("Alice", "note", "cold winters", "f-unknown", "no such ref"))
    assert (kinds(planned), codes(planned)) == (["prose"], ["unfounded"])


def test_a_circle_of_conclusions_is_founded_on_nothing() -> None:
    world = known()
    world.tell(turn("Hm."))
    planned = world.learn(
        inferred("Alice", "note", "one", "Alice/note/two"), inferred("Alice", "note", "two", "Alice/note/one")
    )
    assert (kinds(planned), codes(planned)) == (["prose", "prose"], ["unfounded", "unfounded"])


# Voices


@pytest.mark.parametrize("attribute", ["preference", "rule"])
def test_what_no_human_said_is_no_preference_or_rule_of_the_owners(attribute: str) -> None:
    world = World()
    world.tell(turn("Mia likes tabs.", role=Role.TOOL, speaker="fetch"), user("I like tabs."))
    assert codes(world.plan(drafted("Mia Voss", attribute, "tabs"))) == ["lower-authority"]
    assert kinds(world.plan(drafted("I", attribute, "tabs", passage=2))) == ["assert tabs"]


def test_a_file_may_tell_the_rule_of_a_project() -> None:
    world = World()
    world.tell(turn("Billing uses tabs.", role=Role.OTHER, speaker=""))
    assert kinds(world.plan(drafted("Billing", "rule", "tabs"))) == ["assert tabs"]


# Blocks


def test_a_block_that_claims_a_fact_is_its_text() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(drafted(ref="1"), edits=[block("Alice", "She lives in Boston.", "1")])
    assert kinds(planned) == ["assert Boston"]
    assert world.facts("alice")[0].text == "She lives in Boston."


def test_a_block_without_a_claim_is_prose_and_written_once() -> None:
    world = known()
    world.tell(turn("Hm."))
    planned = world.learn(
        edits=[
            block("Alice", "She is kind."),
            block("alice", "She is  KIND."),
            block("Alice", "The location is Boston."),
        ]
    )
    assert kinds(planned) == ["prose"]
    prose = planned.plan.events[-1]
    assert isinstance(prose, ProseChanged)
    assert (prose.origin, prose.after, prose.rows) == (Origin.DRAFTED, "end", world.rows)


def test_prose_goes_behind_the_block_it_names_if_the_page_shows_it() -> None:
    world = known()
    world.tell(turn("Hm."))
    here, nowhere = block("Alice", "One.", after=only(world)), block("Alice", "Two.", after="b-unknown000")
    edits = [edit for edit in world.plan(edits=[here, nowhere]).plan.edits if isinstance(edit, ProseEdit)]
    assert [edit.after for edit in edits] == [only(world), "end"]


def test_an_event_no_block_claims_leaves_its_text_as_prose() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(drafted(ref="1"), edits=[])
    assert (kinds(planned), codes(planned)) == (["prose"], ["unclaimed-event"])


def test_an_event_two_blocks_claim_leaves_both_as_prose() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    edits = [block("Alice", "She lives in Boston.", "1"), block("Alice", "Boston is home.", "1")]
    planned = world.learn(drafted(ref="1"), edits=edits)
    assert (kinds(planned), codes(planned)) == (["prose", "prose"], ["twice-claimed"])


def test_a_block_that_does_not_show_the_value_stays_as_prose() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(drafted(ref="1"), edits=[block("Alice", "She lives by the sea.", "1")])
    assert (kinds(planned), codes(planned)) == (["prose"], ["value-not-shown"])


def test_what_will_not_be_shown_ends_nothing() -> None:
    world = known()
    world.tell(turn("I live in Berlin.", at=LATE))
    planned = world.learn(drafted(value="Berlin", text="She lives by the wall."))
    assert (kinds(planned), codes(planned)) == (["prose"], ["value-not-shown"])
    assert world.values("alice") == {"Boston"}


def test_a_block_of_bad_text_or_another_kind_is_dropped() -> None:
    world = known()
    world.tell(turn("Hm."))
    edits = [block("Alice", ">>>>>>> x"), block("Alice", "Fine.", op="replace"), block("they", "Fine.")]
    planned = world.plan(edits=edits)
    assert (kinds(planned), codes(planned)) == ([], ["bad-text", "bad-text", "ambiguous"])


def test_a_block_of_bad_text_takes_the_fact_it_claims_with_it() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.plan(drafted(ref="1"), edits=[block("Alice", "Boston ^f-7k2m9qx4aa", "1")])
    assert (kinds(planned), codes(planned)) == ([], ["bad-text"])


# Bounds


def test_a_fact_keeps_no_more_quotes_than_allowed() -> None:
    world = World(limits=Limits(quotes=2))
    world.tell(turn("Boston one. Boston two. Boston three."))
    quotes = [DraftQuote(passage=1, sentence=number) for number in (1, 2, 3)]
    world.learn(drafted("Alice", quotes=quotes))
    assert len(world.facts("alice")[0].evidence) == 2


def test_the_ledgers_own_evidence_is_not_touched() -> None:
    world = World()
    world.story.page("alice", "Alice").assert_("f-0000000001", "Boston", evidence=(evidence("I live in Boston"),))
    world.tell(turn("I like tea."))
    assert kinds(world.learn(drafted(attribute="likes", value="tea"))) == ["assert tea"]
