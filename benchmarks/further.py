"""A further child for the work on one large model, against none: the converter's pool on one and on two processors, in turns.

    python -m benchmarks further
    python -m benchmarks further --files plate.step --rounds 9

Wall-clock time, the median of the rounds, and beside it the processor time that a caller waits for: of the calls into the file's own child,
without what the further child does meanwhile. On a busy machine only the second says what the work takes. The reference is OCCT, as in
`benchmarks.readers`, warm, in this process.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from benchmarks import generate
from benchmarks.readers import PEERS, SIZES, SUFFIXES
from benchmarks.report import Table
from benchmarks.stack import Stack
from converter.documents import unpacked
from converter.fork_server import create_fork_server
from converter.pool import Pool, PoolSettings
from converter.wire import DocumentPlan, InputFile
from sandbox.children import Child, Delegate
from sandbox.frames import Frame
from spatial.contract import limits
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.models.sampling_plan import SamplingPlan

ROUNDS: Final = 5
PROCESSORS: Final = (1, 2)
PLANS: Final = {
    "structured": DocumentPlan(target=TargetContract.structured, request_id="bench"),
    "both": DocumentPlan(target=TargetContract.both, request_id="bench", sampling=SamplingPlan()),
}
HEADINGS = (
    "file", "answer", "theirs ms", "alone ms", "with ms", "with / theirs", "alone cpu ms", "with cpu ms", "cpu: with / theirs", "same",
)  # fmt: skip
Case = tuple[str, bytes]
"""Name and content of a file."""


def measure(stack: Stack) -> list[Table]:
    """Made STEP and IGES files of the sizes M and L. The stack is not used."""
    return [asyncio.run(table(list(_made()), ROUNDS))]


def main(options: list[str]) -> None:
    """Files of one's own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks further")
    parser.add_argument("--files", nargs="+", type=Path, default=[])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(options)
    cases = [(path.name, path.read_bytes()) for path in chosen.files] or list(_made())
    print(asyncio.run(table(cases, chosen.rounds)).text())


def _made() -> Iterator[Case]:
    for kind in ("step", "iges"):
        for size in ("M", "L"):
            yield f"{size}.{SUFFIXES.get(kind, kind)}", generate.MAKERS[kind](SIZES[kind][size])


async def table(cases: Sequence[Case], rounds: int) -> Table:
    """A row per file and answer."""
    server = create_fork_server(memory_bytes=limits.CONVERT_MEMORY_BYTES)
    pools = {count: Pool(PoolSettings(processors=count), server) for count in PROCESSORS}
    await pools[1].start()
    try:
        rows = [await _row(pools, case, answer, rounds) for case in cases for answer in PLANS]
    finally:
        await pools[1].close()
    note = "Aims: with / theirs 1.0 for structured STEP of size L (1.5 with features), both at most 1.3 of structured."
    return Table(f"A further child, median of {rounds} rounds in turns", HEADINGS, rows, note)


async def _row(pools: dict[int, Pool], case: Case, answer: str, rounds: int) -> tuple[str, ...]:
    name, data = case
    peer = PEERS[format_of(name).name]
    assert peer is not None
    walls: dict[Any, list[float]] = defaultdict(list)
    processor: dict[Any, list[float]] = defaultdict(list)
    bodies = set()
    for _round in range(rounds):
        for count, pool in pools.items():
            with _processor_time() as spent:
                wall, body = await _timed(lambda pool=pool: _document(pool, name, data, PLANS[answer]))  # type: ignore[misc]
            walls[count].append(wall)
            processor[count].append(sum(spent))
            bodies.add(body)
        began, began_processor = time.perf_counter(), time.process_time()
        peer(data)
        walls["theirs"].append(time.perf_counter() - began)
        processor["theirs"].append(time.process_time() - began_processor)
    wall_of = {key: statistics.median(times) for key, times in walls.items()}
    cpu_of = {key: statistics.median(times) for key, times in processor.items()}
    return (
        name,
        answer,
        _ms(wall_of["theirs"]),
        _ms(wall_of[1]),
        _ms(wall_of[2]),
        f"{wall_of[2] / wall_of['theirs']:.2f}",
        _ms(cpu_of[1]),
        _ms(cpu_of[2]),
        f"{cpu_of[2] / cpu_of['theirs']:.2f}",
        "yes" if len(bodies) == 1 else "NO",
    )


async def _document(pool: Pool, name: str, data: bytes, plan: DocumentPlan) -> bytes:
    source = InputFile(file_name=name, format=format_of(name).name)
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(data)
        return unpacked(await pool.extract(source, file, plan), source, plan).body


async def _timed(work: Callable[[], Awaitable[bytes]]) -> tuple[float, bytes]:
    began = time.perf_counter()
    body = await work()
    return time.perf_counter() - began, body


@contextmanager
def _processor_time() -> Iterator[list[float]]:
    """Seconds of every call into the child of the file."""
    spent: list[float] = []
    call = Child.call

    async def measured(
        child: Child,
        header: dict[str, Any],
        limit: int,
        content: BinaryIO | bytes = b"",
        delegate: Delegate | None = None,
    ) -> Frame:
        before = _seconds_of(child.pid)
        frame = await call(child, header, limit, content, delegate)
        spent.extend([_seconds_of(child.pid) - before] if header["phase"] != "work" else [])
        return frame

    Child.call = measured  # type: ignore[assignment, method-assign]  # the pool has no use for these times
    try:
        yield spent
    finally:
        Child.call = call  # type: ignore[method-assign]


def _seconds_of(pid: int) -> float:
    """Processor time of the one thread of a child, to the nanosecond (proc_pid_schedstat(5))."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"
