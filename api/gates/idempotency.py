"""Idempotency-Key: its form, and the stored answer of the request that had it before (spec: Idempotency-Key).

Glossary
  payload      what a request asks for, by content: see `Submission.fingerprint`.
  stored       an answer that was kept because its request began to execute; 5xx are never kept.
  in progress  the first request's lease has not lapsed; a key whose owner died is free when it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from api.dispatching import Dispatching
from api.gates.keys import Caller
from spatial.contract import limits
from spatial.errors import InvalidRequest
from storage.postgres import idempotency
from storage.postgres.idempotency import Replay

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
FORM: Final = re.compile(rf"[\x21-\x7e]{{1,{limits.IDEMPOTENCY_KEY_CHARACTERS}}}")


@dataclass(frozen=True)
class Named:
    """A request that its caller gave a name to."""

    route: str
    key: str
    fingerprint: str


def key_of(request: Request) -> str | None:
    """The request's key, None where it has none.

    Raises: InvalidRequest for one that is not 1 to 255 visible ASCII characters, or is sent twice.
    """
    sent = request.headers.getlist(HEADER)
    if not sent:
        return None
    if len(sent) > 1 or not FORM.fullmatch(sent[0]):
        raise InvalidRequest(
            f"{HEADER} should be sent once, with 1 to {limits.IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters",
            details={"header": HEADER},
        )
    return sent[0]


async def stored(dispatch: Dispatching, caller: Caller, named: Named) -> Replay | None:
    """The stored answer; None where the request is free to run.

    Raises: IdempotencyConflict; IdempotencyInProgress; BillingUnavailable where the records cannot be read.
    """
    async with dispatch.database.transaction() as connection:
        return await idempotency.look_up(connection, caller.account_id, named.route, named.key, named.fingerprint)
