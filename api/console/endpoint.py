"""Routes of the console: pages whose errors are pages too, calls of its scripts whose errors are JSON, and the headers of both."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar
from urllib.parse import quote

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api import faults
from api.console import rendering, security
from api.endpoint import Endpoint
from spatial.errors import AuthenticationFailed, SpatialError

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

SIGN_IN: str = "/console/sign-in"


class Call(Endpoint):
    """A route for scripts of the console; its errors are those of the API."""

    def get_route_handler(self) -> Handler:
        """The framework's handler, with the console's headers."""
        handle = super().get_route_handler()

        async def handle_with_headers(request: Request) -> Response:
            response = await self.respond(handle, request)
            for name, value in security.HEADERS.items():
                response.headers.setdefault(name, value)
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return handle_with_headers

    async def respond(self, handle: Handler, request: Request) -> Response:
        """The response of the handler, or of the error that it raised."""
        try:
            return await handle(request)
        except SpatialError as error:
            return faults.response(error, faults.id_of(request.scope))
        except RequestValidationError as error:
            return faults.response(faults.invalid(error.errors()), faults.id_of(request.scope))


class Page(Call):
    """A route for browsers: an error is a page, and who is not signed in is sent to the sign-in."""

    async def respond(self, handle: Handler, request: Request) -> Response:
        """The response of the handler, or the page of the error that it raised."""
        try:
            return await handle(request)
        except AuthenticationFailed:
            return RedirectResponse(f"{SIGN_IN}?next={quote(_return_path(request))}", status_code=303)
        except SpatialError as error:
            return _error_page(error, request)
        except RequestValidationError as error:
            return _error_page(faults.invalid(error.errors()), request)


class PublicPage(Page):
    """A page for anyone."""

    is_public: ClassVar[bool] = True


def _return_path(request: Request) -> str:
    """Where the browser goes after the sign-in: where it wanted to go, or to the overview after a form."""
    if request.method != "GET":
        return "/console"
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _error_page(error: SpatialError, request: Request) -> Response:
    response = rendering.page(
        "error.html", None, status=error.status, message=error.message, request_id=faults.id_of(request.scope)
    )
    response.headers.update(faults.headers(error))
    return response
