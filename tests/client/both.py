"""The same call with the blocking client and with the asyncio client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final, Literal

import httpx

from spatial_geometry import AsyncClient, Client
from tests.client.loopback import KEY

Kind = Literal["blocking", "asyncio"]
KINDS: Final[list[Kind]] = ["blocking", "asyncio"]


def call(
    kind: Kind, url: str, method: str, *arguments: Any, key: str = KEY, retry_seconds: float = 30.0, **named: Any
) -> Any:
    """What a method of a client of that kind returns."""
    if kind == "blocking":
        with (
            httpx.Client(trust_env=False, timeout=60) as http,
            Client(key, url, retry_seconds=retry_seconds, http_client=http) as client,
        ):
            return getattr(client, method)(*arguments, **named)

    async def awaited() -> Any:
        async with (
            httpx.AsyncClient(trust_env=False, timeout=60) as http,
            AsyncClient(key, url, retry_seconds=retry_seconds, http_client=http) as client,
        ):
            return await getattr(client, method)(*arguments, **named)

    return asyncio.run(awaited())


def outcomes(
    kind: Kind, url: str, files: Iterable[Any] | str, key: str = KEY, **named: Any
) -> tuple[list[str], list[Any]]:
    """The ids and the outcomes of a batch, in the order in which `as_completed` hands them out."""
    if kind == "blocking":
        with httpx.Client(trust_env=False, timeout=60) as http, Client(key, url, http_client=http) as client:
            batch = client.batch(files, **named)
            return batch.ids, list(batch.as_completed())

    async def awaited() -> tuple[list[str], list[Any]]:
        async with (
            httpx.AsyncClient(trust_env=False, timeout=60) as http,
            AsyncClient(key, url, http_client=http) as client,
        ):
            batch = await client.batch(files, **named)
            return batch.ids, [outcome async for outcome in batch.as_completed()]

    return asyncio.run(awaited())
