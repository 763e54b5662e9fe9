"""Frames on the socket between the pool and one child: a small JSON header and a payload of bytes.

Layout: length of the header (u32), length of the payload (u64), both big-endian; the header; the payload. A malicious file may control
the parser at the other end of the socket, so the receiver accepts no length above its limit.
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
"""Maximum size of a header."""

CHUNK_BYTES: Final = 262_144
"""Maximum size of one receive call of the service, so that it allocates memory for received bytes and not for the announced length."""


Payload = bytes | bytearray
"""A bytearray where it was received on a non-blocking socket; `bytes` of bytes are no copy."""


class Frame(NamedTuple):
    """One message."""

    header: dict[str, Any]
    payload: Payload


class BrokenFrame(Exception):
    """The received bytes are not a frame."""


class FrameTooLarge(Exception):
    """The announced payload exceeds the limit."""


def encode_head(header: dict[str, Any], payload_bytes: int) -> bytes:
    """The bytes of a frame before its payload."""
    encoded = json.dumps(header).encode()
    return LENGTHS.pack(len(encoded), payload_bytes) + encoded


def send(channel: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one frame on a blocking socket."""
    channel.sendall(encode_head(header, len(payload)))
    channel.sendall(payload)


def receive(channel: socket.socket) -> Frame | None:
    """Receive the next frame on a blocking socket; None if the other end closed it."""
    lengths = _receive_exactly(channel, LENGTHS.size)
    if lengths is None:
        return None
    header_bytes, payload_bytes = LENGTHS.unpack(lengths)
    header, payload = _receive_exactly(channel, header_bytes), _receive_exactly(channel, payload_bytes)
    return None if header is None or payload is None else Frame(json.loads(header), payload)


async def send_async(channel: socket.socket, header: dict[str, Any], content: BinaryIO | Payload = b"") -> None:
    """Send one frame on a non-blocking socket; the payload is bytes, or a complete file, which the kernel copies (sendfile)."""
    loop = asyncio.get_running_loop()
    size = len(content) if isinstance(content, Payload) else os.fstat(content.fileno()).st_size
    await loop.sock_sendall(channel, encode_head(header, size))
    if isinstance(content, Payload):
        await loop.sock_sendall(channel, content)
    elif size:
        await loop.sock_sendfile(channel, content, 0, size)


async def receive_async(channel: socket.socket, limit: int) -> Frame:
    """Receive the next frame, with a payload of at most `limit` bytes, on a non-blocking socket.

    Raises: EOFError if the other end closed the socket; BrokenFrame; FrameTooLarge.
    """
    header_bytes, payload_bytes = LENGTHS.unpack(await _receive_exactly_async(channel, LENGTHS.size))
    if header_bytes > HEADER_BYTES:
        raise BrokenFrame(f"a header of {header_bytes} bytes")
    header = _parse_header(await _receive_exactly_async(channel, header_bytes))
    if payload_bytes > limit:
        raise FrameTooLarge(f"a payload of {payload_bytes} bytes")
    return Frame(header, await _receive_exactly_async(channel, payload_bytes))


def _parse_header(encoded: bytes | bytearray) -> dict[str, Any]:
    try:
        header = json.loads(encoded)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("a header that is not JSON") from error
    if not isinstance(header, dict):
        raise BrokenFrame("a header that is not an object")
    return header


def _receive_exactly(channel: socket.socket, count: int) -> bytes | None:
    """So many bytes, which the kernel brings at once unless a signal interrupts it. None where the other end closes the socket before."""
    parts = [b""]
    while missing := count - sum(map(len, parts)):
        part = channel.recv(missing, socket.MSG_WAITALL)
        if not part:
            return None
        parts.append(part)
    return parts[-1] if len(parts) <= 2 else b"".join(parts)


async def _receive_exactly_async(channel: socket.socket, count: int) -> bytearray:
    loop, parts = asyncio.get_running_loop(), bytearray()
    while len(parts) < count:
        part = await loop.sock_recv(channel, min(count - len(parts), CHUNK_BYTES))
        if not part:
            raise EOFError("the child closed its channel")
        parts += part
    return parts
