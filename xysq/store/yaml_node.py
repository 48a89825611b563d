"""What a file of settings is read as: tables, lists and words, each with its line; and the error that names one."""

from typing import ClassVar

from xysq.errors import XysqError
from xysq.frozen import frozen


class BadSettings(XysqError):
    """A file of settings says something that cannot be."""

    code: ClassVar[str] = "bad-settings"
    exit_status: ClassVar[int] = 2

    def __init__(self, file: str, line: int, sentence: str) -> None:
        """Name the file and the line, then what is wrong there."""
        super().__init__(f"{file}:{line}: {sentence}")
        self.file, self.line = file, line


@frozen
class Word:
    """A scalar, as its characters; `is_bare` where it stands without quotes."""

    text: str
    is_bare: bool
    line: int


@frozen
class Items:
    """A list."""

    nodes: tuple["Node", ...]
    line: int


@frozen
class Entries:
    """A mapping: keys with their values, in order."""

    pairs: tuple[tuple[Word, "Node"], ...]
    line: int


Node = Word | Items | Entries
