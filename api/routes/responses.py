"""POST /api/v1/responses and /api/v1/responses/batch (spec: POST /api/v1/responses, POST /api/v1/responses/batch).

Checks follow INTERPRETATION 8: body size (a middleware), key and form of Idempotency-Key (dependencies, in the order of the signature),
then the order of the lines below: body (400, 422), replay or 409, subscription (402), scenes sent ahead (not in the spec), claim and
ceilings (429) in one transaction. In a batch, what concerns an item becomes the status of that item.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import faults, intake_responses, reasoning, replay, scene_references
from api.billed_operations import BilledRequest, OperationsDep
from api.dispatcher import DispatcherDep
from api.endpoint import Endpoint, raises, reads
from api.gates import billing, idempotency
from api.gates.idempotency import REPLAYABLE, IdempotencyKeyDep, IdempotentRequest
from api.gates.keys import Caller, CallerDep
from api.reasoning import Admission
from api.reasoning_batch import BatchRun
from api.reasoning_bodies import RefusedRequest
from api.request_bodies import SCHEMA, RequestBody, json_media
from api.scene_references import SceneAllowance
from spatial import errors
from spatial.contract import examples, limits
from spatial.contract.responses import ResponseBatch, ResponsesBatchRequest, ResponsesRequest, ResponsesResponse
from spatial.contract.routes import RESPONSES_BATCH_ROUTE, RESPONSES_ROUTE
from spatial.errors import PaymentRequired, Unavailable
from storage.postgres import operations as operation_rows
from storage.postgres.response_ceilings import PlanCeilings

router = APIRouter(route_class=Endpoint, tags=["reasoning"])

BODY: Final = RequestBody(
    (
        json_media(
            ResponsesRequest,
            points={"summary": "Point clouds by value", "value": examples.RESPONSES_REQUEST},
            ahead={
                "summary": "A scene sent ahead",
                "value": {
                    "input": {
                        "task_type": "understand",
                        "cad_scene": {"upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"},
                    }
                },
            },
        ),
    ),
    f"One task and its scene, the whole body of at most {limits.REQUEST_BODY_BYTES} bytes; larger scenes are sent ahead.",
)

BATCH_BODY: Final = RequestBody(
    (
        json_media(
            ResponsesBatchRequest,
            two={
                "summary": "Two tasks",
                "value": {
                    "requests": [
                        examples.RESPONSES_REQUEST,
                        {"input": {"task_type": "classify", "point_cloud_scene": examples.POINT_CLOUD_SCENE}},
                    ]
                },
            },
        ),
    ),
    f"1 to {limits.BATCH_ITEMS} requests, the whole body of at most {limits.REQUEST_BODY_BYTES} bytes.",
)

PARTLY: Final[dict[str, Any]] = {
    "description": "At least one item failed; every entry has its own status.",
    "content": {
        "application/json": {
            "schema": {"$ref": SCHEMA.format(model=ResponseBatch.__name__)},
            "examples": {"mixed": {"value": examples.RESPONSE_BATCH}},
        }
    },
    **REPLAYABLE,
}


@router.post(
    RESPONSES_ROUTE,
    summary="One spatial reasoning task over a scene",
    response_description="The answer",
    operation_id="respond",
    response_model=ResponsesResponse,
    responses={200: REPLAYABLE},
)
@reads(BODY)
@raises(
    errors.PaymentRequired,
    errors.InputRejected,
    errors.RateLimitExceeded,
    errors.DesktopInferenceUnavailable,
    errors.UsageFinalizationUnavailable,
    errors.ConverterUnavailable,
)
async def respond(
    request: Request,
    caller: CallerDep,
    key: IdempotencyKeyDep,
    dispatcher: DispatcherDep,
    operations: OperationsDep,
) -> Response:
    """Send a `task_type` and a `cad_scene` (a document of an extraction, best with target_contract `both`), a `point_cloud_scene`, or both.

    The request waits up to 18 s for a desktop worker. A caller's `request_id` is echoed, also as X-Request-ID. A scene that is too
    large for a request is sent ahead by POST /api/v1/uploads and named as `{"upload_id": …}` in place of the scene.
    """
    sent = await intake_responses.read_json(request)
    deadline = _deadline()
    parsed, fingerprint = await intake_responses.read_request(request, sent, is_idempotent=key is not None)
    if isinstance(parsed, RefusedRequest):
        raise parsed.error
    idempotent = _idempotent(RESPONSES_ROUTE, key, fingerprint)
    if idempotent is not None and (stored := await idempotency.find_stored(dispatcher, caller, idempotent)) is not None:
        return await replay.replay_metered(request, dispatcher, stored)
    plan = await billing.require_subscription(dispatcher, caller.account_id)
    allowance = SceneAllowance(len(parsed.references) * dispatcher.settings.file_limit_bytes)
    content = await scene_references.fill_in(dispatcher, caller.account_id, parsed, allowance)
    billed = _billed(request, caller, RESPONSES_ROUTE, idempotent, parsed.size)
    admission = Admission(caller.account_id, PlanCeilings.of(dispatcher.settings, plan))
    job = reasoning.job_of(billed, parsed.task)
    body = await operations.run(
        billed, lambda: reasoning.answer(dispatcher, billed, job, content, deadline, admission), admission
    )
    return Response(body, media_type="application/json")


@router.post(
    RESPONSES_BATCH_ROUTE,
    summary="Up to 32 spatial reasoning tasks at the same time",
    response_description="Every item succeeded",
    operation_id="respond_to_batch",
    response_model=ResponseBatch,
    responses={200: REPLAYABLE, 207: PARTLY},
)
@reads(BATCH_BODY)
@raises()
async def respond_to_batch(
    request: Request,
    caller: CallerDep,
    key: IdempotencyKeyDep,
    dispatcher: DispatcherDep,
    operations: OperationsDep,
) -> Response:
    """The items run at the same time, each for at most 18 s from the submission, and are answered in the order of the requests.

    An item that fails fails alone: its entry has its status (400, 402, 422, 429 or 503) and its error, and the batch is a 207.
    Each item that succeeds is charged as a request of its own. A batch with an item that is 429 or 503 is not stored; the same
    Idempotency-Key runs those items again, and the others keep their answers, at no further charge.
    """
    sent = await intake_responses.read_json(request)
    deadline = _deadline()
    items, fingerprint = await intake_responses.read_batch(sent, is_idempotent=key is not None)
    idempotent = _idempotent(RESPONSES_BATCH_ROUTE, key, fingerprint)
    if idempotent is not None and (stored := await idempotency.find_stored(dispatcher, caller, idempotent)) is not None:
        return await replay.replay_batch(request, dispatcher, stored)
    run = BatchRun(dispatcher, _billed(request, caller, RESPONSES_BATCH_ROUTE, idempotent), items, deadline)
    try:
        plan = await billing.require_subscription(dispatcher, caller.account_id)
        await run.take_over_settled()
    except (PaymentRequired, Unavailable) as refusal:
        run.fail_rest(refusal)
    else:
        await run.fill_in_scenes()
        await run.run(operations, PlanCeilings.of(dispatcher.settings, plan))
    return Response(run.answer.body, status_code=run.answer.status, media_type="application/json")


def _deadline() -> float:
    """When the wait of a request that is submitted now ends, by the event loop's clock."""
    return asyncio.get_running_loop().time() + limits.DESKTOP_WAIT_SECONDS


def _idempotent(route: str, key: str | None, fingerprint: str | None) -> IdempotentRequest | None:
    return IdempotentRequest(route, key, fingerprint) if key is not None and fingerprint is not None else None


def _billed(
    request: Request, caller: Caller, route: str, idempotent: IdempotentRequest | None, input_bytes: int = 0
) -> BilledRequest:
    return BilledRequest(
        operation_id=operation_rows.new_id(),
        request_id=faults.id_of(request.scope),
        caller=caller,
        route=route,
        idempotent=idempotent,
        input_bytes=input_bytes,
    )
