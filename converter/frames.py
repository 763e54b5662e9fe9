"""Frames on the socket between the pool and one child: a small JSON header and a payload of bytes.

Layout: length of the header (u32), length of the payload (u64), both big-endian; the header; the payload. The far end
of such a socket may be a parser that its file has taken over: the reader accepts no length above its limit.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from typing import Any, BinaryIO, Final, NamedTuple

LENGTHS: Final = struct.Struct("!IQ")

HEADER_BYTES: Final = 1_048_576
"""Longest header."""

CHUNK_BYTES: Final = 262_144
"""Most that one receive call takes, so that memory follows what was received and not what was announced."""


class Frame(NamedTuple):
    """One message."""

    header: dict[str, Any]
    payload: bytes


class BrokenFrame(Exception):
    """What was received is no frame."""


class FrameTooLarge(Exception):
    """The announced payload is over the limit."""


def head_of(header: dict[str, Any], payload_bytes: int) -> bytes:
    """The frame's bytes up to its payload."""
    words = json.dumps(header).encode()
    return LENGTHS.pack(len(words), payload_bytes) + words


def send(channel: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one frame on a blocking socket."""
    channel.sendall(head_of(header, len(payload)))
    channel.sendall(payload)


def receive(channel: socket.socket) -> Frame | None:
    """The next frame from a blocking socket; None where the far end closed it."""
    lengths = _exactly(channel, LENGTHS.size)
    if lengths is None:
        return None
    header_bytes, payload_bytes = LENGTHS.unpack(lengths)
    header, payload = _exactly(channel, header_bytes), _exactly(channel, payload_bytes)
    return None if header is None or payload is None else Frame(json.loads(header), payload)


async def send_async(channel: socket.socket, header: dict[str, Any], file: BinaryIO | None = None) -> None:
    """Send one frame on a non-blocking socket; its payload is all of a file, which the kernel copies."""
    loop = asyncio.get_running_loop()
    size = 0 if file is None else os.fstat(file.fileno()).st_size
    await loop.sock_sendall(channel, head_of(header, size))
    if file is not None and size:
        await loop.sock_sendfile(channel, file, 0, size)


async def receive_async(channel: socket.socket, limit: int) -> Frame:
    """The next frame from a non-blocking socket whose payload has at most `limit` bytes.

    Raises: EOFError where the far end closed it; BrokenFrame; FrameTooLarge.
    """
    header_bytes, payload_bytes = LENGTHS.unpack(await _exactly_async(channel, LENGTHS.size))
    if header_bytes > HEADER_BYTES:
        raise BrokenFrame(f"a header of {header_bytes} bytes")
    header = _object(await _exactly_async(channel, header_bytes))
    if payload_bytes > limit:
        raise FrameTooLarge(f"a payload of {payload_bytes} bytes")
    return Frame(header, bytes(await _exactly_async(channel, payload_bytes)))


def _object(words: bytes | bytearray) -> dict[str, Any]:
    try:
        header = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("a header that is not JSON") from error
    if not isinstance(header, dict):
        raise BrokenFrame("a header that is not an object")
    return header


def _exactly(channel: socket.socket, count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        part = channel.recv(min(count - len(parts), CHUNK_BYTES))
        if not part:
            return None
        parts += part
    return bytes(parts)


async def _exactly_async(channel: socket.socket, count: int) -> bytearray:
    loop, parts = asyncio.get_running_loop(), bytearray()
    while len(parts) < count:
        part = await loop.sock_recv(channel, min(count - len(parts), CHUNK_BYTES))
        if not part:
            raise EOFError("the child closed its channel")
        parts += part
    return parts
