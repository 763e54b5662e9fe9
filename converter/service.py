"""The converter as a service: an ASGI application on a Unix socket, or on TCP.

    python -m converter.service --socket PATH
    python -m converter.service --host 127.0.0.1 --port 9200

Its arguments are its only settings; it reads no environment variables. Files are sent as raw bodies and staged in unnamed files, so
that waiting calls use no memory. If a client disconnects, its call is cancelled.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import logging
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar, cast

import uvicorn
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from converter import http_server, listening
from converter.calls import CallsMiddleware, CallStatus
from converter.documents import Packed
from converter.format_table import FORMATS
from converter.phases import PhaseResponse, Tell
from converter.pool import HandleGone, Pool, PoolSettings
from converter.staging import staged, write
from converter.wire import (
    GONE,
    HANDLE_PATTERN,
    KEEP_ALIVE_SECONDS,
    MESH_TYPE,
    RELOAD_SECONDS,
    REQUEST_ID,
    START_SECONDS,
    DocumentPlan,
    InputFile,
)
from sandbox.forkserver_client import StartError
from spatial import logs
from spatial.contract import limits
from spatial.contract.field_errors import sentence
from spatial.errors import SMALLER, InternalError, InvalidRequest, RequestTooLarge, SpatialError
from spatial.models.sampling_plan import SamplingPlan
from spatial.restarts import crowding

REQUEST_ID_FORM = re.compile(r"[\x21-\x7e]{1,128}")

PLAN_BYTES = 65_536
"""Maximum size of a plan."""

T = TypeVar("T")
Plan = TypeVar("Plan", bound=BaseModel)
log = logging.getLogger("converter")


class CallerGone(Exception):
    """The client closed its connection during its call."""


def create_app(pool: Pool, *, file_bytes: int = limits.FILE_BYTES, start_seconds: float = 0.0) -> Starlette:
    """The routes over one pool; the caller starts and closes the pool. start_seconds: what the start took of a processor."""

    async def read(request: Request) -> Response:
        handle, source = _handle(request), _source_file(request)
        async with staged() as file:
            await _receive(request, file, file_bytes)
            return _json(await _while_connected(request, pool.read(handle, source, file)))

    async def interpret(request: Request) -> Response:
        await request.body()
        return _json(await _while_connected(request, pool.interpret(_handle(request))))

    async def sample(request: Request) -> Response:
        plan = await _plan(SamplingPlan, request)
        return _json(await _while_connected(request, pool.sample(_handle(request), plan)))

    async def assemble(request: Request) -> Response:
        plan = await _plan(DocumentPlan, request)
        call = pool.assemble(_handle(request), plan, is_last=_is_set(request, "last"))
        return Response(b"".join((await _while_connected(request, call)).parts))

    async def extract(request: Request) -> Response:
        convert = partial(_extract, request, pool, file_bytes)
        return cast(Response, PhaseResponse(convert, (CallerGone, ClientDisconnect)))

    async def mesh(request: Request) -> Response:
        source = _source_file(request)
        async with staged() as file:
            await _receive(request, file, file_bytes)
            body = await _while_connected(request, pool.mesh(source, file))
        return Response(body, media_type=MESH_TYPE)

    async def release(request: Request) -> Response:
        pool.release(_handle(request))
        return Response(status_code=204)

    under_way = set[str]()

    async def call(request: Request) -> Response:
        return JSONResponse(CallStatus(under_way=request.path_params["id"] in under_way).model_dump())

    async def health(_: Request) -> Response:
        return JSONResponse(pool.health().model_dump(mode="json"))

    return Starlette(
        routes=[
            Route("/read", read, methods=["POST"]),
            Route("/interpret", interpret, methods=["POST"]),
            Route("/sample", sample, methods=["POST"]),
            Route("/assemble", assemble, methods=["POST"]),
            Route("/release", release, methods=["POST"]),
            Route("/phases", extract, methods=["POST"]),
            Route("/mesh", mesh, methods=["POST"]),
            Route("/calls/{id}", call, methods=["GET"]),
            Route("/health", health, methods=["GET"]),
        ],
        exception_handlers={
            SpatialError: _answer_error,
            HandleGone: _answer_gone,
            CallerGone: _answer_disconnected,
            ClientDisconnect: _answer_disconnected,
            Exception: _answer_internal_error,
        },
        middleware=[
            Middleware(_StartMiddleware, seconds=start_seconds, reloads=lambda: pool.server.restarting.seconds_left),
            Middleware(_RequestIdMiddleware),
            Middleware(CallsMiddleware, under_way=under_way),
        ],
    )


class _RequestIdMiddleware:
    """ASGI middleware: adds the request id that the caller sends to the log lines of a call."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = Headers(scope=scope).get(REQUEST_ID, "") if scope["type"] == "http" else ""
        with logs.about(request_id=request_id if REQUEST_ID_FORM.fullmatch(request_id) else None):
            await self._app(scope, receive, send)


