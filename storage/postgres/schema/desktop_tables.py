"""Tables: desktop_tasks."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from storage.postgres.schema.base import Moment, metadata, now

desktop_tasks: Final = sa.Table(
    "desktop_tasks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("operation_id", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("input", sa.LargeBinary, nullable=False),
    sa.Column("flow_run_id", sa.Text),
    sa.Column("taken_at", Moment),
    sa.Column("outcome", JSONB),
    sa.Column("output", sa.LargeBinary),
    sa.Column("ended_at", Moment),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("expires_at", Moment, nullable=False, index=True),
    prefixes=["UNLOGGED"],
)
"""Tasks live for seconds; after a crash of the database server the table is empty, and their callers were answered with an error."""
