"""GET /api/health (spec: GET /api/health): public, 503 only when the service is down."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import faults, openapi
from api.probes import Prober
from spatial import errors
from spatial.contract.health import Health

router = APIRouter()


@router.get(
    "/api/health",
    summary="Whether the parts of the service answer",
    response_description="Some parts may be unavailable; requests can be served",
    operation_id="health",
    tags=["health"],
    response_model=Health,
    responses={
        **faults.responses(errors.RequestTooLarge, errors.InternalError),
        503: {"model": Health, "description": "The service is down"},
    },
    openapi_extra=openapi.PUBLIC,
)
async def health(request: Request) -> Response:
    """Asks the datastore, the converter, the reasoning runtime, the desktop worker, object storage and the flow engine.

    `degraded` means that some part is unavailable and the others serve; `down`, that no request can be served.
    """
    prober: Prober = request.app.state.prober
    verdict = await prober.health()
    return Response(
        verdict.model_dump_json(exclude_none=True),
        status_code=503 if verdict.status == "down" else 200,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
