"""Canonical JSON, digests and ids: how values become bytes that can be compared and hashed.

Canonical JSON is UTF-8 with sorted keys, no spaces, no NaN and no lone surrogates; a value has exactly one
spelling. `parse_json` accepts strict JSON only (RFC 8259 with unique keys, bounded size and depth), because
everything it reads may come from somebody else.

Ids are lower-case Crockford base32. Those of facts and blocks follow from the run and the position in its
draft, so planning a draft again names the same things the same way.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from json.encoder import encode_basestring
from typing import Any, NoReturn

from xysq.errors import BadJson

MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_JSON_DEPTH = 64
CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_SURROGATE = re.compile(r"[\ud800-\udfff]")

canonical_text: Callable[[str], str] = encode_basestring  # a string alone, with its quotation marks


def canonical_json(value: object) -> bytes:
    """Return the one spelling of a JSON value."""
    return _ENCODER.encode(value).encode("utf-8")


def parse_json(data: bytes, *, max_bytes: int = MAX_JSON_BYTES, max_depth: int = MAX_JSON_DEPTH) -> Any:  # noqa: ANN401 - JSON is any value; callers narrow it at once
    """Parse strict JSON; refuse equal keys, NaN and infinity, lone surrogates, bad UTF-8, too much of it, too deep."""
    if len(data) > max_bytes:
        raise BadJson(f"{len(data)} bytes of JSON, more than the {max_bytes} allowed")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"not UTF-8 at byte {error.start}") from None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON at character {error.pos}: {error.msg}") from None
    except ValueError as error:  # an integer with more digits than Python converts
        raise BadJson(f"not JSON: {error}") from None
    except RecursionError:
        raise BadJson(f"nested deeper than {max_depth}") from None
    if text.count("[") + text.count("{") > max_depth and _is_deeper(value, max_depth):
        raise BadJson(f"nested deeper than {max_depth}")
    if "\\u" in text and _SURROGATE.search(_ENCODER.encode(value)):
        raise BadJson("a lone surrogate")
    return value


def _is_deeper(value: object, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [item for outer in level for item in _inside(outer) if isinstance(item, dict | list)]
    return bool(level)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise BadJson("an object has the same key twice")
    return result


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadJson(f"{digits[:20]} is larger than a number can be")
    return number


def _no_constant(name: str) -> NoReturn:
    raise BadJson(f"{name} is not JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant)


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of the bytes, in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def base32(data: bytes, length: int) -> str:
    """Spell the first `5 * length` bits of the bytes in Crockford's alphabet."""
    number = int.from_bytes(data, "big")
    bits = len(data) * 8
    return "".join(CROCKFORD[(number >> (bits - 5 * (place + 1))) & 31] for place in range(length))


def derived_id(prefix: str, run: str, position: str, taken: Callable[[str], bool]) -> str:
    """Return `prefix` and ten letters that follow from run and position; a taken id takes the next."""
    attempt = 0
    while True:
        seed = f"{run}/{prefix}/{position}/{attempt}".encode()
        name = f"{prefix}-{base32(hashlib.sha256(seed).digest(), 10)}"
        if not taken(name):
            return name
        attempt += 1


def run_id(moment: datetime, entropy: bytes) -> str:
    """Return `r-<UTC time>-<4 letters>`; entropy is at least 3 random bytes."""
    return f"r-{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}-{base32(entropy, 4)}"


def source_id(moment: datetime, entropy: bytes) -> str:
    """Return `<UTC date>-<6 letters>`; entropy is at least 4 random bytes."""
    return f"{moment.astimezone(UTC):%Y%m%d}-{base32(entropy, 6)}"


def instant(moment: datetime) -> str:
    """Spell a moment as UTC with whole seconds: `2026-11-30T18:02:11Z`."""
    return f"{moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"
