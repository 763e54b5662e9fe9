"""The least that could serve a STEP file, bare and with a flow that shows its stages.

    python -m benchmarks bare

The bare service is FastAPI before two warm OCCT processes, without limits, isolation, billing or flows. It reads, takes default mass
properties and loose boxes, and answers `{}`. The flow (`benchmarks.bare_flow`) is the same with a flow run of one task per stage, which
goes to the Prefect server of the stack. All three get the same requests in turns, so that they see the same machine.
"""

from __future__ import annotations

import asyncio
import base64
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Final

import httpx
import psutil
import uvicorn
from fastapi import FastAPI, Request

from benchmarks import cpu
from benchmarks.http import EXTRACT, client_of, hammer
from benchmarks.readers import raw_step
from benchmarks.report import Table
from benchmarks.stack import Stack

CORPUS: Final = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "step" / "as1-oc-214.stp"
FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "bracket.step"
"""What is sent where there is no corpus."""
CLIENTS: Final = (4, 16)
REQUESTS: Final = 32
TURNS: Final = 2
PROCESSES: Final = 2
START_SECONDS: Final = 60.0
SETTLE_SECONDS: Final = 2.0
"""Until what follows the last answer has been written."""
AIM: Final = 0.8
"""Of the bare service's requests per second."""
OF_FLOW: Final = 1.2
"""What we may cost, of the cheapest flow, where that flow misses AIM itself."""

Answer = Callable[[bytes], Awaitable[None]]
"""Reads a file in a process of the pool."""


@dataclass
class Peer:
    """A service that is measured. spent: processor seconds of all that works for it, until now."""

    name: str
    url: str
    key: str
    spent: Callable[[], float]
    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def measure(stack: Stack) -> list[Table]:
    """Requests per second and processor time of the three."""
    file = CORPUS if CORPUS.exists() else FILE
    prefect = stack.addresses["prefect_api_url"], stack.addresses["prefect_auth"], str(stack.home)
    with _serving("benchmarks.bare") as (bare, least), _serving("benchmarks.bare_flow", *prefect) as (flow, shown):
        peers = [
            Peer("ours", stack.url, stack.key, lambda: sum(cpu.spent(stack.pid).values())),
            Peer("bare", bare, "none", lambda: cpu.of(least)),
            Peer("flow", flow, "none", lambda: cpu.of(shown) + _prefect(stack)),
        ]
        rows = [row for clients in CLIENTS for row in _rows(peers, file, clients)]
    note = (
        f"{file.name}, {TURNS} turns of {REQUESTS} requests each, the mean; processor time is that of all processes. Flow: the bare "
        f"service with the cheapest flow that shows its stages. Aim: {AIM} of the bare requests/s; where the flow misses that, "
        f"{1 / OF_FLOW:.2f} of the flow's."
    )
    headings = ("clients", "what", "ours", "bare", "flow", "ours / bare", "ours / flow", "flow / bare")
    return [Table("Beside a bare service", headings, rows, note)]


def _prefect(stack: Stack) -> float:
    spent = cpu.spent(stack.pid)
    return spent["Prefect"] + spent["Postgres"]


def _rows(peers: list[Peer], file: Path, clients: int) -> list[tuple[str, ...]]:
    for peer in peers:
        peer.rates, peer.seconds = [], []
    for _ in range(TURNS):
        for peer in peers:
            asyncio.run(_turn(peer, file, clients))
    return [
        _row(clients, "requests/s", [fmean(peer.rates) for peer in peers], 1),
        _row(clients, "processor ms", [1000.0 * fmean(peer.seconds) for peer in peers], 0),
    ]


def _row(clients: int, what: str, values: list[float], digits: int) -> tuple[str, ...]:
    ours, bare, flow = values
    ratios = ours / bare, ours / flow, flow / bare
    return (str(clients), what, *(f"{value:.{digits}f}" for value in values), *(f"{ratio:.2f}" for ratio in ratios))


async def _turn(peer: Peer, file: Path, clients: int) -> None:
    """Send the requests of a turn."""
    before, began = peer.spent(), time.perf_counter()
    async with client_of(peer.url, peer.key) as client:
        _, outcomes = await hammer(client, file, clients=clients, requests=REQUESTS)
    if set(outcomes) != {"200"}:
        raise RuntimeError(f"not every call was answered: {dict(outcomes)}")
    peer.rates.append(REQUESTS / (time.perf_counter() - began))
    await asyncio.sleep(SETTLE_SECONDS)
    peer.seconds.append((peer.spent() - before) / REQUESTS)


@contextmanager
def _serving(module: str, *arguments: str) -> Iterator[tuple[str, psutil.Process]]:
    """A service of this package, for the length of a block; its address and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-m", module, str(port), *arguments], start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(f"{url}/ready", timeout=5).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield url, psutil.Process(process.pid)
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # its processes that read do not end with it
        process.wait()


def reading_pool() -> ProcessPoolExecutor:
    """The processes that read."""
    pool = ProcessPoolExecutor(PROCESSES)
    for process in [pool.submit(os.getpid) for _ in range(PROCESSES)]:
        process.result()
    return pool


def listen(
    port: int,
    pool: ProcessPoolExecutor,
    answer: Callable[[Answer, bytes], Awaitable[None]],
    life: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None,
) -> None:
    """Serve until SIGTERM. answer: given what reads and the file of a request."""
    app = FastAPI(lifespan=life)

    async def read(data: bytes) -> None:
        await asyncio.get_running_loop().run_in_executor(pool, raw_step, data)

    @app.get("/ready")
    async def ready() -> dict[str, str]:
        await asyncio.gather(*(read(FILE.read_bytes()) for _ in range(PROCESSES)))
        return {}

    @app.post(EXTRACT)
    async def extract(request: Request) -> dict[str, str]:
        body = await request.json()
        await answer(read, base64.b64decode(body["content_base64"]))
        return {}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    listen(int(sys.argv[1]), reading_pool(), lambda read, data: read(data))
