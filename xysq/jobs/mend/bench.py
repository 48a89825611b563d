"""The bench that mending is done at: nothing is taken away without a copy, and everything that is done is told.

What stands in a file's place goes to `.git/xysq/kept/<moment>/<path>` before another thing is put there. A file is
copied first and then replaced at once, so no crash leaves nothing; what is no file is moved. Every step may find its
work done, so a repair that was cut short is simply done again.

Dry, it tells the same lines and does nothing; what only follows from an earlier line is then not seen yet.
"""

from collections.abc import Callable

from xysq.errors import Damaged
from xysq.jobs.opened import Opened
from xysq.jobs.proof.view import View
from xysq.model.report import Mended
from xysq.store import layout
from xysq.store.lock import VaultLock
from xysq.store.path import folder_of

_SEPARATORS = str.maketrans("", "", "-:")


class Bench:
    """One repair of one vault, under its lock."""

    def __init__(self, opened: Opened, lock: VaultLock | None) -> None:
        """Begin; without the vault's lock nothing is changed."""
        self.opened = opened
        self.files = opened.files
        self.repository = opened.repository
        self.lock = lock
        self.mended: list[Mended] = []
        self._view: View | None = None
        self._folder = f"{layout.KEPT}/{opened.now().translate(_SEPARATORS)}"

    @property
    def is_dry(self) -> bool:
        """Whether nothing is to be changed."""
        return self.lock is None

    @property
    def lock_fd(self) -> int | None:
        """The descriptor of the lock, for git to keep."""
        return None if self.lock is None else self.lock.fd

    def view(self) -> View:
        """Look at the vault as it is now: as before, where nothing was mended since."""
        if self._view is None:
            self._view = View(self.opened)
        return self._view

    def put(self, path: str, data: bytes, sentence: str) -> None:
        """Let a file have these bytes; keep what stands there."""
        kept = self.keep(path)
        if not self.is_dry:
            self.files.make_dirs(folder_of(path))
            self.files.replace(path, data)
        self.tell(path, sentence, kept)

    def take_away(self, path: str, sentence: str) -> None:
        """Move what stands at a path to what is kept."""
        kept = self._free_name(path)
        if not self.is_dry:
            self.files.make_dirs(folder_of(kept))
            self.files.move(path, kept)
        self.tell(path, sentence, kept)

    def act(self, path: str, sentence: str, change: Callable[[], object]) -> None:
        """Change a file in another way than by giving it bytes; keep a copy of it before."""
        kept = self.keep(path)
        if not self.is_dry:
            change()
        self.tell(path, sentence, kept)

    def keep(self, path: str) -> str:
        """Keep a copy of a file, or move what is none out of the way; return where it is, "" where nothing was."""
        if not self.files.exists(path):
            return ""
        kept = self._free_name(path)
        if not self.is_dry:
            self.files.make_dirs(folder_of(kept))
            try:
                self.files.write_new(kept, self.files.read(path))
            except Damaged:  # a link, a directory, a special file
                self.files.move(path, kept)
        return kept

    def tell(self, path: str, sentence: str, kept: str = "") -> None:
        """Say what was done."""
        self._view = None
        self.mended.append(Mended(file=path, sentence=sentence, kept=kept))

    def _free_name(self, path: str) -> str:
        kept, count = f"{self._folder}/{path}", 1
        while self.files.exists(kept):
            count += 1
            kept = f"{self._folder}/{path}.{count}"
        return kept
