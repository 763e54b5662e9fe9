"""Idempotency-Key: its form, and the stored response of an earlier request with the same key (spec: Idempotency-Key).

Glossary
  payload      what a request asks for, by content: see `Submission.fingerprint`.
  stored       a response that was kept because its request began to execute; 5xx are never kept.
  in progress  the lease of the first request has not lapsed; when it has, because its process died, the key is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Header
from pydantic import WithJsonSchema

from api.dispatcher import Dispatcher
from api.endpoint import raises
from api.gates.keys import Caller
from api.repeated import none_sent
from spatial.contract import limits
from spatial.contract.idempotency import KEY, KEY_SCHEMA
from spatial.errors import IdempotencyConflict, IdempotencyInProgress, InvalidRequest
from storage.postgres import idempotency
from storage.postgres.idempotency import Replay

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
REPLAYABLE: Final[dict[str, Any]] = {"headers": {REPLAYED: {"$ref": f"#/components/headers/{REPLAYED}"}}}
"""The OpenAPI response of an endpoint whose responses are stored."""

KeyHeader = Annotated[
    list[str],
    Header(
        alias=HEADER,
        default_factory=none_sent,
        description=(
            f"Any name for this request, 1 to {limits.IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters, unique in your account "
            f"and on this route. Kept for {limits.IDEMPOTENCY_RETENTION_HOURS} hours."
        ),
    ),
    WithJsonSchema(KEY_SCHEMA),
]
"""Every value that the request carries, so that a second one can be refused; described as the one value that is valid."""


@dataclass(frozen=True)
class IdempotentRequest:
    """A request with an Idempotency-Key."""

    route: str
    key: str
    fingerprint: str


@raises(InvalidRequest, IdempotencyConflict, IdempotencyInProgress)
async def idempotency_key(sent: KeyHeader) -> str | None:
    """The request's key; None where it has none.

    Raises: InvalidRequest for one that is not 1 to 255 visible ASCII characters, or is sent twice.
    """
    if not sent:
        return None
    if len(sent) > 1 or not KEY.fullmatch(sent[0]):
        raise InvalidRequest(
            f"{HEADER} was sent more than once or has another form; send it once, "
            f"with 1 to {limits.IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters",
            details={"header": HEADER},
        )
    return sent[0]


IdempotencyKeyDep = Annotated[str | None, Depends(idempotency_key)]


async def find_stored(dispatcher: Dispatcher, caller: Caller, wanted: IdempotentRequest) -> Replay | None:
    """The stored response; None where the request is free to run.

    Raises: IdempotencyConflict; IdempotencyInProgress; BillingUnavailable where the records cannot be read.
    """
    async with dispatcher.database.transaction() as connection:
        return await idempotency.look_up(connection, caller.account_id, wanted.route, wanted.key, wanted.fingerprint)
