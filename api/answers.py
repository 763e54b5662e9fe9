"""A stored answer, given again."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.dispatching import Dispatching
from api.gates import idempotency
from storage.objects.lake import LakeUnavailable, ObjectMissing
from storage.postgres import usage
from storage.postgres.idempotency import Replay

READ_AGAIN_SECONDS: Final = (0.1, 0.5, 1.5)
"""Pauses before an answer is asked for again: it is paid for, so a lake that stumbles is given a moment."""


async def replayed(request: Request, dispatch: Dispatching, replay: Replay) -> Response:
    """The stored answer of one extraction, with its usage: byte for byte what was answered."""
    body = await read(dispatch, replay.result_key)
    async with dispatch.database.transaction() as connection:
        charged = await usage.find_usage(connection, replay.operation_id)
    return _again(request, replay, body if charged is None else charged.attached_to(body))


async def repeated(request: Request, dispatch: Dispatching, replay: Replay) -> Response:
    """A stored answer that has all its members, as it lies there: that of a batch, whose items were charged later."""
    return _again(request, replay, await read(dispatch, replay.result_key))


async def read(dispatch: Dispatching, key: str) -> bytes:
    """A stored object that somebody is owed. Raises: ObjectMissing; LakeUnavailable where it cannot be read for a while."""
    for pause in READ_AGAIN_SECONDS:
        try:
            return await dispatch.lake.get(key)
        except ObjectMissing:
            raise
        except LakeUnavailable:
            await asyncio.sleep(pause)
    return await dispatch.lake.get(key)


def _again(request: Request, replay: Replay, body: bytes) -> Response:
    """Under its own request id: the header equals the body's (INTERPRETATION 1)."""
    request.state.request_id = replay.request_id
    return Response(
        body, status_code=replay.status, media_type=replay.content_type, headers={idempotency.REPLAYED: "true"}
    )
