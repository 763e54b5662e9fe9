"""Asking the lake: DuckDB over the Parquet objects that manifests name.

DuckDB has one writer process a file, so there is no file: each question gets a database in memory, with a view a table. It reads through
`Shown`, a file system that has the named objects, and nothing else, under their keys:

    SELECT … FROM callouts  ->  view callouts  ->  read_parquet('lake://ingest/tables/callouts/…')  ->  Shown  ->  directory or bucket

So a question can neither write an object nor read anything but the tables; DuckDB's own way to files and networks is shut, and the
lock on its settings keeps it so. (Its list of allowed paths would not do: what may be read there may be written by a COPY within WITH.)
What is not confined is how much time and memory a question takes.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fsspec import AbstractFileSystem

from spatial.errors import InvalidRequest
from storage.objects.lake import Lake, LakeUnavailable, ObjectMissing

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

T = TypeVar("T")

ATTEMPTS: Final = 3
"""How often a question is asked anew because compaction swept away what the manifest had named."""

INTERRUPT_SECONDS: Final = 0.1
"""How often a question that nobody waits for is told to stop, until it has."""

_NOT_READABLE: Final = "not among the objects that a question may read"

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
    """A checked SELECT before an open database; each method asks it anew."""

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
            return await _run(ReadOnlyFilesystem(lake, there), there, sql, parameters, take)
    raise LakeUnavailable("the tables are being rewritten faster than they can be read; try again shortly")


def fetch_rows(question: Query) -> list[dict[str, Any]]:
    """Every row as a dict of its columns."""
    cursor = question.cursor()
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


async def _run(
    shown: ReadOnlyFilesystem,
    views: Views,
    sql: str,
    parameters: Mapping[str, Any] | None,
    take: Callable[[Query], T],
) -> T:
    import duckdb

    with TemporaryDirectory(prefix="spatial-query-") as scratch, duckdb.connect(config=_CONFIG) as connection:

        def answer() -> T:
            try:
                _create_views(connection, shown, views, scratch)
                _check_select(connection, sql)
                return take(Query(connection, sql, parameters))
            except (duckdb.Error, OSError) as error:
                raise shown.explained(error) from error

        thread = asyncio.ensure_future(asyncio.to_thread(answer))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            while not thread.done():  # what is not begun yet is not interrupted
                connection.interrupt()
                await asyncio.wait([thread], timeout=INTERRUPT_SECONDS)
            thread.exception()
            raise


def _create_views(connection: duckdb.DuckDBPyConnection, shown: ReadOnlyFilesystem, views: Views, scratch: str) -> None:
    """Lay out the views, then shut what leads out. `scratch` takes what does not fit into memory."""
    connection.register_filesystem(shown)
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


def explain(error: Exception) -> str:
    """What DuckDB says is wrong, in one line: without the kind of error and the excerpt of the statement, with its candidates."""
    said = re.split(r"\n\s*LINE \d+:", str(error))[0]
    said = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", said)
    return "; ".join(line.strip().rstrip("!") for line in said.splitlines() if line.strip())


class ReadOnlyFilesystem(AbstractFileSystem):  # type: ignore[misc]  # fsspec ships no types
    """The objects of some views by their keys, to be read and not to be written, as `lake://<key>`."""

    protocol = "lake"
    ROOT = "lake://"
    cachable = False

    def __init__(self, lake: Lake, views: Views) -> None:
        super().__init__()
        self._lake = lake
        tables = [view for view in views if isinstance(view, TableView)]
        self._keys = {key for table in tables for key in (*table.keys, *(table.superseded or ("", ()))[1])}
        self._sizes: dict[str, int] = {}
        self._failure: OSError | None = None

    def explained(self, error: Exception) -> Exception:
        """What went wrong when DuckDB failed with this: what it makes of an object that cannot be read does not tell."""
        if isinstance(self._failure, FileNotFoundError):
            return self._failure
        if self._failure is not None:
            return LakeUnavailable("the tables cannot be read now; try again shortly")
        if _NOT_READABLE in str(error):
            return InvalidRequest("a question writes no files, and reads none but the tables'")
        return error if isinstance(error, OSError) else InvalidRequest(explain(error))

    def read(self, key: str, start: int, end: int) -> bytes:
        """Bytes of an object, from `start` up to but without `end`. Raises: OSError."""
        with self._noted():
            return bytes(self._lake.filesystem.cat_file(self._lake.path(key), start=start, end=end))

    def size(self, path: str) -> int:
        """Bytes of an object. Raises: OSError."""
        key = self._key(path)
        if key not in self._sizes:
            with self._noted():
                self._sizes[key] = int(self._lake.filesystem.size(self._lake.path(key)))
        return self._sizes[key]

    def open(self, path: str, mode: str = "rb", **_: Any) -> _RangeFile:
        """An object, to be read."""
        if mode != "rb":
            self._refuse()
        return _RangeFile(self, self._key(path), self.size(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Size and kind."""
        return {"name": path, "size": self.size(path), "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether it is one of the objects."""
        return path.removeprefix(self.ROOT) in self._keys

    def glob(self, path: str, **_: Any) -> list[str]:
        """The object; keys hold no patterns."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        """Objects are written once, so it does not matter when."""
        del path
        return datetime.fromtimestamp(0, UTC)

    def _key(self, path: str) -> str:
        if not self.exists(path):
            self._refuse()
        return path.removeprefix(self.ROOT)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._failure = error
            raise

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise PermissionError(_NOT_READABLE)

    mkdir = makedirs = rmdir = _rm = rm = rm_file = cp_file = mv = touch = pipe_file = put_file = _refuse


class _RangeFile:
    """An object that DuckDB has open. Its threads share it, and seek before they read: each has a place of its own."""

    def __init__(self, shown: ReadOnlyFilesystem, key: str, size: int) -> None:
        self._shown, self._key, self._size = shown, key, size
        self._place = threading.local()

    def seek(self, place: int) -> None:
        """Where the next read of this thread begins."""
        self._place.now = place

    def tell(self) -> int:
        """Where the next read of this thread begins."""
        return int(getattr(self._place, "now", 0))

    def read(self, count: int) -> bytes:
        """So many bytes, or what is left."""
        start = self.tell()
        end = min(start + count, self._size)
        if end <= start:
            return b""
        self._place.now = end
        return self._shown.read(self._key, start, end)

    def close(self) -> None:
        """Nothing is held open."""
