"""Which encoding bytes are in, found by looking at them.

The order matters: a byte order mark is certain, the pattern of NUL bytes nearly so, UTF-8 cannot be taken for
anything else by accident. Of the encodings from before Unicode one is named only if it decodes every byte and
the letters are those of the language it is for; else it is Windows-1252, in which every byte is something.
"""

import re

from xysq.pattern import late

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_NUL_PATTERNS = (("utf-16-le", "0101"), ("utf-16-be", "1010"), ("utf-32-le", "0111"), ("utf-32-be", "1110"))
_SAMPLE = 256 * 1024
_HIGH = late(rb"[\x80-\xff]")
_WORD_OF_HIGH = late(rb"[\xa0-\xff]{3,}")
_WESTERN_MARKS = b"\x85\x91\x92\x93\x94\x96\x97"
_LEAD = late(rb"([\x80-\xff])[\x00-\xff]?", re.DOTALL)
_KANA = late(r"[\u3041-\u30fa]")  # half-width kana are what other encodings look like in this one
_EAST_ASIAN = late(r"[\u2e80-\uffef]")
_NOT_ASCII = late(r"[^\x00-\x7f]")
_ESCAPED = late(r"[\udc80-\udcff]")


def sniff(data: bytes) -> str:
    """Name the encoding that bytes are most likely in; the bytes of a whole version, or of its first part."""
    wide = _wide(data)
    if wide:
        return wide
    sample = data[:_SAMPLE]
    decoded = sample.decode("utf-8", "surrogateescape")
    bad = len(_ESCAPED().findall(decoded))
    good = len(_NOT_ASCII().findall(decoded)) - bad
    if not bad or b"\x00" in sample or good > 2 * bad:
        return "utf-8"
    return _east_asian(sample) or _by_words(sample) or "cp1252"


def needs_view(data: bytes, *, line_records: bool = False, continues: bool = False) -> bool:
    """Tell whether words in these bytes cannot be cited as they are: UTF-16, UTF-32, or not UTF-8 as a whole.

    A format of records on lines (`line_records`) reads around bad bytes itself. A character cut off at the end,
    or at the beginning of a part that `continues` another, is no bad byte: its other half comes with the next.
    """
    if not continues and _wide(data):
        return True
    if line_records:
        return False
    first = 0
    while continues and first < min(3, len(data)) and data[first] & 0xC0 == 0x80:
        first += 1
    try:
        data[first : len(data) - len(incomplete_end(data))].decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def incomplete_end(data: bytes) -> bytes:
    """Return the beginning of a UTF-8 character that the end of the bytes cuts off, or b""."""
    for back in range(1, min(3, len(data)) + 1):
        first = data[-back]
        if first & 0xC0 != 0x80:
            width = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2
            return data[-back:] if back < width and 0xC2 <= first < 0xF5 else b""
    return b""


def _wide(data: bytes) -> str | None:
    """Name a UTF-16 or UTF-32 by its byte order mark, or by where its NUL bytes stand."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    sample = data[:4096]
    if len(sample) < 8 or b"\x00" not in sample:
        return None
    rows = [sample[place::4] for place in range(4)]
    empty = [row.count(0) / len(row) for row in rows]
    for name, pattern in _NUL_PATTERNS:
        if all(share > 0.6 if bit == "1" else share < 0.05 for share, bit in zip(empty, pattern, strict=True)):
            return name
    return None


def _east_asian(sample: bytes) -> str | None:
    """Name a double-byte encoding that decodes every byte, by the letters that its language uses most."""
    leads = _LEAD().findall(sample)
    if len(leads) < 2:
        return None
    text = _strict(sample, "cp932")
    letters = len(_NOT_ASCII().findall(text))
    if letters and 6 * len(_KANA().findall(text)) > letters and 5 * len(_EAST_ASIAN().findall(text)) > 4 * letters:
        return "cp932"
    if len(leads) >= 6 and _strict(sample, "euc_kr") and max(leads) <= b"\xc8" and _within(leads, 0xB0, 0xC8) > 0.7:
        return "cp949"
    if _strict(sample, "gb2312") and _within(leads, 0xB0, 0xD7) > 0.7:
        return "gb18030"
    if len(leads) >= 6 and _strict(sample, "big5") and _within(leads, 0xA4, 0xC6) > 0.7:
        return "big5"
    return None


def _by_words(sample: bytes) -> str | None:
    """Name an alphabet of high bytes: words of nothing else, told apart by which half of the table they use."""
    high = [byte[0] for byte in _HIGH().findall(sample) if byte not in _WESTERN_MARKS]
    if len(high) < 20 or sum(map(len, _WORD_OF_HIGH().findall(sample))) < 0.7 * len(high):
        return None
    upper = _share(high, 0xE0, 0xFF)
    if upper > 0.9 and not _share(high, 0xC0, 0xDF) and not _share(high, 0xFB, 0xFC):
        return "cp1255"
    if _share(high, 0xC0, 0xDF) > 0.7 and upper > 0:
        return "koi8-r"
    if upper < 0.6:
        return None
    if _share(high, 0xDC, 0xDF) > 0.03:
        return "cp1253"
    return "cp1251" if _share(high, 0xFB, 0xFF) > 0.02 else None


def _share(high: list[int], low: int, last: int) -> float:
    return sum(low <= byte <= last for byte in high) / len(high)


def _within(leads: list[bytes], low: int, last: int) -> float:
    return sum(low <= lead[0] <= last for lead in leads) / len(leads)


def _strict(sample: bytes, codec: str) -> str:
    """Decode every byte but a character cut off at the end; "" where that cannot be done."""
    for cut in range(3):
        try:
            return sample[: len(sample) - cut].decode(codec)
        except UnicodeDecodeError:
            continue
    return ""
