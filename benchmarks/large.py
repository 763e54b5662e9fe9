"""Large documents: what the platform adds to the reading of a file whose answer is megabytes long, and what `both` adds to `structured`.

    python -m benchmarks large

Processor time of each part of the stack, as in `overhead`; the files are `generate`'s of size L.
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
CONTRACTS: Final = ("structured", "both")
CALLS: Final = 4
BASE_MS: Final = 100.0
MS_PER_MB: Final = 10.0


def measure(stack: Stack) -> list[Table]:
    """One row per file and content of the document."""
    rows: list[tuple[str, ...]] = []
    for name in FORMATS:
        data = MAKERS[name](SIZES[name]["L"])
        body = {
            "file_name": f"large.{SUFFIXES.get(name, name)}",
            "content_base64": base64.b64encode(data).decode(),
        }
        whole: dict[str, float] = {}
        for contract in CONTRACTS:
            answered, seconds, spent = _calls(stack, {**body, "target_contract": contract})
            converter = spent.pop("converter")
            beside, megabytes = 1000.0 * sum(spent.values()), answered / 1e6
            whole[contract] = converter + beside / 1000.0
            rows.append(
                (
                    name,
                    contract,
                    f"{len(data) / 1e6:.1f}",
                    f"{megabytes:.1f}",
                    f"{1000.0 * seconds:.0f}",
                    f"{1000.0 * converter:.0f}",
                    f"{beside:.0f}",
                    f"{BASE_MS + MS_PER_MB * megabytes:.0f}",
                    f"{whole[contract] / whole[CONTRACTS[0]]:.2f}",
                )
            )
    headings = (
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
    note = f"{CALLS} calls each, one client, processor time but for the answer. Aim: both at most 1.3 x structured."
    return [Table("Large documents", headings, rows, note)]


def _calls(stack: Stack, body: dict[str, str]) -> tuple[int, float, dict[str, float]]:
    """Bytes of an answer, seconds until it is there, and processor seconds of each part, per call."""
    asyncio.run(_send(stack, body, 1))
    time.sleep(SETTLE_SECONDS)
    before = cpu.spent(stack.pid)
    answered, seconds = asyncio.run(_send(stack, body, CALLS))
    time.sleep(SETTLE_SECONDS)
    return answered, seconds, {part: (now - before[part]) / CALLS for part, now in cpu.spent(stack.pid).items()}


async def _send(stack: Stack, body: dict[str, str], calls: int) -> tuple[int, float]:
    async with client_of(stack.url, stack.key) as client:
        began, size = time.perf_counter(), 0
        for _ in range(calls):
            answer = (await client.post(EXTRACT, json=body)).raise_for_status()
            size = len(answer.content)
        return size, (time.perf_counter() - began) / calls
