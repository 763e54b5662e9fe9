"""Extractions whose documents are still kept: what the usage rows of the last hours name, and where each document lies.

An id is the request id of the answer; that of a batch item is the request id of the submission, a dot, and the index of the item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from storage.objects import lake
from storage.postgres.schema import usage

KEPT: Final = timedelta(hours=limits.RETENTION_HOURS)

ID: Final = re.compile(r"(?P<request>req_[A-Za-z0-9]{1,64})(\.(?P<item>\d{1,2}))?", re.ASCII)


@dataclass(frozen=True)
class Routes:
    """Which usage rows are extractions: of single requests, and of batches."""

    single: str
    batch: str


@dataclass(frozen=True)
class StoredExtraction:
    """One extraction that succeeded."""

    id: str
    request_id: str
    """Of the answer; of an item, that of the submission of its batch."""
    operation_id: str
    item: int
    """Index in its batch; 0 for a request of its own."""
    file_name: str | None
    source_format: str | None
    created_at: datetime
    result_key: str
    """Where its document lies, unless that has expired meanwhile."""


async def list_stored(
    connection: AsyncConnection, account_id: str, routes: Routes, *, count: int, skip: int = 0
) -> list[StoredExtraction]:
    """Extractions of the account, latest first."""
    query = _select(account_id, routes).order_by(usage.c.created_at.desc(), usage.c.operation_id, usage.c.item)
    return [_stored(row, routes) for row in await connection.execute(query.limit(count).offset(skip))]


async def find_stored(
    connection: AsyncConnection, account_id: str, routes: Routes, extraction_id: str
) -> StoredExtraction | None:
    """The extraction of this id; None if the account has none, or it is no longer kept."""
    form = ID.fullmatch(extraction_id)
    if form is None:
        return None
    route = routes.single if form["item"] is None else routes.batch
    query = _select(account_id, routes).where(
        usage.c.request_id == form["request"], usage.c.route == route, usage.c.item == int(form["item"] or 0)
    )
    row = (await connection.execute(query)).first()
    return None if row is None else _stored(row, routes)


def _select(account_id: str, routes: Routes) -> sa.Select[tuple[str, int, str, str, str | None, str | None, datetime]]:
    columns = usage.c.operation_id, usage.c.item, usage.c.request_id, usage.c.route
    return sa.select(*columns, usage.c.file_name, usage.c.source_format, usage.c.created_at).where(
        usage.c.account_id == account_id,
        usage.c.route.in_((routes.single, routes.batch)),
        usage.c.created_at > sa.func.clock_timestamp() - KEPT,
    )


def _stored(
    row: sa.Row[tuple[str, int, str, str, str | None, str | None, datetime]], routes: Routes
) -> StoredExtraction:
    operation_id, item, request_id, route, file_name, source_format, created_at = row
    is_single = route == routes.single
    return StoredExtraction(
        request_id if is_single else f"{request_id}.{item}", request_id, operation_id, item, file_name, source_format, created_at,
        lake.result_key(operation_id, None if is_single else item),
    )  # fmt: skip
