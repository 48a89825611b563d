import pytest

from xysq.drafters.rules.plain import MAX_SENTENCE, is_code, plain_sentences


def _words(text: str) -> list[str]:
    return [words for _, words in plain_sentences(text)]


def test_sentences_keep_their_numbers() -> None:
    assert list(plain_sentences("One. Two!\nThree.")) == [(1, "One."), (2, "Two!"), (3, "Three.")]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "> ```"])
def test_fenced_code_is_left_out_and_what_follows_is_not(fence: str) -> None:
    assert "inside" not in " ".join(_words(f"Before.\n{fence}\ninside\n{fence}\nAfter."))
    assert _words(f"Before.\n{fence}\ninside\n{fence}\nAfter.")[-1] == "After."


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert _words("Before.\n```\ninside\nstill inside") == ["Before."]


def test_a_longer_fence_is_not_closed_by_a_shorter() -> None:
    assert _words("````\n```\ninside\n````\nAfter.") == ["After."]


def test_recalled_words_are_left_out() -> None:
    assert _words("Before.\n<xysq-recall query='db'>\nWe use MySQL.\n</xysq-recall>\nAfter.") == ["Before.", "After."]


def test_a_recall_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert _words("Before.\n<xysq-recall query='db'>\nWe use MySQL.") == ["Before."]


def test_both_sides_of_a_conflict_are_left_out() -> None:
    text = "Before.\n<<<<<<< HEAD\nMaya owns it.\n=======\nOmar owns it.\n>>>>>>> branch\nAfter."
    assert _words(text) == ["Before.", "After."]


def test_a_sentence_too_long_to_be_one_thought_is_left_out() -> None:
    assert _words("a" * (MAX_SENTENCE + 1)) == []
    assert _words("a" * MAX_SENTENCE) == ["a" * MAX_SENTENCE]


@pytest.mark.parametrize("mark", ["- ", "* ", "+ ", "3. ", "- [ ] ", "- [x] ", "• "])
def test_list_marks_are_no_words(mark: str) -> None:
    assert _words(f"{mark}Use tabs.")[-1] == "Use tabs."


def test_curly_apostrophes_become_straight_ones() -> None:
    assert _words("I’m here.") == ["I'm here."]


@pytest.mark.parametrize(
    "line",
    [
        "const port = 8080;",
        "> We use Mongo.",
        "$ git push",
        "ERROR: it is 30 seconds",
        "2026-11-30 12:00:01 the port is 8080",
        "at main.run(app)",
        "ValueError: the port is 8080",
        "+++ b/setup.py",
        "<div>We use Mongo</div>",
        "if (a) { b(); }",
        "| name | value |",
    ],
)
def test_code_output_and_markup_are_no_prose(line: str) -> None:
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    [
        "The port is 8080.",
        "Use `foo(bar);` here.",
        "See https://example.org/a?b=c;d={e} first.",
        "I (really) like tea.",
    ],
)
def test_prose_that_mentions_code_is_prose(line: str) -> None:
    assert not is_code(line)
