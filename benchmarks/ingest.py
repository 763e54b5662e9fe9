"""Bulk ingest against a plain loop over the converter, with more places in the converter, and what it costs Prefect's database.

    python -m benchmarks ingest

The plain loop reads each file, has it read and interpreted, and lays the document down as a file: no tables, no record of what is done,
nothing that survives a kill. Both take the same small files, in turns, so that they meet the same machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import sqlalchemy as sa

from benchmarks.report import Table, machine
from benchmarks.stack import Stack
from converter.client import ConverterClient, Upload
from flows.bulk import PER_WORKER
from flows.runners import LANES
from spatial.contract.extraction import TargetContract
from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.errors import ConverterUnavailable
from spatial.extraction import assemble
from storage import ids, ingest, settings
from storage.database import Database
from storage.lake import Lake
from storage.server import sibling
from storage.sources import Choice, Source
from tasks import resources
from tasks.ingest import Chunk, ingest_chunk

Kind = Callable[[str, int, bytes], tuple[str, bytes]]
"""Makes a file of a salt, a number and a part: its extension and content."""

ROOT = Path(__file__).parents[1]

FILES: Final = 500
"""Of each turn."""

TURNS: Final = 3

CHUNK: Final = 500

ROWS_CHUNKS: Final = 4
"""Chunks of the run whose rows are counted."""

SETTLE_SECONDS: Final = 8.0
"""How long Prefect's tables must stand still before they are counted: it writes task runs and events a little later."""


def corpus(folder: Path, files: int, kinds: Sequence[Kind] | None = None) -> None:
    """Small files of all kinds, none like another, and none like those of any other call."""
    folder.mkdir(parents=True)
    salt = ids.new("bench")
    step = (ROOT / "examples" / "bracket.step").read_bytes()
    for number in range(files):
        chosen = kinds or _KINDS
        name, content = chosen[number % len(chosen)](f"{salt} {number}", number, step)
        (folder / f"{number:06}.{name}").write_bytes(content)


def _dxf(salt: str, number: int, step: bytes) -> tuple[str, bytes]:
    del step
    texts = [f"0\nTEXT\n8\n0\n10\n{10 * row}\n20\n{row}\n40\n3.5\n1\nM8x{number + row}\n" for row in range(20)]
    lines = [f"0\nLINE\n8\n0\n10\n{x}\n20\n0\n11\n{x}\n21\n50\n" for x in range(40)]
    return "dxf", f"999\n{salt}\n0\nSECTION\n2\nENTITIES\n{''.join(texts + lines)}0\nENDSEC\n0\nEOF\n".encode()


def _svg(salt: str, number: int, step: bytes) -> tuple[str, bytes]:
    del step
    texts = "".join(f'<text x="5" y="{y}">M{y}x{number}</text>' for y in range(1, 30))
    return "svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99"><!-- {salt} -->{texts}</svg>'.encode()


def _drawio(salt: str, number: int, step: bytes) -> tuple[str, bytes]:
    del step
    cells = "".join(
        f'<mxCell id="n{cell}" value="Step {cell} of {number}" vertex="1" parent="1"><mxGeometry x="{90 * cell}" y="9" width="80" '
        f'height="40" as="geometry"/></mxCell><mxCell id="e{cell}" edge="1" parent="1" source="n{cell}" target="n{cell + 1}"/>'
        for cell in range(15)
    )
    whole = f'<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>{cells}</root></mxGraphModel>'
    return "drawio", f'<mxfile><!-- {salt} --><diagram name="p">{whole}</diagram></mxfile>'.encode()


def _step(salt: str, number: int, step: bytes) -> tuple[str, bytes]:
    del number
    return "step", step.replace(b"DATA;", f"DATA; /* {salt} */".encode(), 1)


_KINDS: Final = (_dxf, _svg, _drawio, _dxf, _step)


