"""A disk that may lose power: what can stand on it after a prefix of the changes a command made.

The rules are those of POSIX, stricter than any real file system:

- bytes written to a file are sure once that file was synced; until then any of them may be missing, zeroed or garbage,
  and the file may be cut anywhere behind what was sure;
- a name that was made, moved or removed is sure once its directory was synced; until then each such change may be
  there or not, in any combination, whatever came before or after it. One rename or exchange is there wholly or not at
  all, as on every journaling file system;
- a mode is sure once its file or directory was synced.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import product

from tests.crash.place import Snapshot
from tests.crash.trace import Did, Event

_FEW, _FEW_FILES = 4, 2
_FLAVOURS = ("kept", "lost", "zeroed", "garbage", "cut")


@dataclass(eq=False)
class Node:
    """A file or a directory: what it has now, and what of that is sure."""

    is_folder: bool
    mode: int
    sure_mode: int
    data: bytes = b""
    sure_data: bytes = b""
    entries: "dict[str, Node]" = field(default_factory=dict)
    sure_entries: "dict[str, Node]" = field(default_factory=dict)


@dataclass(eq=False)
class Change:
    """A change of names that is not sure yet: in which directory, which name, to what (None: gone)."""

    effects: tuple[tuple[Node, str, Node | None], ...]


@dataclass(frozen=True)
class Image:
    """A tree as it would be found: modes of folders; mode, bytes and node of files."""

    folders: dict[str, int]
    files: dict[str, tuple[int, bytes, Node]]

    def digest(self) -> bytes:
        """Return what tells it from every other."""
        state = blake2b(digest_size=16)
        for name in sorted(self.folders):
            state.update(b"%s/%o\0" % (name.encode(), self.folders[name]))
        for name in sorted(self.files):
            mode, data, _ = self.files[name]
            state.update(b"%s %o %d\0" % (name.encode(), mode, len(data)))
            state.update(data)
        return state.digest()


class Disk:
    """A disk on which everything is sure, and then changes are made."""

    def __init__(self, start: "Snapshot | Image") -> None:
        """Begin from what stands on a real one, or from what was found after a cut."""
        self._root = Node(is_folder=True, mode=0o700, sure_mode=0o700)
        self._pending: list[Change] = []
        for name, mode in sorted(start.folders.items()):
            self._lay(name, Node(is_folder=True, mode=mode, sure_mode=mode))
        same: dict[Node, Node] = {}
        for name, (mode, data, *was) in start.files.items():
            node = Node(is_folder=False, mode=mode, sure_mode=mode, data=data, sure_data=data)
            self._lay(name, same.setdefault(was[0], node) if was else node)

    def _lay(self, path: str, node: Node) -> None:
        folder, name = self._place(path)
        folder.entries[name] = folder.sure_entries[name] = node

    def _place(self, path: str) -> tuple[Node, str]:
        *folders, name = path.split("/")
        node = self._root
        for folder in folders:
            node = node.entries[folder]
        return node, name

    def _node(self, path: str) -> Node:
        if not path:
            return self._root
        folder, name = self._place(path)
        return folder.entries[name]

    def take(self, event: Event) -> None:
        """Let a change happen."""
        match event.did:
            case Did.CREATE:
                folder, name = self._place(event.path)
                if name not in folder.entries:
                    self._name((event.path, Node(is_folder=False, mode=event.at & 0o700, sure_mode=event.at & 0o700)))
            case Did.MKDIR:
                mode = event.at & 0o1700
                self._name((event.path, Node(is_folder=True, mode=mode, sure_mode=mode)))
            case Did.WRITE:
                node = self._node(event.path)
                at = len(node.data) if event.at < 0 else event.at
                node.data = node.data[:at].ljust(at, b"\0") + event.data + node.data[at + len(event.data) :]
            case Did.CUT:
                node = self._node(event.path)
                node.data = node.data[: event.at].ljust(event.at, b"\0")
            case Did.MODE:
                self._node(event.path).mode = event.at & 0o7777
            case Did.SYNC:
                self._sync(self._node(event.path))
            case Did.LINK:
                self._name((event.to, self._node(event.path)))
            case Did.RENAME:
                self._name((event.path, None), (event.to, self._node(event.path)))
            case Did.EXCHANGE:
                self._name((event.path, self._node(event.to)), (event.to, self._node(event.path)))
            case Did.UNLINK | Did.RMDIR:
                self._name((event.path, None))
            case Did.TELL:
                pass

    def _name(self, *effects: tuple[str, Node | None]) -> None:
        placed = tuple((*self._place(path), node) for path, node in effects)
        for folder, name, node in placed:
            _set(folder.entries, name, node)
        self._pending.append(Change(placed))

    def _sync(self, node: Node) -> None:
        node.sure_data, node.sure_mode = node.data, node.mode
        if node.is_folder:
            for change in [one for one in self._pending if any(folder is node for folder, _, _ in one.effects)]:
                self._pending.remove(change)
                for folder, name, target in change.effects:
                    _set(folder.sure_entries, name, target)

    # What may be found

    def images(self, most: int, chance: random.Random) -> Iterator[Image]:
        """Yield what may be found if the power goes now: first everything as if it were sure, then `most` others."""
        pending = self._pending
        yield self._image(pending, {}, None)
        dirty = self._dirty()
        modes = random.Random(chance.random())
        for kept, flavours in _chosen(pending, dirty, most, chance):
            yield self._image(kept, flavours, chance, are_modes_sure=modes.random() < 1 / 4)

    def _dirty(self) -> list[Node]:
        """Return the files with bytes that are not sure, once each."""
        found: dict[int, Node] = {}
        left = [self._root]
        while left:
            folder = left.pop()
            for node in {**folder.sure_entries, **folder.entries}.values():
                if node.is_folder:
                    left.append(node)
                elif node.data != node.sure_data:
                    found[id(node)] = node
        return list(found.values())

    def _image(
        self,
        kept: list[Change],
        flavours: dict[Node, str],
        chance: random.Random | None,
        *,
        are_modes_sure: bool = False,
    ) -> Image:
        entries: dict[Node, dict[str, Node]] = {}
        for change in kept:
            for folder, name, node in change.effects:
                _set(entries.setdefault(folder, dict(folder.sure_entries)), name, node)
        image = Image({}, {})
        torn = {node: _torn(node, flavour, chance or random.Random(0)) for node, flavour in flavours.items()}
        left = [("", self._root)]
        while left:
            above, folder = left.pop()
            for name, node in entries.get(folder, folder.sure_entries).items():
                path = f"{above}{name}"
                mode = node.sure_mode if are_modes_sure else node.mode
                if node.is_folder:
                    image.folders[path] = mode
                    left.append((f"{path}/", node))
                else:
                    image.files[path] = (mode, torn.get(node, node.data), node)
        return image


def _set(entries: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        entries.pop(name, None)
    else:
        entries[name] = node


def _torn(node: Node, flavour: str, chance: random.Random) -> bytes:
    """Return what may stand in a file whose last bytes are not sure."""
    sure, now = node.sure_data, node.data
    same = next((at for at, (one, other) in enumerate(zip(sure, now, strict=False)) if one != other), None)
    start = min(len(sure), len(now)) if same is None else same
    match flavour:
        case "lost":
            return sure
        case "zeroed":
            return now[:start] + bytes(len(now) - start)
        case "garbage":
            return now[:start] + chance.randbytes(len(now) - start)
        case "cut":
            return now[: start + chance.randrange(max(len(now) - start, 1))]
        case _:
            return now


def _chosen(
    pending: list[Change], dirty: list[Node], most: int, chance: random.Random
) -> Iterator[tuple[list[Change], dict[Node, str]]]:
    """Yield which changes are there and what became of unsure bytes: all of it where that is little, else a choice."""
    if len(pending) <= _FEW and len(dirty) <= _FEW_FILES:
        every = [
            ([one for one, is_kept in zip(pending, kept, strict=True) if is_kept], dict(zip(dirty, torn, strict=True)))
            for kept in product((True, False), repeat=len(pending))
            for torn in product(_FLAVOURS, repeat=len(dirty))
        ]
        chance.shuffle(every)
        yield from every[:most]
        return
    named = [pending, []]
    for one in pending:
        named += [[one], [other for other in pending if other is not one]]
    choices = [(kept, dict.fromkeys(dirty, flavour)) for kept in named for flavour in _FLAVOURS]
    chance.shuffle(choices)
    yield from choices[: most // 2]
    for _ in range(most - min(most // 2, len(choices))):
        share = chance.choice((0.1, 0.5, 0.9))
        kept = [one for one in pending if chance.random() < share]
        yield kept, {node: chance.choice(_FLAVOURS) for node in dirty}
