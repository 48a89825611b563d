"""Adoptions and merges that are cut short, or meet an editor that saves: nothing that was typed is lost."""

from contextlib import suppress
from dataclasses import replace

from tests.jobs.test_promises_kept import Cut, Watch, watched
from tests.stories.told import Tale
from xysq.canonical import sha256_hex
from xysq.jobs.adopt import adopt
from xysq.jobs.hold import hold
from xysq.jobs.page_names import merge_pages
from xysq.jobs.record import read_record
from xysq.model.run import Decision
from xysq.store import bases, wal
from xysq.store.step import Op, Step

TALK = "Maya: I live in Berlin.\n\nTom: I moved to City0.\n\nTom: I like jazz.\n"
PATH = "pages/to/tom.md"


def text(number: int) -> str:
    return f"Tom moved to City{number}."


def test_an_adoption_cut_at_any_step_is_wholly_there_or_the_edit_is(tale: Tale) -> None:
    tale.said(TALK)
    number, outcomes = 0, set[bool]()
    for at in range(2, 400, 29):
        tale.clock.tick(60)
        tale.typed("tom", text(number), text(number + 1))
        tale.typed("tom", "## Changelog", f"Typed {number}.\n\n## Changelog")
        before, edit = tale.open(), tale.page("tom")
        watch = Watch(at)
        with suppress(Cut):
            adopt(watched(tale.opened, watch))
        with hold(tale.opened):
            pass
        is_there = text(number + 1) in tale.open()
        outcomes.add(is_there)
        if is_there:
            assert tale.open() == (before - {text(number)}) | {text(number + 1)}
            assert f"Typed {number}. ^b-" in tale.page("tom")
            number += 1
        else:
            assert (tale.open(), tale.page("tom")) == (before, edit)
            tale.saved("tom", edit.replace(text(number + 1), text(number)).replace(f"Typed {number}.\n\n", ""))
        assert tale.is_sound()
        assert wal.list_runs(tale.opened.files) == ()
        if len(watch.steps) < at:
            break
    assert outcomes == {True, False}


def test_a_merge_cut_at_any_step_is_wholly_there_or_wholly_absent(tale: Tale) -> None:
    tale.said(TALK)
    outcomes = set[bool]()
    for at in range(15, 400, 47):
        name = f"Thomas{at}"
        tale.said(f"{name}: I like maps {at}.\n\nMaya: Good.\n\n{name}: Yes.\n", f"{at}.txt")
        slug, before = name.lower(), tale.open()
        watch = Watch(at)
        with suppress(Cut):
            merge_pages(watched(tale.opened, watch), "tom", name)
        with hold(tale.opened):
            pass
        is_there = tale.page(slug) == "Merged into [[tom|Tom]].\n"
        outcomes.add(is_there)
        assert tale.open() == before
        assert tale.fact(f"{name} likes maps {at}.").page == ("tom" if is_there else slug)
        assert tale.is_sound()
        if len(watch.steps) < at:
            break
    assert outcomes == {True, False}


def test_what_is_saved_in_the_moment_of_its_adoption_is_kept_and_adopted_next(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", text(0), text(1))
    tale.typed("tom", "# Tom\n", "# Tom\n\nFirst.\n")
    edit = tale.page("tom")
    later = edit.replace("First.", "First.\n\nSecond.").replace("- Tom likes jazz.", "- Tom likes soul.")

    def save(step: Step) -> None:
        if step.op is Op.EXCHANGE and step.to == PATH and tale.page("tom") == edit:
            tale.saved("tom", later)

    tale.clock.tick(60)
    (one,) = adopt(watched(tale.opened, save))
    assert one.run is not None
    assert {text(1), "Tom likes jazz."} <= tale.open()
    assert tale.page("tom") == later
    assert bases.base_of(tale.opened.files, one.page) == sha256_hex(edit.encode())
    tale.adopted()
    assert {text(1), "Tom likes soul."} <= tale.open()
    assert [tale.page("tom").count(words) for words in ("First.", "Second.", text(1), "soul")] == [1, 1, 1, 1]
    assert bases.base_of(tale.opened.files, one.page) is None
    assert tale.is_sound()


def test_a_file_that_an_editor_wrote_back_from_its_memory_is_held_against_what_was_adopted(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", text(0), text(1))
    tale.typed("tom", "# Tom\n", "# Tom\n\nFirst.\n")
    edit = tale.page("tom")
    tale.adopted()
    tale.saved("tom", edit.replace("First.", "First.\n\nSecond."))
    tale.adopted()
    assert [tale.page("tom").count(words) for words in ("First.", "Second.", text(1))] == [1, 1, 1]
    assert tale.is_sound()


def test_the_file_as_it_was_typed_is_kept_with_the_run(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", text(0), text(1))
    tale.typed("tom", "\n\n", "\n\n\n\n")
    edit = tale.page("tom")
    run = tale.adopted()
    assert read_record(tale.opened, run.run)[0].reply == edit


def test_a_decision_that_would_replace_an_edit_which_no_record_keeps_is_not_enacted(tale: Tale) -> None:
    tale.said(TALK)
    tale.typed("tom", text(0), text(1))
    tale.clock.tick(60)
    assert decided(tale)
    (run,) = wal.list_runs(tale.opened.files)
    decision = wal.read_decision(tale.opened.files, run)
    assert decision is not None
    tale.typed("tom", "Tom likes jazz.", "Tom likes soul.")
    edit = tale.page("tom")
    wal.decide(tale.opened.files, run, taking(decision, sha256_hex(edit.encode())))
    with hold(tale.opened):
        pass
    assert tale.page("tom") == edit
    assert text(1) not in tale.open()
    tale.adopted()
    assert {text(1), "Tom likes soul."} <= tale.open()


def decided(tale: Tale) -> bool:
    """End an adoption right after its moment."""

    def watch(step: Step) -> None:
        if any(wal.is_decided(tale.opened.files, run) for run in wal.list_runs(tale.opened.files)):
            raise Cut

    with suppress(Cut):
        adopt(watched(tale.opened, watch))
        return False
    return True


def taking(decision: Decision, before: str) -> Decision:
    """Return a decision that takes a page's bytes before for other ones."""
    files = tuple(replace(change, before=before) if change.path == PATH else change for change in decision.files)
    return replace(decision, files=files)
