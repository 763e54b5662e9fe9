"""What Postgres holds of the sources and documents that a chunk's outcomes touch."""

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
class Standing:
    """Rows that the outcomes touch."""

    sources: dict[str, Any]
    documents: dict[Key, Any]
    extractions: dict[str, Any]
    leaving: set[str]
    """URIs that are settled by this chunk."""


async def read_standing(connection: AsyncConnection, outcomes: Sequence[Outcome], lock: bool) -> Standing:
    """Read the rows that the outcomes touch. lock: hold the rows of the documents until the transaction ends."""
    claims = [outcome.claim for outcome in outcomes if not isinstance(outcome, Refused)]
    ours = {source.found.uri for claim in claims for source in claim.sources}
    ours |= {outcome.found.uri for outcome in outcomes if isinstance(outcome, Refused)}
    mine = (await connection.execute(sa.select(sources).where(_any(sources.c.uri, ours)))).all()
    keys = {key_of(claim) for claim in claims} | {(row.document_id, row.format) for row in mine if row.document_id}
    asked = sa.select(documents).where(is_one_of(documents, sorted(keys)))
    if lock:
        asked = asked.order_by(documents.c.document_id, documents.c.format).with_for_update()
    touched = {(row.document_id, row.format): row for row in (await connection.execute(asked)).all()}
    sharing = sa.select(sources).where(_any(sources.c.document_id, {key[0] for key in keys}))
    others = [row for row in (await connection.execute(sharing)).all() if (row.document_id, row.format) in keys]
    current = {row.extraction_id for row in [*touched.values(), *mine] if row.extraction_id}
    read = (await connection.execute(sa.select(extractions).where(_any(extractions.c.id, current)))).all()
    return Standing({row.uri: row for row in [*mine, *others]}, touched, {row.id: row for row in read}, ours)


def _any(column: sa.ColumnElement[Any], values: Iterable[Any]) -> sa.ColumnElement[bool]:
    return column == sa.any_(sa.cast(sorted(values), sa.ARRAY(sa.Text)))


def key_of(claim: DocumentClaim) -> Key:
    """Document id and format of a claim."""
    return claim.document_id, claim.format
