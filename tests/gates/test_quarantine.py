"""The quarantine table, row by row: what a plan loses, and whether the words stay."""

from dataclasses import replace

from tests.archive import turn
from tests.builders import evidence, statement
from tests.world import World, codes, drafted, inferred, kinds
from xysq.gates.quarantine import Quarantined
from xysq.model.event import Asserted, Confirmed, FactClosed, LearnedLate, ProseChanged, Statement, SupersededBy
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.page import Origin
from xysq.model.plan import Edit, InsertFact, Plan, ProseEdit, RemoveFact, ReplaceFact

OLD = FactId("f-0000000001")
ONE, TWO, THREE = FactId("f-00000000a1"), FactId("f-00000000a2"), FactId("f-00000000a3")


def world_of(*turns: str) -> World:
    """Return a world with Alice's page, one open fact on it, and these turns of hers."""
    world = World()
    world.story.page("alice", "Alice").assert_(OLD, "chess", text="She plays chess.", attribute="note")
    world.tell(*(turn(text) for text in turns or ("I live in Boston.",)))
    return world


def quote(world: World, number: int = 1) -> Evidence:
    passage = world.passages[number - 1]
    span = passage.spans[0]
    return evidence(
        span.text,
        source=passage.source,
        start=span.start,
        end=span.end,
        passage=passage.number,
        role=passage.role,
    )