class _StartMiddleware:
    """ASGI middleware: each answer says how long a start would take on this machine as it is now, and how long no file is read still."""

    def __init__(self, app: ASGIApp, seconds: float, reloads: Callable[[], float]) -> None:
        self._app = app
        self._seconds = seconds
        self._reloads = reloads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers[START_SECONDS] = f"{self._seconds * crowding():.3f}"
                if (left := self._reloads()) > 0:
                    headers[RELOAD_SECONDS] = f"{left:.3f}"
            await send(message)

        await self._app(scope, receive, answer)


def _handle(request: Request) -> str:
    handle = request.query_params.get("handle", "")
    if not re.fullmatch(HANDLE_PATTERN, handle):
        raise InvalidRequest(
            "handle is missing or malformed; send the one that the read was given", details={"field": "handle"}
        )
    return handle


def _is_set(request: Request, flag: str) -> bool:
    return request.query_params.get(flag, "").lower() == "true"


def _source_file(request: Request) -> InputFile:
    try:
        asked = request.query_params
        return InputFile(
            file_name=asked["file_name"],
            format=asked["format"],
            edges=_is_set(request, "edges"),
            account=asked.get("account", ""),
            bulk=_is_set(request, "bulk"),
        )
    except KeyError as error:
        raise InvalidRequest(
            f"{error.args[0]} is missing; send it in the query", details={"field": error.args[0]}
        ) from error


async def _plan(kind: type[Plan], request: Request) -> Plan:
    with tempfile.SpooledTemporaryFile(PLAN_BYTES) as file:
        await _receive(request, file, PLAN_BYTES)
        file.seek(0)
        return _parse_plan(kind, file.read() or b"{}")


def _parse_plan(kind: type[Plan], text: bytes) -> Plan:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise InvalidRequest(f"the plan is malformed: {sentence(error.errors()[0])}; correct it") from error


async def _extract(request: Request, pool: Pool, file_bytes: int, tell: Tell) -> Packed:
    """The document of the file that a request brings. tell: as `Pool.extract`."""
    source = _source_file(request)
    plan = _parse_plan(DocumentPlan, request.query_params.get("plan", "{}").encode())
    async with staged() as file:
        await _receive(request, file, file_bytes)
        return await _while_connected(request, pool.extract(source, file, plan, tell))


async def _receive(request: Request, file: Any, limit: int) -> None:
    """Write the body to a file, at most `limit` bytes. Raises: RequestTooLarge."""
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
        if received > limit:
            raise RequestTooLarge(
                f"the file has more than {limit} bytes; {SMALLER}",
                details={"limit_bytes": limit},
            )
        write(file, chunk)
    file.seek(0)


async def _while_connected(request: Request, call: Coroutine[Any, Any, T]) -> T:
    """Await a call, which is cancelled if the client disconnects. Raises: CallerGone."""
    calling = asyncio.ensure_future(call)
    disconnecting = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({calling, disconnecting}, return_when=asyncio.FIRST_COMPLETED)
        if not calling.done():
            raise CallerGone
        return calling.result()
    finally:
        for task in (calling, disconnecting):
            task.cancel()
        await asyncio.gather(calling, disconnecting, return_exceptions=True)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def _answer_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, SpatialError)
    # The rest of a refused body is not read, so the connection cannot be reused.
    headers = {"Connection": "close"} if isinstance(error, RequestTooLarge) else {}
    return JSONResponse(error.to_wire(), status_code=error.status, headers=headers)


async def _answer_gone(_: Request, __: Exception) -> Response:
    return Response(status_code=GONE)


