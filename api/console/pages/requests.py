"""Recent requests, and the flow run of each in the Prefect UI."""

from __future__ import annotations

import re
from typing import Final

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from api.console import parameters, prefect_ui, rendering
from api.console.endpoint import Page
from api.console.session import SignedInDep
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial import errors
from spatial.errors import NotFound
from storage.postgres import recent_requests

SECTION: Final = "/console/requests"
SHOWN: Final = 100

TAG: Final = re.compile(r"[\x21-\x7e]{1,128}")
"""Form of every request id."""

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get(SECTION)
@raises(errors.BillingUnavailable)
async def list_requests(
    signed_in: SignedInDep, dispatcher: DispatcherDep, account: str = "", request_id: str = "", failed: str = ""
) -> Response:
    """The latest requests that began to execute; a request that a check refused before is in the log alone."""
    wanted = request_id.strip()
    async with dispatcher.database.transaction() as connection:
        found = await recent_requests.list_recent(
            connection,
            count=SHOWN,
            account_id=account or None,
            request_id=wanted or None,
            only_failed=bool(failed),
        )
    return rendering.page(
        "requests.html",
        signed_in,
        section=SECTION,
        requests=found,
        shown=SHOWN,
        accounts=await parameters.list_accounts(dispatcher.database),
        account=account,
        request_id=wanted,
        failed=bool(failed),
        asks_for_auth=prefect_ui.asks_for_auth(dispatcher.settings),
    )


@router.get(f"{SECTION}/{{request_id}}/flow-run")
@raises(NotFound, errors.ConverterUnavailable)
async def flow_run(request_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """The flow run of a request, in the Prefect UI."""
    found = await dispatcher.find_flow_run(request_id) if TAG.fullmatch(request_id) else None
    if found is None:
        raise NotFound(
            "Prefect has no flow run of this request; wait if it has just begun, or see the log under its id if it is older than "
            "SPATIAL_PREFECT_RETENTION_DAYS"
        )
    address = prefect_ui.flow_run(dispatcher.settings, found)
    if address is None:
        raise NotFound("no Prefect server is set; set SPATIAL_PREFECT_API_URL or SPATIAL_PREFECT_UI_URL")
    return RedirectResponse(address, status_code=303)
