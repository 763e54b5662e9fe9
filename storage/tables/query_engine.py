"""Queries of the lake: DuckDB over the Parquet objects that manifests name.

DuckDB allows one writer process per file, so each query gets a database in memory, with a view per table. It reads through
`ReadOnlyFilesystem`, a file system that has only the named objects, under their keys:

    SELECT … FROM callouts  ->  view callouts  ->  read_parquet('lake://ingest/tables/callouts/…')
      ->  ReadOnlyFilesystem  ->  directory or bucket

So a query can neither write an object nor read anything but the tables; DuckDB's own access to files and networks is disabled, and the
lock on its settings keeps it so. (Its list of allowed paths would not do: what may be read there may be written by a COPY within WITH.)
The time and memory of a query are not limited.
"""

from __future__ import annotations

import asyncio
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
"""How often a query is repeated because compaction deleted objects that the manifest named."""

INTERRUPT_SECONDS: Final = 0.1
"""Interval between interrupts of a query that is no longer awaited, until it stops."""


_CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""Extensions would be downloads, and none is needed. A name that no table has would be looked for among Python's variables."""


@dataclass(frozen=True)
class TableView:
    """A view over objects. Columns that an old object lacks are NULL."""

    name: str
    schema: pa.Schema
    keys: Sequence[str]
    dated: bool = False
    """Whether `ingest_date` stands in the keys; it becomes the last column."""
    superseded: tuple[str, Sequence[str]] | None = None
    """A column, and the objects that list values of it whose rows are no longer valid."""


@dataclass(frozen=True)
class DerivedView:
    """A view over other views."""

    name: str
    sql: str


Views = Sequence[TableView | DerivedView]


@dataclass(frozen=True)
class Query:
    """A checked SELECT on an open database; each method runs it again."""

    connection: duckdb.DuckDBPyConnection
    sql: str
    parameters: Mapping[str, Any] | None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """The answer as rows of Python values."""
        return self.connection.execute(self.sql, self.parameters)

    def batches(self, rows: int) -> pa.RecordBatchReader:
        """The answer as Arrow, so many rows at a time."""
        return self.connection.sql(self.sql, params=self.parameters).to_arrow_reader(rows)


async def run_query(
    lake: Lake,
    views: Callable[[], Awaitable[Views]],
    sql: str,
    parameters: Mapping[str, Any] | None,
    take: Callable[[Query], T],
) -> T:
    """What `take` makes of the answer to one SELECT; it runs in a thread, and again when objects went away meanwhile.

    Raises: InvalidRequest for SQL that is wrong or does more than to ask; LakeUnavailable.
    """
    for _ in range(ATTEMPTS):
        with suppress(FileNotFoundError, ObjectMissing):
            there = await views()
            return await _run(ReadOnlyFilesystem(lake, keys_of(there)), there, sql, parameters, take)
    raise LakeUnavailable("the tables are being rewritten faster than they can be read; try again shortly")


def fetch_rows(question: Query) -> list[dict[str, Any]]:
    """Every row as a dict of its columns."""
    cursor = question.cursor()
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
) -> T:
    import duckdb

    with TemporaryDirectory(prefix="spatial-query-") as scratch, duckdb.connect(config=_CONFIG) as connection:

        def answer() -> T:
            try:
                _create_views(connection, filesystem, views, scratch)
                _check_select(connection, sql)
                return take(Query(connection, sql, parameters))
            except (duckdb.Error, OSError) as error:
                raise filesystem.explain(error) from error

        thread = asyncio.ensure_future(asyncio.to_thread(answer))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            while not thread.done():  # what is not begun yet is not interrupted
                connection.interrupt()
                await asyncio.wait([thread], timeout=INTERRUPT_SECONDS)
            thread.exception()
            raise


def _create_views(
    connection: duckdb.DuckDBPyConnection, filesystem: ReadOnlyFilesystem, views: Views, scratch: str
) -> None:
    """Lay out the views, then shut what leads out. `scratch` takes what does not fit into memory."""
    connection.register_filesystem(filesystem)
    connection.execute("CREATE SCHEMA blank")
    for view in views:
        connection.execute(
            _create_table_view(connection, view) if isinstance(view, TableView) else _create_derived_view(view)
        )
    connection.execute(f"SET temp_directory = {_quote(scratch)}")
    connection.execute(f"SET allowed_directories = [{_quote(ReadOnlyFilesystem.ROOT)}]")
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _create_table_view(connection: duckdb.DuckDBPyConnection, view: TableView) -> str:
    """An empty table with the view's columns, and over it, with the objects if there are any, the view."""
    import pyarrow as pa

    schema = view.schema.append(pa.field("ingest_date", pa.date32())) if view.dated else view.schema
    connection.register("columns", schema.empty_table())
    connection.execute(f"CREATE TABLE blank.{view.name} AS FROM columns")
    connection.unregister("columns")
    if not view.keys:
        return f"CREATE VIEW {view.name} AS FROM blank.{view.name}"
    columns = ", ".join(f'rows."{name}"' for name in schema.names)
    union = f"(FROM blank.{view.name} UNION ALL BY NAME FROM {_read_parquet(view.keys, dated=view.dated)}) AS rows"
    return f"CREATE VIEW {view.name} AS SELECT {columns} FROM {union}{_anti_join(view)}"  # noqa: S608  # our names and keys


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


def _check_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raises: InvalidRequest unless it is one SELECT; duckdb.Error when it is no SQL.

    A SELECT may hold an INSERT or a COPY behind WITH: the first finds nothing but this database in memory, the second nothing to write.
    """
    import duckdb

    statements = connection.extract_statements(sql)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise InvalidRequest(
            "the tables are asked with one SELECT (or FROM, WITH, DESCRIBE, SUMMARIZE, SHOW), nothing else"
        )
