"""Addresses below /console that do not exist."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api import faults
from api.console.endpoint import PublicPage
from api.endpoint import raises
from spatial.errors import NotFound

router = APIRouter(route_class=PublicPage, include_in_schema=False)


@router.get("/console/{path:path}")
@raises(NotFound)
async def nothing(path: str, request: Request) -> Response:
    """A page that says so; the overview has one address, without a slash."""
    if not path:
        return RedirectResponse("/console", status_code=308)
    raise NotFound(f"there is no page {request.url.path[: faults.PATH_CHARACTERS]}; choose one from the overview")
