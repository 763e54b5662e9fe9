"""Queries of the tables of bulk ingest and of the usage ledger by one SELECT (query_engine.py; docs/tables.md lists every view).

    rows = await query(lake, "SELECT source_uri, material FROM drawings WHERE material ILIKE $what", {"what": "%5154%"})

Views read the objects of the newest manifests, without superseded rows. Before the first ingest every view exists and is empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from spatial.contract.drawing import TITLE_BLOCK_FIELDS
from storage.objects.lake import Lake
from storage.tables import descriptions, ledger, query_engine, table_store
from storage.tables.ingest.objects import STORE, SUPERSEDED
from storage.tables.ledger_query import usage_view
from storage.tables.query_engine import DerivedView, Query, QueryLimits, TableView, Views

T = TypeVar("T")

RENAMED: Final = {"size": "sheet_size", "units": "stated_units"}
"""Fields of the title block with another column name in `drawings`, to distinguish them from properties of the file."""

_FIELDS: Final = ", ".join(
    f"any_value(value) FILTER (field = '{field}') AS {RENAMED.get(field, field)}" for field in TITLE_BLOCK_FIELDS
)

DRAWINGS: Final = DerivedView(
    "drawings",
    f"""
    SELECT document_id, extraction_id, source_uri, file_name, format, units,
           {", ".join(f"block.{RENAMED.get(field, field)}" for field in TITLE_BLOCK_FIELDS)},
           sheets, entities, dimensions, callouts, warnings, partial, ingest_date
    FROM documents
    LEFT JOIN (SELECT extraction_id, {_FIELDS} FROM title_blocks GROUP BY extraction_id) AS block USING (extraction_id)
    WHERE kind = 'drawing2d'
    """,  # noqa: S608  # constant names
)
"""One row per drawing and source, with the fields of its title block; fields that the block lacks come from the notes."""

_NEEDS: Final = {"drawings": ("documents", "title_blocks")}
"""Tables that each derived view reads."""


@cache
def view_names() -> tuple[str, ...]:
    """The name of every view."""
    from storage.tables.row_mapping import TABLES  # imports pyarrow, which some processes do not need

    return (*TABLES, DRAWINGS.name, "usage")


@dataclass(frozen=True)
class ViewSummary:
    """One view that can be queried."""

    name: str
    rows: int
    columns: tuple[tuple[str, str], ...]
    """Names and DuckDB types."""


@dataclass(frozen=True)
class ViewDescription:
    """What a view and its columns hold."""

    name: str
    about: str
    columns: tuple[tuple[str, str, str], ...]
    """Name, DuckDB type and description of each."""


async def query(lake: Lake, sql: str, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The rows of the result. parameters: values of `$name` in the SQL. Times are in UTC, without a time zone.

    Raises: InvalidRequest if the SQL is invalid or not a single SELECT; LakeUnavailable.
    """
    return await run(lake, sql, query_engine.fetch_rows, parameters)


async def run(
    lake: Lake,
    sql: str,
    take: Callable[[Query], T],
    parameters: Mapping[str, Any] | None = None,
    limits: QueryLimits | None = None,
) -> T:
    """Run a query and return `take(query)`. `take` runs in a thread, and again if compaction deleted objects meanwhile.

    Raises: as `query`; any error of `take`.
    """
    views = find_views(lake, f"{sql} {parameters or ''}")
    return await query_engine.run_query(lake, views, sql, parameters, take, limits)


async def list_views(lake: Lake) -> list[ViewSummary]:
    """Every view, with its columns and number of rows.

    Raises: LakeUnavailable.
    """
    counts = " UNION ALL ".join(f"SELECT '{name}' AS name, count(*) AS rows FROM {name}" for name in view_names())  # noqa: S608  # constant names
    rows = {row["name"]: row["rows"] for row in await query(lake, counts)}
    columns = await _read_columns(lake)
    return [ViewSummary(name, rows[name], tuple(columns[name])) for name in view_names()]


async def describe_view(lake: Lake, name: str) -> ViewDescription:
    """What a view and its columns hold; counts no rows.

    Raises: InvalidRequest if there is no such view; LakeUnavailable.
    """
    wanted = name.strip().lower()
    if wanted not in view_names():
        raise query_engine.unknown_table(name, view_names())
    texts = descriptions.columns(wanted)
    columns = (await _read_columns(lake))[wanted]
    return ViewDescription(
        wanted, descriptions.about(wanted), tuple((column, kind, texts[column]) for column, kind in columns)
    )


async def _read_columns(lake: Lake) -> Mapping[str, list[tuple[str, str]]]:
    """Name and DuckDB type of the columns of every view, in order."""
    columns = defaultdict(list)
    for row in await query(
        lake, "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main'"
    ):
        columns[row["table_name"]].append((row["column_name"], row["data_type"]))
    return columns


def find_views(lake: Lake, mentioned: str) -> Callable[[], Awaitable[Views]]:
    """A function that returns every view. Views whose name is not in `mentioned` have no rows, so that their objects are not read."""
    from storage.tables.row_mapping import IDENTITY, TABLES  # imports pyarrow, which some processes do not need

    text = mentioned.lower()
    wanted = {name for name in (*TABLES, *_NEEDS, "usage") if name in text}
    wanted |= {table for name in wanted for table in _NEEDS.get(name, ())}

    async def read_views() -> Views:
        keys = defaultdict(list)
        for entry in await table_store.read_manifest(lake, STORE):
            keys[entry["table"]].append(entry["key"])
        tables = [
            TableView(
                name,
                schema,
                keys[name] if name in wanted else (),
                dated=True,
                superseded=(IDENTITY[name], keys[SUPERSEDED]),
            )
            for name, schema in TABLES.items()
        ]
        usage = await usage_view(lake) if "usage" in wanted else TableView("usage", ledger.schema(), ())
        return [*tables, DRAWINGS, usage]

    return read_views
