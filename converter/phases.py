"""The phases of one file as `/phases` answers with them, one after another, in one response.

    length of what follows (u32, big-endian) | phase or "error", and a newline | its answer

The answers are those of the single calls: JSON of ReadFacts, MeaningFacts and PointFacts, then the document behind its facts. An error
that comes after the first phase is the last item: JSON of `SpatialError.to_wire()`. Where the file is read twice, a phase may come twice.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from sandbox.frames import Payload
from spatial.errors import InternalError, SpatialError, from_wire

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from converter.documents import Packed

_LENGTH: Final = struct.Struct("!I")
_ERROR: Final = "error"

PIECE_BYTES: Final = 262_144
"""Of a long answer that are sent at a time: each piece is copied on its way, and small ones stay in the processor's cache."""

Tell = Callable[[str, bytes], Awaitable[None]]
"""Takes a phase and its answer."""


def pieces_of(phase: str, *answer: Payload) -> Iterator[bytes]:
    """A phase as it stands in the response. answer: its parts, one after the other."""
    head, *rest = f"{phase}\n".encode(), *answer
    yield _LENGTH.pack(len(head) + sum(map(len, rest))) + head
    for part in rest:
        for start in range(0, len(part), PIECE_BYTES):
            yield bytes(part[start : start + PIECE_BYTES])


class PhaseReader:
    """Takes the bytes of a response as they come."""

    def __init__(self) -> None:
        self._parts = bytearray()

    def feed(self, part: bytes) -> Iterator[tuple[str, memoryview]]:
        """The phases that are complete now, with their answers. Raises: the error that ended the conversion."""
        self._parts += part
        while (end := self._end()) is not None:
            complete, self._parts = self._parts, self._parts[end:]
            name = complete.index(b"\n", _LENGTH.size)
            phase, answer = complete[_LENGTH.size : name].decode(), memoryview(complete)[name + 1 : end]
            if phase == _ERROR:
                raise from_wire(json.loads(bytes(answer)))
            yield phase, answer

    def _end(self) -> int | None:
        """Where the first item ends; None while it is not complete."""
        if len(self._parts) < _LENGTH.size:
            return None
        end: int = _LENGTH.size + _LENGTH.unpack_from(self._parts)[0]
        return end if len(self._parts) >= end else None


class PhaseResponse:
    """An ASGI response that sends each phase as it ends.

    convert: does the work, tells each phase but the last, and returns the document. An error before the first phase is left to the
    application, which gives it its status.
    """

    def __init__(self, convert: Callable[[Tell], Awaitable[Packed]], ended: tuple[type[Exception], ...]) -> None:
        """ended: errors that say that nobody reads the response any more."""
        self._convert = convert
        self._ended = ended
        self._begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def tell(phase: str, answer: bytes) -> None:
            await self._send(send, phase, answer, more=True)

        try:
            last: tuple[str, *tuple[Payload, ...]] = "assemble", *(await self._convert(tell)).parts
        except self._ended:
            if not self._begun:
                raise
            return
        except SpatialError as error:
            if not self._begun:
                raise
            last = _ERROR, _answer_of(error)
        except Exception:
            if self._begun:
                await self._send(
                    send, _ERROR, _answer_of(InternalError("the converter failed; see its log")), more=False
                )
            raise
        await self._send(send, *last, more=False)

    async def _send(self, send: Send, phase: str, *answer: Payload, more: bool) -> None:
        if not self._begun:
            self._begun = True
            headers = [(b"content-type", b"application/octet-stream")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in pieces_of(phase, *answer):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if not more:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def _answer_of(error: SpatialError) -> bytes:
    wire: dict[str, Any] = error.to_wire()
    return json.dumps(wire).encode()
