"""Errors say what went wrong in one sentence, and where it is known what to type next."""

import pytest

from xysq.errors import Ambiguous, BadInput, BadWire, Busy, Damaged, NotFound, NoVault, XysqError


@pytest.mark.parametrize(
    ("error", "sentence", "hint"),
    [
        (XysqError("it failed"), "it failed", ""),
        (BadInput("no such flag", "try --help"), "no such flag", "try --help"),
        (NotFound("page", "Zoë", "try: xysq ls pages"), "no page named 'Zoë'", "try: xysq ls pages"),
        (Ambiguous("f-7", ("f-71", "f-72")), "'f-7' could be any of: f-71, f-72", "type more of the id"),
        (BadWire("draft.facts[0]", "is not an object"), "draft.facts[0]: is not an object", ""),
        (Busy("the vault", 1.5), "the vault is in use by another xysq; waited 1.5 s", "try again, or give --timeout"),
        (NoVault("/home/me"), "no vault at or above /home/me", "try: xysq init ~/memory"),
        (Damaged("ledger/000/000001.jsonl", "7", "torn"), "ledger/000/000001.jsonl:7: torn", "run: xysq fsck"),
    ],
)
def test_an_error_is_a_sentence_and_a_hint(error: XysqError, sentence: str, hint: str) -> None:
    assert (error.sentence, error.hint, str(error)) == (sentence, hint, sentence)


def test_candidates_that_are_told_have_a_line_each() -> None:
    error = Ambiguous("tea", ("f-1", "f-2"), ("Ada likes tea.", "Bo sells tea."))
    assert error.sentence == "'tea' could be any of these"
    assert error.lines == ("f-1 Ada likes tea.", "f-2 Bo sells tea.")
    assert error.advice == "name one by its id\nf-1 Ada likes tea.\nf-2 Bo sells tea."
    many = Ambiguous("f", tuple(f"f-{number}" for number in range(11)), ("text",) * 11)
    assert (many.sentence, len(many.lines)) == ("'f' could be any of more than 10, such as these", 10)


def test_of_many_candidates_ten_are_named() -> None:
    error = Ambiguous("f", tuple(f"f-{number}" for number in range(50)))
    assert error.sentence.count("f-") == 10
    assert len(error.candidates) == 50
