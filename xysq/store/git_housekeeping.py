"""git's housekeeping, done by us: loose objects become a pack, small packs a larger one, the history gets its graph.

Left alone, ten thousand commits are 900 MB of loose files. git's own `gc` is off in a vault, since by default it loses
the branch to a power cut and takes time that grows with the vault. Here the work is bounded: loose objects, all of
them, and those packs that are small beside what is packed, up to `MOST_BYTES`, go into one new pack. Whether an object
can be reached plays no part, so nothing that a decided run has written can get lost.

In this order, so that a crash anywhere leaves every object somewhere:

1. the new pack and its index are written by git, synced, and named; their directory is synced by us;
2. both are proven by the digests they end in;
3. the packs that it holds are removed, index first, so that nobody finds half of one;
4. loose files that are in a pack are removed by git;
5. the commit graph, with the paths each commit changed, is added to.

What a killed git leaves has names of its own and is removed later, by its age. All of this under the vault's lock,
which git inherits; a git of the user's may run beside it, for no object ever goes before it is in a pack.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from xysq.errors import Damaged
from xysq.frozen import frozen
from xysq.store.files import Files
from xysq.store.git_object_file import OBJECTS
from xysq.store.git_process import GitProcess
from xysq.store.git_seal import GRAPHS, PACKS, seal_fault
from xysq.store.path import join
from xysq.store.step import Op, Watcher, unwatched

DUE_IN_SAMPLE = 27  # of 256 folders: about 7,000 loose objects, which some 500 commits leave
MOST_BYTES = 128 << 20
ABANDONED_S = 3600.0
_SAMPLE = f"{OBJECTS}/17"
_GROWTH = 2
_LEAST_BYTES = 1 << 20
_PACK = re.compile(r"(pack-[0-9a-f]{40})\.pack")
_FOLDER = re.compile(r"[0-9a-f]{2}")
_LEFT = re.compile(r"tmp_\w+|\.tmp-[\w-]+(?:\.\w+)?|tmp_(?:pack|idx|rev|obj|graph)_\w+|.*\.lock")


@frozen
class Pack:
    """A pack by its name without an ending, and its size."""

    name: str
    size_bytes: int


class Housekeeping:
    """The housekeeping of one repository."""

    def __init__(self, git: GitProcess, watch: Watcher = unwatched) -> None:
        """Bind to the repository of `git`."""
        self._git = git
        self._files = Files(git.root, watch)

    def is_due(self) -> bool:
        """Tell whether many objects lie loose, by one of the 256 folders they are spread over."""
        return len(self._files.list_dir(_SAMPLE)) >= DUE_IN_SAMPLE

    def tidy(self, lock_fd: int | None, now_s: float) -> None:
        """Do all of it; any number of tries, each cut short anywhere, end in the same objects."""
        self.sweep(now_s)
        rolled = self._to_roll_up()
        made = self._pack(rolled, lock_fd)
        if made:
            self._files.sync_dir(PACKS)
            for ending in (".pack", ".idx"):
                damage = seal_fault(self._files, f"{PACKS}/{made}{ending}")
                if damage is not None:
                    raise damage
            for pack in rolled:
                if pack.name != made:
                    self._remove(pack)
        self._files.step(Op.UNLINK, OBJECTS)
        self._git.run("prune-packed", "-q", lock_fd=lock_fd)
        self._files.step(Op.CREATE, GRAPHS)
        self._git.run(
            "commit-graph", "write", "--reachable", "--split", "--changed-paths", "--no-progress", lock_fd=lock_fd
        )

    def sweep(self, now_s: float) -> int:
        """Remove what killed gits left among the objects an hour ago or longer; return how many files."""
        left = [path for path in self._leftovers() if self._age(path, now_s) > ABANDONED_S]
        return sum(self._files.remove(path, sync=False) for path in left)

    def _leftovers(self) -> Iterator[str]:
        folders = [name for name in self._files.list_dir(OBJECTS) if _FOLDER.fullmatch(name)]
        for folder in (PACKS, GRAPHS, f"{OBJECTS}/info", *(join(OBJECTS, name) for name in folders)):
            yield from (join(folder, name) for name in self._files.list_dir(folder) if _LEFT.fullmatch(name))

    def _age(self, path: str, now_s: float) -> float:
        try:
            return now_s - os.lstat(Path(self._git.root, path)).st_mtime
        except OSError:
            return 0.0

    def _to_roll_up(self) -> tuple[Pack, ...]:
        """Return the packs that become part of the new one: the smallest, while they are small beside it."""
        chosen: list[Pack] = []
        total = _LEAST_BYTES
        for pack in sorted(self._packs(), key=lambda pack: (pack.size_bytes, pack.name)):
            if pack.size_bytes > _GROWTH * total or total + pack.size_bytes > MOST_BYTES:
                break
            chosen.append(pack)
            total += pack.size_bytes
        return tuple(chosen)

    def _packs(self) -> Iterator[Pack]:
        names = set(self._files.list_dir(PACKS))
        for name in names:
            match = _PACK.fullmatch(name)
            if match and f"{match[1]}.idx" in names and f"{match[1]}.keep" not in names:
                yield Pack(name=match[1], size_bytes=self._files.size(join(PACKS, name)))

    def _pack(self, rolled: tuple[Pack, ...], lock_fd: int | None) -> str:
        """Let git write one pack of these and of every loose object; return its name, "" where there is nothing."""
        self._files.make_dirs(PACKS)
        self._files.step(Op.CREATE, PACKS)
        names = "".join(f"{pack.name}.pack\n" for pack in rolled)
        options = ("--stdin-packs", "--unpacked", "--delta-base-offset", "--non-empty", "--quiet")
        _, out = self._git.run("pack-objects", *options, f"{PACKS}/pack", data=names.encode("ascii"), lock_fd=lock_fd)
        digest = out.decode("ascii", "replace").strip()
        if not digest:
            return ""
        if not _PACK.fullmatch(f"pack-{digest}.pack"):
            raise Damaged(PACKS, "0", "git made a pack and did not say which")
        return f"pack-{digest}"

    def _remove(self, pack: Pack) -> None:
        for ending in (".idx", ".rev", ".bitmap", ".mtimes", ".pack"):
            self._files.remove(f"{PACKS}/{pack.name}{ending}", sync=False)