async def plain(converter: ConverterClient, files: list[Path], at_a_time: int) -> float:
    """Files a second of the loop that somebody would write in an afternoon."""
    gate = asyncio.Semaphore(at_a_time)

    async def one(path: Path, target: Path) -> None:
        async with gate:
            data = await asyncio.to_thread(path.read_bytes)
            upload = Upload(file_name=path.name, format=EXTENSIONS[extension_of(path.name)].name)
            handle = await converter.read(upload, data)
            meaning = await converter.interpret(handle, _never)
            await converter.release(handle)
            document = assemble.assemble(
                handle.reading,
                meaning,
                None,
                file_name=path.name,
                target=TargetContract.structured,
                request_id="plain",
            )
            await asyncio.to_thread(target.joinpath(f"{path.name}.json").write_bytes, assemble.result_bytes(document))

    with tempfile.TemporaryDirectory() as results:
        began = time.perf_counter()
        await asyncio.gather(*(one(path, Path(results)) for path in files))
        return len(files) / (time.perf_counter() - began)


async def _never() -> bytes:
    raise AssertionError("the file is kept")


# Through the stack --------------------------------------------------------------------------------------------------------


def ingested(stack: Stack, folder: Path) -> float:
    """Files a second of a whole run of the flow, from its first request to its end, the wait for a worker aside."""
    prefect = _prefect(stack)
    with prefect:
        deployment = prefect.get("deployments/name/ingest/ingest").raise_for_status().json()["id"]
        body = {"parameters": {"source": folder.as_uri(), "chunk_files": CHUNK}}
        run = prefect.post(f"deployments/{deployment}/create_flow_run", json=body).raise_for_status().json()["id"]
        while True:
            state = prefect.get(f"flow_runs/{run}").raise_for_status().json()
            if state["state_type"] == "COMPLETED":
                return len(list(folder.iterdir())) / float(state["total_run_time"])
            if state["state_type"] in ("FAILED", "CRASHED", "CANCELLED"):
                raise RuntimeError(state["state"]["message"])
            time.sleep(0.2)


def _prefect(stack: Stack) -> httpx.Client:
    user, _, password = stack.addresses["prefect_auth"].partition(":")
    return httpx.Client(
        base_url=stack.addresses["prefect_api_url"] + "/", auth=(user, password), timeout=30, trust_env=False
    )


async def prefect_rows(stack: Stack) -> dict[str, int]:
    """Rows of every table of Prefect's database, once they stand still."""
    database = Database(sibling(stack.addresses["database_url"], "prefect"))
    try:
        before, since = await _counted(database), time.monotonic()
        while time.monotonic() - since < SETTLE_SECONDS:
            await asyncio.sleep(1)
            now = await _counted(database)
            if now != before:
                before, since = now, time.monotonic()
        return before
    finally:
        await database.close()


