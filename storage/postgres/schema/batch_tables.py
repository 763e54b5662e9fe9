"""Tables: batches and their items."""

from __future__ import annotations

from typing import Final, get_args

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from storage.postgres.batch_states import IN_FLIGHT, ItemState, State, in_states
from storage.postgres.schema.base import Moment, metadata, now

batches: Final = sa.Table(
    "batches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("operation_id", sa.ForeignKey("operations.id"), nullable=False, unique=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="staging"),
    sa.Column("version", sa.BigInteger, nullable=False, server_default="1"),
    sa.Column("flow_run_id", sa.Text),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lease_until", Moment),
    sa.Column("submitted_at", Moment, nullable=False, server_default=now()),
    sa.Column("started_at", Moment),
    sa.Column("ended_at", Moment),
    sa.Column("cancelled_at", Moment),
    sa.Column("expires_at", Moment, nullable=False),
    sa.CheckConstraint(in_states(get_args(State)), name="state"),
    sa.Index("ix_batches_key", "key_id", "submitted_at"),
    sa.Index("ix_batches_open", "state", postgresql_where=sa.text(in_states(IN_FLIGHT))),
    sa.Index("ix_batches_expires_at", "expires_at"),
    sa.Index("ix_batches_submitted_at", "submitted_at"),
)


batch_items: Final = sa.Table(
    "batch_items",
    metadata,
    sa.Column("batch_id", sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("target_contract", sa.Text, nullable=False),
    sa.Column("content_key", sa.Text),
    sa.Column("content_url", sa.Text),
    sa.Column("edges", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("state", sa.Text, nullable=False, server_default="queued"),
    sa.Column("status", sa.Integer),
    sa.Column("result_key", sa.Text),
    sa.Column("error", JSONB),
    sa.Column("started_at", Moment),
    sa.Column("ended_at", Moment),
    sa.CheckConstraint(in_states(get_args(ItemState)), name="state"),
    sa.CheckConstraint("num_nonnulls(content_key, content_url) = 1", name="one_source"),
)
