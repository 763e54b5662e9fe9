"""Asking the tables of bulk ingest: a million callouts of a hundred thousand drawings, common questions.

    python -m benchmarks tables

The rows are made here and written as bulk ingest and its compaction write them: once as PARTS small objects per table, as they are after
an ingest that nothing was compacted of, and once merged. Each question is a whole `spatial query` but for the start of the process: the
manifest is read, DuckDB opened, views laid, objects read. Asked of a directory, and of an S3 server on this machine (moto's, in
Python, which costs more than a real one). Times are the best of TURNS.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from moto.server import ThreadedMotoServer

from benchmarks.report import Table
from benchmarks.stack import Stack
from storage import ids, settings
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.tables import parquet
from storage.tables.ingest.compaction import MERGED_ROWS
from storage.tables.ingest.objects import STORE
from storage.tables.query import query
from storage.tables.row_mapping import ordered, table_of
from tests.support.s3 import CREDENTIALS

CALLOUTS = 1_000_000
A_DRAWING = 10
"""Callouts of a drawing."""

PARTS = 100
TURNS = 3
DAY = "2026-02-03"

QUESTIONS = {
    "threads by text": "SELECT document_id, text FROM callouts WHERE type = 'thread' AND text LIKE 'M8%'",
    "M8 threads and their files": (
        "SELECT source_uri, text, quantity FROM callouts JOIN documents USING (extraction_id)"
        " WHERE type = 'thread' AND callouts.size = 'M8' AND pitch = 0.75"
    ),
    "finer than Ra 1.6": "SELECT document_id, page, value FROM callouts WHERE type = 'surface_finish' AND parameter = 'Ra' AND value < 1.6",
    "callouts by type": "SELECT type, count(*), avg(confidence) FROM callouts GROUP BY ALL",
    "any text": "SELECT count(*) FROM callouts WHERE text ILIKE '%ø10%'",
    "one drawing": "SELECT * FROM callouts WHERE extraction_id = '{some}'",
    "drawings without revision": "SELECT count(*) FROM drawings WHERE revision IS NULL",
    "drawings of a material": "SELECT source_uri, material FROM drawings WHERE material ILIKE '%5754%' AND revision = 'C'",
}

Tables = dict[str, pa.Table]


def measure(stack: Stack) -> list[Table]:
    """One row a question."""
    return asyncio.run(_measure())


async def _measure() -> list[Table]:
    parts = [_part(number) for number in range(PARTS)]
    merged = _merged(parts)
    some = parts[PARTS // 2]["callouts"]["extraction_id"][0].as_py()
    columns: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, _s3_server() as endpoint:
        for name, objects in ((f"{PARTS} parts", parts), ("merged", merged)):
            columns[f"directory, {name}"] = await _ask(Lake(f"file://{folder}/{len(objects)}"), objects, some)
        chosen = settings.load(home=None, storage_url="s3://tables/merged", s3_endpoint=endpoint)
        await bucket.ensure_bucket(chosen)
        columns["S3, merged"] = await _ask(Lake(chosen.storage_url, endpoint), merged, some)
    headings = ("question", "rows", *(f"{name} ms" for name in columns if name != "rows"))
    counts = [cell.partition(" ")[2] for cell in columns["directory, merged"]]
    rows = [
        (question, count, *(cells[place].partition(" ")[0] for cells in columns.values()))
        for place, (question, count) in enumerate(zip(QUESTIONS, counts, strict=True))
    ]
    size = sum(len(parquet.to_parquet(objects["callouts"])) for objects in merged if "callouts" in objects)
    title = f"{CALLOUTS:,} callouts of {CALLOUTS // A_DRAWING:,} drawings ({size / 1e6:.0f} MB), best of {TURNS}"
    return [Table(title, headings, rows, "Aim: under 1,000 ms each.")]


async def _ask(lake: Lake, objects: list[Tables], some: str) -> list[str]:
    """Milliseconds and rows of every question."""
    await _write(lake, objects)
    cells = []
    for sql in QUESTIONS.values():
        best, rows = float("inf"), 0
        for _ in range(TURNS):
            started = time.perf_counter()
            rows = len(await query(lake, sql.replace("{some}", some)))
            best = min(best, time.perf_counter() - started)
        cells.append(f"{best * 1000:,.0f} {rows:,}")
    await lake.close()
    return cells


async def _write(lake: Lake, objects: list[Tables]) -> None:
    """The objects, and a manifest that names them."""
    named = []
    for tables in objects:
        for name, table in tables.items():
            key = f"ingest/tables/{name}/ingest_date={DAY}/{ids.new('t')}.parquet"
            await lake.put(key, parquet.to_parquet(table))
            named.append({"key": key, "table": name, "ingest_date": DAY, "rows": table.num_rows})
    await lake.put(f"{STORE.manifest}/{1:020d}.json", json.dumps({"version": 1, "objects": named}).encode())


def _merged(parts: list[Tables]) -> list[Tables]:
    """As compaction does it."""
    merged: list[Tables] = []
    for name in parts[0]:
        whole = ordered(name, pa.concat_tables([part[name] for part in parts]))
        merged += [{name: whole.slice(start, MERGED_ROWS)} for start in range(0, whole.num_rows, MERGED_ROWS)]
    return merged


def _part(number: int) -> Tables:
    """What one chunk of drawings gives; the same every time."""
    chance = random.Random(number)
    rows: dict[str, list[dict[str, Any]]] = {"documents": [], "callouts": [], "title_blocks": []}
    for drawing in range(CALLOUTS // A_DRAWING // PARTS):
        document_id = f"{chance.getrandbits(256):064x}"
        keys = {"document_id": document_id, "extraction_id": f"{document_id[:32]}-pdf-1-1"}
        uri = f"s3://drawings/project-{number}/{drawing}.pdf"
        about = {
            "row_id": uri,
            "source_uri": uri,
            "file_name": f"{drawing}.pdf",
            "format": "pdf",
            "kind": "drawing2d",
            "units": "point",
        }
        rows["documents"].append({**keys, **about, "callouts": A_DRAWING})
        rows["callouts"] += [
            {**keys, "callout_id": f"callout-{place}", **_callout(chance)} for place in range(A_DRAWING)
        ]
        rows["title_blocks"] += [
            {**keys, "field": field, "value": value, "origin": "title_block", "confidence": 0.95, "page": 1}
            for field, value in _fields(chance).items()
            if value
        ]
    return {name: table_of(name, found) for name, found in rows.items()}


def _callout(chance: random.Random) -> dict[str, Any]:
    source = f"annotation-{chance.randrange(300)}"
    kind = chance.choices(("hole", "tolerance", "thread", "surface_finish", "radius"), (35, 30, 15, 10, 10))[0]
    size = chance.choice((2, 3, 4, 5, 6, 8, 10, 12, 16, 20))
    row: dict[str, Any] = {
        "type": kind,
        "page": 1,
        "x": chance.random() * 800,
        "y": chance.random() * 600,
        "confidence": 0.95,
    }
    row |= {"unit": "millimeter", "role": "dimension", "source": source, "sources": [source]}
    if kind == "thread":
        pitch = chance.choice((0.5, 0.75, 1.0, 1.25))
        thread = {
            "size": f"M{size}",
            "pitch": pitch,
            "designation": f"M{size}x{pitch}",
            "class": "6H",
            "standard": "ISO metric",
        }
        return (
            row | thread | {"text": f"M{size}x{pitch}-6H ↧{chance.randrange(5, 40)}", "quantity": chance.randint(1, 8)}
        )
    if kind == "surface_finish":
        value = chance.choice((0.4, 0.8, 1.6, 3.2, 6.3))
        return row | {"text": f"Ra {value}", "parameter": "Ra", "value": value}
    nominal = round(chance.random() * 200, 2)
    return row | {"text": f"Ø{nominal} ±0.1", "nominal": nominal, "upper_deviation": 0.1, "lower_deviation": -0.1}


def _fields(chance: random.Random) -> dict[str, str]:
    material = chance.choice(("S235JR", "EN AW-5754", "1.4301", "EN-GJL-250", "PA6"))
    return {
        "title": f"PART {chance.randrange(10**6)}",
        "drawing_number": f"{chance.randrange(10**8):08d}",
        "material": material,
        "revision": chance.choice(("", "A", "B", "C")),
        "scale": "1:2",
        "date": f"2025-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
    }


@contextmanager
def _s3_server() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    before = dict(os.environ)
    os.environ.update(CREDENTIALS)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(before)