async def _answer_disconnected(_: Request, __: Exception) -> Response:
    return Response(status_code=499)


async def _answer_internal_error(_: Request, error: Exception) -> Response:
    return JSONResponse(InternalError("the converter failed; see its log").to_wire(), status_code=500)


class _Server(http_server.Server):
    """A server that refuses waiting calls and ends all children when it stops."""

    def __init__(self, config: uvicorn.Config, pool: Pool) -> None:
        super().__init__(config)
        self._pool = pool

    async def shutdown(self, sockets: Any = None) -> None:
        log.info("stopping")
        self._pool.drain()
        await super().shutdown(sockets)
        await self._pool.close()


def settings_of(arguments: argparse.Namespace) -> PoolSettings:
    """Fewer workers than processors leave the others to somebody else, so that no further child takes them."""
    names = {field.name for field in dataclasses.fields(PoolSettings)}
    chosen = {name: value for name, value in vars(arguments).items() if name in names}
    workers = arguments.workers or arguments.processors + 1
    return PoolSettings(**{**chosen, "workers": workers, "processors": min(workers, arguments.processors)})


async def serve(arguments: argparse.Namespace) -> None:
    """Serve until SIGTERM or SIGINT. Raises: StartError, listening.AddressInUse."""
    settings = settings_of(arguments)
    with listening.bind(arguments) as listener:
        pool = Pool(settings, table=arguments.formats)
        await pool.start()
        config = uvicorn.Config(
            create_app(
                pool, file_bytes=arguments.file_bytes, start_seconds=time.process_time() + pool.server.restarting.took
            ),
            lifespan="off",
            log_config=None,
            access_log=False,
            ws="none",
            server_header=False,
            date_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=int(settings.deadline + limits.CONVERTER_DRAIN_SECONDS),
        )
        # uvicorn raises the signal that stopped it again at its end; these handlers ignore it.
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, lambda: None)
        await _Server(config, pool).serve([listener])


def parser() -> argparse.ArgumentParser:
    """Parser of the arguments, which are the only settings."""
    defaults = PoolSettings()
    argument_parser = argparse.ArgumentParser(
        prog="python -m converter.service", description="Reads CAD files, each in a process."
    )
    argument_parser.add_argument("--socket", help="Path of the Unix socket to listen on.")
    argument_parser.add_argument(
        "--socket-mode",
        default="600",
        choices=["600", "660"],
        help="Mode of the socket, which decides who may connect (octal).",
    )
    argument_parser.add_argument("--host", default="127.0.0.1", help="Address to listen on, if no socket is given.")
    argument_parser.add_argument("--port", type=int, help="TCP port to listen on.")
    argument_parser.add_argument(
        "--deadline", type=float, default=defaults.deadline, help="Seconds that a call may take."
    )
    argument_parser.add_argument(
        "--memory", type=int, default=defaults.memory, help="Bytes of memory that a file may take."
    )
    argument_parser.add_argument(
        "--processors", type=int, default=defaults.processors, help="Processors that it may use."
    )
    argument_parser.add_argument(
        "--workers", type=int, help="Calls that run at the same time (default: one more than processors)."
    )
    argument_parser.add_argument("--queue", type=int, default=defaults.queue, help="Calls that may wait.")
    argument_parser.add_argument(
        "--keep", type=int, default=defaults.keep, help="Files that are kept for further calls."
    )
    argument_parser.add_argument(
        "--keep-seconds", type=float, default=defaults.keep_seconds, help="Seconds for which they are kept."
    )
    argument_parser.add_argument(
        "--keep-memory", type=int, default=defaults.keep_memory, help="Bytes that they may hold together."
    )
    argument_parser.add_argument("--file-bytes", type=int, default=limits.FILE_BYTES, help="Bytes of the largest file.")
    argument_parser.add_argument(
        "--log-format", default="json", choices=["json", "text"], help="Form of the log lines."
    )
    argument_parser.add_argument("--formats", default=FORMATS, help="Module of the formats table.")
    return argument_parser


def main(argv: list[str] | None = None) -> int:
    """Run the service."""
    arguments = parser().parse_args(argv)
    logs.configure(arguments.log_format)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        asyncio.run(serve(arguments))
    except (StartError, listening.AddressInUse) as error:
        print(f"converter: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
