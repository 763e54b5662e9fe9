"""Routes of the desktop workers (not in the spec): they only dial out, and this is all that they can reach.

GET  /api/v1/desktop/wait                long poll: a task may wait
GET  /api/v1/desktop/tasks/{id}/input    the scene of a task, until the task expires
PUT  /api/v1/desktop/tasks/{id}/result   its result, until the task expires
*    /api/v1/desktop/prefect/{path}      those requests to the Prefect server that a worker of the pool makes (PREFECT)
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from api.dispatcher import DispatcherDep
from api.endpoint import Endpoint, raises
from api.gates.body_size import BODY_SECONDS, Allowance
from api.gates.desktop_token import DesktopDep
from api.parser_thread import run_in_parser
from api.server import ending_of
from flows.dispatch import DEADLINE_HEADER, DESKTOP_ROUTE, TaskResult
from prefect_runtime.lost_connections import ROUTE as CALLS_ROUTE
from prefect_runtime.records import ROUTE as RECORDS_ROUTE
from spatial import errors
from spatial.errors import InvalidRequest, NotFound
from storage.postgres import desktop_tasks

RESULT_BYTES: Final = 33_554_432
"""Largest result of a task."""

LONGEST_WAIT_SECONDS: Final = 30.0

ID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

PREFECT: Final = tuple(
    (method, re.compile(path))
    for method, path in (
        ("GET", r"health|admin/(version|storage)"),
        ("POST", r"worker_polls/desktop-inference"),
        ("GET", r"work_pools/desktop-inference"),
        ("POST", r"work_pools/desktop-inference/(get_scheduled_flow_runs|workers/heartbeat|queues/filter)"),
        ("DELETE", r"work_pools/desktop-inference/workers/[^/]+"),
        ("GET", rf"(flow_runs|deployments|flows|work_queues)/{ID}"),
        ("POST", rf"flow_runs/{ID}/set_state"),
        ("PATCH", rf"flow_runs/{ID}(/labels)?"),
        ("POST", r"flow_runs/filter"),
        ("POST", r"logs/|events"),
    )
)
"""Method and path of the requests that a warm worker and its flow runs make; no other request is forwarded."""

ASKED: Final = re.compile(rf"{RECORDS_ROUTE}|{CALLS_ROUTE}/[\w-]+")
"""A worker asks the first before it records a run, and the second while a request waits. It is told that there is no such route: it then
records by the requests above, and goes on waiting."""

log = logging.getLogger(__name__)

router = APIRouter(route_class=Endpoint, include_in_schema=False)


def allowance() -> Allowance:
    """The bodies of results."""
    return Allowance(RESULT_BYTES, BODY_SECONDS, "PUT", re.compile(f"{DESKTOP_ROUTE}/tasks/[^/]+/result"), is_file=True)


@router.get(f"{DESKTOP_ROUTE}/wait")
@raises()
async def wait(
    request: Request,
    _: DesktopDep,
    dispatcher: DispatcherDep,
    seconds: Annotated[float, Query(ge=0, le=LONGEST_WAIT_SECONDS)] = 20.0,
) -> Response:
    """Answers when a task may wait for a worker, after `seconds`, or when the server shuts down."""
    waiting = asyncio.create_task(dispatcher.wait_for_desktop_task(seconds))
    ending = asyncio.create_task(ending_of(request.scope).wait())
    try:
        await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            waiting.result()
    finally:
        waiting.cancel()
        ending.cancel()
    return Response(status_code=204)


@router.get(f"{DESKTOP_ROUTE}/tasks/{{task_id}}/input")
@raises(NotFound)
async def read_input(_: DesktopDep, task_id: str, dispatcher: DispatcherDep) -> Response:
    """The `input` of the request, as JSON, and the seconds that are left."""
    async with dispatcher.database.transaction() as connection:
        taken = await desktop_tasks.take(connection, task_id)
    if taken is None:
        raise _ended()
    content, seconds = taken
    return Response(content, media_type="application/json", headers={DEADLINE_HEADER: f"{seconds:.3f}"})


@router.put(f"{DESKTOP_ROUTE}/tasks/{{task_id}}/result")
@raises(NotFound, InvalidRequest)
async def write_result(request: Request, _: DesktopDep, task_id: str, dispatcher: DispatcherDep) -> Response:
    """The result of a task: the output and where it came from, or an error."""
    outcome, output = await run_in_parser(_parse, await request.body())
    async with dispatcher.database.transaction() as connection:
        if not await desktop_tasks.end(connection, task_id, outcome, output):
            raise _ended()
    return Response(status_code=204)


@router.api_route(f"{DESKTOP_ROUTE}/prefect/{{path:path}}", methods=["GET", "POST", "PATCH", "DELETE"])
@raises(NotFound, errors.DesktopInferenceUnavailable)
async def forward(request: Request, _: DesktopDep, path: str, dispatcher: DispatcherDep) -> Response:
    """A request to the Prefect server."""
    if request.method == "GET" and ASKED.fullmatch(path):
        raise NotFound("the service has no route for this question; record the run by the other requests")
    if not any(method == request.method and pattern.fullmatch(path) for method, pattern in PREFECT):
        log.warning("%s %s is not among the requests of desktop workers and is not forwarded", request.method, path)
        raise NotFound(
            f"a desktop worker may not send {request.method} {path} to the Prefect server; update it to the version of the service"
        )
    status, body = await dispatcher.forward_to_prefect(request.method, path, request.url.query, await request.body())
    return Response(body, status_code=status, media_type="application/json")


def _parse(body: bytes) -> tuple[dict[str, object], bytes | None]:
    """Outcome and output of a result. Raises: InvalidRequest."""
    try:
        result = TaskResult.model_validate_json(body)
    except ValidationError as error:
        raise InvalidRequest(
            f"the result is malformed: {error.errors()[0]['msg']}; update the desktop worker"
        ) from error
    if result.solved is None:
        return {"error": result.error or {}}, None
    solved = result.solved
    router = {
        "runtime": solved.runtime,
        "solver": solved.solver,
        "worker": result.worker,
        "solve_ms": round(solved.solve_ms, 1),
    }
    return {"router": router}, json.dumps(solved.output, ensure_ascii=False).encode()


def _ended() -> NotFound:
    return NotFound("no request waits for this task; drop it, because it was answered or its time was over")
