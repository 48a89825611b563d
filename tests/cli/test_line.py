from hypothesis import given
from hypothesis import strategies as st

from tests.cli.hostile import HOSTILE, is_fit_for_a_terminal
from xysq.cli.line import Line, Piece, Tone, counted, flat, line, moment, rows, tabbed
from xysq.cli.paint import paint


@given(st.text(st.characters()))
def test_no_line_drives_a_terminal_whatever_it_is_made_of(text: str) -> None:
    for made in (line(text), line(Piece(text, Tone.QUOTE)), tabbed(text), *rows(text)):
        assert is_fit_for_a_terminal(str(made)), repr(str(made))


def test_what_is_hostile_is_shown_as_escapes() -> None:
    assert str(line("\x1b[31mred\x1b[0m \u202eback")) == "\\x1b[31mred\\x1b[0m \\u202eback"
    assert str(line("plain, ünï, 日本")) == "plain, ünï, 日本"


def test_a_line_has_no_line_end() -> None:
    assert str(line("a\r\nb\nc")) == "a b c"


def test_cells_hold_no_tab() -> None:
    assert str(tabbed("a\tb", "c\nd")) == "a b\tc d"


def test_rows_are_the_lines_of_a_text() -> None:
    assert [str(row) for row in rows("a\r\n\nb\n", "  ")] == ["  a", "  ", "  b"]


def test_paint_adds_colours_and_nothing_else() -> None:
    painted = paint(line("a [bold]b[/bold] :smile: ", Piece("c", Tone.COME)))
    assert painted == "a [bold]b[/bold] :smile: \x1b[32mc\x1b[0m"


def test_paint_of_hostile_words_has_our_escapes_only() -> None:
    for text in HOSTILE:
        plain = paint(Line((Piece("x", Tone.ID),)))
        assert paint(line(Piece(text, Tone.ID))).count("\x1b") in (0, plain.count("\x1b"))


def test_numbers_and_moments_are_written_for_people() -> None:
    assert counted(1, "fact") == "1 fact"
    assert counted(4182, "byte") == "4,182 bytes"
    assert counted(2, "push", "pushes") == "2 pushes"
    assert moment("2026-11-30T18:02:11Z") == "2026-11-30 18:02Z"
    assert moment(None) == ""
    assert flat(" a\n b\t") == "a b"
