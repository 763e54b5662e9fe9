"""Outputs of a query result: rows for display, or a file. Each function can be the `take` of a query."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, BinaryIO, Final, Literal, get_args

from pydantic_core import to_json

from spatial.errors import InvalidRequest
from storage.tables.query_engine import Query

FileFormat = Literal["csv", "json", "parquet"]
FORMATS: Final[tuple[FileFormat, ...]] = get_args(FileFormat)

BATCH: Final = 10_000
"""Rows in memory while a file is written."""


@dataclass(frozen=True)
class Rows:
    """The first rows of an answer."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool
    """Whether the answer has further rows."""


def read_first(most: int | None) -> Callable[[Query], Rows]:
    """The first so many rows; None: all."""

    def take(question: Query) -> Rows:
        cursor = question.cursor()
        columns = [column[0] for column in cursor.description or ()]
        found = cursor.fetchall() if most is None else cursor.fetchmany(most + 1)
        return Rows(columns, found[:most], most is not None and len(found) > most)

    return take


def write_to(sink: BinaryIO, file_format: FileFormat, most: int | None = None) -> Callable[[Query], int]:
    """Write the first so many rows (None: all) into a file that can be cut, from its beginning; how many there were.

    csv: RFC 4180 with names, UTF-8; NULL is empty, lists are JSON. json: an array of objects, one a line. Decimals become JSON numbers.
    Columns of the same name are numbered. Raises: OSError; InvalidRequest for what Parquet has no type for.
    """

    def take(question: Query) -> int:
        sink.seek(0)
        sink.truncate()
        return _WRITERS[file_format](sink, question, most)

    return take


def to_text(value: Any) -> str:
    """A value as text: what is NULL is empty, what has parts is JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict | tuple):
        return to_json(value, bytes_mode="base64").decode()
    return str(value)


def _csv(sink: BinaryIO, question: Query, most: int | None) -> int:
    text = io.TextIOWrapper(sink, encoding="utf-8", newline="", write_through=True)
    try:
        writer, count = csv.writer(text), 0
        names, batches = _batches(question, most)
        writer.writerow(names)
        for batch in batches:
            writer.writerows([to_text(value) for value in row] for row in batch)
            count += len(batch)
        return count
    finally:
        text.detach()


def _json(sink: BinaryIO, question: Query, most: int | None) -> int:
    names, batches = _batches(question, most)
    count = 0
    sink.write(b"[")
    for batch in batches:
        for row in batch:
            sink.write(b",\n" if count else b"\n")
            record = {name: _number(value) for name, value in zip(names, row, strict=True)}
            sink.write(to_json(record, bytes_mode="base64", inf_nan_mode="null"))
            count += 1
    sink.write(b"\n]\n")
    return count


def _parquet(sink: BinaryIO, question: Query, most: int | None) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    reader = question.batches(BATCH)
    schema = pa.schema([field.with_name(name) for name, field in _named(reader.schema.names, reader.schema).items()])
    count = 0
    try:
        with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
            for batch in reader:
                left = batch if most is None else batch.slice(0, most - count)
                writer.write_batch(left.rename_columns(schema.names))
                count += left.num_rows
                if count == most:
                    break
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise InvalidRequest(f"Parquet cannot hold the answer ({error}); cast the column to VARCHAR") from error
    return count


_WRITERS: Final[Mapping[str, Callable[[BinaryIO, Query, int | None], int]]] = {
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
}


def _batches(question: Query, most: int | None) -> tuple[list[str], Iterator[list[tuple[Any, ...]]]]:
    cursor = question.cursor()

    def batches() -> Iterator[list[tuple[Any, ...]]]:
        left = most
        while batch := cursor.fetchmany(BATCH if left is None else min(BATCH, left)):
            yield batch
            left = None if left is None else left - len(batch)

    return list(_named([column[0] for column in cursor.description or ()], cursor.description or ())), batches()


def _named(names: Sequence[str], columns: Any) -> dict[str, Any]:
    """Columns by name; the second of a name is name_1, as DuckDB calls it."""
    named: dict[str, Any] = {}
    for name, column in zip(names, columns, strict=True):
        fresh, number = name, 0
        while fresh in named:
            number += 1
            fresh = f"{name}_{number}"
        named[fresh] = column
    return named


def _number(value: Any) -> Any:
    """JSON has one kind of number."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
