"""The rows that a commit adds to the tables, as Parquet."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from datetime import datetime
from typing import Any

from spatial.storable import storable
from storage.objects.sources import file_name_of
from storage.tables import parquet
from storage.tables.ingest.objects import SUPERSEDED, document_key
from storage.tables.ingest.plan_records import Plan, Row, SourceUpdate
from storage.tables.ingest.records import Extracted
from storage.tables.ledger import to_naive_utc

DOCUMENTS, FAILURES = "documents", "failures"
"""Tables whose rows belong to a source; the rows of every other table belong to an extraction."""


def rows_by_table(due: Plan, read: dict[str, Extracted], moment: datetime) -> dict[str, list[dict[str, Any]]]:
    """The rows to write, by table; tables without rows are omitted."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in sorted(read):
        for table, mapped in read[name].rows.items():
            if table != DOCUMENTS:
                rows[table] += [dict(row) for row in mapped]
    for one in due.settled.values():
        if one.document_row is not None and one.document_row.object_id is None:
            rows[DOCUMENTS].append(_document_row(due, read, one, one.document_row, moment))
        if one.failure_row is not None and one.failure_row.object_id is None:
            rows[FAILURES].append(_failure_row(one, one.failure_row, moment))
    rows[SUPERSEDED] = [{"id": name} for name, where in sorted(due.superseded.items()) if where]
    return {table: found for table, found in rows.items() if found}


def _document_row(
    due: Plan, read: dict[str, Extracted], one: SourceUpdate, row: Row, moment: datetime
) -> dict[str, Any]:
    name = str(one.verdict.extraction_id)
    if name in read:
        summary, version = summary_of(read[name]), read[name].claim.extractor_version
    else:
        summary, version = due.known[name].summary, due.known[name].extractor_version
    return {
        **summary,
        **_source_columns(one, row, moment),
        "extraction_id": name,
        "size": one.found.size,
        "modified_at": to_naive_utc(one.found.modified_at),
        "extractor_version": version,
        "result_key": document_key(name),
    }


def summary_of(outcome: Extracted) -> dict[str, Any]:
    """The columns of `documents` that are the same for all sources of a document."""
    [summary] = outcome.rows[DOCUMENTS]
    return {column: storable(value) for column, value in summary.items()}


def _failure_row(one: SourceUpdate, row: Row, moment: datetime) -> dict[str, Any]:
    failure = one.verdict.failure
    assert failure is not None, "a row is issued for a failure only"
    return {**_source_columns(one, row, moment), **asdict(failure), "extractor_version": one.verdict.extractor_version}


def _source_columns(one: SourceUpdate, row: Row, moment: datetime) -> dict[str, Any]:
    return {
        "row_id": row.id,
        "document_id": one.document_id,
        "source_uri": one.found.uri,
        "file_name": storable(file_name_of(one.found.uri)),
        "format": one.format,
        "ingested_at": to_naive_utc(moment),
    }


def to_parquet(table: str, rows: list[dict[str, Any]]) -> bytes:
    """Rows of one table as a Parquet object."""
    import pyarrow as pa

    from storage.tables import row_mapping  # imports pyarrow, which some processes do not need

    if table == SUPERSEDED:
        return parquet.to_parquet(pa.Table.from_pylist(rows, schema=row_mapping.SUPERSEDED_SCHEMA))
    return parquet.to_parquet(row_mapping.table_of(table, rows))
