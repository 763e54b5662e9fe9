"""Bodies that are expensive to refuse: how long one caller's requests keep another caller's health check waiting.

    python -m benchmarks bodies

Each body is within the body limit and is sent PARALLEL times at once to each route that reads a body, while another connection requests
/api/health again and again. Memory is the largest resident size of the API process so far.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

import httpx

from benchmarks.http import client_of
from benchmarks.memory import api_of
from benchmarks.report import Table
from benchmarks.stack import Stack

PARALLEL: Final = 8
"""Requests at the same time, of one key."""

BODY_BYTES: Final = 5_500_000
"""Size of each body: below the limit of 6 MiB."""

BETWEEN_SECONDS: Final = 0.005
"""Pause between two health checks."""

ROUTES: Final = (
    "/api/v1/cad/extract",
    "/api/v1/cad/extract/batch",
    "/api/v1/cad/import-feature-tree",
    "/api/v1/cad/partner-webhook",
    "/api/v1/responses",
    "/api/v1/responses/batch",
    "/api/v1/uploads",
    "/api/mcp",
)

JSON: Final = "application/json"
FORM: Final = "multipart/form-data; boundary=x"


def white_space() -> bytes:
    """Nothing to read: what receiving the bodies alone costs."""
    return b" " * BODY_BYTES


def unknown_members() -> bytes:
    """An object of members that no model knows."""
    return b"{" + _repeat(lambda place: b'"m%d":0' % place) + b"}"


def empty_items() -> bytes:
    """Items without a member."""
    return b'{"items":[' + _repeat(lambda _: b"{}") + b"]}"


def numbers() -> bytes:
    """A list where a file name is expected."""
    return b'{"file_name":[' + _repeat(lambda _: b"0") + b"]}"


def long_url() -> bytes:
    """A content_url of the body's size."""
    return b'{"file_name":"a.step","content_url":"http://' + b"a" * BODY_BYTES + b'"}'


def long_member() -> bytes:
    """One unknown member whose name has the body's size."""
    return b'{"' + b"a" * BODY_BYTES + b'":0}'


def broken_base64() -> bytes:
    """Content whose last character is wrong."""
    return b'{"file_name":"a.step","content_base64":"' + b"A" * BODY_BYTES + b'?"}'


def form_headers() -> bytes:
    """One part of a form with header lines of the body's size."""
    return b"--x\r\n" + b"a: b\r\n" * (BODY_BYTES // 6)


def near_boundaries() -> bytes:
    """A file that consists of beginnings of the form's boundary."""
    return b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n' + b"\r\n-" * (
        BODY_BYTES // 3
    )


BODIES: Final[tuple[tuple[Callable[[], bytes], str], ...]] = (
    (white_space, JSON),
    (unknown_members, JSON),
    (empty_items, JSON),
    (numbers, JSON),
    (long_url, JSON),
    (long_member, JSON),
    (broken_base64, JSON),
    (form_headers, FORM),
    (near_boundaries, FORM),
)


def measure(stack: Stack) -> list[Table]:
    """One row per body and route."""
    return [asyncio.run(_measure(stack))]


async def _measure(stack: Stack) -> Table:
    api = api_of(stack.pid)
    rows: list[tuple[str, ...]] = []
    async with client_of(stack.url, stack.key) as caller, httpx.AsyncClient(base_url=stack.url, timeout=120) as other:
        for make, content_type in BODIES:
            body = make()
            for route in ROUTES:
                worst, seconds, outcomes = await _attack(caller, other, route, body, content_type)
                said = ", ".join(f"{count} x {status}" for status, count in sorted(outcomes.items()))
                size = f"{api.memory_info().rss / 1024**2:.0f}"
                rows.append((make.__name__, route, f"{worst * 1000:.0f}", f"{seconds:.2f}", size, said))
    headings = ("body", "route", "longest health check ms", "seconds for all", "API MiB", "answers")
    note = f"{PARALLEL} bodies of {BODY_BYTES} bytes at once. Aim: no health check above 200 ms."
    return Table("Bodies that are expensive to refuse", headings, rows, note)


async def _attack(
    caller: httpx.AsyncClient, other: httpx.AsyncClient, route: str, body: bytes, content_type: str
) -> tuple[float, float, Counter[str]]:
    """The longest health check during the requests, their seconds, and their outcomes."""
    ended = asyncio.Event()
    watching = asyncio.create_task(_watch_health(other, ended))
    began = time.perf_counter()
    outcomes = await asyncio.gather(*(_outcome(caller, route, body, content_type) for _ in range(PARALLEL)))
    seconds = time.perf_counter() - began
    ended.set()
    return await watching, seconds, Counter(outcomes)


async def _watch_health(client: httpx.AsyncClient, ended: asyncio.Event) -> float:
    longest = 0.0
    while not ended.is_set():
        began = time.perf_counter()
        await client.get("/api/health")
        longest = max(longest, time.perf_counter() - began)
        await asyncio.sleep(BETWEEN_SECONDS)
    return longest


async def _outcome(client: httpx.AsyncClient, route: str, body: bytes, content_type: str) -> str:
    try:
        answer = await client.post(route, content=body, headers={"Content-Type": content_type})
    except httpx.HTTPError as error:
        return type(error).__name__
    return str(answer.status_code)


def _repeat(make: Callable[[int], bytes]) -> bytes:
    """So many values, with commas between them, that the body has its size."""
    size = len(make(100_000)) + 1
    return b",".join(make(place) for place in range(BODY_BYTES // size))
