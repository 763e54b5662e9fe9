"""Table: silent_workers."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

silent_workers: Final = sa.Table(
    "silent_workers",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("heartbeat_at", Moment, nullable=False),
    sa.Column("since", Moment, nullable=False, server_default=now()),
)
"""Workers with unfinished runs that were found without a heartbeat after the last one here; since: when that was found first."""
