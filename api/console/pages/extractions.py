"""Documents of the last 24 hours, as they were answered."""

from __future__ import annotations

import re

from fastapi import APIRouter
from starlette.responses import Response

from api import stored_extractions
from api.console.endpoint import Page
from api.console.session import SignedInDep
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial import errors

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get("/console/extractions/{account_id}/{extraction_id}")
@raises(errors.NotFound, errors.ConverterUnavailable)
async def read(account_id: str, extraction_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """The JSON of a document."""
    stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    body = await stored_extractions.read_stored(dispatcher, stored)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", stored.file_name or "document")[:100]
    return Response(
        body, media_type="application/json", headers={"Content-Disposition": f'inline; filename="{stem}.json"'}
    )