def stating(world: World, fact: FactId = ONE, value: str = "Boston", **changes: object) -> Statement:
    base = statement(
        value,
        fact=fact,
        page=Slug("alice"),
        attribute="location",
        single=True,
        text=f"The location is {value}.",
        evidence=(quote(world),),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def shown(stated: Statement, text: str | None = None) -> InsertFact:
    return InsertFact(
        page=stated.page, fact=stated.fact, section=stated.section, text=stated.text if text is None else text
    )


def asserting(*statements: Statement) -> Plan:
    return Plan(
        edits=tuple(shown(stated) for stated in statements),
        events=tuple(Asserted(statement=stated) for stated in statements),
    )


def prose(result: Quarantined) -> list[ProseChanged]:
    return [body for body in result.plan.events if isinstance(body, ProseChanged)]


def settled(world: World, result: Quarantined) -> None:
    """Assert that a second pass changes nothing."""
    assert world.quarantine(result.plan) == Quarantined(plan=result.plan, drops=())


def test_a_sound_plan_is_left_as_it_is() -> None:
    world = world_of()
    plan = asserting(stating(world))
    assert world.quarantine(plan) == Quarantined(plan=plan, drops=())


# quote-mismatch


def test_a_stated_fact_whose_quote_is_not_in_the_log_goes_and_its_sentence_stays() -> None:
    world = world_of()
    false = replace(quote(world), quote="I live in Berlin.")
    result = world.quarantine(asserting(stating(world, value="Berlin", evidence=(false,))))
    assert (kinds(result), codes(result)) == (["prose"], ["quote-mismatch"])
    (words,) = prose(result)
    assert (words.text, words.origin, words.code) == ("The location is Berlin.", Origin.DROPPED, "quote-mismatch")
    assert (words.after, words.quotes, words.rows) == ("end", (), world.rows)
    (edit,) = result.plan.edits
    assert isinstance(edit, ProseEdit)
    assert (edit.block, edit.text) == (words.block, words.text)
    (drop,) = result.drops
    assert (drop.kept_on, drop.fact, drop.rows) == ("alice", ONE, world.rows)
    settled(world, result)


def test_one_false_quote_is_enough_for_a_stated_fact() -> None:
    world = world_of()
    false = replace(quote(world), quote="I live in Boston!")
    assert codes(world.quarantine(asserting(stating(world, evidence=(quote(world), false))))) == ["quote-mismatch"]


def test_a_stated_fact_without_a_quote_is_mismatched() -> None:
    world = world_of()
    assert codes(world.quarantine(asserting(stating(world, evidence=())))) == ["quote-mismatch"]


def test_a_quote_that_a_correction_removed_proves_nothing() -> None:
    world = world_of()
    plan = asserting(stating(world))
    world.archive.correct("talk", "Boston", "Berlin", "2026-12-01T00:00:00Z", [turn("I live in Boston.")])
    assert codes(world.quarantine(plan)) == ["quote-mismatch"]


def test_an_inferred_fact_only_loses_the_quote() -> None:
    world = world_of()
    false = replace(quote(world), quote="Snow.")
    stated = stating(world, label=Label.INFERRED, evidence=(false,), derived_from=(OLD,))
    result = world.quarantine(asserting(stated))
    assert (kinds(result), codes(result)) == (["assert Boston"], ["quote-mismatch"])
    assert result.plan.events == (Asserted(statement=replace(stated, evidence=())),)
    assert result.drops[0].text == "Snow."
    settled(world, result)


def test_a_confirmation_loses_a_false_quote_and_goes_where_none_is_left() -> None:
    world = world_of()
    false = replace(quote(world), quote="Chess!")
    both = Plan(edits=(), events=(Confirmed(fact=OLD, evidence=(quote(world), false)),))
    result = world.quarantine(both)
    assert (result.plan.events, codes(result)) == (
        (Confirmed(fact=OLD, evidence=(quote(world),)),),
        ["quote-mismatch"],
    )
    assert kinds(world.quarantine(Plan(edits=(), events=(Confirmed(fact=OLD, evidence=(false,)),)))) == []


def test_a_closing_whose_words_are_not_in_the_log_goes_with_its_edit() -> None:
    world = world_of("Forget chess.")
    edit = RemoveFact(page=Slug("alice"), fact=OLD)

    def plan(piece: Evidence) -> Plan:
        body = FactClosed(fact=OLD, reason=CloseReason.RETRACTED, cause="x", by="rules", evidence=(piece,))
        return Plan(edits=(edit,), events=(body,))

    result = world.quarantine(plan(replace(quote(world), quote="Forget Chess.")))
    assert (result.plan, codes(result)) == (Plan(edits=(), events=()), ["quote-mismatch"])
    assert kinds(world.quarantine(plan(quote(world)))) == ["close retracted"]


# relabelled


def test_a_value_that_its_words_do_not_hold_makes_a_fact_inferred_and_keeps_it() -> None:
    world = world_of("I live by the sea.")
    result = world.quarantine(asserting(stating(world)))
    assert (kinds(result), codes(result)) == (["assert Boston"], ["relabelled"])
    (body,) = result.plan.events
    assert isinstance(body, Asserted)
    assert body.statement.label is Label.INFERRED
    settled(world, result)


def test_a_value_is_held_whatever_its_case_but_not_within_a_word() -> None:
    assert codes((w := world_of("I live in BOSTON!")).quarantine(asserting(stating(w)))) == []
    assert codes((w := world_of("I am a Bostonian.")).quarantine(asserting(stating(w)))) == ["relabelled"]


# value-not-shown


def test_a_block_that_does_not_show_the_value_stays_as_prose() -> None:
    world = world_of()
    stated = stating(world)
    result = world.quarantine(
        Plan(edits=(shown(stated, "She lives by the sea."),), events=(Asserted(statement=stated),))
    )
    assert (kinds(result), codes(result)) == (["prose"], ["value-not-shown"])
    assert (prose(result)[0].text, prose(result)[0].quotes) == ("She lives by the sea.", stated.evidence)


# unclaimed-event, twice-claimed


def test_an_event_no_block_claims_leaves_its_text() -> None:
    world = world_of()
    result = world.quarantine(Plan(edits=(), events=(Asserted(statement=stating(world)),)))
    assert (kinds(result), codes(result)) == (["prose"], ["unclaimed-event"])
    settled(world, result)


def test_an_event_two_blocks_claim_leaves_both() -> None:
    world = world_of()
    stated = stating(world)
    edits: tuple[Edit, ...] = (shown(stated), shown(stated, "Boston is home."))
    result = world.quarantine(Plan(edits=edits, events=(Asserted(statement=stated),)))
    assert (kinds(result), codes(result)) == (["prose", "prose"], ["twice-claimed"])
    assert len({body.block for body in prose(result)}) == 2
    settled(world, result)


def test_a_supersede_that_goes_leaves_the_old_fact_open() -> None:
    world = world_of()
    stated = stating(world, attribute="note", single=False)
    body = SupersededBy(statement=stated, supersedes=OLD)
    edit = ReplaceFact(page=stated.page, fact=ONE, old=OLD, text="Nothing of it.")
    result = world.quarantine(Plan(edits=(edit,), events=(body,)))
    assert (kinds(result), codes(result)) == (["prose"], ["value-not-shown"])
    assert not any(isinstance(left, ReplaceFact) for left in result.plan.edits)


# duplicate-assert


def test_a_second_assert_for_a_single_valued_attribute_goes_with_its_sentence() -> None:
    world = world_of("I live in Boston.", "Berlin is my home.")
    first, second = stating(world), stating(world, TWO, "Berlin", evidence=(quote(world, 2),))
    result = world.quarantine(asserting(first, second))
    assert (kinds(result), codes(result)) == (["assert Boston"], ["duplicate-assert"])
    assert result.plan == asserting(first)
    assert result.drops[0].kept_on == ""
    settled(world, result)


def test_many_values_pages_and_attributes_do_not_double_each_other() -> None:
    world = world_of("Boston, Berlin.")
    world.story.page("bob", "Bob")
    plan = asserting(
        stating(world),
        stating(world, TWO, "Berlin", page=Slug("bob")),
        stating(world, THREE, "Berlin", attribute="note", single=False),
    )
    assert world.quarantine(plan) == Quarantined(plan=plan, drops=())


def test_a_fact_that_is_dropped_doubles_nothing() -> None:
    world = world_of("I live in Boston.")
    lie = stating(world, TWO, "Berlin", evidence=(replace(quote(world), quote="Berlin"),))
    result = world.quarantine(asserting(lie, stating(world)))
    assert (kinds(result), codes(result)) == (["assert Boston", "prose"], ["quote-mismatch"])


def test_what_rested_on_a_double_rests_on_the_first() -> None:
    world = world_of("I live in Boston.")
    double = stating(world, TWO, "BOSTON")
    guess = stating(world, THREE, "cold", attribute="note", single=False, label=Label.INFERRED, evidence=())
    result = world.quarantine(asserting(stating(world), double, replace(guess, derived_from=(TWO,))))
    assert codes(result) == ["duplicate-assert"]
    last = result.plan.events[-1]
    assert isinstance(last, Asserted)
    assert last.statement.derived_from == (ONE,)


# unfounded


def guess(world: World, fact: FactId, *premises: FactId, **changes: object) -> Statement:
    fields = {"attribute": "note", "single": False, "label": Label.INFERRED, "evidence": (), "derived_from": premises}
    return stating(world, fact, "cold", **fields | changes)


def test_an_inference_from_nothing_goes_and_its_sentence_stays() -> None:
    world = world_of()
    for premises in ((), (FactId("f-unknown"),), (ONE,)):
        result = world.quarantine(asserting(guess(world, ONE, *premises)))
        assert (kinds(result), codes(result)) == (["prose"], ["unfounded"])
        settled(world, result)


def test_an_inference_from_an_open_fact_or_a_quote_stays() -> None:
    world = world_of()
    assert codes(world.quarantine(asserting(guess(world, ONE, OLD)))) == []
    assert codes(world.quarantine(asserting(guess(world, ONE, evidence=(quote(world),))))) == []


def test_an_inference_with_a_quote_loses_the_premises_that_do_not_hold() -> None:
    world = world_of()
    stated = guess(world, ONE, OLD, FactId("f-unknown"), evidence=(quote(world),))
    result = world.quarantine(asserting(stated))
    assert result.plan == asserting(replace(stated, derived_from=(OLD,)))
    settled(world, result)


def test_what_rests_on_a_dropped_fact_goes_too_through_the_chain() -> None:
    world = world_of()
    lie = stating(world, evidence=())
    result = world.quarantine(asserting(lie, guess(world, TWO, ONE), guess(world, THREE, TWO, text="So cold.")))
    assert codes(result) == ["quote-mismatch", "unfounded", "unfounded"]
    assert kinds(result) == ["prose"] * 3
    settled(world, result)


def test_a_premise_that_comes_only_later_holds_nothing() -> None:
    world = world_of()
    assert codes(world.quarantine(asserting(guess(world, TWO, ONE), stating(world)))) == ["unfounded"]


def test_a_premise_that_the_plan_ends_holds_nothing_unless_its_value_goes_on() -> None:
    world = world_of("I play chess and go.")

    def plan(value: str) -> Plan:
        new = stating(world, ONE, value, attribute="note", single=False)
        edit = ReplaceFact(page=new.page, fact=ONE, old=OLD, text=new.text)
        left = asserting(guess(world, TWO, OLD))
        return Plan(edits=(edit, *left.edits), events=(SupersededBy(statement=new, supersedes=OLD), *left.events))

    assert codes(world.quarantine(plan("go"))) == ["unfounded"]
    assert codes(world.quarantine(plan("Chess"))) == []


def test_a_closing_for_a_premise_goes_when_the_premise_stays() -> None:
    world = world_of()
    story_page = world.story.page("alice")
    story_page.assert_(THREE, "cold", label=Label.INFERRED, evidence=(), derived_from=(OLD,))
    new = stating(world, ONE, attribute="note", single=False, evidence=())
    fallen = FactClosed(fact=THREE, reason=CloseReason.PREMISE_CLOSED, cause=OLD, by="engine")
    plan = Plan(
        edits=(
            ReplaceFact(page=new.page, fact=ONE, old=OLD, text=new.text),
            RemoveFact(page=new.page, fact=THREE),
        ),
        events=(SupersededBy(statement=new, supersedes=OLD), fallen),
    )
    result = world.quarantine(plan)
    assert (kinds(result), codes(result)) == (["prose"], ["quote-mismatch"])
    settled(world, result)


def test_history_behind_a_dropped_fact_goes_with_it() -> None:
    world = world_of("I live in Boston.", "I live in Berlin.")
    lie = stating(world, evidence=())
    late = LearnedLate(statement=stating(world, TWO, "Berlin", evidence=(quote(world, 2),)), superseded_by=ONE)
    plan = asserting(lie)
    result = world.quarantine(Plan(edits=plan.edits, events=(*plan.events, late)))
    assert (kinds(result), codes(result)) == (["prose"], ["quote-mismatch", "unfounded"])
    assert result.drops[1].kept_on == ""


# Words


def test_words_that_already_stand_on_the_page_or_in_the_plan_are_not_written_again() -> None:
    world = world_of()
    same = stating(world, TWO, "chess", text="She plays  CHESS.", evidence=(), attribute="note", single=False)
    also = replace(same, fact=THREE, text="The location is Boston.")
    result = world.quarantine(asserting(stating(world), same, also))
    assert (kinds(result), codes(result)) == (["assert Boston"], ["quote-mismatch", "quote-mismatch"])


def test_words_that_could_make_structure_do_not_stay() -> None:
    world = world_of()
    for text in ("Boston\n# Boston", "Boston ^f-00000000a1", "<<<<<<< Boston", "Boston" * 1000):
        result = world.quarantine(asserting(stating(world, evidence=(), text=text)))
        assert (kinds(result), codes(result)) == ([], ["quote-mismatch"])


def test_a_page_made_for_a_dropped_fact_stays_for_its_sentence_and_goes_without_one() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.plan(drafted("Berta", value="Berlin", text="A place."))
    assert [body.page for body in prose(world.quarantine(planned.plan))] == ["berta"]
    lost = Plan(
        edits=planned.plan.edits,
        events=tuple(
            replace(body, statement=replace(body.statement, text="A\nplace")) if isinstance(body, Asserted) else body
            for body in planned.plan.events
        ),
    )
    edits = tuple(replace(edit, text="A\nplace") if isinstance(edit, InsertFact) else edit for edit in lost.edits)
    assert world.quarantine(Plan(edits=edits, events=lost.events)).plan == Plan(edits=(), events=())


def test_a_run_with_drops_lands_with_the_rest() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    planned = world.learn(
        drafted(), drafted(attribute="employer", value="Acme"), inferred("Alice", "note", "cold", "I/employer/Acme")
    )
    assert codes(planned) == ["relabelled"]
    assert world.values("alice") == {"Boston", "Acme", "cold"}
