"""The body of a 2xx: a stored document and its usage, fresh or replayed."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.dispatching import Dispatching
from api.gates import idempotency
from spatial.contract.usage import Usage
from storage import usage
from storage.idempotency import Replay
from storage.lake import LakeUnavailable, ObjectMissing

READ_AGAIN_SECONDS: Final = (0.1, 0.5, 1.5)
"""Pauses before a result is asked for again: it is metered by now, so a lake that stumbles is given a moment."""


async def result(dispatch: Dispatching, result_key: str, charged: Usage) -> bytes:
    """The finished document with its usage.

    Raises: ConverterUnavailable where the lake stays out of reach.
    """
    return with_usage(await _read(dispatch, result_key), charged)


async def replayed(request: Request, dispatch: Dispatching, replay: Replay) -> Response:
    """The stored answer byte for byte, so under its own request id: the header equals the body's (INTERPRETATION 1)."""
    body = await _read(dispatch, replay.result_key)
    async with dispatch.database.transaction() as connection:
        charged = await usage.charged(connection, replay.operation_id)
    request.state.request_id = replay.request_id
    return Response(
        with_usage(body, charged) if charged is not None else body,
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


def with_usage(document: bytes, charged: Usage) -> bytes:
    """A JSON object with `usage` as its last member; the document is not parsed again."""
    member = json.dumps({"usage": charged.model_dump(exclude_none=True)}, separators=(",", ":")).encode()
    separator = b"" if document == b"{}" else b","
    return document[:-1] + separator + member[1:]
