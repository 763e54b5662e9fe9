"""The least that could serve a STEP file: FastAPI before two warm OCCT processes, without limits, isolation, billing or flows.

    python -m benchmarks bare

Both services get the same requests in turns, so that both see the same machine. The bare one reads, takes default mass properties and
loose boxes, and answers `{}`.
"""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Final

import httpx
import uvicorn
from fastapi import FastAPI, Request

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


def measure(stack: Stack) -> list[Table]:
    """Requests per second of both."""
    file = CORPUS if CORPUS.exists() else FILE
    with _serving() as url:
        return [asyncio.run(_compare(stack, url, file))]


async def _compare(stack: Stack, url: str, file: Path) -> Table:
    rows: list[tuple[str, ...]] = []
    async with client_of(stack.url, stack.key) as ours, client_of(url, "none") as bare:
        for clients in CLIENTS:
            rates: dict[str, list[float]] = {"ours": [], "bare": []}
            for _ in range(TURNS):
                for name, client in (("ours", ours), ("bare", bare)):
                    rates[name].append(await _rate(client, file, clients))
            whole = [fmean(rates[name]) for name in ("ours", "bare")]
            rows.append((str(clients), *(f"{each:.1f}" for each in whole), f"{whole[0] / whole[1]:.2f}"))
    note = f"{file.name}, {TURNS} turns of {REQUESTS} requests each, the mean. Aim: 0.8 at 4 and 16 clients."
    return Table("Beside a bare service", ("clients", "requests/s", "bare requests/s", "ratio"), rows, note)


async def _rate(client: httpx.AsyncClient, file: Path, clients: int) -> float:
    began = time.perf_counter()
    _, outcomes = await hammer(client, file, clients=clients, requests=REQUESTS)
    if set(outcomes) != {"200"}:
        raise RuntimeError(f"not every call was answered: {dict(outcomes)}")
    return REQUESTS / (time.perf_counter() - began)


@contextmanager
def _serving() -> Iterator[str]:
    """The bare service, for the length of a block; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.bare", str(port)])
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(f"{url}/ready", timeout=5).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait()


def serve(port: int) -> None:
    """Run the bare service until SIGTERM."""
    app, pool = FastAPI(), ProcessPoolExecutor(PROCESSES)
    for process in [pool.submit(os.getpid) for _ in range(PROCESSES)]:
        process.result()

    @app.get("/ready")
    async def ready() -> dict[str, str]:
        await asyncio.gather(*(_in(pool, FILE.read_bytes()) for _ in range(PROCESSES)))
        return {}

    @app.post(EXTRACT)
    async def extract(request: Request) -> dict[str, str]:
        body = await request.json()
        await _in(pool, base64.b64decode(body["content_base64"]))
        return {}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


async def _in(pool: ProcessPoolExecutor, data: bytes) -> None:
    await asyncio.get_running_loop().run_in_executor(pool, raw_step, data)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
