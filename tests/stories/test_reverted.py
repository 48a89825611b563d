"""Stories of runs and sources that are taken back: as if they never had been, and nothing is erased."""

import re
from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from tests.jobs.scripted import Scripted, facts, passage_with, stated
from tests.stories.told import Tale
from xysq.drafters.port import Request
from xysq.errors import NotFound, XysqError
from xysq.jobs.apply import Overtaken, apply
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.hold import hold
from xysq.jobs.readable import readable
from xysq.jobs.revert import AlreadyReverted, CannotRevert, NothingToRevert, revert_run, revert_source
from xysq.jobs.show import raw
from xysq.model.fact import Closed, RunId
from xysq.store import layout, wal
from xysq.store.readmodel import RunLine

GOOD = "Maya: I live in Berlin. I like tea.\n\nTom: I moved to Lisbon.\n\nMaya: I work at Acme.\n"
POISON = "Maya: I moved to Rome. I like beer.\n\nTom: I like jazz.\n\nMaya: I work at Apex.\n\nZoe: I live in Ghent.\n"
LATER = "Tom: I like maps.\n\nMaya: I like chess.\n\nTom: I see.\n"
KNOWN = {"Maya lives in Berlin.", "Maya likes tea.", "Tom moved to Lisbon.", "Maya works at Acme."}
_OURS = re.compile(r" \^[fb]-[0-9a-z]{10}")


@pytest.fixture
def other(tmp_path: Path) -> Tale:
    """Return a second vault, which hears other things."""
    place = tmp_path / "other"
    place.mkdir()
    clock = Clock()
    return Tale(made_vault(place, clock, Entropy()), clock)


def pages(tale: Tale) -> dict[str, str]:
    """Return the files of all pages, without changelogs and ids."""
    root = tale.opened.root / layout.PAGES
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.md"))}
    return {name: _OURS.sub("", text.partition("\n## Changelog")[0]) for name, text in texts.items()}


def runs(tale: Tale) -> tuple[RunLine, ...]:
    with readable(tale.opened).reading() as snapshot:
        return snapshot.lists.runs()


def newest_run(tale: Tale) -> RunId:
    return runs(tale)[0].run


# Sources


def test_a_poisoned_source_leaves_the_pages_of_a_vault_that_never_saw_it(tale: Tale, other: Tale) -> None:
    tale.said(GOOD, "good.txt")
    poison = tale.said(POISON, "poison.txt")
    tale.said(LATER, "later.txt")
    assert {"Maya moved to Rome.", "Maya likes beer.", "Zoe lives in Ghent."} <= tale.open()
    done = tale.unsaid(poison)
    other.said(GOOD, "good.txt")
    other.said(LATER, "later.txt")
    assert pages(tale) == pages(other)
    assert set(pages(tale)) == {"maya", "tom"}
    assert done.removed_pages == ("zoe",)
    assert not (tale.opened.root / "pages/zo/zoe.md").exists()
    assert tale.is_sound()


