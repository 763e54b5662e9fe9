"""The converter against the same work in a warm process, and against multiprocessing's own fork server; in one run.

    python -m benchmarks converter
    python -m benchmarks.converter [FILE] [--rounds N] [--calls N]

The round trip is a client's: over HTTP on a Unix socket, one fresh process a file. Aim: at most 1.3 times the warm process.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.report import Table
from benchmarks.stack import Stack
from converter.child import Session
from converter.client import ConverterClient, DocumentPlan, InputFile
from converter.format_table import FORMATS
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.errors import ConverterUnavailable

SAMPLE = Path(__file__).parents[1] / "examples" / "bracket.step"
START_SECONDS = 120.0
ROUNDS, CALLS, CLIENTS = 20, 100, (1, 4, 16)


PLAN = DocumentPlan(target=TargetContract.structured, request_id="bench")


def work(data: bytes, file_name: str) -> bytes:
    """What a child does when it reads."""
    return _read(data, file_name)[1]


def whole_work(data: bytes, file_name: str) -> bytes:
    """Reading, interpreting and the document."""
    return _read(data, file_name)[0].assemble(PLAN.model_dump(mode="json"))[1]


def _read(data: bytes, file_name: str) -> tuple[Session, bytes]:
    session = Session(FORMATS)
    call = {
        "phase": "read",
        "file_name": file_name,
        "format": format_of(file_name).name,
        "edges": False,
        "without": [],
        "seconds": 60.0,
    }
    return session, session.answer(call, data)


def work_for(connection: Connection, data: bytes, file_name: str) -> None:
    """The same in a process of multiprocessing's fork server."""
    connection.send_bytes(work(data, file_name))


def one_process(data: bytes, file_name: str) -> None:
    """One process a file, as multiprocessing does it."""
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work_for, args=(theirs, data, file_name))
    process.start()
    theirs.close()
    ours.recv_bytes()
    process.join()


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Without what native libraries print."""
    kept = os.dup(1)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    await call()
    return (time.perf_counter() - started) * 1000


@contextlib.asynccontextmanager
async def service() -> AsyncIterator[tuple[ConverterClient, int]]:
    """A converter service of our own: its client and its process id."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "converter.sock")
        command = [sys.executable, "-m", "converter.service", "--socket", str(path)]
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
        client = ConverterClient(f"unix://{path}")
        try:
            async with asyncio.timeout(START_SECONDS):
                while True:
                    with contextlib.suppress(ConverterUnavailable):
                        await client.health()
                        break
                    await asyncio.sleep(0.05)
            yield client, process.pid
        finally:
            await client.close()
            process.terminate()
            await process.wait()


def resident(pid: int) -> float:
    """MiB of resident memory."""
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024


async def latencies(client: ConverterClient, data: bytes, source: InputFile, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every way, the ways taken in turn so that all meet the same machine."""

    async def read() -> None:
        await client.release(await client.read(source, data))

    async def read_and_interpret() -> None:
        handle = await client.read(source, data)
        await client.interpret(handle, _never)
        await client.release(handle)

    async def warm() -> None:
        work(data, source.file_name)

    async def warm_whole() -> None:
        whole_work(data, source.file_name)

    async def forkserver() -> None:
        await asyncio.to_thread(one_process, data, source.file_name)

    ways = {
        "read, warm process": warm,
        "read, converter": read,
        "read, multiprocessing forkserver": forkserver,
        "read + interpret, warm process": warm_whole,
        "read + interpret, converter": read_and_interpret,
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 2):
        for name, way in ways.items():
            with silence():
                milliseconds = await timed(way)
            if turn >= 2:  # the first two warm caches
                taken[name].append(milliseconds)
    return taken


async def _never() -> bytes:
    raise AssertionError("the file is kept")


def latency_rows(taken: dict[str, list[float]]) -> list[tuple[str, ...]]:
    """Medians, and how they compare with the warm process that did the same."""
    rows: list[tuple[str, ...]] = []
    for name, times in taken.items():
        warm = statistics.median(taken[f"{name.partition(',')[0]}, warm process"])
        median, p90 = statistics.median(times), sorted(times)[int(len(times) * 0.9)]
        compared = ("", "") if median == warm else (f"{median - warm:.1f}", f"{median / warm:.2f}")
        rows.append((name, f"{median:.1f}", f"{min(times):.1f}", f"{p90:.1f}", *compared))
    return rows


async def throughput(client: ConverterClient, data: bytes, source: InputFile, calls: int, clients: int) -> float:
    """Files read in a second by so many clients at once."""
    left = iter(range(calls))

    async def come() -> None:
        for _ in left:
            await client.release(await client.read(source, data))

    started = time.perf_counter()
    await asyncio.gather(*(come() for _ in range(clients)))
    return calls / (time.perf_counter() - started)


async def tables(file: Path, data: bytes, rounds: int, calls: int) -> list[Table]:
    """Latency, and what the service carries."""
    source = InputFile(file_name=file.name, format=format_of(file.name).name)
    preload = ["__main__", "spatial.pipeline.read", format_of(file.name).reader]
    multiprocessing.get_context("forkserver").set_forkserver_preload(preload)
    async with service() as (client, pid):
        health = await client.health()
        times = latency_rows(await latencies(client, data, source, rounds))
        before = resident(pid)
        rates: list[tuple[str, ...]] = [
            (str(many), f"{await throughput(client, data, source, calls, many):.1f}") for many in CLIENTS
        ]
        after = resident(pid)
    title = f"Converter, {file.name}, {len(data):,} bytes, {rounds} of each in turns"
    note = f"Aim: a ratio of at most 1.3. Children are held by {', '.join(health.isolation)}."
    grown = f"Service resident {before:.1f} MiB before and {after:.1f} MiB after these {len(CLIENTS) * calls} files."
    return [
        Table(title, ("", "p50 ms", "best ms", "p90 ms", "over warm ms", "ratio"), times, note),
        Table(f"Converter under load, {calls} files each", ("clients", "files/s"), rates, grown),
    ]


def measure(stack: Stack) -> list[Table]:
    """Both tables, on the bundled part, with a converter of its own beside the stack's."""
    return asyncio.run(tables(SAMPLE, SAMPLE.read_bytes(), ROUNDS, CALLS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE, help="a file of any format that is read")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="timed turns of every way")
    parser.add_argument("--calls", type=int, default=CALLS, help="files of every throughput measurement")
    arguments = parser.parse_args()
    file: Path = arguments.file
    for table in asyncio.run(tables(file, file.read_bytes(), arguments.rounds, arguments.calls)):
        print(table.text(), end="\n\n")


if __name__ == "__main__":
    main()
