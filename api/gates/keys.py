"""401 without a key that is known and not revoked. Looked up on every request: a revocation takes effect with the next one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial.errors import AuthenticationFailed, BillingUnavailable
from storage.postgres import keys

BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
"""RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1)."""


def missing() -> AuthenticationFailed:
    """The error of a request without a key."""
    return AuthenticationFailed("an API key is needed; send Authorization: Bearer <API_KEY>")


class ApiKey(HTTPBearer):
    """The security scheme `Authorization: Bearer <API_KEY>`; refuses in this service's words, where the framework's parser would not."""

    async def __call__(self, request: HTTPConnection) -> HTTPAuthorizationCredentials:
        """The key that the request carries. Raises: AuthenticationFailed."""
        sent = request.headers.getlist("authorization")
        if not sent:
            raise missing()
        if len(sent) > 1:
            raise AuthenticationFailed("Authorization was sent more than once; send one API key")
        match = BEARER.fullmatch(sent[0].strip())
        if match is None:
            raise AuthenticationFailed("Authorization is not of the form Bearer <API_KEY>; send it in that form")
        return HTTPAuthorizationCredentials(scheme="Bearer", credentials=match[1])


API_KEY: Final = ApiKey(scheme_name="apiKey", description="An API key of your account.")


@dataclass(frozen=True)
class Caller:
    """The account that pays, and the key that it used."""

    account_id: str
    key_id: str


@raises(AuthenticationFailed, BillingUnavailable)
async def authenticate(
    dispatcher: DispatcherDep, credentials: Annotated[HTTPAuthorizationCredentials, Security(API_KEY)]
) -> Caller:
    """The caller whose key the request carries.

    Raises: AuthenticationFailed; BillingUnavailable where keys cannot be read.
    """
    async with dispatcher.database.statements() as connection:
        key = await keys.find(connection, credentials.credentials)
    if key is None:
        raise AuthenticationFailed("the API key is unknown or revoked; send a valid one")
    return Caller(account_id=key.account_id, key_id=key.id)


CallerDep = Annotated[Caller, Depends(authenticate)]
