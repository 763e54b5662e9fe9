"""Queries of the lake: DuckDB over the Parquet objects that manifests name.

DuckDB allows one writer process per file, so each query gets a database in memory, with a view per table. It reads through
`ReadOnlyFilesystem`, a file system that has only the named objects, under their keys:

    SELECT … FROM callouts  ->  view callouts  ->  read_parquet('lake://ingest/tables/callouts/…')
      ->  ReadOnlyFilesystem  ->  directory or bucket

So a query cannot write an object and can read only the tables. DuckDB's own access to files and networks is disabled and its settings are
locked. (DuckDB's setting allowed_paths is not sufficient: a COPY within WITH may write to any path that may be read.)
The time of a query is not limited, and its memory only where a caller says so (QueryLimits).
"""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spatial.errors import InvalidRequest
from storage.objects.lake import Lake, LakeUnavailable, ObjectMissing
from storage.tables.read_only_filesystem import ReadOnlyFilesystem

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

T = TypeVar("T")

ATTEMPTS: Final = 3
"""How often a query is run before it fails because compaction deleted objects that the manifest named."""

INTERRUPT_SECONDS: Final = 0.1
"""Interval between interrupts of a query that is no longer awaited, until it stops."""


_UNKNOWN_TABLE: Final = re.compile(r"Table with name (\S+) does not exist")
"""DuckDB's error for a table that does not exist has no class of its own."""

_CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""No extension is needed, and DuckDB would download them. DuckDB would resolve unknown table names as Python variables."""


@dataclass(frozen=True)
class TableView:
    """A view over Parquet objects. Columns that an old object lacks are NULL."""

    name: str
    schema: pa.Schema
    keys: Sequence[str]
    dated: bool = False
    """Whether the keys contain `ingest_date`; it becomes the last column."""
    superseded: tuple[str, Sequence[str]] | None = None
    """A column, and the keys of the objects that list its superseded values; their rows are excluded."""


@dataclass(frozen=True)
class DerivedView:
    """A view over other views."""

    name: str
    sql: str


Views = Sequence[TableView | DerivedView]


@dataclass(frozen=True)
class QueryLimits:
    """What one query may use, where it runs in a process that serves others."""

    memory_bytes: int
    scratch_bytes: int
    """Size of its folder for data that exceed the memory."""
    threads: int


@dataclass(frozen=True)
class Query:
    """A checked SELECT on an open database; each method runs it again."""

    connection: duckdb.DuckDBPyConnection
    sql: str
    parameters: Mapping[str, Any] | None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """The result as rows of Python values."""
        return self.connection.execute(self.sql, self.parameters)

    def batches(self, rows: int) -> pa.RecordBatchReader:
        """The result as Arrow batches of at most `rows` rows."""
        return self.connection.sql(self.sql, params=self.parameters).to_arrow_reader(rows)


async def run_query(
    lake: Lake,
    views: Callable[[], Awaitable[Views]],
    sql: str,
    parameters: Mapping[str, Any] | None,
    take: Callable[[Query], T],
    limits: QueryLimits | None = None,
) -> T:
    """Run one SELECT and return `take(query)`. `take` runs in a thread, and again if compaction deleted objects meanwhile.

    limits: without them, memory and threads are those of the machine, as DuckDB chooses. A caller that waits no longer ends the query.
    Raises: InvalidRequest if the SQL is invalid or not a single SELECT; LakeUnavailable; any error of `take`.
    """
    for _ in range(ATTEMPTS):
        with suppress(FileNotFoundError, ObjectMissing):
            current = await views()
            return await _run(ReadOnlyFilesystem(lake, keys_of(current)), current, sql, parameters, take, limits)
    raise LakeUnavailable("the tables are being rewritten faster than they can be read; try again shortly")


def fetch_rows(query: Query) -> list[dict[str, Any]]:
    """Every row as a dict of column to value."""
    cursor = query.cursor()
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def keys_of(views: Views) -> set[str]:
    """Keys of every object that the views read."""
    tables = [view for view in views if isinstance(view, TableView)]
    return {key for table in tables for key in (*table.keys, *(table.superseded or ("", ()))[1])}


async def _run(
    filesystem: ReadOnlyFilesystem,
    views: Views,
    sql: str,
    parameters: Mapping[str, Any] | None,
    take: Callable[[Query], T],
    limits: QueryLimits | None,
) -> T:
    import duckdb

    with TemporaryDirectory(prefix="spatial-query-") as scratch, duckdb.connect(config=_CONFIG) as connection:

        def execute() -> T:
            try:
                _create_views(connection, filesystem, views, scratch, limits)
                _check_select(connection, sql)
                return take(Query(connection, sql, parameters))
            except (duckdb.Error, OSError) as error:
                raise _unknown_table(error, views) or filesystem.explain(error) from error

        thread = asyncio.ensure_future(asyncio.to_thread(execute))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            while not thread.done():  # an interrupt before the query starts has no effect
                connection.interrupt()
                await asyncio.wait([thread], timeout=INTERRUPT_SECONDS)
            thread.exception()
            raise


def _create_views(
    connection: duckdb.DuckDBPyConnection,
    filesystem: ReadOnlyFilesystem,
    views: Views,
    scratch: str,
    limits: QueryLimits | None,
) -> None:
    """Create the views, then disable access to other files and networks. scratch: folder for data that exceeds memory."""
    connection.register_filesystem(filesystem)
    connection.execute("CREATE SCHEMA blank")
    for view in views:
        connection.execute(
            _create_table_view(connection, view) if isinstance(view, TableView) else _create_derived_view(view)
        )
    connection.execute(f"SET temp_directory = {_quote(scratch)}")
    if limits is not None:
        connection.execute(f"SET memory_limit = '{limits.memory_bytes}B'")
        connection.execute(f"SET max_temp_directory_size = '{limits.scratch_bytes}B'")
        connection.execute(f"SET threads = {limits.threads}")
    connection.execute(f"SET allowed_directories = [{_quote(ReadOnlyFilesystem.ROOT)}]")
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _create_table_view(connection: duckdb.DuckDBPyConnection, view: TableView) -> str:
    """Create an empty table with the columns of the view; return the SQL that creates the view over that table and the objects."""
    import pyarrow as pa

    schema = view.schema.append(pa.field("ingest_date", pa.date32())) if view.dated else view.schema
    connection.register("columns", schema.empty_table())
    connection.execute(f"CREATE TABLE blank.{view.name} AS FROM columns")
    connection.unregister("columns")
    if not view.keys:
        return f"CREATE VIEW {view.name} AS FROM blank.{view.name}"
    columns = ", ".join(f'rows."{name}"' for name in schema.names)
    union = f"(FROM blank.{view.name} UNION ALL BY NAME FROM {_read_parquet(view.keys, dated=view.dated)}) AS rows"
    return f"CREATE VIEW {view.name} AS SELECT {columns} FROM {union}{_anti_join(view)}"  # noqa: S608  # constant names and generated keys


def _anti_join(view: TableView) -> str:
    if view.superseded is None or not view.superseded[1]:
        return ""
    column, keys = view.superseded
    return f' ANTI JOIN {_read_parquet(keys, dated=False)} AS superseded ON rows."{column}" = superseded.id'


def _read_parquet(keys: Sequence[str], *, dated: bool) -> str:
    names = ", ".join(_quote(f"{ReadOnlyFilesystem.ROOT}{key}") for key in keys)
    options = (
        ", hive_partitioning = true, hive_types = {'ingest_date': DATE}" if dated else ", hive_partitioning = false"
    )
    return f"read_parquet([{names}], union_by_name = true{options})"


def _create_derived_view(view: DerivedView) -> str:
    return f"CREATE VIEW {view.name} AS {view.sql}"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _unknown_table(error: Exception, views: Views) -> InvalidRequest | None:
    """The error for a table that does not exist, with those that do: DuckDB would suggest tables of its own; None for other errors."""
    found = _UNKNOWN_TABLE.search(str(error))
    return None if found is None else unknown_table(found[1], [view.name for view in views])


def unknown_table(wanted: str, names: Sequence[str]) -> InvalidRequest:
    """The error for a table that does not exist, with those that do."""
    close = difflib.get_close_matches(wanted.lower(), names, n=1)
    advice = f'use "{close[0]}", or another of' if close else "choose from"
    return InvalidRequest(f"there is no table {wanted}; {advice} {', '.join(names)}")


def _check_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Check that the SQL is one SELECT. Raises: InvalidRequest; duckdb.Error if it cannot be parsed.

    A SELECT may contain an INSERT or a COPY in its WITH clause. An INSERT reaches only the in-memory database; a COPY has no writable path.
    """
    import duckdb

    statements = connection.extract_statements(sql)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise InvalidRequest("the SQL is not one query; write one SELECT (or FROM, WITH, DESCRIBE, SUMMARIZE, SHOW)")
