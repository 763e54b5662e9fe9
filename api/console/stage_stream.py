"""An extraction whose stages are told while they run, as server-sent events (WHATWG HTML section 9.2).

    event: stage    {"stage": "convert", "event": "began" | "ok" | "refused" | "failed", "ms": since the extraction began}
    event: done     {"extraction": its id}
    event: error    the Error body of the API

What is refused before a stage has begun is answered with its own status instead.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api import faults
from api.billed_operations import BilledOperations
from flows.dispatch import OnStage
from spatial.errors import InternalError, SpatialError

Event = tuple[str, Any]
"""Name and data of an event; the data of `error` is the error itself."""


async def stream_stages(
    request: Request, operations: BilledOperations, extract: Callable[[OnStage], Awaitable[Response]]
) -> Response:
    """Run the extraction to its end, even if the browser leaves, and stream what happens. Raises: what it raises before its first stage."""
    events: asyncio.Queue[Event] = asyncio.Queue()
    loop, began = asyncio.get_running_loop(), time.perf_counter()

    def on_stage(stage: str, event: str) -> None:
        milliseconds = round(1000 * (time.perf_counter() - began))
        loop.call_soon_threadsafe(events.put_nowait, ("stage", {"stage": stage, "event": event, "ms": milliseconds}))

    async def run() -> None:
        try:
            await extract(on_stage)
        except SpatialError as error:
            events.put_nowait(("error", error))
        except BaseException:
            events.put_nowait(("error", InternalError("the operation failed; send the request again")))
            raise
        else:
            events.put_nowait(("done", {"extraction": faults.id_of(request.scope)}))

    operations.run_in_background(run())
    first = await events.get()
    if isinstance(first[1], SpatialError):
        raise first[1]
    return StreamingResponse(_lines(first, events, faults.id_of(request.scope)), media_type="text/event-stream")


async def _lines(first: Event, events: asyncio.Queue[Event], request_id: str) -> AsyncIterator[bytes]:
    """Every event up to `done` or `error`, which is the last."""
    name, data = first
    yield _line(name, data, request_id)
    while name == "stage":
        name, data = await events.get()
        yield _line(name, data, request_id)


def _line(name: str, data: Any, request_id: str) -> bytes:
    body = faults.body(data, request_id) if isinstance(data, SpatialError) else json.dumps(data).encode()
    return b"event: %s\ndata: %s\n\n" % (name.encode(), body)
