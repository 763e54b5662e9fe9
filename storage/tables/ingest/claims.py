"""Who reads what: files that are settled, and claims on documents. A claim is a lease: who dies with it is succeeded when it has lapsed."""

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

ASKED_AT_ONCE: Final = 5_000
"""Most URIs in one statement."""

UNCLAIMED: Final = {"claim_token": None, "claim_run": None, "claim_chunk": None, "lease_until": None}

Key = tuple[str, str]
"""Document id and format."""


async def find_unchanged(database: Database, found: Sequence[SourceFile], extractor_version: int) -> dict[str, str]:
    """URIs that need not be read, and whether they are done or quarantined: the same size, and the same ETag or time, as when this or a
    newer version settled them.

    Raises: DatastoreUnavailable.
    """
    settled: dict[str, str] = {}
    for start in range(0, len(found), ASKED_AT_ONCE):
        part = {one.uri: one for one in found[start : start + ASKED_AT_ONCE]}
        current = sa.and_(sources.c.extractor_version >= extractor_version, sources.c.state != "failed")
        asked = sa.select(sources.c.uri, sources.c.state, sources.c.size, sources.c.etag, sources.c.modified_at).where(
            current, sources.c.uri == sa.any_(sa.cast(list(part), sa.ARRAY(sa.Text)))
        )
        async with database.transaction() as connection:
            rows = (await connection.execute(asked)).all()
        settled.update({row.uri: row.state for row in rows if _same(part[row.uri], row)})
    return settled


def _same(found: SourceFile, row: Any) -> bool:
    """Where the store gives ETags they decide: a copy may have a new time and the same content."""
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
    """What is to be done with files that were read: one claim a document, in the order of their first URIs.

    chunk: a chunk that is run again takes its own claims back at once; others wait until the lease has lapsed.
    again: read what is settled too (reprocessing), but nothing twice in one run.
    Raises: DatastoreUnavailable.
    """
    together: dict[Key, list[SourceFile]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda one: one.found.uri):
        together[candidate.sha256, candidate.format].append(candidate.found)
    if not together:
        return []
    async with database.transaction() as connection:
        rows = await _lock_documents(connection, sorted(together))
        generations = await _read_generations(connection, list(rows), extractor_version)
        revisions = await _read_revisions(connection, [found.uri for group in together.values() for found in group])
        claims = []
        for key, group in together.items():
            sources_of = tuple(SourceRecord(found, revisions.get(found.uri, 0)) for found in group)
            claims.append(
                _decide(rows[key], sources_of, (run_id, chunk), extractor_version, generations.get(key, 0), again)
            )
        await _record_claims(connection, claims, run_id, chunk, lease_seconds)
    return claims


async def _lock_documents(connection: AsyncConnection, keys: list[Key]) -> dict[Key, Any]:
    """Rows of the documents, made where there are none; locked in one order, so that claimants do not lock each other out."""
    new = [{"document_id": document_id, "format": format_name} for document_id, format_name in keys]
    await connection.execute(insert(documents).values(new).on_conflict_do_nothing())
    held = documents.c.lease_until > sa.func.clock_timestamp()
    theirs = sa.select(documents, sa.func.coalesce(held, sa.false()).label("held")).where(is_one_of(documents, keys))
    ordered = theirs.order_by(documents.c.document_id, documents.c.format).with_for_update()
    return {(row.document_id, row.format): row for row in (await connection.execute(ordered)).all()}


async def _read_generations(connection: AsyncConnection, keys: list[Key], extractor_version: int) -> Mapping[Key, int]:
    """How often each was read by this version; what was planned only does not count."""
    highest = sa.select(extractions.c.document_id, extractions.c.format, sa.func.max(extractions.c.generation)).where(
        is_one_of(extractions, keys),
        extractions.c.extractor_version == extractor_version,
        extractions.c.state != ObjectState.PENDING,
    )
    grouped = highest.group_by(extractions.c.document_id, extractions.c.format)
    return {(row[0], row[1]): row[2] for row in (await connection.execute(grouped)).all()}


async def _read_revisions(connection: AsyncConnection, uris: list[str]) -> Mapping[str, int]:
    asked = sa.select(sources.c.uri, sources.c.revision).where(
        sources.c.uri == sa.any_(sa.cast(uris, sa.ARRAY(sa.Text)))
    )
    return {row.uri: row.revision for row in (await connection.execute(asked)).all()}


def _decide(
    row: Any, files: tuple[SourceRecord, ...], owner: tuple[str, int], version: int, generation: int, again: bool
) -> DocumentClaim:
    fresh = row.extractor_version is not None and row.extractor_version >= version
    settled = fresh and not (again and row.settled_run != owner[0])
    failure = Failure(**row.failure) if row.failure and fresh else None
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
    mine = [{"d": claim.document_id, "f": claim.format, "t": claim.token} for claim in claims if claim.token]
    if not mine:
        return
    until = sa.func.clock_timestamp() + timedelta(seconds=lease_seconds)
    taken = sa.update(documents).where(
        documents.c.document_id == sa.bindparam("d"), documents.c.format == sa.bindparam("f")
    )
    values = taken.values(claim_token=sa.bindparam("t"), claim_run=run_id, claim_chunk=chunk, lease_until=until)
    await connection.execute(values, mine)


async def renew(database: Database, claims: Iterable[DocumentClaim], lease_seconds: float) -> int:
    """Hold claims for longer; how many are still ours. Also says that their run lives.

    Raises: DatastoreUnavailable.
    """
    until = sa.func.clock_timestamp() + timedelta(seconds=lease_seconds)
    async with database.transaction() as connection:
        mine = await _lock_valid_tokens(connection, claims)
        renewed = sa.update(documents).where(documents.c.claim_token.in_(mine)).values(lease_until=until)
        owners = (await connection.execute(renewed.returning(documents.c.claim_run))).scalars().all()
        lives = sa.update(runs).where(runs.c.id.in_(set(owners))).values(updated_at=sa.func.clock_timestamp())
        await connection.execute(lives)
    return len(owners)


async def release(database: Database, claims: Iterable[DocumentClaim]) -> None:
    """Give claims up that came to nothing, so that others need not wait for the lease.

    Raises: DatastoreUnavailable.
    """
    async with database.transaction() as connection:
        mine = await _lock_valid_tokens(connection, claims)
        await connection.execute(sa.update(documents).where(documents.c.claim_token.in_(mine)).values(**UNCLAIMED))


async def _lock_valid_tokens(connection: AsyncConnection, claims: Iterable[DocumentClaim]) -> Sequence[str]:
    """Tokens that are still good; their documents are locked, in the order in which claimants lock them."""
    tokens = sa.any_(sa.cast([claim.token for claim in claims if claim.token], sa.ARRAY(sa.Text)))
    held = sa.select(documents.c.claim_token).where(documents.c.claim_token == tokens)
    ordered = held.order_by(documents.c.document_id, documents.c.format).with_for_update()
    return [token for token in (await connection.execute(ordered)).scalars() if token is not None]


def is_one_of(table: sa.Table, keys: list[Key]) -> sa.ColumnElement[bool]:
    """Rows of these documents."""
    return sa.tuple_(table.c.document_id, table.c.format).in_(keys)
