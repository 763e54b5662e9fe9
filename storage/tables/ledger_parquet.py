"""Parquet files of usage rows, each made by a process of its own, which then ends: a process that has used pyarrow once holds 20 to 40 MB
of it, and a worker makes such a file once a minute at most. A process that has pyarrow already makes the file itself.

    python -m storage.tables.ledger_parquet

It reads a line of JSON with the columns, and with the rows or the sizes of files to merge, which follow; it writes the file to its standard
output. It has no settings, no lake and no database.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from spatial.errors import InternalError
from storage.tables import parquet

if TYPE_CHECKING:
    import pyarrow as pa

SECONDS: Final = 120.0
"""How long a file may take; the largest, of 250,000 rows, takes a few."""

ORDER: Final = ("created_at", "operation_id", "item")
"""Columns by which merged rows are in order."""

PARSE: Final[dict[str, Callable[[str], Any]]] = {"decimal": Decimal, "time": datetime.fromisoformat}
"""How a value of JSON is read, by kind; the others are what they are."""


class Column(NamedTuple):
    """A column of the file."""

    name: str
    kind: str
    """text, int32, int64, decimal, or time (UTC, without a zone)."""
    nullable: bool


def schema(columns: Iterable[Column]) -> pa.Schema:
    """The Parquet schema of these columns."""
    import pyarrow as pa

    kinds = {
        "text": pa.string(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "decimal": pa.decimal128(20, 10),
        "time": pa.timestamp("us"),
    }
    return pa.schema([pa.field(column.name, kinds[column.kind], nullable=column.nullable) for column in columns])


async def write(columns: Sequence[Column], rows: Iterable[dict[str, Any]]) -> bytes:
    """The Parquet file of some rows. Raises: InternalError."""
    values = [[row[column.name] for column in columns] for row in rows]
    return await asyncio.to_thread(_run, {"columns": columns, "rows": values}, [])


async def merge(columns: Sequence[Column], parts: Sequence[bytes]) -> bytes:
    """The Parquet file of the rows of several ones, in order. Raises: InternalError."""
    return await asyncio.to_thread(_run, {"columns": columns, "sizes": [len(part) for part in parts]}, parts)


def _run(asked: dict[str, Any], parts: Sequence[bytes]) -> bytes:
    """What the process answers; what this process makes where it has pyarrow already."""
    head = json.dumps(asked, default=str).encode()
    if "pyarrow" in sys.modules:
        return _make(head, parts)
    command = [sys.executable, "-P", "-m", __name__]
    environment = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    message = b"".join((head, b"\n", *parts))
    try:
        done = subprocess.run(
            command, input=message, stdout=subprocess.PIPE, env=environment, timeout=SECONDS, check=True
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise InternalError(f"the Parquet file of usage rows could not be written: {error}; try again") from error
    return done.stdout


def _make(head: bytes, parts: Iterable[bytes]) -> bytes:
    asked = json.loads(head)
    columns = [Column(*column) for column in asked["columns"]]
    if "rows" in asked:
        return parquet.to_parquet(_table(columns, asked["rows"]))
    together = parquet.concatenate(list(parts), schema(columns))
    return parquet.to_parquet(together.sort_by([(name, "ascending") for name in ORDER]))


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """In the process: read, and write the file."""
    head = requests.readline()
    answers.write(_make(head, [requests.read(size) for size in json.loads(head).get("sizes", ())]))


def _table(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> pa.Table:
    import pyarrow as pa

    read = [(column.name, PARSE.get(column.kind)) for column in columns]
    named = [
        {
            name: parse(value) if parse is not None and value is not None else value
            for (name, parse), value in zip(read, row, strict=True)
        }
        for row in rows
    ]
    return pa.Table.from_pylist(named, schema=schema(columns))


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    os._exit(0)  # Arrow aborts one process in twenty at its end, where a thread of its pool is just starting
