"""Responses that are sent in pieces."""

from __future__ import annotations

import os

import httpx
import pytest

from api.long_response import PIECE_BYTES, LongResponse


@pytest.mark.requirement("extract.json.200")
@pytest.mark.parametrize("length", [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])
async def test_a_body_arrives_whole_with_its_length_in_the_headers(length: int) -> None:
    body = os.urandom(length)
    transport = httpx.ASGITransport(LongResponse(body, media_type="application/json"))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        answer = await client.get("/")
    assert answer.content == body and answer.headers["Content-Length"] == str(length)
