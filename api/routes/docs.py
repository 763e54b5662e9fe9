"""The interface description and two pages that show it, Swagger UI and Redoc, without a single address outside this service.

The pages' bundles come from the `fastapi-offline` package. A content security policy forbids the browser to contact any
other host, should a bundle try: Redoc shows a logo from its vendor's CDN, Swagger UI a badge of an online validator.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Final

from fastapi import APIRouter
from fastapi.openapi.docs import get_redoc_html, get_swagger_ui_html
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api import openapi
from api.endpoint import PublicEndpoint, raises
from spatial.errors import NotFound

router = APIRouter(route_class=PublicEndpoint, include_in_schema=False)

ASSETS: Final = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "redoc.standalone.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
"""The files that the pages load, with their media types: files of `fastapi_offline/static`, and the icon below."""

ICON: Final = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" stroke="#fff" stroke-linejoin="round">
<path fill="#4f8fd9" d="M16 3 28 9.5 16 16 4 9.5z"/><path fill="#2b66ad" d="M4 9.5 16 16v13L4 22.5z"/>
<path fill="#1d4a80" d="M28 9.5 16 16v13l12-6.5z"/></svg>
"""

EXTERNAL_ADDRESSES: Final = {
    b"https://cdn.redoc.ly/redoc/logo-mini.svg": b"/docs/assets/icon.svg",
    b"https://validator.swagger.io/validator": b"/docs/assets/validator",
}
"""Addresses in the bundles that a browser would contact, and their replacements."""

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


@router.get("/")
@raises()
async def home() -> Response:
    """Redirect a browser at the bare address to the documentation."""
    return RedirectResponse("/docs")


@router.get("/openapi.json")
@raises()
async def interface_description(request: Request) -> Response:
    """The interface description."""
    app = request.app
    if not hasattr(app.state, "openapi"):
        app.state.openapi = json.dumps(openapi.document(app), ensure_ascii=False).encode()
    return Response(app.state.openapi, media_type="application/json")


@router.get("/docs")
@raises()
async def swagger_ui() -> Response:
    """Swagger UI: read and try the interface."""
    page = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title=openapi.TITLE,
        swagger_js_url="/docs/assets/swagger-ui-bundle.js",
        swagger_css_url="/docs/assets/swagger-ui.css",
        swagger_favicon_url="/docs/assets/icon.svg",
        swagger_ui_parameters={"validatorUrl": None, "persistAuthorization": True, "tryItOutEnabled": True},
    )
    page.headers["Content-Security-Policy"] = POLICY
    return page


@router.get("/redoc")
@raises()
async def redoc() -> Response:
    """Redoc: read the interface."""
    page = get_redoc_html(
        openapi_url="/openapi.json",
        title=openapi.TITLE,
        redoc_js_url="/docs/assets/redoc.standalone.js",
        redoc_favicon_url="/docs/assets/icon.svg",
        with_google_fonts=False,
    )
    page.headers["Content-Security-Policy"] = POLICY
    return page


@router.get("/docs/assets/{name}")
@raises(NotFound)
async def asset(name: str) -> Response:
    """One file that a page loads."""
    if name not in ASSETS:
        raise NotFound(f"there is nothing at /docs/assets/{name}; see /docs")
    return Response(_content(name), media_type=ASSETS[name], headers={"Cache-Control": "public, max-age=3600"})


@lru_cache
def _content(name: str) -> bytes:
    if name == "icon.svg":
        return ICON
    content = (resources.files("fastapi_offline") / "static" / name).read_bytes()
    for address, replacement in EXTERNAL_ADDRESSES.items():
        content = content.replace(address, replacement)
    return content
