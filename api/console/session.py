"""The session of a request: who signed in, and the forms that they send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, cast
from urllib.parse import parse_qsl

from fastapi import Depends, Security
from fastapi.openapi.models import APIKey, APIKeyIn
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from api.console import security
from api.console.client_address import client_address
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial.errors import AuthenticationFailed, BillingUnavailable, InvalidRequest, RequestTooLarge
from storage.postgres import console_sessions
from storage.postgres.operators import SignIn

COOKIE: Final = "spatial_console"

PATH: Final = "/console"

TOKEN_FIELD: Final = "token"  # noqa: S105  # the name of a field
TOKEN_HEADER: Final = "X-Console-Token"  # noqa: S105  # the name of a header

FORM_BYTES: Final = 65_536
"""Largest form of the console."""

FORM_FIELDS: Final = 32


class SessionCookie(SecurityBase):
    """The security scheme of the console's pages: the cookie of a session."""

    def __init__(self) -> None:
        self.model = APIKey.model_validate({"in": APIKeyIn.cookie, "name": COOKIE})
        self.scheme_name = "consoleSession"

    async def __call__(self, request: HTTPConnection) -> str:
        """The value of the cookie; empty where there is none."""
        return request.cookies.get(COOKIE, "")


@dataclass(frozen=True)
class SignedIn:
    """The operator who sent a request."""

    operator_id: str
    name: str
    cookie: str

    @property
    def token(self) -> str:
        """What forms of this session carry."""
        return security.token_of(self.cookie)


@raises(AuthenticationFailed, BillingUnavailable)
async def authenticate(dispatcher: DispatcherDep, cookie: Annotated[str, Security(SessionCookie())]) -> SignedIn:
    """The operator whose session the request carries. Raises: AuthenticationFailed; DatastoreUnavailable."""
    async with dispatcher.database.transaction() as connection:
        session = await console_sessions.find(connection, cookie)
    if session is None:
        raise AuthenticationFailed("there is no session, or it has expired; sign in at /console/sign-in")
    return SignedIn(session.operator_id, session.operator, cookie)


SignedInDep = Annotated[SignedIn, Depends(authenticate)]

Form = dict[str, str]


@raises(InvalidRequest)
async def genuine_form(request: Request, signed_in: SignedInDep) -> Form:
    """The fields of a form that a page of this session sent. Raises: InvalidRequest, RequestTooLarge."""
    form = await read_form(request)
    security.require_token(signed_in.cookie, form.pop(TOKEN_FIELD, ""))
    return form


FormDep = Annotated[Form, Depends(genuine_form)]


@raises(InvalidRequest)
async def genuine_call(request: Request, signed_in: SignedInDep) -> SignedIn:
    """The operator, where a script of a page of this session sent the request. Raises: InvalidRequest."""
    security.require_same_origin(request)
    security.require_token(signed_in.cookie, request.headers.get(TOKEN_HEADER, ""))
    return signed_in


CallDep = Annotated[SignedIn, Depends(genuine_call)]


async def read_form(request: Request) -> Form:
    """The fields of a form, sent as application/x-www-form-urlencoded by a page of this host. Raises: InvalidRequest, RequestTooLarge."""
    security.require_same_origin(request)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > FORM_BYTES:
            raise RequestTooLarge(f"the form is larger than {FORM_BYTES} bytes; send less")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FORM_FIELDS))
    except ValueError:  # a UnicodeDecodeError is one
        raise InvalidRequest("the form cannot be read; reload the page and send it again") from None


async def sign_in_of(request: Request) -> SignIn:
    """What checks passwords in the process that serves this request."""
    return cast(SignIn, request.app.state.sign_in)


SignInDep = Annotated[SignIn, Depends(sign_in_of)]


async def address_of(request: Request, dispatcher: DispatcherDep) -> str:
    """The address of the browser, as far as the settings allow to know it."""
    return client_address(request, dispatcher.settings.trusted_proxies)


ClientAddressDep = Annotated[str, Depends(address_of)]


def set_cookie(request: HTTPConnection, response: Response, value: str) -> None:
    """Give the browser a session; it forgets it when it closes, and the service after console_sessions.LIFETIME."""
    response.set_cookie(COOKIE, value, path=PATH, secure=security.is_secure(request), httponly=True, samesite="lax")


def delete_cookie(request: HTTPConnection, response: Response) -> None:
    """Take the session from the browser."""
    response.delete_cookie(COOKIE, path=PATH, secure=security.is_secure(request), httponly=True, samesite="lax")
