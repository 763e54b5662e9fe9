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
"""Maximum number of rows in memory while a file is written."""


@dataclass(frozen=True)
class Rows:
    """The first rows of a query result."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool
    """Whether the result has further rows."""


def read_first(most: int | None) -> Callable[[Query], Rows]:
    """A `take` that returns the first `most` rows; all if None."""

    def take(query: Query) -> Rows:
        cursor = query.cursor()
        columns = [column[0] for column in cursor.description or ()]
        found = cursor.fetchall() if most is None else cursor.fetchmany(most + 1)
        return Rows(columns, found[:most], most is not None and len(found) > most)

    return take


def write_to(sink: BinaryIO, file_format: FileFormat, most: int | None = None) -> Callable[[Query], int]:
    """A `take` that truncates `sink`, writes the first `most` rows (all if None), and returns their number.

    csv: RFC 4180 with a header, UTF-8; NULL is empty, lists are JSON. json: an array with one object per line; decimals are numbers.
    Columns of the same name get a number. Raises: OSError; InvalidRequest for a type that Parquet does not have.
    """

    def take(query: Query) -> int:
        sink.seek(0)
        sink.truncate()
        return _WRITERS[file_format](sink, query, most)

    return take


def to_text(value: Any) -> str:
    """A value as text: NULL is empty, lists and structs are JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict | tuple):
        return to_json(value, bytes_mode="base64").decode()
    return str(value)


def _write_csv(sink: BinaryIO, query: Query, most: int | None) -> int:
    text = io.TextIOWrapper(sink, encoding="utf-8", newline="", write_through=True)
    try:
        writer, count = csv.writer(text), 0
        names, batches = _fetch_batches(query, most)
        writer.writerow(names)
        for batch in batches:
            writer.writerows([to_text(value) for value in row] for row in batch)
            count += len(batch)
        return count
    finally:
        text.detach()


def _write_json(sink: BinaryIO, query: Query, most: int | None) -> int:
    names, batches = _fetch_batches(query, most)
    count = 0
    sink.write(b"[")
    for batch in batches:
        for row in batch:
            sink.write(b",\n" if count else b"\n")
            record = {name: _to_json_number(value) for name, value in zip(names, row, strict=True)}
            sink.write(to_json(record, bytes_mode="base64", inf_nan_mode="null"))
            count += 1
    sink.write(b"\n]\n")
    return count


def _write_parquet(sink: BinaryIO, query: Query, most: int | None) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    reader = query.batches(BATCH)
    schema = pa.schema(
        [field.with_name(name) for name, field in _unique_names(reader.schema.names, reader.schema).items()]
    )
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
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
}


def _fetch_batches(query: Query, most: int | None) -> tuple[list[str], Iterator[list[tuple[Any, ...]]]]:
    cursor = query.cursor()

    def batches() -> Iterator[list[tuple[Any, ...]]]:
        left = most
        while batch := cursor.fetchmany(BATCH if left is None else min(BATCH, left)):
            yield batch
            left = None if left is None else left - len(batch)

    return list(_unique_names([column[0] for column in cursor.description or ()], cursor.description or ())), batches()


def _unique_names(names: Sequence[str], columns: Any) -> dict[str, Any]:
    """Columns by unique name; a repeated name gets the suffix _1, _2, … as in DuckDB."""
    named: dict[str, Any] = {}
    for name, column in zip(names, columns, strict=True):
        unique, number = name, 0
        while unique in named:
            number += 1
            unique = f"{name}_{number}"
        named[unique] = column
    return named


def _to_json_number(value: Any) -> Any:
    """Convert a Decimal to int or float, which JSON can represent."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
