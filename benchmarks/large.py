"""Large documents: what the platform adds to the reading of a file whose answer is megabytes long, and what `both` adds to `structured`.

    python -m benchmarks large

Processor time of each part of the stack, as in `overhead`, less what the idle stack takes in the same time. The files are `generate`'s of
size L, sent in the body, and files of almost 25 MiB, which go by upload. Each row is printed on stderr as it comes; after SECONDS no
further file is begun, and the tables say which ones are left out.
"""

from __future__ import annotations

import asyncio
import base64
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from benchmarks import cpu
from benchmarks.generate import MAKERS
from benchmarks.http import EXTRACT, client_of
from benchmarks.overhead import SETTLE_SECONDS
from benchmarks.readers import SIZES, SUFFIXES
from benchmarks.report import Table
from benchmarks.stack import Stack

FORMATS: Final = ("drawio", "pdf", "dxf", "svg", "step")
UPLOADED: Final = {"drawio": 55_000, "svg": 370_000, "dxf": 135_000}
"""Elements of files of almost 25 MiB."""
CONTRACTS: Final = ("structured", "both")
TURNS: Final = 3
"""Of each row, of which the least counts: the export of usage, once a minute, falls into some."""
CALLS: Final = 2
"""Most calls of a turn, after one that warms up for the file."""
CALLS_SECONDS: Final = 6.0
"""After this time a turn has no further call; it has one at least."""
IDLE_SECONDS: Final = 30.0
SECONDS: Final = 480.0
"""After this time no further file is begun."""
ANSWER_SECONDS: Final = 120.0
"""How long an answer is waited for."""
BASE_MS: Final = 100.0
MS_PER_MB: Final = 10.0
UPLOADS: Final = "/api/v1/uploads"
HEADINGS: Final = (
    "file",
    "content",
    "MB",
    "MB of answer",
    "calls",
    "answered in ms",
    "converter ms",
    "beside ms",
    "aim ms",
    "/ structured",
)


def measure(stack: Stack) -> Iterator[Table]:
    """A table of files in the body, and one of uploaded files; a row per file and content of the document."""
    until, idle = time.monotonic() + SECONDS, _idle(stack)
    sent = ((name, SIZES[name]["L"]) for name in FORMATS)
    yield _table(stack, idle, "Large documents", sent, _in_body, until)
    yield _table(stack, idle, "Large documents of uploads", UPLOADED.items(), _by_upload, until)


def _table(
    stack: Stack,
    idle: dict[str, float],
    title: str,
    files: Iterable[tuple[str, int]],
    send: Callable[[Stack, str, bytes], dict[str, str]],
    until: float,
) -> Table:
    """files: format and number of elements. send: the members of the body for a file. until: a moment of the monotonic clock."""
    rows: list[tuple[str, ...]] = []
    left_out: list[str] = []
    for name, count in files:
        if time.monotonic() > until:
            left_out.append(name)
            continue
        data = MAKERS[name](count)
        rows += _rows(stack, idle, name, len(data), send(stack, _named(name), data))
    note = "One client, processor time but for the answer. Aim: both at most 1.3 x structured."
    return Table(
        title, HEADINGS, rows, note + (f" Not measured, for want of time: {', '.join(left_out)}." * bool(left_out))
    )


def _in_body(_: Stack, file_name: str, data: bytes) -> dict[str, str]:
    return {"file_name": file_name, "content_base64": base64.b64encode(data).decode()}


def _by_upload(stack: Stack, file_name: str, data: bytes) -> dict[str, str]:
    return {"file_name": file_name, "upload_id": asyncio.run(_upload(stack, file_name, data))}


def _idle(stack: Stack) -> dict[str, float]:
    """Processor seconds that each part takes in a second without calls."""
    time.sleep(SETTLE_SECONDS)
    before = cpu.spent(stack.pid)
    time.sleep(IDLE_SECONDS)
    return {part: (now - before[part]) / IDLE_SECONDS for part, now in cpu.spent(stack.pid).items()}


def _rows(
    stack: Stack, idle: dict[str, float], name: str, size: int, body: dict[str, str]
) -> Iterator[tuple[str, ...]]:
    """A row per content of the document. size: bytes of the file."""
    whole: dict[str, float] = {}
    asyncio.run(_send(stack, {**body, "target_contract": CONTRACTS[0]}, 1))
    time.sleep(SETTLE_SECONDS)
    for contract in CONTRACTS:
        turns = [_calls(stack, idle, {**body, "target_contract": contract}) for _ in range(TURNS)]
        calls, answered, seconds, spent = min(turns, key=lambda turn: sum(turn[-1].values()))
        converter = spent.pop("converter")
        beside, megabytes = 1000.0 * sum(spent.values()), answered / 1e6
        whole[contract] = converter + beside / 1000.0
        figures = (seconds * 1000.0, converter * 1000.0, beside, BASE_MS + MS_PER_MB * megabytes)
        ratio = whole[contract] / whole[CONTRACTS[0]]
        sizes = (f"{size / 1e6:.1f}", f"{megabytes:.1f}")
        row = (name, contract, *sizes, str(calls), *(f"{each:.0f}" for each in figures), f"{ratio:.2f}")
        print(
            " | ".join(f"{heading} {cell}" for heading, cell in zip(HEADINGS, row, strict=True)),
            file=sys.stderr,
            flush=True,
        )
        yield row


def _named(name: str) -> str:
    return f"large.{SUFFIXES.get(name, name)}"


async def _upload(stack: Stack, file_name: str, data: bytes) -> str:
    """The id of an upload of a file."""
    async with client_of(stack.url, stack.key) as client:
        announced = {"file_name": file_name, "size": len(data)}
        handle = (await client.post(UPLOADS, json=announced)).raise_for_status().json()
        (await client.put(handle["upload_url"], content=data)).raise_for_status()
    return str(handle["id"])


def _calls(stack: Stack, idle: dict[str, float], body: dict[str, str]) -> tuple[int, int, float, dict[str, float]]:
    """Number of calls, bytes of an answer, and per call seconds until it is there and processor seconds of each part."""
    began, before = time.monotonic(), cpu.spent(stack.pid)
    calls, answered, seconds = asyncio.run(_send(stack, body, CALLS))
    time.sleep(SETTLE_SECONDS)
    after, lasted = cpu.spent(stack.pid), time.monotonic() - began
    spent = {part: (after[part] - before[part] - idle[part] * lasted) / calls for part in after}
    return calls, answered, seconds, spent


async def _send(stack: Stack, body: dict[str, str], most: int) -> tuple[int, int, float]:
    """Number of calls, bytes of an answer, and seconds until it is there."""
    async with client_of(stack.url, stack.key) as client:
        began, calls = time.perf_counter(), 0
        while True:
            answer = (await client.post(EXTRACT, json=body, timeout=ANSWER_SECONDS)).raise_for_status()
            calls, lasted = calls + 1, time.perf_counter() - began
            if calls == most or lasted > CALLS_SECONDS:
                return calls, len(answer.content), lasted / calls
