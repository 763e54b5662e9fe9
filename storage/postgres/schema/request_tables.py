"""Tables: operations and the Idempotency-Keys that stand for them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

operations: Final = sa.Table(
    "operations",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("route", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="open"),
    sa.Column("lease_until", Moment, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("result_key", sa.Text),
    sa.Column("content_type", sa.Text),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("closed_at", Moment),
    sa.CheckConstraint("state IN ('open', 'completed', 'failed')", name="state"),
    sa.Index("ix_operations_created_at", "created_at"),
    sa.Index("ix_operations_open", "lease_until", postgresql_where=sa.text("state = 'open'")),
)


idempotency: Final = sa.Table(
    "idempotency",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("route", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("operation_id", sa.ForeignKey("operations.id"), nullable=False, index=True),
    sa.Column("claimed_at", Moment, nullable=False, server_default=now(), index=True),
)
