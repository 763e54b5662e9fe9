"""Scenes: documents made of imported feature trees, kept until their account is purged."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import ids
from storage.postgres.schema import scenes


@dataclass(frozen=True)
class SceneSource:
    """What a scene was made of: the same source is imported once."""

    account_id: str
    partner: str
    document_id: str
    sha256: str
    """Digest of the body that was imported."""


async def find_imported(connection: AsyncConnection, source: SceneSource) -> str | None:
    """The id of the scene of this source; None if it was not imported."""
    query = sa.select(scenes.c.id).where(*(scenes.c[name] == value for name, value in vars(source).items()))
    found: str | None = (await connection.execute(query)).scalar()
    return found


async def save(connection: AsyncConnection, source: SceneSource, document: bytes) -> str:
    """Save the scene of a source; returns its id, or that of the scene that exists already. document: cad.extraction.v1 as JSON."""
    row = insert(scenes).values(id=ids.new("scene"), document=document, **vars(source))
    saved = row.on_conflict_do_nothing(constraint="uq_scenes_import").returning(scenes.c.id)
    created: str | None = (await connection.execute(saved)).scalar()
    found = created or await find_imported(connection, source)
    assert found is not None  # the constraint says that it exists
    return found


async def find_size(connection: AsyncConnection, account_id: str, scene_id: str) -> int | None:
    """Bytes of a scene of the account; None if it has no such scene."""
    query = sa.select(sa.func.octet_length(scenes.c.document)).where(*_of(account_id, scene_id))
    found: int | None = (await connection.execute(query)).scalar()
    return found


async def read(connection: AsyncConnection, account_id: str, scene_id: str) -> bytes | None:
    """The document of a scene of the account; None if it has no such scene."""
    found = (await connection.execute(sa.select(scenes.c.document).where(*_of(account_id, scene_id)))).scalar()
    return None if found is None else bytes(found)


def _of(account_id: str, scene_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return scenes.c.account_id == account_id, scenes.c.id == scene_id
