"""HTTP: what the platform costs on top of the conversion, and how many requests a machine carries.

    python -m benchmarks http
    python -m benchmarks.http --url http://127.0.0.1:8000 --key sk_… --converter unix:///…/converter.sock [--file F]

The platform's cost is the p50 of a small extract at 1 client minus the p50 of the converter calls that it contains, the
two taken in turns, so that both see the same machine. Under load a client is a connection that sends its next request
when its last one was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from benchmarks.report import Table
from benchmarks.stack import Stack
from converter.client import ConverterClient, DocumentPlan, InputFile
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract

FILE = Path(__file__).resolve().parents[1] / "examples" / "bracket.step"
DRAWING = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"
WARM_UP = 10
TURNS = 60
"""Extracts, and converter passes, of the comparison at 1 client."""
CLIENTS = (4, 16)
REQUESTS = 160
"""Extracts at each number of clients."""
EXTRACT = "/api/v1/cad/extract"


def measure(stack: Stack) -> list[Table]:
    """Both tables, on the bundled part and on the bundled drawing."""
    known = stack.url, stack.key, stack.addresses["converter_url"]
    return [table for file in (FILE, DRAWING) for table in asyncio.run(_measure(*known, file))]


async def _measure(url: str, key: str, converter_url: str, file: Path) -> list[Table]:
    async with client_of(url, key) as client:
        converter = ConverterClient(converter_url)
        try:
            cost = await _cost(client, converter, file)
        finally:
            await converter.close()
        return [cost, await _load(client, file)]


def client_of(url: str, key: str) -> httpx.AsyncClient:
    """A client with the key, and a connection for everyone who wants one."""
    unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    said = {"Authorization": f"Bearer {key}"}
    return httpx.AsyncClient(base_url=url, headers=said, timeout=120, limits=unlimited, trust_env=False)


def body_of(file: Path) -> dict[str, str]:
    """The JSON body of an extract."""
    return {"file_name": file.name, "content_base64": base64.b64encode(file.read_bytes()).decode()}


async def _cost(client: httpx.AsyncClient, converter: ConverterClient, file: Path) -> Table:
    body = body_of(file)
    data = base64.b64decode(body["content_base64"])
    source = InputFile(file_name=file.name, format=format_of(file.name).name)
    plan = DocumentPlan(target=TargetContract.structured, request_id="bench")

    async def extract() -> None:
        (await client.post(EXTRACT, json=body)).raise_for_status()

    async def convert() -> None:
        async def again() -> bytes:
            return data

        handle = await converter.read(source, data)
        await converter.interpret(handle, again)
        await converter.assemble(handle, plan, again, is_last=True)

    whole: list[float] = []
    part: list[float] = []
    for turn in range(WARM_UP + TURNS):
        for call, taken in ((extract, whole), (convert, part)):
            seconds = await _seconds(call)
            if turn >= WARM_UP:
                taken.append(seconds)
    rows: list[tuple[str, ...]] = [
        ("extract over HTTP, metered, with its flow run", *spread(whole)),
        ("its converter calls alone", *spread(part)),
        ("the platform: the difference", _ms(median(whole) - median(part)), ""),
    ]
    note = f"{file.name}, {len(data)} bytes, {TURNS} of each in turns. Aim: at most 70 ms over the converter."
    return Table("Cost of the platform, 1 client", ("", "p50 ms", "p95 ms"), rows, note)


async def _load(client: httpx.AsyncClient, file: Path) -> Table:
    rows = [await _round(client, file, clients) for clients in CLIENTS]
    headings = ("clients", "requests/s", "p50 ms", "p95 ms", "answers", "errors")
    return Table(
        "Requests under load",
        headings,
        rows,
        f"{file.name}, {REQUESTS} extracts each. Aim: no errors; 15 a second of small drawings at 4 clients.",
    )


async def _round(client: httpx.AsyncClient, file: Path, clients: int) -> tuple[str, ...]:
    began = time.perf_counter()
    taken, outcomes = await hammer(client, file, clients=clients, requests=REQUESTS)
    rate = REQUESTS / (time.perf_counter() - began)
    said = ", ".join(f"{count} × {outcome}" for outcome, count in sorted(outcomes.items()))
    errors = sum(count for outcome, count in outcomes.items() if outcome != "200")
    return (str(clients), f"{rate:.1f}", *spread(taken), said, str(errors))


async def hammer(
    client: httpx.AsyncClient, file: Path, *, clients: int, requests: int
) -> tuple[list[float], Counter[str]]:
    """Send so many extracts over so many connections; seconds of each, and how often which outcome came."""
    left = iter(range(requests))
    body, taken, outcomes = body_of(file), list[float](), Counter[str]()

    async def one_client() -> None:
        for _ in left:
            began = time.perf_counter()
            outcomes[await _outcome(client, body)] += 1
            taken.append(time.perf_counter() - began)

    await asyncio.gather(*(one_client() for _ in range(clients)))
    return taken, outcomes


async def _outcome(client: httpx.AsyncClient, body: dict[str, str]) -> str:
    try:
        answer = await client.post(EXTRACT, json=body)
    except httpx.HTTPError as error:
        return type(error).__name__
    return "200" if answer.is_success else f"{answer.status_code} {answer.json()['error']['type']}"


async def _seconds(call: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


def spread(seconds: list[float]) -> tuple[str, str]:
    """Median and 95th percentile, in milliseconds."""
    return _ms(median(seconds)), _ms(quantiles(seconds, n=20, method="inclusive")[-1])


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


def main() -> None:
    """Measure a stack that runs already."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--converter", required=True, help="the converter's address, as SPATIAL_CONVERTER_URL")
    parser.add_argument("--file", type=Path, default=FILE)
    chosen = parser.parse_args()
    for table in asyncio.run(_measure(chosen.url, chosen.key, chosen.converter, chosen.file)):
        print(table.text(), end="\n\n")


if __name__ == "__main__":
    main()
