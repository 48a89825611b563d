"""Aligning two states of a source: which bytes of the old one stand in the new one.

Used for updates and for corrections given as whole new files. In order: lines that are equal and unique on both
sides (they may have moved), equal lines around them, then what lines between them begin and end with in common.
Every piece is equal byte for byte; that is all that is ever claimed. Linear in the size of both.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from xysq.model.ranges import Kept

_CHARACTER = 4
_FIRST_WITHOUT_SPACES = "\u2e80"


def align(old: bytes, new: bytes) -> tuple[Kept, ...]:
    """Return the kept pieces `(old start, old end, new start)`, sorted by old start, none overlapping."""
    old_lines, new_lines = _lines(old), _lines(new)
    partner = _matched(old_lines, new_lines)
    old_at, new_at = _offsets(old_lines), _offsets(new_lines)
    pieces = [(old_at[i], old_at[i + 1], new_at[j]) for i, j in enumerate(partner) if j is not None]
    pieces += _in_gaps(old, new, partner, (old_at, new_at))
    return _merged(sorted(pieces))


def _lines(data: bytes) -> list[bytes]:
    """Cut at LF only; each line keeps it."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _offsets(lines: Sequence[bytes]) -> list[int]:
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return offsets


def _matched(old: Sequence[bytes], new: Sequence[bytes]) -> list[int | None]:
    """Return for each old line the new line it is: unique equal ones, then their equal neighbours both ways."""
    old_counts, new_counts = Counter(old), Counter(new)
    new_place = {line: j for j, line in enumerate(new) if new_counts[line] == 1}
    partner: list[int | None] = [new_place.get(line) if old_counts[line] == 1 else None for line in old]
    taken = {j for j in partner if j is not None}
    _grow(old, new, partner, taken, 1)
    _grow(old, new, partner, taken, -1)
    return partner


def _grow(old: Sequence[bytes], new: Sequence[bytes], partner: list[int | None], taken: set[int], step: int) -> None:
    """Let matches spread to the next line in one direction, from the edges of the file as well."""
    places = range(len(old)) if step > 0 else range(len(old) - 1, -1, -1)
    before: int | None = -1 if step > 0 else len(new)
    for i in places:
        if partner[i] is None and before is not None:
            j = before + step
            if 0 <= j < len(new) and j not in taken and old[i] == new[j]:
                partner[i] = j
                taken.add(j)
        before = partner[i]


def _in_gaps(
    old: bytes, new: bytes, partner: Sequence[int | None], at: tuple[Sequence[int], Sequence[int]]
) -> list[Kept]:
    """Return what unmatched stretches between two matches have in common at their beginning and end."""
    old_at, new_at = at
    used = sorted(j for j in partner if j is not None)
    following = dict(pairwise([*used, len(new_at) - 1]))
    first = used[0] if used else len(new_at) - 1
    pieces: list[Kept] = []
    i = 0
    while i < len(partner):
        if partner[i] is not None:
            i += 1
            continue
        end = i
        while end < len(partner) and partner[end] is None:
            end += 1
        before = partner[i - 1] if i else None
        low, high = (0, first) if before is None else (before + 1, following[before])
        pieces += _ends(old, new, (old_at[i], old_at[end]), (new_at[low], new_at[high]))
        i = end
    return pieces


def _ends(old: bytes, new: bytes, here: tuple[int, int], there: tuple[int, int]) -> list[Kept]:
    """Return the common beginning and end of two stretches, cut between words: half of one says nothing."""
    one, other = old[here[0] : here[1]], new[there[0] : there[1]]
    most = min(len(one), len(other))
    front = _common(one, other, most)
    while front and (_cuts(one, front) or _cuts(other, front)):
        front -= 1
    back = _common(one[::-1], other[::-1], most - front)
    while back and (_cuts(one, len(one) - back) or _cuts(other, len(other) - back)):
        back -= 1
    pieces: list[Kept] = []
    if front:
        pieces.append((here[0], here[0] + front, there[0]))
    if back:
        pieces.append((here[1] - back, here[1], there[1] - back))
    return pieces


def _cuts(data: bytes, at: int) -> bool:
    """Tell whether a place lies inside a character, or inside a word of a script that puts spaces between words."""
    if not 0 < at < len(data):
        return False
    if data[at] & 0xC0 == 0x80:
        return True
    before = data[max(0, at - _CHARACTER) : at].decode("utf-8", "ignore")[-1:]
    behind = data[at : at + _CHARACTER].decode("utf-8", "ignore")[:1]
    return before.isalnum() and behind.isalnum() and max(before, behind) < _FIRST_WITHOUT_SPACES


def _common(one: bytes, other: bytes, most: int) -> int:
    """Return the length of the common beginning, at most `most`, by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _merged(pieces: Sequence[Kept]) -> tuple[Kept, ...]:
    result: list[Kept] = []
    for start, end, place in pieces:
        if result:
            old_start, old_end, new_start = result[-1]
            if old_end == start and new_start + old_end - old_start == place:
                result[-1] = (old_start, end, new_start)
                continue
        result.append((start, end, place))
    return tuple(result)
