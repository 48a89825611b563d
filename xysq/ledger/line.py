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

from xysq.canonical import canonical_json, parse_json, sha256_hex
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
    digest = sha256_hex(salt.encode("ascii") + canonical_json(body_to_wire(body)))
    kind = kind_of(body)
    n = head.n + 1
    framed = {"n": n, "prev": head.hash, "at": at, "run": run, "kind": kind, "digest": digest}
    return Event(
        n=n,
        prev=head.hash,
        at=at,
        run=run,
        kind=kind,
        body=body,
        salt=salt,
        digest=digest,
        hash=sha256_hex(canonical_json(framed)),
    )


def to_line(event: Event) -> bytes:
    """Spell an event as its line, with the line end."""
    wire = {
        "n": event.n,
        "prev": event.prev,
        "at": event.at,
        "run": event.run,
        "kind": event.kind,
        "body": None if event.body is None else body_to_wire(event.body),
        "salt": None if event.body is None else event.salt,
        "digest": event.digest,
        "hash": event.hash,
    }
    return canonical_json(wire) + b"\n"


def from_line(line: bytes, path: str, number: int) -> Event:
    """Read a line (without its end) and prove its digest and hash; `path` and `number` name it in errors."""
    where = str(number)
    try:
        value = parse_json(line, max_bytes=MAX_LINE_BYTES)
        if canonical_json(value) != line:
            raise Damaged(path, where, "the line is not canonical JSON")
        return _event(value)
    except (BadJson, BadWire) as error:
        raise Damaged(path, where, str(error)) from None


def _event(value: object) -> Event:
    fields = Fields("event", value)
    n, prev, at = fields.number("n", least=1), fields.text("prev"), fields.text("at")
    run, kind = RunId(fields.text("run")), fields.text("kind")
    digest, hash_ = fields.text("digest"), fields.text("hash")
    wire, salt = fields.value("body"), fields.optional_text("salt")
    fields.done()
    framed = {"n": n, "prev": prev, "at": at, "run": run, "kind": kind, "digest": digest}
    if sha256_hex(canonical_json(framed)) != hash_:
        raise BadWire("event.hash", "is not the hash of the line")
    body = None
    if wire is not None:
        if salt is None or sha256_hex(salt.encode("utf-8") + canonical_json(wire)) != digest:
            raise BadWire("event.digest", "is not the digest of the body")
        body = body_from_wire(kind, "event.body", wire)
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
