"""Two workers against one: each a process that carries chunks, with a converter of one place, on a core of its own.

That is how a Dask or Ray runner scales: `ingest_chunk` in a process with connections of its own. With a core for each worker, two on
two cores are comparable with one on one; a single worker that may use both cores leaves the second one little to add, and the
figure would be the machine's. Postgres has the cores of the workers, and the rest of the stack, which has no part in it, stands still.
All workers share one Postgres and one lake, where commits take effect one after another.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import queue
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, Final

import psutil

from benchmarks import cpu
from benchmarks.ingest_files import corpus
from benchmarks.report import Table, machine
from benchmarks.stack import Stack
from converter.client import ConverterClient
from flows.bulk import PER_WORKER, Options
from flows.runners import LANES
from pipelines.ingest.chunk import ingest_chunk
from pipelines.ingest.plan import Chunk
from pipelines.resources import open_resources, use_resources
from spatial.errors import ConverterUnavailable
from storage import settings
from storage.objects.file_filter import FileFilter, SourceFile
from storage.objects.sources import Source
from storage.tables import ingest

FILES: Final = 120
"""Of each worker and turn."""

TURNS: Final = 2

WORKERS: Final = (1, 2)

START_SECONDS: Final = 60.0
"""How long workers wait for one another before they begin."""


@dataclass(frozen=True)
class Spell:
    """What one worker did in one turn. Moments are of the machine's one monotonic clock, CPU is in seconds."""

    began: float
    ended: float
    worker: float
    converter: float


@dataclass(frozen=True)
class Turn:
    """Some workers, each with its share of the files."""

    spells: tuple[Spell, ...]
    postgres: float

    @property
    def speed(self) -> float:
        """Files a second, from the first that began to the last that ended."""
        return (
            len(self.spells) * FILES / (max(one.ended for one in self.spells) - min(one.began for one in self.spells))
        )

    @property
    def cpu(self) -> tuple[float, float, float]:
        """Milliseconds a file: converter, worker, Postgres."""
        seconds = sum(one.converter for one in self.spells), sum(one.worker for one in self.spells), self.postgres
        converter, worker, postgres = (1000 * one / (len(self.spells) * FILES) for one in seconds)
        return converter, worker, postgres


def table(stack: Stack, folder: Path) -> Table:
    """One worker, and two."""
    cores = sorted(os.sched_getaffinity(0))
    turns: dict[int, list[Turn]] = {count: [] for count in WORKERS if count <= len(cores)}
    for turn in range(TURNS):
        for count, taken in turns.items():
            taken.append(_turn(stack, folder / f"{turn}-{count}", cores[:count]))
    one = statistics.mean(turn.speed for turn in turns[1])
    converter, worker, _ = _cpu(turns[1])
    note = (
        f"Aim: near-linear, a ratio of 2. {machine()}. `busy` is the part of the workers' cores that the three have used: what is missing "
        f"to 100 % is waiting, for one another too. By CPU alone one worker process is enough for {converter / worker:.1f} "
        "places of the converter."
    )
    title = f"One worker and two, {FILES} small files each, mean of {TURNS} turns; CPU in ms a file"
    headings = ("workers, each with a core", "files/s", "a core", "ratio", "converter", "worker", "Postgres", "busy")
    return Table(title, headings, [_row(count, taken, one) for count, taken in turns.items()], note)


def _row(workers: int, turns: list[Turn], one: float) -> tuple[str, ...]:
    speed, costs = statistics.mean(turn.speed for turn in turns), _cpu(turns)
    busy = speed / workers * sum(costs) / 1000
    told = (f"{milliseconds:.1f}" for milliseconds in costs)
    return str(workers), f"{speed:.1f}", f"{speed / workers:.1f}", f"{speed / one:.2f}", *told, f"{busy:.0%}"


def _cpu(turns: list[Turn]) -> list[float]:
    return [statistics.mean(part) for part in zip(*(turn.cpu for turn in turns), strict=True)]


