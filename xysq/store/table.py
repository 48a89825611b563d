"""A table of settings, taken key by key: each value checked where it stands, what nobody took refused with its line."""

import re

from xysq.store.yaml import BadSettings, Entries, Items, Node, Word
from xysq.text import safe_line

MAX_WORD_BYTES = 1024
MAX_NUMBER = 10**9
_NUMBER = re.compile(r"[0-9]{1,10}")


class Table:
    """The entries of one mapping; `at` is the dotted key it stands under, "" for the file itself."""

    def __init__(self, entries: Entries, file: str, at: str = "") -> None:
        """Start with nothing taken."""
        self.file = file
        self.at = at
        self.line = entries.line
        self._left = {key.text: (key, node) for key, node in entries.pairs}
        self._known: list[str] = []

    def names(self) -> tuple[str, ...]:
        """Return the keys nobody took yet, in order."""
        return tuple(self._left)

    def has(self, name: str) -> bool:
        """Tell whether a key is there and still untaken."""
        return name in self._left

    def line_of(self, name: str) -> int:
        """Return the line of an untaken key."""
        return self._left[name][0].line

    def fault(self, name: str, line: int, sentence: str) -> BadSettings:
        """Return the error for a key."""
        return BadSettings(self.file, line, f"{self._dotted(name)}: {sentence}")

    def word(self, name: str, default: str) -> str:
        """Take a word: one line without control characters."""
        node = self._take(name)
        if node is None:
            return default
        if not isinstance(node, Word):
            raise self.fault(name, node.line, "is not a word")
        return self._plain(name, node)

    def words(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Take a list of words."""
        node = self._take(name)
        if node is None:
            return default
        if not isinstance(node, Items):
            raise self.fault(name, node.line, "is not a list, such as [one, two]")
        for item in node.nodes:
            if not isinstance(item, Word):
                raise self.fault(name, item.line, "is not a list of words")
        return tuple(self._plain(name, item) for item in node.nodes if isinstance(item, Word))

    def number(self, name: str, default: int, *, least: int = 1, most: int = MAX_NUMBER) -> int:
        """Take a whole number from `least` to `most`."""
        node = self._take(name)
        if node is None:
            return default
        is_number = isinstance(node, Word) and node.is_bare and _NUMBER.fullmatch(node.text)
        value = int(node.text) if isinstance(node, Word) and is_number else -1
        if not is_number or not least <= value <= most:
            raise self.fault(name, node.line, f"is not a whole number from {least} to {most}")
        return value

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        """Take one of several words."""
        line = self.line_of(name) if self.has(name) else self.line
        word = self.word(name, default)
        if word not in allowed:
            raise self.fault(name, line, f"is {word!r}, not one of {', '.join(allowed)}")
        return word

    def table(self, name: str) -> "Table":
        """Take a table; one that is missing or empty has no entries."""
        node = self._take(name)
        if node is None or (isinstance(node, Word) and node.is_bare and not node.text):
            return Table(Entries(pairs=(), line=self.line), self.file, self._dotted(name))
        if not isinstance(node, Entries):
            raise self.fault(name, node.line, "is not a table of settings")
        return Table(node, self.file, self._dotted(name))

    def done(self) -> None:
        """Refuse what nobody took."""
        for name, (key, _) in self._left.items():
            raise self.fault(name, key.line, f"is no setting; there are: {', '.join(sorted(self._known))}")

    def _take(self, name: str) -> Node | None:
        self._known.append(name)
        _, node = self._left.pop(name, (None, None))
        return node

    def _plain(self, name: str, word: Word) -> str:
        if safe_line(word.text) != word.text or len(word.text.encode()) > MAX_WORD_BYTES:
            raise self.fault(name, word.line, f"is not one plain line of at most {MAX_WORD_BYTES} bytes")
        return word.text

    def _dotted(self, name: str) -> str:
        return f"{self.at}.{name}" if self.at else name
