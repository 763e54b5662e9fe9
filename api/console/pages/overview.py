"""The first page: whether the service is well, what waits, what was asked last."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from api.console import rendering
from api.console.endpoint import Page
from api.console.session import SignedInDep
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from api.probes import ProberDep
from spatial import errors
from storage.postgres import batch_list, recent_requests
from storage.tables import ingest

router = APIRouter(route_class=Page, include_in_schema=False)

SHOWN = 8
"""Rows of each list."""


@router.get("/console")
@raises(errors.BillingUnavailable)
async def overview(signed_in: SignedInDep, dispatcher: DispatcherDep, prober: ProberDep) -> Response:
    """The overview."""
    async with dispatcher.database.transaction() as connection:
        requests = await recent_requests.list_recent(connection, count=SHOWN)
        batches = await batch_list.list_batches(connection, count=SHOWN)
    return rendering.page(
        "overview.html",
        signed_in,
        section="/console",
        health=await prober.health(),
        requests=requests,
        batches=batches,
        runs=await ingest.list_runs(dispatcher.database, count=SHOWN),
    )