def _turn(stack: Stack, folder: Path, cores: list[int]) -> Turn:
    """As many workers as cores, at the same time."""
    spawning = multiprocessing.get_context("spawn")
    together, spells = spawning.Barrier(len(cores)), spawning.Queue()
    processes = []
    with cpu.only_postgres(stack.pid, set(cores)):
        before = cpu.spent(stack.pid)["Postgres"]
        for core in cores:
            corpus(folder / str(core), FILES)
            asked = (core, stack.home, stack.addresses["database_url"], (folder / str(core)).as_uri(), together, spells)
            processes.append(spawning.Process(target=_in_a_process, args=asked, daemon=True))
            processes[-1].start()
        done = tuple(_spell(spells, processes) for _ in cores)
        postgres = cpu.spent(stack.pid)["Postgres"] - before
    for process in processes:
        process.join()
    return Turn(done, postgres)


def _spell(spells: Any, processes: list[SpawnProcess]) -> Spell:
    """Raises: RuntimeError where a worker ended without having said anything."""
    while True:
        with contextlib.suppress(queue.Empty):
            return Spell(**spells.get(timeout=1))
        if any(process.exitcode for process in processes):
            raise RuntimeError("a worker of the benchmark has failed; it has said why")


# One worker ---------------------------------------------------------------------------------------------------------------


def _in_a_process(core: int, home: Path, database_url: str, source: str, together: Barrier, spells: Any) -> None:
    """Everything that this process starts stays on its core too."""
    os.sched_setaffinity(0, {core})
    spells.put(asyncio.run(_work(home, database_url, source, together)))


async def _work(home: Path, database_url: str, source: str, together: Barrier) -> dict[str, float]:
    async with converter() as (url, process):
        chosen = settings.load(home=home, database_url=database_url, converter_url=url, prefect_api_url=None)
        async with open_resources(chosen) as resources:
            found = await Source(source).find(FileFilter())
            run = await ingest.open_run(resources.database, "ingest", parameters={}, total=len(found))
            me = psutil.Process()
            together.wait(START_SECONDS)
            began, worker, converting = time.monotonic(), sum(me.cpu_times()[:2]), cpu.of(process)
            with use_resources(resources):
                await _work_off(_chunks(run.id, found))
            spell = {
                "began": began,
                "ended": time.monotonic(),
                "worker": sum(me.cpu_times()[:2]) - worker,
                "converter": cpu.of(process) - converting,
            }
            await ingest.close_run(resources.database, resources.lake, run.id, "done")
            return spell


async def _work_off(chunks: list[Chunk]) -> None:
    """As many at a time as a worker has under way."""
    waiting = iter(chunks)

    async def lane() -> None:
        for chunk in waiting:
            await ingest_chunk(chunk)

    await asyncio.gather(*(lane() for _ in range(LANES)))


def _chunks(run_id: str, found: list[SourceFile]) -> list[Chunk]:
    """Halves, so that both lanes have something to do."""
    size = min(Options().chunk_files, -(-len(found) // LANES))
    return [_chunk(run_id, found, start, size) for start in range(0, len(found), size)]


def _chunk(run_id: str, found: list[SourceFile], start: int, size: int) -> Chunk:
    return Chunk(
        run_id=run_id,
        number=start,
        first=start + 1,
        total=len(found),
        source=None,
        files=tuple(found[start : start + size]),
        parallel=-(-PER_WORKER // LANES),
        tries=3,
    )


@contextlib.asynccontextmanager
async def converter() -> AsyncIterator[tuple[str, psutil.Process]]:
    """The address of a converter of our own with one place, and its process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "converter.sock")
        command = [sys.executable, "-m", "converter.service", "--socket", str(path), "--workers", "1"]
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
        client = ConverterClient(f"unix://{path}")
        try:
            while True:
                with contextlib.suppress(ConverterUnavailable):
                    await client.health()
                    break
                await asyncio.sleep(0.05)
            yield f"unix://{path}", psutil.Process(process.pid)
        finally:
            await client.close()
            process.terminate()
            await process.wait()
