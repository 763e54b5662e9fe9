"""Tables: webhook_endpoints, webhook_deliveries."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

webhook_endpoints: Final = sa.Table(
    "webhook_endpoints",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), index=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("previous_secret", sa.Text),
    sa.Column("previous_until", Moment),
    sa.Column("disabled_at", Moment),
    sa.Column("disabled_reason", sa.Text),
    sa.Column("lease_token", sa.Text),
    sa.Column("lease_until", Moment),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
)
"""Without an account, an endpoint is the operator's. Its lease is that of the process that is sending to it."""


webhook_deliveries: Final = sa.Table(
    "webhook_deliveries",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("endpoint_id", sa.ForeignKey("webhook_endpoints.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), index=True),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="pending"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("next_attempt_at", Moment, nullable=False, server_default=now()),
    sa.Column("attempted_at", Moment),
    sa.Column("status", sa.Integer),
    sa.Column("problem", sa.Text),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("ended_at", Moment),
    sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state"),
    sa.Index("ix_webhook_deliveries_pending", "next_attempt_at", postgresql_where=sa.text("state = 'pending'")),
    sa.Index("ix_webhook_deliveries_created_at", "created_at"),
)
"""The outbox: a row is written in the transaction whose event it announces; its id is the message's webhook-id in every attempt."""
