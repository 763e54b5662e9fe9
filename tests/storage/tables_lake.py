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
from converter.documents import parsed
from spatial.contract.extraction import CadExtraction
from storage import ids
from storage.objects.lake import Lake
from storage.tables import ledger, parquet
from storage.tables.ingest.objects import STORE, SUPERSEDED
from storage.tables.row_mapping import SUPERSEDED_SCHEMA, Rows, rows_of, table_of

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
    return parsed(local.convert(data, name), name)


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


class TableWriter:
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
        await self.lake.put(key, parquet.to_parquet(table))
        self.objects.append({"key": key, "table": name, "ingest_date": day, "rows": table.num_rows})
        return key

    async def publish(self) -> None:
        """The next manifest."""
        self.version += 1
        await self._name(STORE.manifest, self.objects)

    async def meter(self, *rows: Mapping[str, Any]) -> None:
        """The usage ledger, with these rows alone."""
        key = f"usage/rows/{ids.new('u')}.parquet"
        await self.lake.put(key, parquet.to_parquet(pa.Table.from_pylist([dict(row) for row in rows], ledger.schema())))
        await self._name(ledger.STORE.manifest, [key])

    async def _name(self, folder: str, objects: Sequence[Any]) -> None:
        body = {"version": self.version, "objects": objects}
        await self.lake.put(f"{folder}/{self.version:020d}.json", json.dumps(body).encode())


def laid(url: str, rows: Rows) -> None:
    """A lake with these rows, for who asks it from another process."""

    async def lay() -> None:
        lake = Lake(url)
        await TableWriter(lake).add(rows)
        await lake.close()

    asyncio.run(lay())
