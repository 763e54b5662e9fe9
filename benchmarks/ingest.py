"""Bulk ingest against a plain loop over the converter, what it costs Prefect's database, and two workers against one.

    python -m benchmarks ingest                        all of it, each table as soon as it is there
    python -m benchmarks.ingest --part rows            one part, on a stack of its own: speed, rows, workers

The plain loop reads each file, has it read and interpreted, and lays the document down as a file: no tables, no record of what is done,
nothing that survives a kill. Loop and ingest take the same small files, in turns, so that they meet the same machine. Runs have the
flow's default settings.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import psutil
import sqlalchemy as sa

from benchmarks import cpu, ingest_workers
from benchmarks.ingest_files import corpus, tiny
from benchmarks.report import Table, machine
from benchmarks.stack import Stack, running
from converter.client import ConverterClient, DocumentPlan, InputFile
from flows.bulk import PER_WORKER, Options
from flows.catalog import CATALOG
from prefect_runtime.host import HEARTBEAT_SECONDS
from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.contract.target import TargetContract
from storage.postgres.address import sibling_url
from storage.postgres.database import Database

FILES: Final = 200
"""Of each turn."""

TURNS: Final = 3

CPU_PARTS: Final = (*cpu.PARTS.values(), "client")
"""Whose CPU time is told; the client is this process."""

ROWS_FILES: Final = (20, 2_000)
"""Of the runs whose rows are counted: a small one, and one of a few thousand files."""

LOOK_SECONDS: Final = 1.0
"""How often a run is asked whether it has ended; each time costs the server more than a file does. Prefect itself says how long it took."""

SETTLE_SECONDS: Final = 5.0
"""How long Prefect's tables must stand still before they are counted: it writes task runs and events a little later."""


# Through the loop ---------------------------------------------------------------------------------------------------------


async def plain(converter: ConverterClient, files: Sequence[Path], at_a_time: int) -> float:
    """Files a second of the loop that somebody would write in an afternoon."""
    gate = asyncio.Semaphore(at_a_time)
    plan = DocumentPlan(target=TargetContract.structured, request_id="plain")

    async def one(path: Path, target: Path) -> None:
        async with gate:
            data = await asyncio.to_thread(path.read_bytes)
            source = InputFile(file_name=path.name, format=EXTENSIONS[extension_of(path.name)].name)
            document = await converter.extract(source, data, plan)
            await asyncio.to_thread(target.joinpath(f"{path.name}.json").write_bytes, document.body)

    with tempfile.TemporaryDirectory() as results:
        began = time.perf_counter()
        await asyncio.gather(*(one(path, Path(results)) for path in files))
        return len(files) / (time.perf_counter() - began)


# Through the stack --------------------------------------------------------------------------------------------------------


def ingested(stack: Stack, folder: Path) -> float:
    """Seconds of a whole run of the flow, from its first request to its end, the wait for a worker aside."""
    with prefect_client(stack) as prefect:
        deployment = prefect.get("deployments/name/ingest/ingest").raise_for_status().json()["id"]
        body = {"parameters": {"source": folder.as_uri()}}
        run = prefect.post(f"deployments/{deployment}/create_flow_run", json=body).raise_for_status().json()["id"]
        while True:
            state = prefect.get(f"flow_runs/{run}").raise_for_status().json()
            if state["state_type"] == "COMPLETED":
                return float(state["total_run_time"])
            if state["state_type"] in ("FAILED", "CRASHED", "CANCELLED"):
                raise RuntimeError(state["state"]["message"])
            time.sleep(LOOK_SECONDS)


def prefect_client(stack: Stack) -> httpx.Client:
    """A client of the stack's Prefect server."""
    user, _, password = stack.addresses["prefect_auth"].partition(":")
    return httpx.Client(
        base_url=stack.addresses["prefect_api_url"] + "/", auth=(user, password), timeout=30, trust_env=False
    )


async def prefect_rows(stack: Stack) -> Counter[str]:
    """Rows of every table of Prefect's database, once they stand still."""
    database = Database(sibling_url(stack.addresses["database_url"], "prefect"))
    try:
        before, since = await count_rows(database), time.monotonic()
        while time.monotonic() - since < SETTLE_SECONDS:
            await asyncio.sleep(0.5)
            now = await count_rows(database)
            if now != before:
                before, since = now, time.monotonic()
        return before
    finally:
        await database.close()


