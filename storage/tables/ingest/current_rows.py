"""The current rows in Postgres of the sources, documents and extractions that a commit concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import ingest_documents as documents
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_sources as sources
from storage.tables.ingest.claims import Key, is_one_of
from storage.tables.ingest.records import DocumentClaim, Outcome, Refused


@dataclass
class CurrentRows:
    """Rows that a commit reads to make its plan."""

    sources: dict[str, Any]
    """Rows of sources, by URI."""
    documents: dict[Key, Any]
    extractions: dict[str, Any]
    """Rows of extractions, by id."""
    chunk_uris: set[str]
    """URIs that this chunk settles."""


async def read_current_rows(connection: AsyncConnection, outcomes: Sequence[Outcome], lock: bool) -> CurrentRows:
    """Read the rows that the outcomes concern. lock: lock the rows of the documents until the transaction ends."""
    claims = [outcome.claim for outcome in outcomes if not isinstance(outcome, Refused)]
    chunk_uris = {source.found.uri for claim in claims for source in claim.sources}
    chunk_uris |= {outcome.found.uri for outcome in outcomes if isinstance(outcome, Refused)}
    own = (await connection.execute(sa.select(sources).where(_any(sources.c.uri, chunk_uris)))).all()
    keys = {key_of(claim) for claim in claims} | {(row.document_id, row.format) for row in own if row.document_id}
    statement = sa.select(documents).where(is_one_of(documents, sorted(keys)))
    if lock:
        statement = statement.order_by(documents.c.document_id, documents.c.format).with_for_update()
    by_document = {(row.document_id, row.format): row for row in (await connection.execute(statement)).all()}
    sharing = sa.select(sources).where(_any(sources.c.document_id, {key[0] for key in keys}))
    others = [row for row in (await connection.execute(sharing)).all() if (row.document_id, row.format) in keys]
    current = {row.extraction_id for row in [*by_document.values(), *own] if row.extraction_id}
    read = (await connection.execute(sa.select(extractions).where(_any(extractions.c.id, current)))).all()
    return CurrentRows(
        {row.uri: row for row in [*own, *others]}, by_document, {row.id: row for row in read}, chunk_uris
    )


def _any(column: sa.ColumnElement[Any], values: Iterable[Any]) -> sa.ColumnElement[bool]:
    return column == sa.any_(sa.cast(sorted(values), sa.ARRAY(sa.Text)))


def key_of(claim: DocumentClaim) -> Key:
    """Document id and format of a claim."""
    return claim.document_id, claim.format
