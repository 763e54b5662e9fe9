"""GET /api/health (spec: GET /api/health): public, 503 only when the service is down."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from api.endpoint import PublicEndpoint, raises
from api.probes import ProberDep
from spatial.contract.health import Health

router = APIRouter(route_class=PublicEndpoint, tags=["health"])


@router.get(
    "/api/health",
    summary="Whether the parts of the service answer",
    response_description="Some parts may be unavailable; requests can be served",
    operation_id="health",
    response_model=Health,
    responses={503: {"model": Health, "description": "The service is down"}},
)
@raises()
async def health(prober: ProberDep) -> Response:
    """Probes the datastore, the converter, the reasoning runtime, the desktop worker, object storage and the flow engine.

    `degraded` means that a part is unavailable and the others serve; `down` means that no request can be served.
    """
    verdict = await prober.health()
    return Response(
        verdict.model_dump_json(exclude_none=True),
        status_code=503 if verdict.status == "down" else 200,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
