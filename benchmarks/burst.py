"""A burst: 200 small calls of one account at once, whose callers come back when Retry-After says, beside the calls of another account.

    python -m benchmarks burst

It says how many requests each call of the burst needed, and how long the calls of the other account took meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks.http import EXTRACT, body_of, client_of, spread
from benchmarks.report import Table
from benchmarks.stack import Stack
from storage.postgres import accounts, keys, subscriptions
from storage.postgres.database import Database

FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"
CALLS: Final = 200
BESIDE: Final = 10
"""Calls of the other account, one after another."""


def measure(stack: Stack) -> list[Table]:
    """The burst, and the other account's calls."""
    return asyncio.run(_measure(stack))


async def _measure(stack: Stack) -> list[Table]:
    other = await _second_key(stack)
    body = body_of(FILE)
    async with client_of(stack.url, stack.key) as burst, client_of(stack.url, other) as beside:
        burst.timeout = beside.timeout = httpx.Timeout(120)
        await _until_answered(burst, body)
        began = time.perf_counter()
        calls = asyncio.gather(*(_until_answered(burst, body) for _ in range(CALLS)))
        await asyncio.sleep(1)
        waited = [await _until_answered(beside, body) for _ in range(BESIDE)]
        answered = await calls
    whole = time.perf_counter() - began
    tries = Counter(tries for _, tries in answered)
    rows: list[tuple[str, ...]] = [
        ("the burst", str(CALLS), *spread([each for each, _ in answered]), _said(tries)),
        ("the other account", str(BESIDE), *spread([each for each, _ in waited]), _said(Counter(n for _, n in waited))),
    ]
    note = f"All were answered within {whole:.0f} s, {CALLS / whole:.1f} a second. Aim: each by its second request, the other by its first."
    return [Table("A burst of calls", ("", "calls", "p50 ms", "p95 ms", "requests per call"), rows, note)]


async def _until_answered(client: httpx.AsyncClient, body: dict[str, Any]) -> tuple[float, int]:
    """Seconds until a call had its 200, and the requests that it took. Raises: RuntimeError for any refusal without Retry-After."""
    began, tries = time.perf_counter(), 0
    while True:
        tries += 1
        answer = await client.post(EXTRACT, json=body)
        if answer.is_success:
            return time.perf_counter() - began, tries
        if answer.status_code not in (429, 503) or "Retry-After" not in answer.headers:
            raise RuntimeError(f"{answer.status_code}: {answer.text}")
        await asyncio.sleep(float(answer.headers["Retry-After"]))


def _said(tries: Counter[int]) -> str:
    return ", ".join(f"{count} × {number}" for number, count in sorted(tries.items()))


async def _second_key(stack: Stack) -> str:
    """A key of an account of its own."""
    database = Database(str(stack.addresses["database_url"]))
    try:
        async with database.transaction() as connection:
            account = await accounts.create(connection, "beside")
            await subscriptions.set_status(connection, account.id, "active")
            return (await keys.issue(connection, account.id)).secret
    finally:
        await database.close()
