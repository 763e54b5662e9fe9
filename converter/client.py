"""Client of the converter service, over a Unix socket or TCP.

    client = ConverterClient("unix:///run/spatial/converter.sock")
    handle = await client.read(InputFile(file_name="part.step", format="step"), data)
    document = await client.assemble(handle, DocumentPlan(target="structured", request_id="req_1"), fetch_again)

If the service no longer keeps a file, because it was restarted or needed the memory, the client sends it again under its handle.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from converter.calls import CALL_ID, CallStatus
from converter.documents import Document, received, unpacked, unusable
from converter.outage import AWAITED_SECONDS, Outage
from converter.phases import PhaseReader
from converter.under_way import ConnectionLost, answer_of
from converter.unix_transport import UnixTransport
from converter.wire import (
    GONE,
    KEEP_ALIVE_SECONDS,
    MESH_HEAD,
    REQUEST_ID,
    SOCKET_PATH_BYTES,
    ConverterHealth,
    DocumentPlan,
    InputFile,
    MeaningFacts,
    PointFacts,
    ReadFacts,
    ReadingHandle,
)
from spatial import logs
from spatial.counting import count_of
from spatial.errors import ConverterUnavailable, ParseError, from_wire
from spatial.models.sampling_plan import SamplingPlan

__all__ = [
    "ConverterClient",
    "ConverterHealth",
    "Document",
    "DocumentPlan",
    "InputFile",
    "MeaningFacts",
    "PhaseAnswer",
    "PointFacts",
    "ReadingHandle",
]

ANSWER_SECONDS: Final = 900.0
"""Timeout of an answer, including the wait in the queue of the service."""

CONNECT_SECONDS: Final = 5.0

HEALTH_SECONDS: Final = 5.0

IDLE_CONNECTIONS: Final = 32
"""Maximum number of connections that are kept without a request."""

IDLE_SECONDS: Final = KEEP_ALIVE_SECONDS / 3
"""How long they are kept: shorter than by the service, so that none is closed during a request."""

ATTEMPTS: Final = 3
"""Number of attempts of a call: a service that is short of memory may release the file before the call arrives."""

NO_OPTIONS: Final[Mapping[str, bool]] = {}

Data = Callable[[], Awaitable[bytes]]
Model = TypeVar("Model", bound=BaseModel)
T = TypeVar("T")

PhaseAnswer = ReadingHandle | MeaningFacts | PointFacts
"""What a phase before the last has found."""


def _tell_nobody(_: PhaseAnswer) -> None:
    """For callers that wait for the document alone."""


ANSWERS: Final[Mapping[str, type[MeaningFacts | PointFacts]]] = {"interpret": MeaningFacts, "sample": PointFacts}
"""What a phase between the first and the last answers with."""


class ConverterClient:
    """A client of one converter service; tasks of one event loop can share it."""

    def __init__(self, url: str, *, timeout: float = ANSWER_SECONDS) -> None:
        self._url = url
        self._outage = Outage()
        transport, base_url = _transport_for(url)
        self._http = httpx.AsyncClient(
            transport=transport,
            base_url=base_url,
            timeout=httpx.Timeout(timeout, connect=CONNECT_SECONDS),
            trust_env=False,
            event_hooks={"response": [self._outage.note_answer]},
        )

    async def read(self, source: InputFile, data: bytes) -> ReadingHandle:
        """Read a file; the service keeps it for the calls that follow.

        Raises: ParseError with the phase, and the signal or memory limit that ended the child; ConversionTimeout;
        RequestTooLarge; UnsupportedFileType; ConverterUnavailable.
        """
        handle = secrets.token_urlsafe(24)
        return ReadingHandle(handle=handle, source=source, reading=await self._read(handle, source, data))

    async def interpret(self, handle: ReadingHandle, data: Data) -> MeaningFacts:
        """Interpret the file; `data` is called for its bytes only if it must be read again. Raises: as `read`."""
        return _validate(MeaningFacts, await self._call("/interpret", handle, data), handle.source)

    async def sample(self, handle: ReadingHandle, plan: SamplingPlan, data: Data) -> PointFacts:
        """Sample points on the surfaces of the file; `data` as for `interpret`. Raises: as `read`."""
        body = plan.model_dump_json().encode()
        return _validate(PointFacts, await self._call("/sample", handle, data, body), handle.source)

    async def assemble(
        self, handle: ReadingHandle, plan: DocumentPlan, data: Data, *, is_last: bool = False
    ) -> Document:
        """The document of the file, interpreted and sampled before where it was not; `data` as for `interpret`.

        is_last: the service releases the file, as no call about it follows. Raises: as `read`.
        """
        body = plan.model_dump_json().encode()
        answer = await self._call("/assemble", handle, data, body, {"last": True} if is_last else NO_OPTIONS)
        return unpacked(received(answer), handle.source, plan)

    async def extract(
        self, source: InputFile, data: bytes, plan: DocumentPlan, tell: Callable[[PhaseAnswer], None] = _tell_nobody
    ) -> Document:
        """The document of a file in one call; the service keeps nothing. Raises: as `read`.

        tell: takes what each phase but the last has found, when it has ended.
        """
        handle = secrets.token_urlsafe(24)  # under which nothing is kept: a later call about it reads the file again

        def take(phase: str, answer: memoryview) -> None:
            if phase == "read":
                reading = _validate(ReadFacts, bytes(answer), source)
                tell(ReadingHandle(handle=handle, source=source, reading=reading))
            elif phase in ANSWERS:
                tell(_validate(ANSWERS[phase], bytes(answer), source))

        async def receive(headers: dict[str, str]) -> memoryview:
            params = {**source.model_dump(), "plan": plan.model_dump_json()}
            reader = PhaseReader()
            async with self._http.stream("POST", "/phases", headers=headers, params=params, content=data) as sent:
                if not sent.is_success:
                    await sent.aread()
                    raise _error_of(sent)
                async for part in sent.aiter_raw():
                    for phase, answer in reader.feed(part):
                        if phase == "assemble":
                            return answer
                        take(phase, answer)
            raise ConverterUnavailable("the connection to the converter was lost; try again")

        return unpacked(received(await self._call_under_way(receive)), source, plan)

    async def mesh(self, source: InputFile, data: bytes) -> bytes:
        """The mesh of a STEP or IGES file, as binary glTF; nothing is kept. Raises: InvalidRequest for another file; as `read`."""
        body = (await self._send("POST", "/mesh", params=source.model_dump(), content=data)).content
        if len(body) < MESH_HEAD.size or MESH_HEAD.unpack_from(body) != (b"glTF", 2, len(body)):
            raise ParseError(
                f"{source.file_name}: the parser gave a mesh that cannot be used; the file may be damaged: export it again"
            )
        return body

    async def release(self, handle: ReadingHandle) -> None:
        """Let the service release a file that no document is wanted of; errors of the connection are ignored."""
        try:
            await self._http.post("/release", params={"handle": handle.handle}, timeout=HEALTH_SECONDS)
        except httpx.HTTPError:
            return

    async def health(self) -> ConverterHealth:
        """Load of the service. Raises: ConverterUnavailable if it is unreachable, restarting or stopping."""
        answer = await self._send("GET", "/health", waits=False, timeout=HEALTH_SECONDS)
        health = ConverterHealth.model_validate_json(answer.content)
        if health.status != "ready":
            raise ConverterUnavailable(f"the converter is {health.status}; try again", retry_after=2)
        return health

    @property
    def seconds_away(self) -> float:
        """How long the service is expected to be out of reach still; 0 where it is not."""
        return self._outage.seconds_left

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _call(
        self, path: str, handle: ReadingHandle, data: Data, body: bytes = b"", options: Mapping[str, bool] = NO_OPTIONS
    ) -> bytes:
        for _ in range(ATTEMPTS):
            answer = await self._send("POST", path, params={"handle": handle.handle, **options}, content=body)
            if answer.status_code != GONE:
                return answer.content
            await self._read(handle.handle, handle.source, await data())
        raise ConverterUnavailable("the converter lost the file each time it had read it; try again", retry_after=5)

    async def _read(self, handle: str, source: InputFile, data: bytes) -> ReadFacts:
        params = {"handle": handle, **source.model_dump()}
        answer = await self._send("POST", "/read", params=params, content=data)
        return _validate(ReadFacts, answer.content, source)

    async def _send(self, method: str, path: str, *, waits: bool = True, **options: Any) -> httpx.Response:
        """Send a request; returns a successful answer, or one with status GONE. waits: as in `_call_under_way`. Raises: SpatialError."""
        answer = await self._call_under_way(
            lambda headers: self._http.request(method, path, headers=headers, **options), waits=waits
        )
        if answer.is_success or answer.status_code == GONE:
            return answer
        raise _error_of(answer)

    async def _call_under_way(
        self, call: Callable[[dict[str, str]], Coroutine[Any, Any, T]], *, waits: bool = True
    ) -> T:
        """What a call with these headers returns, as long as the service works on it.

        waits: for a service that starts again, where the call did not reach it and its start is expected soon. Raises: SpatialError.
        """
        ends = time.monotonic() + AWAITED_SECONDS
        while True:
            try:
                return await self._sent(call)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                self._outage.begin()
                if not waits or not await self._outage.is_over(lambda: self._is_under_way("none"), ends):
                    raise self._away(f"the converter is unreachable ({_why(error)})") from error

    async def _sent(self, call: Callable[[dict[str, str]], Coroutine[Any, Any, T]]) -> T:
        """What one attempt of a call returns. Raises: httpx.ConnectError, httpx.ConnectTimeout where it was not sent; SpatialError."""
        call_id, request_id = secrets.token_urlsafe(12), logs.names().get("request_id")
        headers = {CALL_ID: call_id, **({REQUEST_ID: request_id} if request_id else {})}
        try:
            return await answer_of(call(headers), lambda: self._is_under_way(call_id))
        except ConnectionLost as error:
            raise ConverterUnavailable("the connection to the converter was lost; try again") from error
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise
        except httpx.TimeoutException as error:
            raise self._away("the converter does not answer") from error
        except httpx.HTTPError as error:
            raise self._away(f"the converter is unreachable ({_why(error)})") from error

    def _away(self, what: str) -> ConverterUnavailable:
        seconds = self._outage.retry_seconds()
        return ConverterUnavailable(f"{what}; try again in {seconds} s", retry_after=seconds)

    async def _is_under_way(self, call_id: str) -> bool | None:
        """Whether the service works on a call; None where it does not answer. An older service is taken at its silence."""
        try:
            answer = await self._http.get(f"/calls/{call_id}", timeout=HEALTH_SECONDS)
        except httpx.HTTPError:
            return None
        return not answer.is_success or CallStatus.model_validate_json(answer.content).under_way


def _transport_for(url: str) -> tuple[httpx.AsyncBaseTransport, str]:
    parts = urlsplit(url)
    if parts.scheme in ("http", "https") and parts.hostname:
        limits = httpx.Limits(
            max_connections=None, max_keepalive_connections=IDLE_CONNECTIONS, keepalive_expiry=IDLE_SECONDS
        )
        return httpx.AsyncHTTPTransport(limits=limits), url
    path = unquote(parts.path)
    if parts.scheme != "unix" or parts.netloc or not Path(path).is_absolute():
        raise ValueError(f"converter URL {url!r} is neither unix:///absolute/path nor http://host:port")
    if len(path.encode()) > SOCKET_PATH_BYTES:
        raise ValueError(
            f"converter socket path {path!r} is longer than {SOCKET_PATH_BYTES} bytes; choose a shorter one"
        )
    transport = UnixTransport(path, keepalive_connections=IDLE_CONNECTIONS, keepalive_seconds=IDLE_SECONDS)
    return transport, "http://converter"


def _error_of(answer: httpx.Response) -> Exception:
    try:
        return from_wire(answer.json())
    except (ValueError, AttributeError):
        return ConverterUnavailable(f"the converter answered with status {answer.status_code}; try again")


def _why(error: httpx.HTTPError) -> str:
    """What the operating system says of a connection, without numbers and addresses, which are nothing for a caller."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno is not None:
            return os.strerror(cause.errno).lower()
        cause = cause.__cause__ or cause.__context__
    return "the connection broke"


def _validate(model: type[Model], body: bytes, source: InputFile) -> Model:
    """Parse the answer of a child, which a malicious file may control. Raises: ParseError."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise unusable(source.file_name, count_of(error.error_count(), "fault")) from error
