"""Claims on documents, and the check for files that are settled.

A claim is a lease: if the process that holds it is killed, another process can claim the document when the lease has lapsed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import ids
from storage.objects.file_filter import SourceFile
from storage.postgres.database import Database
from storage.postgres.schema import ingest_documents as documents
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_runs as runs
from storage.postgres.schema import ingest_sources as sources
from storage.tables.ingest.objects import extraction_id
from storage.tables.ingest.records import Action, Candidate, DocumentClaim, Failure, SourceRecord
from storage.tables.table_store import ObjectState

URIS_PER_STATEMENT: Final = 5_000
"""Maximum number of URIs per statement."""

UNCLAIMED: Final = {"claim_token": None, "claim_run": None, "claim_chunk": None, "lease_until": None}

Key = tuple[str, str]
"""Document id and format."""


async def find_unchanged(database: Database, found: Sequence[SourceFile], extractor_version: int) -> dict[str, str]:
    """State (done or quarantined) per URI that need not be read.

    Such a file has the same size, and the same ETag or modification time, as when this or a newer extractor version settled it.

    Raises: DatastoreUnavailable.
    """
    settled: dict[str, str] = {}
    for start in range(0, len(found), URIS_PER_STATEMENT):
        part = {one.uri: one for one in found[start : start + URIS_PER_STATEMENT]}
        current = sa.and_(sources.c.extractor_version >= extractor_version, sources.c.state != "failed")
        statement = sa.select(
            sources.c.uri, sources.c.state, sources.c.size, sources.c.etag, sources.c.modified_at
        ).where(current, sources.c.uri == sa.any_(sa.cast(list(part), sa.ARRAY(sa.Text))))
        async with database.transaction() as connection:
            rows = (await connection.execute(statement)).all()
        settled.update({row.uri: row.state for row in rows if _is_unchanged(part[row.uri], row)})
    return settled


def _is_unchanged(found: SourceFile, row: Any) -> bool:
    """Whether size and ETag are equal, or size and time without ETags: a copy may have a new time and the same content."""
    if found.etag is not None and row.etag is not None:
        return bool(found.size == row.size and found.etag == row.etag)
    return bool(found.size == row.size and found.modified_at == row.modified_at)


async def claim(
    database: Database,
    run_id: str,
    candidates: Iterable[Candidate],
    extractor_version: int,
    *,
    lease_seconds: float,
    chunk: int = 0,
    again: bool = False,
) -> list[DocumentClaim]:
    """Claim the documents of files that were read; returns one claim per document, in the order of their first URIs.

    chunk: a chunk that is run again regains its own claims at once; other chunks wait until the lease has lapsed.
    again: also claim settled documents (reprocessing), but none twice in one run.
    Raises: DatastoreUnavailable.
    """
    by_document: dict[Key, list[SourceFile]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda one: one.found.uri):
        by_document[candidate.sha256, candidate.format].append(candidate.found)
    if not by_document:
        return []
    async with database.transaction() as connection:
        rows = await _lock_documents(connection, sorted(by_document))
        generations = await _read_generations(connection, list(rows), extractor_version)
        revisions = await _read_revisions(connection, [found.uri for group in by_document.values() for found in group])
        claims = []
        for key, group in by_document.items():
            sources_of = tuple(SourceRecord(found, revisions.get(found.uri, 0)) for found in group)
            claims.append(
                _decide(rows[key], sources_of, (run_id, chunk), extractor_version, generations.get(key, 0), again)
            )
        await _record_claims(connection, claims, run_id, chunk, lease_seconds)
    return claims


async def _lock_documents(connection: AsyncConnection, keys: list[Key]) -> dict[Key, Any]:
    """Lock the rows of the documents and insert missing ones; every process locks in the same order, which prevents deadlocks."""
    new = [{"document_id": document_id, "format": format_name} for document_id, format_name in keys]
    await connection.execute(insert(documents).values(new).on_conflict_do_nothing())
    held = documents.c.lease_until > sa.func.clock_timestamp()
    rows = sa.select(documents, sa.func.coalesce(held, sa.false()).label("held")).where(is_one_of(documents, keys))
    ordered = rows.order_by(documents.c.document_id, documents.c.format).with_for_update()
    return {(row.document_id, row.format): row for row in (await connection.execute(ordered)).all()}


async def _read_generations(connection: AsyncConnection, keys: list[Key], extractor_version: int) -> Mapping[Key, int]:
    """How often this version extracted each document; pending extractions do not count."""
    highest = sa.select(extractions.c.document_id, extractions.c.format, sa.func.max(extractions.c.generation)).where(
        is_one_of(extractions, keys),
        extractions.c.extractor_version == extractor_version,
        extractions.c.state != ObjectState.PENDING,
    )
    grouped = highest.group_by(extractions.c.document_id, extractions.c.format)
    return {(row[0], row[1]): row[2] for row in (await connection.execute(grouped)).all()}


async def _read_revisions(connection: AsyncConnection, uris: list[str]) -> Mapping[str, int]:
    revisions = sa.select(sources.c.uri, sources.c.revision).where(
        sources.c.uri == sa.any_(sa.cast(uris, sa.ARRAY(sa.Text)))
    )
    return {row.uri: row.revision for row in (await connection.execute(revisions)).all()}


def _decide(
    row: Any, files: tuple[SourceRecord, ...], owner: tuple[str, int], version: int, generation: int, again: bool
) -> DocumentClaim:
    is_current = row.extractor_version is not None and row.extractor_version >= version
    settled = is_current and not (again and row.settled_run != owner[0])
    failure = Failure(**row.failure) if row.failure and is_current else None
    name = extraction_id(row.document_id, row.format, version, generation + 1)
    token = None
    if settled and row.state == "done":
        action, name = Action.LINK, row.extraction_id
    elif settled and failure is not None and failure.quarantined:
        action = Action.QUARANTINED
    elif row.held and (row.claim_run, row.claim_chunk) != owner:
        action = Action.HELD
    else:
        action, token = Action.EXTRACT, ids.new("cl")
    return DocumentClaim(action, row.document_id, row.format, version, files, name, token, failure)


async def _record_claims(
    connection: AsyncConnection, claims: list[DocumentClaim], run_id: str, chunk: int, lease_seconds: float
) -> None:
    tokens = [{"d": claim.document_id, "f": claim.format, "t": claim.token} for claim in claims if claim.token]
    if not tokens:
        return
    until = sa.func.clock_timestamp() + timedelta(seconds=lease_seconds)
    claimed = sa.update(documents).where(
        documents.c.document_id == sa.bindparam("d"), documents.c.format == sa.bindparam("f")
    )
    values = claimed.values(claim_token=sa.bindparam("t"), claim_run=run_id, claim_chunk=chunk, lease_until=until)
    await connection.execute(values, tokens)


async def renew(database: Database, claims: Iterable[DocumentClaim], lease_seconds: float) -> int:
    """Renew the leases of claims that are still valid; returns how many. This also updates the progress time of their run.

    Raises: DatastoreUnavailable.
    """
    until = sa.func.clock_timestamp() + timedelta(seconds=lease_seconds)
    async with database.transaction() as connection:
        valid = await _lock_valid_tokens(connection, claims)
        renewed = sa.update(documents).where(documents.c.claim_token.in_(valid)).values(lease_until=until)
        owners = (await connection.execute(renewed.returning(documents.c.claim_run))).scalars().all()
        active = sa.update(runs).where(runs.c.id.in_(set(owners))).values(updated_at=sa.func.clock_timestamp())
        await connection.execute(active)
    return len(owners)


async def release(database: Database, claims: Iterable[DocumentClaim]) -> None:
    """Release claims without an outcome, so that other runs need not wait until the lease has lapsed.

    Raises: DatastoreUnavailable.
    """
    async with database.transaction() as connection:
        valid = await _lock_valid_tokens(connection, claims)
        await connection.execute(sa.update(documents).where(documents.c.claim_token.in_(valid)).values(**UNCLAIMED))


async def _lock_valid_tokens(connection: AsyncConnection, claims: Iterable[DocumentClaim]) -> Sequence[str]:
    """Lock the documents whose tokens are still valid, in the order of `_lock_documents`; returns these tokens."""
    tokens = sa.any_(sa.cast([claim.token for claim in claims if claim.token], sa.ARRAY(sa.Text)))
    held = sa.select(documents.c.claim_token).where(documents.c.claim_token == tokens)
    ordered = held.order_by(documents.c.document_id, documents.c.format).with_for_update()
    return [token for token in (await connection.execute(ordered)).scalars() if token is not None]


def is_one_of(table: sa.Table, keys: list[Key]) -> sa.ColumnElement[bool]:
    """Condition that selects the rows of these documents."""
    return sa.tuple_(table.c.document_id, table.c.format).in_(keys)