async def _counted(database: Database) -> dict[str, int]:
    async with database.transaction() as connection:
        names = await connection.execute(sa.text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        counts = {}
        for name in sorted(names.scalars()):
            counts[name] = int((await connection.execute(sa.text(f'SELECT count(*) FROM "{name}"'))).scalar_one())
        return counts


@contextlib.contextmanager
def housekeeping_paused(stack: Stack) -> Iterator[None]:
    """Other deployments' schedules at rest, so that the rows that are counted are the ingest's."""
    with _prefect(stack) as prefect:
        found = prefect.post("deployments/filter", json={}).raise_for_status().json()
        for deployment in found:
            prefect.post(f"deployments/{deployment['id']}/pause_deployment").raise_for_status()
        try:
            yield
        finally:
            for deployment in found:
                prefect.post(f"deployments/{deployment['id']}/resume_deployment").raise_for_status()


# With more places in the converter ----------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def converter(workers: int) -> AsyncIterator[str]:
    """The address of a converter of our own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "converter.sock")
        command = [sys.executable, "-m", "converter.service", "--socket", str(path), "--workers", str(workers)]
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
        client = ConverterClient(f"unix://{path}")
        try:
            while True:
                with contextlib.suppress(ConverterUnavailable):
                    await client.health()
                    break
                await asyncio.sleep(0.05)
            yield f"unix://{path}"
        finally:
            await client.close()
            process.terminate()
            await process.wait()


async def chunked(stack: Stack, folder: Path, workers: int) -> float:
    """Files a second of the chunks alone, as the flow's task runs work on them, through a converter of so many places."""
    async with converter(workers) as url:
        chosen = settings.load(
            home=stack.home, database_url=stack.addresses["database_url"], converter_url=url, prefect_api_url=None
        )
        async with resources.opened(chosen) as here:
            found = await Source(folder.as_uri()).find(Choice())
            run = await ingest.open_run(here.database, "ingest", parameters={}, total=len(found))
            chunks = [_chunk(run.id, found, start, workers) for start in range(0, len(found), CHUNK)]
            began = time.perf_counter()
            with resources.use(here):
                waiting = iter(chunks)

                async def lane() -> None:
                    for chunk in waiting:
                        await ingest_chunk.fn(chunk)

                await asyncio.gather(*(lane() for _ in range(LANES)))
            speed = len(found) / (time.perf_counter() - began)
            await ingest.close_run(here.database, Lake(chosen.storage_url), run.id, "done")
            return speed


def _chunk(run_id: str, found: list[Any], start: int, workers: int) -> Chunk:
    return Chunk(
        run_id=run_id,
        number=start,
        first=start + 1,
        total=len(found),
        source=None,
        files=tuple(found[start : start + CHUNK]),
        parallel=-(-PER_WORKER * workers // LANES),
        tries=3,
    )


# Tables -------------------------------------------------------------------------------------------------------------------


def measure(stack: Stack) -> list[Table]:
    """Against the plain loop; rows of Prefect's; one place and two."""
    with tempfile.TemporaryDirectory() as folder, housekeeping_paused(stack):
        return [_against(stack, Path(folder)), _rows(stack, Path(folder)), _scaling(stack, Path(folder))]


def _against(stack: Stack, folder: Path) -> Table:
    places = asyncio.run(_places(stack))
    loops, ingests = [], []
    for turn in range(TURNS):
        mine = folder / f"turn-{turn}"
        corpus(mine, FILES)
        loops.append(asyncio.run(_plain(stack, sorted(mine.iterdir()), PER_WORKER * places)))
        ingests.append(ingested(stack, mine))
    loop, whole = statistics.median(loops), statistics.median(ingests)
    rows: list[tuple[str, ...]] = [
        ("plain loop over the converter", f"{loop:.1f}", f"{loop / places:.1f}", "1.00"),
        ("ingest, whole flow run", f"{whole:.1f}", f"{whole / places:.1f}", f"{whole / loop:.2f}"),
    ]
    title = f"Ingest of {FILES} small files, median of {TURNS} turns"
    note = f"Aim: a ratio of at least 0.8. {machine()}; the converter has {places} places."
    return Table(title, ("", "files/s", "files/s a core", "ratio"), rows, note)


async def _places(stack: Stack) -> int:
    client = ConverterClient(stack.addresses["converter_url"])
    try:
        return (await client.health()).workers
    finally:
        await client.close()


async def _plain(stack: Stack, files: list[Path], at_a_time: int) -> float:
    client = ConverterClient(stack.addresses["converter_url"])
    try:
        return await plain(client, files, at_a_time)
    finally:
        await client.close()


def _rows(stack: Stack, folder: Path) -> Table:
    mine, files = folder / "rows", ROWS_CHUNKS * CHUNK
    corpus(mine, files, (_svg,))
    before = asyncio.run(prefect_rows(stack))
    ingested(stack, mine)
    after = asyncio.run(prefect_rows(stack))
    added = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    rows: list[tuple[str, ...]] = [
        (name, str(more), f"{more / files:.3f}") for name, more in sorted(added.items(), key=lambda one: -one[1])
    ]
    rows.append(("all", str(sum(added.values())), f"{sum(added.values()) / files:.3f}"))
    title = f"Rows of Prefect's database, {files} files in chunks of {CHUNK}"
    return Table(title, ("table", "rows", "a file"), rows, "Aim: fewer than 0.2 a file.")


def _scaling(stack: Stack, folder: Path) -> Table:
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for turn in range(TURNS):
        for workers, taken in speeds.items():
            mine = folder / f"places-{turn}-{workers}"
            corpus(mine, FILES)
            taken.append(asyncio.run(chunked(stack, mine, workers)))
    one = statistics.median(speeds[1])
    rows: list[tuple[str, ...]] = [
        (str(n), f"{statistics.median(s):.1f}", f"{statistics.median(s) / one:.2f}") for n, s in speeds.items()
    ]
    note = f"Aim: near-linear. {machine()}, which the converter's children share with everything else."
    return Table("Chunks of ingest through a converter of so many places", ("places", "files/s", "ratio"), rows, note)


def main() -> None:
    from benchmarks import stack

    print(json.dumps({"machine": machine()}))
    with stack.running() as running:
        for table in measure(running):
            print(table.text(), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
