r"""The ledger: one event a line, chained by hashes.

A line is canonical JSON with the keys `n` (sequence from 1 without gaps), `prev` (hash of the event before; 64
zeros for the first), `at` (commit time), `run`, `kind`, `body`, `salt`, `digest` and `hash`:

    digest = sha256(salt as text + canonical body)
    hash   = sha256(the canonical line without body, salt and hash)

So a body that had to be forgotten leaves a line that still proves its place in the chain: `body` and `salt` are
null, and a later `forget` event names its `n`. Bytes are split at `\n` and nowhere else; a line is believed by its
hash, never because it ends. Nothing here touches the disk.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xysq.canonical import canonical_json, canonical_text, parse_json, sha256_hex
from xysq.errors import BadJson, BadWire, Damaged
from xysq.model.body import body_from_wire, body_to_wire, kind_of
from xysq.model.event import Body, Event, Head
from xysq.model.fact import RunId
from xysq.model.wire import Fields

FORMAT = 1
RENDER = 1
GENESIS = Head(n=0, hash="0" * 64)
SEAL_BYTES = 64 * 1024
MAX_LINE_BYTES = 4 * 1024 * 1024


def chain(head: Head, at: str, run: RunId, bodies: Iterable[Body], salts: Iterable[str]) -> tuple[Event, ...]:
    """Return the events that carry the bodies, continuing the chain behind `head`; one salt a body."""
    events = []
    for body, salt in zip(bodies, salts, strict=True):
        event = _seal(head, at, run, body, salt)
        events.append(event)
        head = Head(n=event.n, hash=event.hash)
    return tuple(events)


def _seal(head: Head, at: str, run: RunId, body: Body, salt: str) -> Event:
    n, kind = head.n + 1, kind_of(body)
    digest = _digest(salt, canonical_json(body_to_wire(body)))
    frame = _spell_frame(n, head.hash, at, run, kind, digest)
    return Event(n=n, prev=head.hash, at=at, run=run, kind=kind, body=body, salt=salt, digest=digest, hash=frame.hash())


def _digest(salt: str, body: bytes) -> str:
    return sha256_hex(salt.encode("utf-8") + body)


class _Frame(NamedTuple):
    """What stands around a body, spelled: the members `at` and `digest`, and those behind the hash but the salt."""

    at: str
    digest: str
    rest: str

    def hash(self) -> str:
        return sha256_hex(f"{{{self.at},{self.digest},{self.rest}}}".encode())

    def around(self, body: bytes, hash_: str, salt: str | None) -> bytes:
        salted = "null" if salt is None else canonical_text(salt)
        behind = f',{self.digest},"hash":{canonical_text(hash_)},{self.rest},"salt":{salted}}}'
        return f'{{{self.at},"body":'.encode() + body + behind.encode()


def _spell_frame(n: int, prev: str, at: str, run: str, kind: str, digest: str) -> _Frame:
    return _Frame(
        at=f'"at":{canonical_text(at)}',
        digest=f'"digest":{canonical_text(digest)}',
        rest=f'"kind":{canonical_text(kind)},"n":{n},"prev":{canonical_text(prev)},"run":{canonical_text(run)}',
    )


def to_line(event: Event) -> bytes:
    """Spell an event as its line, with the line end."""
    frame = _spell_frame(event.n, event.prev, event.at, event.run, event.kind, event.digest)
    if event.body is None:
        return frame.around(b"null", event.hash, None) + b"\n"
    return frame.around(canonical_json(body_to_wire(event.body)), event.hash, event.salt) + b"\n"


def from_line(line: bytes, path: str, number: int) -> Event:
    """Read a line (without its end) and prove its digest and hash; `path` and `number` name it in errors."""
    try:
        return _event(line, parse_json(line, max_bytes=MAX_LINE_BYTES))
    except (BadJson, BadWire) as error:
        raise Damaged(path, str(number), str(error)) from None


def _event(line: bytes, value: object) -> Event:
    fields = Fields("event", value)
    n, prev, at = fields.number("n", least=1), fields.text("prev"), fields.text("at")
    run, kind, digest = RunId(fields.text("run")), fields.text("kind"), fields.text("digest")
    hash_, wire, salt = fields.text("hash"), fields.value("body"), fields.nullable_text("salt")
    fields.done()
    frame = _spell_frame(n, prev, at, run, kind, digest)
    if frame.hash() != hash_:
        raise BadWire("event.hash", "is not the hash of the line")
    spelled = canonical_json(wire)
    if frame.around(spelled, hash_, salt) != line:
        raise BadWire("event", "is not canonical JSON")
    if (wire is None) != (salt is None):
        raise BadWire("event", "has a body without a salt, or a salt without a body")
    if salt is not None and _digest(salt, spelled) != digest:
        raise BadWire("event.digest", "is not the digest of the body")
    body = None if wire is None else body_from_wire(kind, "event.body", wire)
    return Event(n=n, prev=prev, at=at, run=run, kind=kind, body=body, salt=salt or "", digest=digest, hash=hash_)


def read_segment(data: bytes, path: str, head: Head) -> Iterator[Event]:
    """Read the lines of a segment whose first event continues `head`; damage names the line."""
    if data and not data.endswith(b"\n"):
        raise Damaged(path, str(data.count(b"\n") + 1), "the last line has no end")
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        event = from_line(line, path, number)
        if event.n != head.n + 1:
            raise Damaged(path, str(number), f"event {event.n} stands where {head.n + 1} belongs")
        if event.prev != head.hash:
            raise Damaged(path, str(number), f"event {event.n} does not continue the chain")
        head = Head(n=event.n, hash=event.hash)
        yield event
