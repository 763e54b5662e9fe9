"""401 without the token of the desktop workers (SPATIAL_DESKTOP_TOKEN). Where the setting is missing, nobody has it."""

from __future__ import annotations

import hmac
from typing import Annotated, Final

from fastapi import Security
from fastapi.security import HTTPBearer
from starlette.requests import HTTPConnection

from api.dispatcher import dispatcher_of
from api.endpoint import raises
from spatial.errors import AuthenticationFailed

REFUSAL: Final = (
    "this route is for desktop workers; send Authorization: Bearer <SPATIAL_DESKTOP_TOKEN> as the service has it"
)


class DesktopToken(HTTPBearer):
    """The security scheme of the desktop workers' routes."""

    async def __call__(self, request: HTTPConnection) -> None:
        """Raises: AuthenticationFailed."""
        expected = (await dispatcher_of(request)).settings.desktop_token
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        sent = token.strip().encode("utf-8", "surrogateescape")
        is_right = expected is not None and hmac.compare_digest(sent, expected.get_secret_value().encode())
        if scheme.lower() != "bearer" or not is_right:
            raise AuthenticationFailed(REFUSAL)


DESKTOP_TOKEN: Final = DesktopToken(scheme_name="desktopToken", description="The token of the desktop workers.")


@raises(AuthenticationFailed)
async def authenticate_desktop(_: Annotated[None, Security(DESKTOP_TOKEN)]) -> None:
    """Let desktop workers pass. Raises: AuthenticationFailed."""


DesktopDep = Annotated[None, Security(authenticate_desktop)]