async def count_rows(database: Database) -> Counter[str]:
    """Rows of every table of a database."""
    async with database.transaction() as connection:
        names = await connection.execute(sa.text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        counts: Counter[str] = Counter()
        for name in sorted(names.scalars()):
            counts[name] = int((await connection.execute(sa.text(f'SELECT count(*) FROM "{name}"'))).scalar_one())
        return counts


@contextlib.contextmanager
def housekeeping_paused(stack: Stack) -> Iterator[None]:
    """Other deployments' schedules at rest, so that the rows and the time that are counted are the ingest's."""
    with prefect_client(stack) as prefect:
        while len(found := prefect.post("deployments/filter", json={}).raise_for_status().json()) < len(CATALOG):
            time.sleep(0.2)  # a stack is ready before all is registered
        for deployment in found:
            prefect.post(f"deployments/{deployment['id']}/pause_deployment").raise_for_status()
        try:
            yield
        finally:
            for deployment in found:
                prefect.post(f"deployments/{deployment['id']}/resume_deployment").raise_for_status()


# Tables -------------------------------------------------------------------------------------------------------------------


def measure(stack: Stack, parts: Iterable[str] = ()) -> Iterator[Table]:
    """A table for each part, all where none is named."""
    with housekeeping_paused(stack):
        for part in parts or PARTS:
            with tempfile.TemporaryDirectory() as folder:
                yield PARTS[part](stack, Path(folder))


def _speed(stack: Stack, folder: Path) -> Table:
    places = asyncio.run(_places(stack))
    loops, ingests = [], []
    loop_cpu, ingest_cpu = dict.fromkeys(CPU_PARTS, 0.0), dict.fromkeys(CPU_PARTS, 0.0)
    for turn in range(TURNS):
        mine = folder / f"turn-{turn}"
        files = corpus(mine, FILES)
        with _add_cpu(stack, loop_cpu):
            loops.append(asyncio.run(_plain(stack, files, PER_WORKER * places)))
        with _add_cpu(stack, ingest_cpu):
            ingests.append(FILES / ingested(stack, mine))
    loop, whole = statistics.median(loops), statistics.median(ingests)
    rows = [
        ("plain loop over the converter", *_speeds(loop, loop, places), *_a_file(loop_cpu)),
        ("ingest, whole flow run", *_speeds(whole, loop, places), *_a_file(ingest_cpu)),
    ]
    title = f"Ingest of {FILES} small files, median of {TURNS} turns; CPU in ms a file"
    headings = ("", "files/s", "files/s a core", "ratio", "CPU", *CPU_PARTS)
    note = (
        f"Aim: a ratio of at least 0.8. {machine()}; the converter has {places} places. "
        "`client` is the loop, and the process that waits for the run."
    )
    return Table(title, headings, rows, note)


@contextlib.contextmanager
def _add_cpu(stack: Stack, seconds: dict[str, float]) -> Iterator[None]:
    """Adds the CPU seconds of the block, by part."""
    client = psutil.Process()

    def spent() -> dict[str, float]:
        return {**cpu.spent(stack.pid), "client": sum(client.cpu_times()[:2])}

    before = spent()
    yield
    for part, now in spent().items():
        seconds[part] += now - before[part]


def _speeds(speed: float, loop: float, places: int) -> tuple[str, str, str]:
    return f"{speed:.1f}", f"{speed / places:.1f}", f"{speed / loop:.2f}"


def _a_file(seconds: dict[str, float]) -> list[str]:
    each = [1000 * seconds[part] / (TURNS * FILES) for part in CPU_PARTS]
    return [f"{milliseconds:.1f}" for milliseconds in (sum(each), *each)]


async def _places(stack: Stack) -> int:
    client = ConverterClient(stack.addresses["converter_url"])
    try:
        return (await client.health()).workers
    finally:
        await client.close()


async def _plain(stack: Stack, files: Sequence[Path], at_a_time: int) -> float:
    client = ConverterClient(stack.addresses["converter_url"])
    try:
        return await plain(client, files, at_a_time)
    finally:
        await client.close()


def _rows(stack: Stack, folder: Path) -> Table:
    added, seconds = [], []
    for files in ROWS_FILES:
        mine = folder / str(files)
        corpus(mine, files, (tiny,))
        before = asyncio.run(prefect_rows(stack))
        seconds.append(ingested(stack, mine))
        added.append(asyncio.run(prefect_rows(stack)) - before)
    names = sorted(added[-1], key=lambda name: -added[-1][name])
    rows = [
        (name, *(text for more, files in zip(added, ROWS_FILES, strict=True) for text in _share(more[name], files)))
        for name in names
    ]
    rows.append(
        ("all", *(text for more, files in zip(added, ROWS_FILES, strict=True) for text in _share(more.total(), files)))
    )
    chunk = Options().chunk_files
    runs = [f"{files:,} files" for files in ROWS_FILES]
    took = " and ".join(f"{one:.0f} s" for one in seconds)
    note = (
        f"Aim: fewer than 0.2 a file in a run of a few thousand; what a run costs whatever it holds, a small one does not share out. "
        f"Chunks of {chunk}; the runs took {took}, and every {HEARTBEAT_SECONDS:.0f} s one has a heartbeat of 5 rows."
    )
    return Table(
        "Rows that a run adds to Prefect's database", ("table", runs[0], "a file", runs[1], "a file"), rows, note
    )


def _share(rows: int, files: int) -> tuple[str, str]:
    return str(rows), f"{rows / files:.3f}"


PARTS: Final[dict[str, Callable[[Stack, Path], Table]]] = {
    "speed": _speed,
    "rows": _rows,
    "workers": ingest_workers.table,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ingest", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="all where none is named; more than one may be")
    chosen: dict[str, Any] = vars(parser.parse_args())
    print(f"{machine()}\n", flush=True)
    with running() as stack:
        for table in measure(stack, chosen["part"] or ()):
            print(table.text(), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
