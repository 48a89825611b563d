from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.builders import AT, RUN, SOURCE, evidence, fact, passage
from tests.cli.hostile import HOSTILE, is_fit_for_a_terminal
from xysq.cli.line import Line
from xysq.cli.render_diff import PageCount, difference, page_counts, patch, stat
from xysq.cli.render_fact import why
from xysq.cli.render_shown import shown
from xysq.jobs.changes import Ended, FactChanges, FactRef, Replaced
from xysq.jobs.diff import Difference, Point
from xysq.model.fact import Closed, CloseReason, FactId, Superseded
from xysq.model.report import (
    Context,
    RunReport,
    ShownBlock,
    ShownFact,
    ShownPage,
    ShownPassage,
    ShownRun,
    ShownSource,
    ShownVersion,
    Why,
)
from xysq.model.source import Certainty, Channel, Digested, Meta, Role, VersionKind

PATCH = """\
diff --git a/pages/al/alice.md b/pages/al/alice.md
index 1..2 100644
--- a/pages/al/alice.md
+++ b/pages/al/alice.md
@@ -1,2 +1,2 @@
-- Alice lives in Boston. ^f-1
--- was a line
+- Alice lives in Berlin. ^f-2
"""


def text(lines: Iterable[Line]) -> str:
    return "\n".join(map(str, lines))


