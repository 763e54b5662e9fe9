"""A stored answer, given again."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.dispatching import Dispatching
from api.gates import idempotency
from storage import usage
from storage.idempotency import Replay
from storage.lake import LakeUnavailable, ObjectMissing

READ_AGAIN_SECONDS: Final = (0.1, 0.5, 1.5)
"""Pauses before an answer is asked for again: it is paid for, so a lake that stumbles is given a moment."""


async def replayed(request: Request, dispatch: Dispatching, replay: Replay) -> Response:
    """The stored answer byte for byte, so under its own request id: the header equals the body's (INTERPRETATION 1)."""
    body = await _read(dispatch, replay.result_key)
    async with dispatch.database.transaction() as connection:
        charged = await usage.charged(connection, replay.operation_id)
    request.state.request_id = replay.request_id
    return Response(
        body if charged is None else charged.attached_to(body),
        status_code=replay.status,
        media_type=replay.content_type,
        headers={idempotency.REPLAYED: "true"},
    )


async def _read(dispatch: Dispatching, key: str) -> bytes:
    for pause in READ_AGAIN_SECONDS:
        try:
            return await dispatch.lake.get(key)
        except ObjectMissing:
            raise
        except LakeUnavailable:
            await asyncio.sleep(pause)
    return await dispatch.lake.get(key)
