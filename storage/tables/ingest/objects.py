"""The table store of bulk ingest: keys of its objects and entries of its manifest."""

from __future__ import annotations

from datetime import date
from typing import Final

import sqlalchemy as sa

from storage import ids
from storage.postgres.schema import ingest_manifests, ingest_objects
from storage.tables.table_store import TableStore

STORE: Final = TableStore(
    "ingest",
    ingest_objects,
    ingest_manifests,
    0x494E_4745_5354,
    sa.func.jsonb_build_object(
        "key", ingest_objects.c.key,
        "table", ingest_objects.c.table_name,
        "ingest_date", ingest_objects.c.ingest_date,
        "rows", ingest_objects.c.rows,
    ),
)  # fmt: skip

SUPERSEDED: Final = "superseded"
"""The table of the manifest with ids whose rows readers exclude; its schema is storage.tables.row_mapping.SUPERSEDED_SCHEMA."""


def object_key(table: str, ingest_date: date) -> str:
    """A new key for an object of a table."""
    return f"ingest/tables/{table}/ingest_date={ingest_date.isoformat()}/{ids.new('t')}.parquet"


def document_key(extraction_id: str) -> str:
    """Key of the document of an extraction."""
    return f"ingest/documents/{extraction_id[:2]}/{extraction_id}.json"


def extraction_id(document_id: str, format_name: str, extractor_version: int, generation: int) -> str:
    """Id of an extraction. It is deterministic, so a run that repeats the work of a killed run uses the same id."""
    return f"{document_id[:32]}-{format_name}-{extractor_version}-{generation}"
