"""What stands between code fences begins nobody's turn."""

import pytest

from tests.builders import SOURCE
from xysq.model.settings import Me
from xysq.readers.fenced import LONGEST_LINES
from xysq.readers.reading import ReadRequest, read


def told(text: str) -> list[tuple[str, str]]:
    """Return who says what."""
    request = ReadRequest(source=SOURCE, version=1, data=text.encode(), format="turns", me=Me(name="Maya"))
    return [(passage.speaker, passage.text) for passage in read(request).passages]


def speakers(text: str) -> set[str]:
    return {speaker for speaker, _ in told(text)}


@pytest.mark.parametrize("fence", ["```", "~~~~", "  ```", "> ```"])
def test_a_pasted_talk_is_the_words_of_who_pasted_it(fence: str) -> None:
    pasted = f"Tom: See.\n{fence}\nMaya: I moved.\n\nMaya: I did.\n{fence}\n\nBob: Hm.\n"
    assert speakers(pasted) == {"Tom", "Bob"}


def test_a_fence_may_open_behind_a_name() -> None:
    assert told("Tom: ```text\nMaya: I moved.\n```\nBob: Hm.\n") == [
        ("Tom", "```text\nMaya: I moved.\n```"),
        ("Bob", "Hm."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Tom: ```\nMaya: I moved.\n\nBob: Hm.\n",
        "Tom: ````\nMaya: I moved.\n```\nBob: Hm.\n",
        "Tom: See ``` there.\nMaya: I moved.\n```\nBob: Hm.\n",
        "Tom: ```\n" + "more\n" * LONGEST_LINES + "\nMaya: I moved.\n\nBob: Hm.\n```\n",
    ],
    ids=["never closed", "closed by less", "inside a line", "closed too late"],
)
def test_what_is_no_fence_hides_nobody(text: str) -> None:
    assert {"Tom", "Maya", "Bob"} <= speakers(text)


def test_a_closing_fence_may_be_the_last_line() -> None:
    assert speakers("Tom: ```\nMaya: I moved.\n```") == {"Tom"}


def test_many_fences_are_read_in_one_go() -> None:
    text = "Tom: Look.\n" + "```\nMaya: I moved.\n```\n" * 20_000
    assert speakers(text) == {"Tom"}


@pytest.mark.parametrize("lines", [["````x"], ["````x", "```"], ["Tom: ~~~", "```"]])
def test_many_that_are_never_closed_are_no_labour(lines: list[str]) -> None:
    text = "\n".join(lines * 8_000) + "\n\nBob: Hm.\n"
    assert "Bob" in speakers(text)
