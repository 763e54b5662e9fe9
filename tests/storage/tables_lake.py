"""A lake with tables, laid down as bulk ingest does, without its database: what readers follow is the manifest."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from converter import local
from spatial.contract.extraction import CadExtraction, TargetContract
from spatial.extraction import assemble
from storage import ids, shelves
from storage.ingest_objects import SHELF, SUPERSEDED
from storage.lake import Lake
from storage.tabling import SUPERSEDED as SUPERSEDED_SCHEMA
from storage.tabling import TABLES, Rows, rows_of, table_of

ROOT = Path(__file__).parents[2]

BUNDLED = (
    "examples/bracket.step",
    "examples/sheet.pdf",
    "tests/data/diagrams/swimlanes.xml",
)
"""One file a kind of document."""


@cache
def document(path: str) -> CadExtraction:
    """What is extracted of a file of the repository."""
    data, name = (ROOT / path).read_bytes(), Path(path).name
    reading, meaning, _ = local.convert(data, name)
    structured = TargetContract.structured
    return assemble.assemble(reading, meaning, None, file_name=name, target=structured, request_id="test")


def rows_of_file(path: str) -> Rows:
    """Its rows, with those columns of `documents` that only who ingests knows."""
    document_id = hashlib.sha256((ROOT / path).read_bytes()).hexdigest()
    rows = rows_of(document(path), document_id=document_id, extraction_id=f"{document_id[:32]}-1-1")
    of_source = {
        "row_id": f"row of {path}",
        "source_uri": f"file:///{path}",
        "file_name": Path(path).name,
        "size": (ROOT / path).stat().st_size,
        "extractor_version": 1,
    }
    return {**rows, "documents": [{**rows["documents"][0], **of_source}]}


class Shelf:
    """Lays objects into a lake, and manifests that name them."""

    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self.objects: list[dict[str, Any]] = []
        self.version = 0

    async def add(self, rows: Mapping[str, Sequence[Mapping[str, Any]]], day: str = "2026-02-03") -> None:
        """One object a table, and a manifest with them."""
        for name, found in rows.items():
            await self.put(name, table_of(name, [dict(row) for row in found]), day)
        await self.publish()

    async def supersede(self, *names: str) -> None:
        """Say that rows are not valid any more."""
        await self.put(SUPERSEDED, pa.Table.from_pylist([{"id": name} for name in names], SUPERSEDED_SCHEMA))
        await self.publish()

    async def put(self, name: str, table: pa.Table, day: str = "2026-02-03") -> str:
        """An object, which the next manifest will name."""
        key = f"ingest/tables/{name}/ingest_date={day}/{ids.new('t')}.parquet"
        await self.lake.put(key, shelves.parquet(table))
        self.objects.append({"key": key, "table": name, "ingest_date": day, "rows": table.num_rows})
        return key

    async def publish(self) -> None:
        """The next manifest."""
        self.version += 1
        body = {"version": self.version, "objects": self.objects}
        await self.lake.put(f"{SHELF.manifest}/{self.version:020d}.json", json.dumps(body).encode())


def laid(root: Path) -> Lake:
    """A directory with the rows of the bundled files, for who asks it from another process."""
    lake = Lake(f"file://{root}")

    async def lay() -> None:
        shelf = Shelf(lake)
        for path in BUNDLED:
            await shelf.add(rows_of_file(path))

    asyncio.run(lay())
    return lake


__all__ = ["BUNDLED", "TABLES", "Shelf", "document", "laid", "rows_of_file"]
