"""Tables: the Stripe customers of accounts with the subscriptions last read, and the meter events on their way to Stripe."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

stripe_customers: Final = sa.Table(
    "stripe_customers",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("customer_id", sa.Text, nullable=False, unique=True),
    sa.Column("linked_at", Moment, nullable=False, server_default=now()),
    sa.Column("status", sa.Text, nullable=False, server_default="none"),
    sa.Column("read_at", Moment),
    sa.Column("lookup", sa.BigInteger, nullable=False, server_default="0"),
    sa.CheckConstraint("status IN ('active', 'trialing', 'past_due', 'canceled', 'none')", name="status"),
)


meter_events: Final = sa.Table(
    "meter_events",
    metadata,
    sa.Column("operation_id", sa.Text, primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True),
    sa.Column("meter", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("customer_id", sa.Text, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("occurred_at", Moment, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="pending"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("attempted_at", Moment),
    sa.Column("settled_at", Moment),
    sa.Column("problem", sa.Text),
    sa.ForeignKeyConstraint(
        ["operation_id", "item"], ["usage.operation_id", "usage.item"], ondelete="CASCADE", name="fk_meter_events_usage"
    ),
    sa.CheckConstraint("meter IN ('input', 'output')", name="meter"),
    sa.CheckConstraint(
        "state IN ('pending', 'accepted', 'rejected', 'expired', 'uncertain', 'dismissed')", name="state"
    ),
    sa.Index("ix_meter_events_pending", "attempts", "occurred_at", postgresql_where=sa.text("state = 'pending'")),
    sa.Index(
        "ix_meter_events_unsent", "state", postgresql_where=sa.text("state IN ('rejected', 'expired', 'uncertain')")
    ),
    sa.Index("ix_meter_events_accepted", "settled_at", postgresql_where=sa.text("state = 'accepted'")),
)