def test_what_was_taken_back_says_why_and_the_ledger_only_grew(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    poison = tale.said(POISON, "poison.txt")
    ledger = (tale.opened.root / "ledger/000/000001.jsonl").read_bytes()
    commit = tale.opened.tip()
    done = tale.unsaid(poison)
    life = tale.fact("Maya likes beer.").life
    assert isinstance(life, Closed)
    assert (life.reason.value, life.cause, life.by, life.run) == ("reverted", poison.source, "user", done.run.run)
    assert (tale.opened.root / "ledger/000/000001.jsonl").read_bytes().startswith(ledger)
    assert tale.opened.repository.commit(tale.opened.tip()).parents == (commit,)
    assert runs(tale)[0].reverts == poison.source


def test_what_it_superseded_holds_again_where_it_stood(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    before = tale.page("maya").partition("## Changelog")[0]
    tale.unsaid(tale.said(POISON, "poison.txt"))
    again = tale.fact("Maya lives in Berlin.")
    assert again.is_open
    assert again.revives is not None
    assert [piece.quote for piece in again.evidence] == ["I live in Berlin."]
    assert _OURS.sub("", tale.page("maya").partition("## Changelog")[0]) == _OURS.sub("", before)


def test_what_it_superseded_stays_ended_where_its_own_words_went(tale: Tale) -> None:
    good = tale.said(GOOD, "good.txt")
    poison = tale.said(POISON, "poison.txt")
    tale.corrected(good, "live in Berlin", "live somewhere")
    tale.unsaid(poison)
    assert tale.open() == KNOWN - {"Maya lives in Berlin."}
    assert tale.is_sound()


def test_what_it_closed_by_its_words_holds_again(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")

    def answer(request: Request) -> object:
        return {
            "facts": [],
            "closes": [
                {"fact": tale.fact(text).id, "quotes": [{"passage": passage_with(request, "Berlin")}]}
                for text in ("Maya lives in Berlin.", "Maya likes tea.")
            ],
        }

    tale.drafted("Maya: Forget Berlin, and forget tea.\n\nTom: Done.\n\nMaya: Thanks.\n", answer, "poison.txt")
    poison = tale.pushed("Maya: Forget Berlin, and forget tea.\n\nTom: Done.\n\nMaya: Thanks.\n", "poison.txt")
    assert tale.open() == KNOWN - {"Maya lives in Berlin.", "Maya likes tea."}
    tale.unsaid(poison)
    assert tale.open() == KNOWN
    blocks = [line for line in tale.page("maya").splitlines() if line.startswith("- Maya")]
    assert [_OURS.sub("", line) for line in blocks] == [
        "- Maya lives in Berlin.",
        "- Maya works at Acme.",
        "- Maya likes tea.",
    ]
    assert tale.is_sound()


def test_a_fact_of_others_only_loses_its_quote(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    fact = tale.fact("Tom moved to Lisbon.")
    poison = tale.said("Tom: I moved to Lisbon.\n\nMaya: I see.\n\nTom: Yes.\n", "poison.txt")
    assert len(tale.fact("Tom moved to Lisbon.").evidence) == 2
    done = tale.unsaid(poison)
    after = tale.fact("Tom moved to Lisbon.")
    assert (after.id, after.evidence, after.is_open, done.withdrawn) == (fact.id, fact.evidence, True, 1)
    assert tale.is_sound()


def test_what_others_prove_too_is_stated_anew_in_their_words(tale: Tale) -> None:
    def poisoned(request: Request) -> object:
        text = "Tom lives in Lisbon, on the run from everybody."
        return facts(stated("TOM", "location", "Lisbon", text, {"passage": passage_with(request, "Lisbon")}))(request)

    talk = "Zoe: Tom lives in Lisbon.\n\nMaya: Hm.\n\nZoe: Yes.\n"
    tale.drafted(talk, poisoned, "poison.txt")
    poison = tale.pushed(talk, "poison.txt")
    tale.said("Tom: I moved to Lisbon.\n\nMaya: I see.\n\nTom: Yes.\n", "good.txt")
    assert "TOM" in tale.page("tom")
    tale.unsaid(poison)
    assert tale.open() == {"Tom moved to Lisbon."}
    assert "run" not in tale.page("tom").partition("## Changelog")[0]
    assert "title: Tom\n" in tale.page("tom")
    assert tale.fact("Tom moved to Lisbon.").revives == tale.fact("Tom lives in Lisbon, on the run from everybody.").id
    assert tale.is_sound()


def test_conclusions_fall_with_it_and_return_with_their_premises(tale: Tale) -> None:
    def conclude(request: Request) -> object:
        number = passage_with(request, "Berlin")
        first = stated("I", "location", "Berlin", "Maya lives in Berlin.", {"passage": number}, ref="1")
        second = stated("Maya", "note", "a citizen", "Maya is a citizen.", {"passage": number}, ref="2")
        third = stated("Maya", "note", "a voter", "Maya is a voter.", {"passage": number}, ref="3")
        for fact, premise in ((second, "1"), (third, "2")):
            fact.update(label="inferred", quotes=[], derived_from=[premise])
        return {"facts": [first, second, third]}

    def concluded_of_it(request: Request) -> object:
        number = passage_with(request, "Rome")
        first = stated("I", "location", "Rome", "Maya moved to Rome.", {"passage": number}, ref="1")
        second = stated("Maya", "note", "Roman", "Maya is Roman.", {"passage": number}, ref="2")
        second.update(label="inferred", quotes=[], derived_from=["1"])
        return {"facts": [first, second]}

    tale.drafted(GOOD, conclude, "good.txt")
    tale.drafted(POISON, concluded_of_it, "poison.txt")
    poison = tale.pushed(POISON, "poison.txt")
    assert tale.open() == {"Maya moved to Rome.", "Maya is Roman."}
    tale.unsaid(poison)
    assert tale.open() == {"Maya lives in Berlin.", "Maya is a citizen.", "Maya is a voter."}
    assert tale.end_of("Maya is Roman.") == "reverted"
    (premise,) = tale.fact("Maya is a citizen.").derived_from
    assert premise == tale.fact("Maya lives in Berlin.").id
    assert tale.is_sound()


def test_sentences_made_of_it_go_and_a_persons_own_stay(tale: Tale) -> None:
    def answer(request: Request) -> object:
        bad = stated("I", "skill", "welding", "Maya welds.", {"passage": 1, "text": "not there"})
        return facts(bad)(request)

    tale.said(GOOD, "good.txt")
    tale.drafted(POISON, answer, "poison.txt")
    poison = tale.pushed(POISON, "poison.txt")
    tale.set_right("Maya likes tea.", "Maya would rather not say.")
    assert "Maya welds." in tale.page("maya")
    tale.unsaid(poison)
    assert "Maya welds." not in tale.page("maya")
    assert "Maya would rather not say." in tale.page("maya")
    assert tale.is_sound()


def test_what_was_left_out_because_of_it_is_pending_again(tale: Tale) -> None:
    poison = tale.said("Tom: I live in Rome.\n\nMaya: I see.\n\nTom: Yes.\n", "poison.txt")

    def answer(request: Request) -> object:
        number = passage_with(request, "Oslo")
        return facts(stated("Tom", "location", "Oslo", "Tom lives in Oslo.", {"passage": number}))(request)

    chat = "User: Where does Tom live?\n\nAssistant: Tom lives in Oslo.\n\nUser: Thanks.\n"
    (report,) = tale.drafted(chat, answer, "chat.txt")
    assert [drop.code.value for drop in report.drops] == ["lower-authority"]
    done = tale.unsaid(poison)
    assert tale.open() == set()
    assert [str(row).partition("@")[0] for row in done.pending] == [str(row).partition("@")[0] for row in report.rows]
    tale.distilled(Scripted(answer))
    assert tale.open() == {"Tom lives in Oslo."}
    assert tale.is_sound()


def test_history_that_came_late_because_of_it_holds(tale: Tale) -> None:
    poison = tale.said("Tom: I moved to Rome.\n\nMaya: I see.\n\nTom: Yes.\n", "poison.txt", at="2026-11-20T10:00:00Z")
    tale.said("Tom: I moved to Oslo.\n\nMaya: I see.\n\nTom: Yes.\n", "good.txt", at="2026-11-10T10:00:00Z")
    assert tale.open() == {"Tom moved to Rome."}
    assert tale.end_of("Tom moved to Oslo.") == "superseded"
    tale.unsaid(poison)
    assert tale.open() == {"Tom moved to Oslo."}
    assert tale.is_sound()


def test_history_that_would_have_come_late_anyway_stays_history(tale: Tale) -> None:
    tale.said("Tom: I moved to Bern.\n\nMaya: I see.\n\nTom: Yes.\n", "first.txt", at="2026-11-15T10:00:00Z")
    poison = tale.said("Tom: I moved to Rome.\n\nMaya: I see.\n\nTom: Yes.\n", "poison.txt", at="2026-11-20T10:00:00Z")
    tale.said("Tom: I moved to Oslo.\n\nMaya: I see.\n\nTom: Yes.\n", "good.txt", at="2026-11-10T10:00:00Z")
    tale.unsaid(poison)
    assert tale.open() == {"Tom moved to Bern."}
    assert tale.is_sound()


def test_the_same_words_under_another_name_bring_nothing_back(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    tale.unsaid(tale.said(POISON, "poison.txt"))
    tale.said(POISON, "poison.txt")
    tale.said(f"Tom: Good morning.\n\n{POISON}", "copy.txt")
    assert tale.open() == KNOWN
    assert set(pages(tale)) == {"maya", "tom"}
    assert tale.is_sound()


def test_a_page_that_went_is_made_again_under_its_name_by_new_words(tale: Tale) -> None:
    tale.unsaid(tale.said(POISON, "poison.txt"))
    assert pages(tale) == {}
    tale.said("Zoe: Since today I live in Bruges.\n\nTom: Good.\n\nZoe: I live in Bruges.\n", "later.txt")
    assert "Zoe lives in Bruges." in tale.open()
    assert set(pages(tale)) == {"zoe"}
    assert tale.is_sound()


def test_what_of_it_was_pending_is_never_distilled_and_what_comes_behind_it_is(tale: Tale) -> None:
    poison = tale.pushed(f"{POISON}\n", "poison.txt")
    done = tale.unsaid(poison)
    assert [row.source for row in done.run.rows] == [poison.source]
    assert done.pending == ()
    assert tale.distilled() == ()
    tale.said(f"{POISON}\nTom: I like maps.\n\n", "poison.txt")
    assert tale.open() == {"Tom likes maps."}
    assert tale.is_sound()


def test_a_run_of_it_that_is_staged_comes_too_late(tale: Tale) -> None:
    poison = tale.pushed(POISON, "poison.txt")
    tuple(distill(tale.opened, DistillOrder(drafter=Scripted(facts()), stage=True)))
    (staged,) = wal.list_runs(tale.opened.files)
    tale.unsaid(poison)
    with hold(tale.opened) as held:
        assert isinstance(apply(held, staged), Overtaken)
    assert tale.open() == set()


# Runs


def test_a_run_is_taken_back_and_its_source_can_still_be_read(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    poison = tale.said(POISON, "poison.txt")
    done = tale.reverted(newest_run(tale))
    assert tale.open() == KNOWN
    assert set(pages(tale)) == {"maya", "tom"}
    assert (done.removed_pages, done.pending) == (("zoe",), ())
    assert tale.distilled() == ()
    assert raw(tale.opened, str(poison), None) == POISON.encode()
    assert tale.is_sound()


def test_a_persons_word_about_a_fact_is_taken_back(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    for new in ("Tom moved to Porto.", "Tom never left, he was on holidays.", None):
        tale.set_right("Tom moved to Lisbon.", new)
        assert "Tom moved to Lisbon." not in tale.open()
        tale.reverted(newest_run(tale))
        assert tale.open() == KNOWN
        assert "holidays" not in tale.page("tom")
        assert tale.is_sound()


def test_a_revert_is_taken_back_with_the_pages_and_quotes_it_took(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    poison = tale.said(f"{POISON}\nTom: I moved to Lisbon.\n", "poison.txt")
    before, said = pages(tale), tale.fact("Tom moved to Lisbon.").evidence
    done = tale.unsaid(poison)
    again = tale.reverted(done.run.run)
    assert pages(tale) == before
    assert tale.fact("Tom moved to Lisbon.").evidence == said
    assert again.removed_pages == ()
    assert tale.is_sound()
    tale.unsaid(poison)
    assert tale.open() == KNOWN
    tale.unsaid(tale.said(GOOD, "good.txt"))
    assert pages(tale) == {}
    assert tale.is_sound()


def test_a_reverted_revert_makes_what_it_had_put_off_work_again(tale: Tale) -> None:
    poison = tale.pushed(POISON, "poison.txt")
    done = tale.unsaid(poison)
    tale.reverted(done.run.run)
    tale.distilled()
    assert "Maya likes beer." in tale.open()
    assert tale.is_sound()


def test_sentences_that_a_run_took_out_are_put_back(tale: Tale) -> None:
    def answer(request: Request) -> object:
        bad = stated("I", "skill", "welding", "Maya welds.", {"passage": 1, "text": "not there"})
        return facts(bad)(request)

    tale.drafted(POISON, answer, "poison.txt")
    before = pages(tale)
    done = tale.unsaid(tale.pushed(POISON, "poison.txt"))
    assert pages(tale) == {}
    tale.reverted(done.run.run)
    assert pages(tale) == before
    assert tale.is_sound()


# What cannot be done


def test_a_second_time_there_is_nothing_to_do_and_it_says_which_run_did_it(tale: Tale) -> None:
    tale.said(GOOD, "good.txt")
    poison = tale.said(POISON, "poison.txt")
    first = newest_run(tale)
    done = tale.reverted(first)
    with pytest.raises(AlreadyReverted) as raised:
        revert_run(tale.opened, first)
    assert (raised.value.code, done.run.run in raised.value.hint) == ("already-reverted", True)
    tip = tale.opened.tip()
    with pytest.raises(NothingToRevert):
        revert_source(tale.opened, poison.source)
    again = tale.reverted(done.run.run)
    with pytest.raises(NothingToRevert) as nothing:
        revert_run(tale.opened, first)
    assert (nothing.value.code, again.run.run in nothing.value.hint) == ("nothing-to-revert", True)
    tale.unsaid(poison)
    with pytest.raises(AlreadyReverted):
        revert_source(tale.opened, poison.source)
    assert tale.opened.repository.is_ancestor(tip, tale.opened.tip())
    assert tale.open() == KNOWN


def test_a_correction_of_a_log_is_put_back_by_another_correction(tale: Tale) -> None:
    good = tale.said(GOOD, "good.txt")
    run = tale.corrected(good, "Berlin", "Bremen")
    refused(tale, run.run, CannotRevert, f"xysq show {good} --raw | xysq correct {good.source} -")


def test_what_is_no_run_of_the_vault_is_told(tale: Tale) -> None:
    first = newest_run(tale)
    refused(tale, first, CannotRevert, "xysq init")
    version = tale.pushed(GOOD, "good.txt")
    tuple(distill(tale.opened, DistillOrder(drafter=Scripted(facts()), stage=True)))
    (staged,) = wal.list_runs(tale.opened.files)
    refused(tale, staged, CannotRevert, f"xysq discard {staged}")
    refused(tale, "r-2099", NotFound, "")
    refused(tale, version.source, NotFound, f"xysq revert --source {version.source}")


def refused(tale: Tale, words: str, kind: type[XysqError], hint: str) -> None:
    tip = tale.opened.tip()
    with pytest.raises(kind) as raised:
        revert_run(tale.opened, words)
    assert hint in raised.value.hint
    assert tale.opened.tip() == tip
    assert tale.is_sound()
