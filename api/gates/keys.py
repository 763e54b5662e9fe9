"""401 without a key that is known and not revoked. Looked up on every request: a revocation holds from the next one on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from api.dispatching import Dispatching
from spatial.errors import AuthenticationFailed
from storage.postgres import keys

BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
"""RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1)."""


@dataclass(frozen=True)
class Caller:
    """Who asks, and who pays."""

    account_id: str
    key_id: str


async def caller(request: Request, dispatch: Dispatching) -> Caller:
    """Who asks.

    Raises: AuthenticationFailed; BillingUnavailable where keys cannot be read.
    """
    secret = _secret(request)
    async with dispatch.database.transaction() as connection:
        key = await keys.find(connection, secret)
    if key is None:
        raise AuthenticationFailed("the API key is unknown or revoked")
    return Caller(account_id=key.account_id, key_id=key.id)


def _secret(request: Request) -> str:
    sent = request.headers.getlist("authorization")
    if not sent:
        raise AuthenticationFailed("an API key is needed; send Authorization: Bearer <API_KEY>")
    if len(sent) > 1:
        raise AuthenticationFailed("Authorization was sent more than once; send one API key")
    found = BEARER.fullmatch(sent[0].strip())
    if found is None:
        raise AuthenticationFailed("Authorization is not of the form Bearer <API_KEY>")
    return found[1]
