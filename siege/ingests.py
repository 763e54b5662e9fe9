"""Bulk ingest during a siege: runs over a folder that grows, and the same folder once more from scratch, to compare the tables."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks.ingest import prefect_client
from benchmarks.ingest_files import corpus
from benchmarks.stack import Stack
from flows.bulk import Options
from pipelines.ingest.chunk import ingest_chunk
from pipelines.ingest.plan import Chunk
from pipelines.resources import open_resources, use_resources
from storage import ids, settings
from storage.objects.file_filter import FileFilter
from storage.objects.lake import Lake
from storage.objects.sources import Source
from storage.postgres.address import sibling_url
from storage.postgres.database import migrate
from storage.postgres.server import create_database
from storage.tables import ingest
from storage.tables.query import query
from storage.tables.row_mapping import TABLES

Row = dict[str, Any]

FILES: Final = 20
"""That are new in each run."""

PATIENCE_SECONDS: Final = 300.0
"""How long the last run, which nothing disturbs, may take."""

OF_A_RUN: Final = frozenset({"ingest_date", "ingested_at", "failed_at", "row_id", "extraction_id", "result_key"})
"""Columns that say when and in which run a row was made; two runs over the same files differ in them."""

LOOK_SECONDS: Final = 1.0
"""How often a run is asked whether it has ended."""

ENDED: Final = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


class Ingests:
    """Runs of the flow `ingest`, one after another in a thread, for the length of a block; what is killed under them does not end them."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        """folder: where the files are made."""
        self.runs = 0
        self._stack, self._folder = stack, folder
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._repeat, daemon=True)

    def __enter__(self) -> Ingests:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def finish(self) -> str:
        """Type of the state in which a last run ends, which nothing disturbs. Raises: TimeoutError."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        ended = self._follow(lambda: time.monotonic() > deadline)
        if ended is None:
            raise TimeoutError("no ingest has ended after the siege")
        return ended

    def _repeat(self) -> None:
        while not self._over.is_set():
            corpus(self._folder / str(self.runs), FILES)
            self.runs += 1
            self._follow(self._over.is_set)

    def _follow(self, is_over: Callable[[], bool]) -> str | None:
        """Start a run and follow it to its end; None where it was over before that."""
        run = None
        while not is_over():
            with suppress(httpx.HTTPError), prefect_client(self._stack) as client:  # its server is among what is killed
                run = run or _begin(client, self._folder)
                state = str(client.get(f"flow_runs/{run}").raise_for_status().json()["state_type"])
                if state in ENDED:
                    return state
            time.sleep(LOOK_SECONDS)
        return None


def _begin(client: httpx.Client, folder: Path) -> str:
    deployment = client.get("deployments/name/ingest/ingest").raise_for_status().json()["id"]
    body = {"parameters": {"source": folder.as_uri(), "chunk_files": 5}}
    made = client.post(f"deployments/{deployment}/create_flow_run", json=body)
    return str(made.raise_for_status().json()["id"])


async def differences(stack: Stack, folder: Path) -> list[str]:
    """Where the tables of the stack differ from those of the same files, read once more into an empty lake and database."""
    with tempfile.TemporaryDirectory(prefix="spatial-scratch-") as home:
        url = sibling_url(stack.addresses["database_url"], ids.new("scratch"))
        await create_database(url)
        await migrate(url)
        chosen = settings.load(
            home=Path(home),
            database_url=url,
            converter_url=stack.addresses["converter_url"],
            prefect_api_url=None,
        )
        await _from_scratch(chosen, folder)
        ours, theirs = await tables(stack.open_lake(), folder), await tables(Lake(chosen.storage_url), folder)
    return [
        f"{name}: {len(rows)} rows in the stack, {len(theirs[name])} from scratch, and they differ"
        for name, rows in ours.items()
        if rows != theirs[name]
    ]


async def _from_scratch(chosen: settings.Settings, folder: Path) -> None:
    async with open_resources(chosen) as resources:
        found = await Source(folder.as_uri()).find(FileFilter())
        run = await ingest.open_run(resources.database, "ingest", parameters={}, total=len(found))
        chunk = Chunk(run.id, 1, 1, len(found), folder.as_uri(), tuple(found), parallel=2, tries=Options().tries)
        with use_resources(resources):
            await ingest_chunk(chunk)
        await ingest.close_run(resources.database, resources.lake, run.id, "done")


async def tables(lake: Lake, folder: Path) -> dict[str, list[Row]]:
    """Every row that the tables hold of the files of a folder, without OF_A_RUN, in one order; closes the lake."""
    below = {"below": f"{folder.as_uri()}/%"}
    mine = "SELECT extraction_id FROM documents WHERE source_uri LIKE $below"
    try:
        found = {}
        for name in TABLES:
            where = "source_uri LIKE $below" if name in ("documents", "failures") else f"extraction_id IN ({mine})"
            found[name] = await query(lake, f"SELECT * FROM {name} WHERE {where}", below)
    finally:
        await lake.close()
    return {name: sorted((_lasting(row) for row in rows), key=str) for name, rows in found.items()}


def _lasting(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in OF_A_RUN}


def compare(stack: Stack, folder: Path) -> list[str]:
    """`differences`, for a caller without an event loop."""
    return asyncio.run(differences(stack, folder))
