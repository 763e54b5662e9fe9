"""Sign-in, sign-out, the operator's own password, and the files that pages load."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.console import assets, rendering
from api.console.endpoint import SIGN_IN, Page, PublicPage
from api.console.session import ClientAddressDep, FormDep, SignedInDep, SignInDep, delete_cookie, read_form, set_cookie
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial import errors
from spatial.errors import InvalidRequest, NotFound, RateLimitExceeded
from storage.postgres import console_sessions, operators

public = APIRouter(route_class=PublicPage, include_in_schema=False)
router = APIRouter(route_class=Page, include_in_schema=False)

REFUSED: Final = "name or password is wrong"


@public.get(SIGN_IN)
@raises()
async def sign_in_page(next: str = "") -> Response:
    """The form."""
    return rendering.page("sign_in.html", None, problem="", name="", next=_own_path(next))


@public.post(SIGN_IN)
@raises(errors.InvalidRequest, errors.RequestTooLarge, errors.BillingUnavailable)
async def sign_in(request: Request, dispatcher: DispatcherDep, check: SignInDep, address: ClientAddressDep) -> Response:
    """Open a session, in place of any that the browser has."""
    form = await read_form(request)
    name, next_path = form.get("name", ""), _own_path(form.get("next", ""))
    try:
        operator = await check.check(name, form.get("password", ""), address)
    except RateLimitExceeded as error:
        return _refusal(429, error.message, name, next_path)
    if operator is None:
        return _refusal(401, REFUSED, name, next_path)
    async with dispatcher.database.transaction() as connection:
        value = await console_sessions.open(connection, operator.id)
    response = RedirectResponse(next_path or "/console", status_code=303)
    set_cookie(request, response, value)
    return response


@router.post("/console/sign-out")
@raises(errors.BillingUnavailable)
async def sign_out(request: Request, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """End the session."""
    async with dispatcher.database.transaction() as connection:
        await console_sessions.close(connection, signed_in.cookie)
    response = RedirectResponse(SIGN_IN, status_code=303)
    delete_cookie(request, response)
    return response


@router.get("/console/password")
@raises()
async def password_page(signed_in: SignedInDep) -> Response:
    """The form for a new password."""
    return _password_form(signed_in, "")


@router.post("/console/password")
@raises(errors.InvalidRequest, errors.BillingUnavailable)
async def change_password(
    request: Request,
    signed_in: SignedInDep,
    form: FormDep,
    dispatcher: DispatcherDep,
    check: SignInDep,
    address: ClientAddressDep,
) -> Response:
    """Change the operator's own password; every session ends, and this browser gets a new one."""
    try:
        if await check.check(signed_in.name, form.get("password", ""), address) is None:
            raise InvalidRequest("the present password is wrong; enter it again")
        if form.get("new", "") != form.get("again", ""):
            raise InvalidRequest("the two new passwords differ; enter them again")
        async with dispatcher.database.transaction() as connection:
            await operators.change_password(connection, signed_in.operator_id, form.get("new", ""))
            value = await console_sessions.open(connection, signed_in.operator_id)
    except (InvalidRequest, RateLimitExceeded) as error:
        return _password_form(signed_in, error.message, status=error.status)
    response = RedirectResponse("/console", status_code=303)
    set_cookie(request, response, value)
    return response


@public.get(f"{assets.ROUTE}/{{name}}")
@raises(NotFound)
async def asset(name: str) -> Response:
    """One file that pages load; its address changes with its content."""
    if name not in assets.names():
        raise NotFound(f"there is nothing at {assets.ROUTE}/{name[:100]}; see /console")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(assets.content(name), media_type=assets.media_type(name), headers=headers)


def _refusal(status: int, problem: str, name: str, next_path: str) -> Response:
    return rendering.page("sign_in.html", None, status=status, problem=problem, name=name, next=next_path)


def _password_form(signed_in: SignedInDep, problem: str, status: int = 200) -> Response:
    least = operators.LEAST_PASSWORD_CHARACTERS
    return rendering.page("password.html", signed_in, status=status, problem=problem, least=least)


def _own_path(path: str) -> str:
    """A path of the console to return to; empty for anything else, such as another host."""
    is_own = path == "/console" or path.startswith(("/console/", "/console?"))
    return path if is_own and path.isprintable() and "\\" not in path else ""
