"""Stripe customers of accounts, and meter events on their way to Stripe."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    _create_customers()
    _create_events()


def downgrade() -> None:
    """Take it back."""
    op.drop_table("meter_events")
    op.drop_table("stripe_customers")


def _create_customers() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "stripe_customers",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("customer_id", sa.Text(), nullable=False),
        sa.Column("linked_at", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("status", sa.Text(), server_default="none", nullable=False),
        sa.Column("read_at", moment),
        sa.Column("lookup", sa.BigInteger(), server_default="0", nullable=False),
        sa.CheckConstraint(
            "status IN ('active', 'trialing', 'past_due', 'canceled', 'none')", name="ck_stripe_customers_status"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_stripe_customers_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_stripe_customers"),
        sa.UniqueConstraint("customer_id", name="uq_stripe_customers_customer_id"),
    )


def _create_events() -> None:
    moment = sa.DateTime(timezone=True)
    states = ("pending", "accepted", "rejected", "expired", "uncertain", "dismissed")
    op.create_table(
        "meter_events",
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("meter", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("customer_id", sa.Text(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("occurred_at", moment, nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("attempted_at", moment),
        sa.Column("settled_at", moment),
        sa.Column("problem", sa.Text()),
        sa.CheckConstraint("meter IN ('input', 'output')", name="ck_meter_events_meter"),
        sa.CheckConstraint(f"state IN ({', '.join(map(repr, states))})", name="ck_meter_events_state"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_meter_events_account_id"),
        sa.ForeignKeyConstraint(
            ["operation_id", "item"],
            ["usage.operation_id", "usage.item"],
            name="fk_meter_events_usage",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("operation_id", "item", "meter", name="pk_meter_events"),
    )
    op.create_index("ix_meter_events_account_id", "meter_events", ["account_id"])
    partial = {
        "ix_meter_events_pending": (["attempts", "occurred_at"], "state = 'pending'"),
        "ix_meter_events_unsent": (["state"], "state IN ('rejected', 'expired', 'uncertain')"),
        "ix_meter_events_accepted": (["settled_at"], "state = 'accepted'"),
    }
    for name, (columns, where) in partial.items():
        op.create_index(name, "meter_events", columns, postgresql_where=sa.text(where))
