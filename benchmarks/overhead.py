"""What a single call costs: processor time by part of the stack, bytes and rows that it leaves, and what the idle stack takes.

    python -m benchmarks overhead

Processor time is that of each part and of the processes below it. It says more than the clock on a machine that is shared, but a part
that a neighbour pushes out of the caches takes more of it.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

import asyncpg
import psutil

from benchmarks import cpu
from benchmarks.http import client_of, hammer
from benchmarks.memory import proportional
from benchmarks.report import Table
from benchmarks.stack import Stack
from storage.postgres.address import sibling_url

FILES: Final = {
    "small drawing": Path(__file__).resolve().parents[1] / "examples" / "plate.dxf",
    "small solid": Path(__file__).resolve().parents[1] / "examples" / "bracket.step",
}
WARM_UP: Final = 20
CALLS: Final = 60
SETTLE_SECONDS: Final = 6.0
"""Until what follows an answer (events, artifacts, buckets of metrics) has been written."""

IDLE_SECONDS: Final = 300.0


def measure(stack: Stack) -> list[Table]:
    """Processor time per call at one client and at four, what each call leaves, and the idle stack."""
    rows: list[tuple[str, ...]] = []
    left: list[tuple[str, ...]] = []
    for name, file in FILES.items():
        asyncio.run(_calls(stack, file, 1, WARM_UP))
        for clients in (1, 4):
            time.sleep(SETTLE_SECONDS)
            before, stored = cpu.spent(stack.pid), _stored(stack)
            asyncio.run(_calls(stack, file, clients, CALLS))
            time.sleep(SETTLE_SECONDS)
            spent = {part: seconds - before[part] for part, seconds in cpu.spent(stack.pid).items()}
            beside = sum(seconds for part, seconds in spent.items() if part != "converter")
            rows.append((name, str(clients), *(_ms(each / CALLS) for each in spent.values()), _ms(beside / CALLS)))
            left.append(
                (
                    name,
                    str(clients),
                    *(f"{(now - then) / CALLS:.1f}" for now, then in zip(_stored(stack), stored, strict=True)),
                )
            )
    parts = tuple(cpu.PARTS.values())
    return [
        Table(
            "Processor time per call, ms",
            ("file", "clients", *parts, "beside the converter"),
            rows,
            f"{CALLS} calls each. Aim: 100 ms beside the converter.",
        ),
        Table(
            "Left by each call",
            ("file", "clients", "KB in Prefect's database", "its rows of events", "lake files", "lake KB"),
            left,
            "Aim: 20 KB and 2 files.",
        ),
        _idle(stack),
    ]


async def _calls(stack: Stack, file: Path, clients: int, calls: int) -> None:
    async with client_of(stack.url, stack.key) as client:
        _, outcomes = await hammer(client, file, clients=clients, requests=calls)
    if set(outcomes) != {"200"}:
        raise RuntimeError(f"not every call was answered: {dict(outcomes)}")


def _idle(stack: Stack) -> Table:
    before, whole = cpu.spent(stack.pid), cpu.of(psutil.Process(stack.pid))
    time.sleep(IDLE_SECONDS)
    spent = {part: (seconds - before[part]) / IDLE_SECONDS for part, seconds in cpu.spent(stack.pid).items()}
    everything = (cpu.of(psutil.Process(stack.pid)) - whole) / IDLE_SECONDS
    memory = tuple(f"{each:.0f}" for each in proportional(stack.pid))
    row = (*(f"{100.0 * each:.1f}" for each in (*spent.values(), everything)), *memory)
    note = (
        f"Mean of {IDLE_SECONDS:.0f} s; PSS of all processes, and what of it is of no file. Aim: 2 % of a core, 900 MB."
    )
    return Table("Idle, % of a core", (*spent, "all", "MB", "of no file"), [row], note)


def _stored(stack: Stack) -> tuple[float, float, float, float]:
    """KB of Prefect's database, its rows of events, files of the lake, and their KB."""
    size, events = asyncio.run(_rows(sibling_url(str(stack.addresses["database_url"]), "prefect")))
    files = [path for path in (stack.home / "lake").rglob("*") if path.is_file()]
    return size / 1e3, float(events), float(len(files)), sum(path.stat().st_size for path in files) / 1e3


async def _rows(url: str) -> tuple[int, int]:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        size = await connection.fetchval("SELECT pg_database_size(current_database())")
        return size, await connection.fetchval("SELECT count(*) FROM events")
    finally:
        await connection.close()


def _ms(seconds: float) -> str:
    return f"{1000.0 * seconds:.0f}"
