"""Replays of stored responses."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.dispatcher import Dispatcher
from api.gates import idempotency
from api.long_response import LongResponse
from storage.postgres import usage
from storage.postgres.idempotency import Replay
from storage.retry import retry

RETRY_PAUSES_SECONDS: Final = (0.1, 0.5, 1.5)
"""Pauses before a stored result is read again: it is paid for, so a short outage of the lake should not lose it."""


async def replay_metered(request: Request, dispatcher: Dispatcher, replay: Replay) -> Response:
    """The stored response of one extraction or reasoning request with its usage, byte for byte."""
    body = await read_result(dispatcher, replay.result_key)
    async with dispatcher.database.transaction() as connection:
        charged = await usage.find_usage(connection, replay.operation_id)
    return _response(request, replay, body if charged is None else charged.attached_to(body))


async def replay_batch(request: Request, dispatcher: Dispatcher, replay: Replay) -> Response:
    """The stored response of a batch, which is whole: a submission has no usage yet, and in a responses batch each item has its own."""
    return _response(request, replay, await read_result(dispatcher, replay.result_key))


async def read_result(dispatcher: Dispatcher, key: str) -> bytes:
    """A stored result. Raises: ObjectMissing; LakeUnavailable where it cannot be read after several attempts."""
    return await retry(lambda: dispatcher.lake.get(key), RETRY_PAUSES_SECONDS)


def _response(request: Request, replay: Replay, body: bytes) -> Response:
    """Under the stored request id: the header equals the body's (INTERPRETATION 1)."""
    request.state.request_id = replay.request_id
    return LongResponse(
        body, status_code=replay.status, media_type=replay.content_type, headers={idempotency.REPLAYED: "true"}
    )
