"""GET /api/v1/models (spec: GET /api/v1/models): public, never billed, and answers without the database."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from api.dispatcher import DispatcherDep
from api.endpoint import PublicEndpoint, raises
from spatial.contract.models import ModelList, reasoner_card
from storage.postgres.response_ceilings import PlanCeilings
from storage.postgres.subscriptions import PAYING
from storage.settings import Settings

router = APIRouter(route_class=PublicEndpoint, tags=["models"])


@router.get(
    "/api/v1/models",
    summary="The models, what they take and what they cost",
    response_description="The list",
    operation_id="list_models",
    response_model=ModelList,
)
@raises()
async def models(dispatcher: DispatcherDep) -> Response:
    """Each card carries pricing, supported tasks and input modalities; the list says whether one of them can take a request now."""
    runtime = await dispatcher.runtime_status()
    listed = ModelList(
        data=[reasoner_card(_pricing(dispatcher.settings), _plans(dispatcher.settings))],
        runtime_configured=runtime.configured,
        runtime_available=runtime.available,
        runtime_status=runtime.status,
        upstream_status=runtime.upstream_status,
    )
    return Response(listed.model_dump_json(exclude_none=True), media_type="application/json")


def _pricing(settings: Settings) -> dict[str, object]:
    return {
        "currency": "USD",
        "unit": "million spatial tokens",
        "input_usd_per_million": settings.price_input_usd_per_million,
        "output_usd_per_million": settings.price_output_usd_per_million,
    }


def _plans(settings: Settings) -> dict[str, object]:
    """Requests that an account may send, by the state of its subscription."""
    ceilings = {plan: PlanCeilings.of(settings, plan) for plan in sorted(PAYING)}
    return {
        plan: {"per_minute": found.per_minute, "per_billing_period": found.per_period}
        for plan, found in ceilings.items()
    }
