"""The pipe: JSON-RPC messages as lines on two file descriptors, as streams of the SDK's.

The SDK's own transport drops what it cannot read without a word, has no bound for a line, takes in as many requests as
come, and at the end of the input gives up those that are not answered. Here a line that is no message is answered with
an error, longer lines than `MOST_BYTES` are read over, only so many requests are under way at once, and those that
came are answered before the end. Nothing but whole messages is ever written.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import run_sync
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from xysq.canonical import parse_json
from xysq.errors import BadJson

MOST_BYTES = 32 * 1024 * 1024
MOST_AT_ONCE = 32
LAST_ANSWERS_S = 30.0
_CHUNK = 256 * 1024

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


class Pipe:
    """Messages on two descriptors, and how many requests are under way."""

    def __init__(self, reads: int, writes: int) -> None:
        """Take the descriptors; they stay open."""
        self._reads, self._writes = reads, writes
        self._under_way = 0
        self._changed = anyio.Event()
        self._writing = anyio.Lock()

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        """Read and write for the time of a block; it is cancelled where nobody takes what is written."""
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read, to_server, tasks.cancel_scope)
            tasks.start_soon(self._write_all, from_server, tasks.cancel_scope)
            yield incoming, outgoing

    # Reading

    async def _read(
        self, to_server: MemoryObjectSendStream[SessionMessage | Exception], all_of_it: anyio.CancelScope
    ) -> None:
        lines = Lines()
        async with to_server:
            try:
                while data := await run_sync(os.read, self._reads, _CHUNK, abandon_on_cancel=True):
                    for line in lines.of(data):
                        await self._take(line, to_server)
                for line in lines.rest():
                    await self._take(line, to_server)
                with anyio.move_on_after(LAST_ANSWERS_S):
                    await self._until_fewer_than(1)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
            except OSError:
                all_of_it.cancel()

    async def _take(self, line: bytes | None, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand a line on; one that is no message is answered at once. None: it was too long."""
        if line is None:
            await self._refuse(None, PARSE_ERROR, f"a line of more than {MOST_BYTES} bytes")
            return
        if not line.strip():
            return
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            await self._refuse(*_complaint(line))
            return
        if not isinstance(message, JSONRPCRequest):
            await to_server.send(SessionMessage(message))
            return
        await self._until_fewer_than(MOST_AT_ONCE)
        self._count(1)
        metadata = ServerMessageMetadata(on_request_unanswered=self._unanswered)
        await to_server.send(SessionMessage(message, metadata=metadata))

    async def _unanswered(self) -> None:
        self._count(-1)

    def _count(self, more: int) -> None:
        self._under_way += more
        self._changed.set()
        self._changed = anyio.Event()

    async def _until_fewer_than(self, count: int) -> None:
        while self._under_way >= count:
            await self._changed.wait()

    # Writing

    async def _write_all(
        self, from_server: MemoryObjectReceiveStream[SessionMessage], all_of_it: anyio.CancelScope
    ) -> None:
        async with from_server:
            try:
                async for sent in from_server:
                    await self._write(sent.message)
                    if isinstance(sent.message, JSONRPCResponse | JSONRPCError):
                        self._count(-1)
            except OSError:  # nobody reads any more
                all_of_it.cancel()

    async def _refuse(self, name: str | int | None, code: int, message: str) -> None:
        await self._write(JSONRPCError(jsonrpc="2.0", id=name, error=ErrorData(code=code, message=message)))

    async def _write(self, message: JSONRPCMessage) -> None:
        line = _spelled(message)
        async with self._writing:
            await run_sync(_write_whole, self._writes, line)


class Lines:
    """Cuts bytes into lines, whatever pieces they come in; of a line that is too long nothing is kept."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """Begin with nothing; a line has at most so many bytes."""
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0

    def of(self, data: bytes) -> Iterator[bytes | None]:
        """Yield the lines that end in these bytes, None for each that is too long."""
        *ended, last = data.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield from self.rest()
        self._add(last)

    def rest(self) -> Iterator[bytes | None]:
        """Yield the line that has no end, if there is one."""
        if self._size:
            yield None if self._size > self._most else b"".join(self._parts)
        self._parts, self._size = [], 0

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._most:
            self._parts = []
        else:
            self._parts.append(piece)


def _complaint(line: bytes) -> tuple[str | int | None, int, str]:
    """Return what to answer to a line that is no message: to which id, with which code."""
    try:
        value = parse_json(line, max_bytes=MOST_BYTES)
    except BadJson as error:
        return None, PARSE_ERROR, error.sentence
    name = value.get("id") if isinstance(value, dict) and "method" in value else None
    is_name = isinstance(name, str | int) and not isinstance(name, bool)
    return name if is_name else None, INVALID_REQUEST, "no JSON-RPC message"


def _spelled(message: JSONRPCMessage) -> bytes:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except PydanticSerializationError:
        name: Any = getattr(message, "id", None)
        told = ErrorData(code=INTERNAL_ERROR, message="the answer cannot be spelled")
        return JSONRPCError(jsonrpc="2.0", id=name, error=told).model_dump_json(by_alias=True).encode() + b"\n"


def _write_whole(descriptor: int, data: bytes) -> None:
    """Write all of it, however much the pipe takes at once."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