def context(quote: str = "I live in Boston", **changes: object) -> Context:
    base = Context(
        evidence=evidence(quote),
        stands=True,
        before="Well, ",
        quote=quote,
        after=" and like it.",
        passage=f"{SOURCE}@1#1",
        title="A day",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def told(**changes: object) -> Why:
    stated = fact()
    base = Why(
        fact=stated,
        title="Alice",
        text="Alice: Boston.",
        contexts=(context(),),
        predecessors=(),
        successor=None,
        premises=(),
        conclusions=(),
        run=RUN,
        drafter="rules",
        model="",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_why_shows_the_fact_and_the_words_it_rests_on() -> None:
    assert text(why(told())) == (
        "Alice: Boston.\n"
        "f-0000000001  stated, open  on Alice (alice)\n"
        "note = Boston\n"
        f"committed 2026-11-30 18:02Z in {RUN} by rules\n"
        "\n"
        "said\n"
        "    Well, «I live in Boston» and like it.\n"
        f"        {SOURCE}@1#1  Alice (user), 2026-11-30 18:02Z, cli  in A day"
    )


def test_why_tells_that_words_no_longer_stand() -> None:
    assert "no longer stands" in text(why(told(contexts=(context(stands=False),))))
    assert "no longer stands" not in text(why(told()))


def test_why_tells_what_rests_on_what() -> None:
    superseded = Superseded(by=FactId("f-0000000009"), at=AT, run=RUN, n=9, late=False)
    shown_why = text(
        why(
            told(
                fact=fact(life=superseded),
                predecessors=(fact("Bonn", id=FactId("f-0000000002")),),
                successor=fact("Berlin", id=FactId("f-0000000009")),
                premises=(fact("Paris", id=FactId("f-0000000003")),),
                conclusions=(fact("Rome", id=FactId("f-0000000004")),),
                drafter="local",
                model="small",
            )
        )
    )
    for expected in (
        "superseded by f-0000000009",
        "by local with small",
        "took the place of\n    f-0000000002  Alice: Bonn.",
        "gave way to\n    f-0000000009  Alice: Berlin.",
        "concluded from\n    f-0000000003  Alice: Paris.",
        "concluded from it\n    f-0000000004  Alice: Rome.",
    ):
        assert expected in shown_why


def test_why_tells_how_a_fact_ended_and_by_which_words() -> None:
    life = Closed(reason=CloseReason.RETRACTED, cause=f"{SOURCE}@2", by="user", evidence=(), at=AT, run=RUN, n=9)
    shown_why = text(why(told(fact=fact(life=life), ending=(context("I left Boston"),))))
    assert f"ended 2026-11-30 18:02Z by user: retracted, cause {SOURCE}@2" in shown_why
    assert "because of the words\n    Well, «I left Boston»" in shown_why


def ref(name: str = "f-1", words: str = "Alice lives in Boston.") -> FactRef:
    return FactRef(
        id=name,
        page="alice",
        attribute="location",
        value="Boston",
        text=words,
        label="stated",
        evidence=(evidence(),),
    )


def changed(**changes: object) -> Difference:
    base = Difference(
        old=Point(rev="HEAD~1", commit="a" * 40, events=3),
        new=Point(rev="HEAD", commit="b" * 40, events=9),
        facts=FactChanges(
            asserted=(ref(),),
            superseded=(Replaced(old=ref("f-2", "In Bonn."), new=ref("f-3", "In Berlin.")),),
            closed=(Ended(fact=ref("f-4"), reason="retracted", cause="f-9", evidence=(evidence("I left"),)),),
            confirmed=(ref("f-5"),),
        ),
        pages=("pages/al/alice.md",),
        patch=PATCH,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_difference_tells_facts_with_their_words_and_then_lines() -> None:
    shown_diff = text(difference(changed()))
    for expected in (
        f"from HEAD~1 (3 events, commit {'a' * 12})",
        "+ asserted  f-1  alice  location, stated\n    Alice lives in Boston.\n    «I live in Boston»  Alice, 2026",
        "~ superseded  f-3  alice  location, stated\n    In Berlin.\n    instead of f-2  In Bonn.",
        "- closed  f-4",
        "retracted, cause f-9\n    «I left»",
        "= confirmed  f-5",
        "+- Alice lives in Berlin. ^f-2",
    ):
        assert expected in shown_diff
    assert shown_diff.index("= confirmed") < shown_diff.index("diff --git")


def test_a_difference_can_leave_out_the_lines() -> None:
    assert "diff --git" not in text(difference(changed(), with_patch=False))


def test_no_difference_is_said() -> None:
    assert text(difference(changed(facts=FactChanges(), pages=(), patch=""))).endswith("no difference")


def test_a_difference_backwards_says_so() -> None:
    assert "older one" in text(difference(changed(backwards=True)))
    assert "older one" not in text(difference(changed()))


def test_numbers_of_a_difference() -> None:
    assert list(page_counts(PATCH)) == [PageCount("pages/al/alice.md", 1, 2)]
    assert text(stat(changed())) == (
        "pages/al/alice.md  +1 -2\n1 page; facts: 1 asserted, 1 superseded, 1 closed, 1 confirmed"
    )


def test_a_patch_is_shown_as_it_is() -> None:
    assert text(patch(PATCH)) == PATCH.removesuffix("\n")


def meta(**changes: object) -> Meta:
    digested = Digested(size=200, sha256="0" * 64)
    base = Meta(
        source=SOURCE,
        version=2,
        kind=VersionKind.APPEND,
        name="diary",
        format="turns",
        extension="txt",
        title="A day",
        origin="/home/alice/day.txt",
        project="",
        session="",
        key="",
        channel=Channel.CLI,
        pushed_at=AT,
        observed_from="2026-11-29T08:00:00Z",
        observed_to=AT,
        certainty=Certainty.LOG,
        part=replace(digested, size=50),
        whole=digested,
        pushed=digested,
        offset=150,
        parsed_to=200,
        said_as=(Role.USER, "Alice"),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_version_shows_what_is_known_of_it_and_its_passages() -> None:
    shown_version = text(shown(ShownVersion(meta=meta(), passages=(passage("Hello.\nHow are you?"),))))
    for expected in (
        f"{SOURCE}@2  append, turns, 200 bytes, 50 of them new",
        "said    2026-11-29 08:00Z to 2026-11-30 18:02Z, log",
        "as      Alice (user)",
        f"{SOURCE}@1#1  Alice (person)  2026-11-30 18:02Z\n    Hello.\n    How are you?",
    ):
        assert expected in shown_version


def test_words_of_our_own_recall_are_told_apart() -> None:
    assert "no evidence" in text(shown(ShownPassage(passage=passage(own=True), title="")))
    assert "no evidence" not in text(shown(ShownPassage(passage=passage(), title="A day")))


def test_a_block_is_shown_with_its_state() -> None:
    assert "[unproven]" in text(shown(ShownBlock(block="b-1", page="alice", text="She is kind.", unproven=True)))
    assert "no more" in text(shown(ShownBlock(block="b-1", page="alice", text=None, unproven=False)))


def test_a_source_is_shown_with_its_versions() -> None:
    assert text(shown(ShownSource(source=SOURCE, versions=(meta(),), facts=2))).startswith(
        f"{SOURCE}  2 open facts quote it\n\n{SOURCE}@2"
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_never_reach_a_line(words: str) -> None:
    stated = fact(words, text=words, proofs=fact(words).proofs)
    hostile = evidence(words, speaker=words)
    piece = context(words, before=words, after=words, title=words, evidence=hostile)
    lines = [
        *why(told(fact=stated, text=words, title=words, contexts=(piece,), drafter=words, model=words)),
        *difference(
            changed(facts=FactChanges(asserted=(replace(ref(), text=words, evidence=(hostile,)),)), patch=words)
        ),
        *shown(ShownPage(slug="x", data=words.encode())),
        *shown(ShownFact(fact=stated, title=words, text=words)),
        *shown(ShownBlock(block=words, page=words, text=words, unproven=True)),
        *shown(ShownVersion(meta=meta(title=words, origin=words), passages=(passage(words, speaker=words),))),
        *shown(ShownRun(report=RunReport(run=RUN, outcome=words, rows=(), drafter=words), record=b"{}")),
    ]
    assert [str(line) for line in lines if not is_fit_for_a_terminal(str(line))] == []
