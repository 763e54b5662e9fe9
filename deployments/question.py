"""One GET of a part of the stack, with what Python has.

A library for it would take 6 MB of the supervisor, which asks only as it starts.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Reply(NamedTuple):
    """What a part answered."""

    status: int
    body: bytes

    def json(self) -> Any:
        """The body. Raises: ValueError where it is no JSON."""
        return json.loads(self.body)


async def ask(url: str, seconds: float, auth: str = "") -> Reply:
    """The answer of a part. auth: user and password, with a colon between them.

    Raises: OSError and http.client.HTTPException where none comes within so many seconds; it waits no longer for each piece of one.
    """
    return await asyncio.to_thread(_ask, url, seconds, auth)


def _ask(url: str, seconds: float, auth: str) -> Reply:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=seconds)
    headers = {"Authorization": f"Basic {base64.b64encode(auth.encode()).decode()}"} if auth else {}
    try:
        connection.request("GET", parts.path or "/", headers=headers)
        answer = connection.getresponse()
        return Reply(answer.status, answer.read())
    finally:
        connection.close()
