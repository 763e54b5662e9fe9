"""Large documents: what the platform adds to the reading of a file whose answer is megabytes long, and what `both` adds to `structured`.

    python -m benchmarks large

Processor time of each part of the stack, as in `overhead`, less what the idle stack takes in the same time. The files are `generate`'s of
size L, sent in the body, and files of almost 25 MiB, which go by upload.
"""

from __future__ import annotations

import asyncio
import base64
import time
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
CALLS: Final = 4
CALLS_UPLOADED: Final = 2
IDLE_SECONDS: Final = 30.0
SECONDS: Final = 300.0
"""How long an answer is waited for."""
BASE_MS: Final = 100.0
MS_PER_MB: Final = 10.0
UPLOADS: Final = "/api/v1/uploads"
HEADINGS: Final = (
    "file",
    "content",
    "MB",
    "MB of answer",
    "answered in ms",
    "converter ms",
    "beside ms",
    "aim ms",
    "/ structured",
)


def measure(stack: Stack) -> list[Table]:
    """One row per file and content of the document, for files in the body and for uploaded ones."""
    note = "one client, processor time but for the answer. Aim: both at most 1.3 x structured."
    idle = _idle(stack)
    sent: list[tuple[str, ...]] = []
    for name in FORMATS:
        data = MAKERS[name](SIZES[name]["L"])
        body = {"file_name": _named(name), "content_base64": base64.b64encode(data).decode()}
        sent += _rows(stack, idle, name, len(data), body, CALLS)
    uploaded: list[tuple[str, ...]] = []
    for name, count in UPLOADED.items():
        data = MAKERS[name](count)
        body = {"file_name": _named(name), "upload_id": asyncio.run(_upload(stack, _named(name), data))}
        uploaded += _rows(stack, idle, name, len(data), body, CALLS_UPLOADED)
    return [
        Table("Large documents", HEADINGS, sent, f"{CALLS} calls each, {note}"),
        Table("Large documents of uploads", HEADINGS, uploaded, f"{CALLS_UPLOADED} calls each, {note}"),
    ]


def _idle(stack: Stack) -> dict[str, float]:
    """Processor seconds that each part takes in a second without calls."""
    time.sleep(SETTLE_SECONDS)
    before = cpu.spent(stack.pid)
    time.sleep(IDLE_SECONDS)
    return {part: (now - before[part]) / IDLE_SECONDS for part, now in cpu.spent(stack.pid).items()}


def _rows(
    stack: Stack, idle: dict[str, float], name: str, size: int, body: dict[str, str], calls: int
) -> list[tuple[str, ...]]:
    """A row per content of the document. size: bytes of the file."""
    rows: list[tuple[str, ...]] = []
    whole: dict[str, float] = {}
    for contract in CONTRACTS:
        answered, seconds, spent = _calls(stack, idle, {**body, "target_contract": contract}, calls)
        converter = spent.pop("converter")
        beside, megabytes = 1000.0 * sum(spent.values()), answered / 1e6
        whole[contract] = converter + beside / 1000.0
        figures = (seconds * 1000.0, converter * 1000.0, beside, BASE_MS + MS_PER_MB * megabytes)
        ratio = whole[contract] / whole[CONTRACTS[0]]
        sizes = (f"{size / 1e6:.1f}", f"{megabytes:.1f}")
        rows.append((name, contract, *sizes, *(f"{each:.0f}" for each in figures), f"{ratio:.2f}"))
    return rows


def _named(name: str) -> str:
    return f"large.{SUFFIXES.get(name, name)}"


async def _upload(stack: Stack, file_name: str, data: bytes) -> str:
    """The id of an upload of a file."""
    async with client_of(stack.url, stack.key) as client:
        announced = {"file_name": file_name, "size": len(data)}
        handle = (await client.post(UPLOADS, json=announced)).raise_for_status().json()
        (await client.put(handle["upload_url"], content=data)).raise_for_status()
    return str(handle["id"])


def _calls(
    stack: Stack, idle: dict[str, float], body: dict[str, str], calls: int
) -> tuple[int, float, dict[str, float]]:
    """Bytes of an answer, seconds until it is there, and processor seconds of each part, per call."""
    asyncio.run(_send(stack, body, 1))
    time.sleep(SETTLE_SECONDS)
    began, before = time.monotonic(), cpu.spent(stack.pid)
    answered, seconds = asyncio.run(_send(stack, body, calls))
    time.sleep(SETTLE_SECONDS)
    after, lasted = cpu.spent(stack.pid), time.monotonic() - began
    return answered, seconds, {part: (after[part] - before[part] - idle[part] * lasted) / calls for part in after}


async def _send(stack: Stack, body: dict[str, str], calls: int) -> tuple[int, float]:
    async with client_of(stack.url, stack.key) as client:
        began, size = time.perf_counter(), 0
        for _ in range(calls):
            answer = (await client.post(EXTRACT, json=body, timeout=SECONDS)).raise_for_status()
            size = len(answer.content)
        return size, (time.perf_counter() - began) / calls
