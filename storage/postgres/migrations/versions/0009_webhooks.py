"""Endpoints that are notified of ended batches and ingest runs, and the deliveries to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment, clock = sa.DateTime(timezone=True), sa.text("clock_timestamp()")
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text()),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("previous_secret", sa.Text()),
        sa.Column("previous_until", moment),
        sa.Column("disabled_at", moment),
        sa.Column("disabled_reason", sa.Text()),
        sa.Column("lease_token", sa.Text()),
        sa.Column("lease_until", moment),
        sa.Column("created_at", moment, server_default=clock, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_webhook_endpoints_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_endpoints"),
    )
    op.create_index("ix_webhook_endpoints_account_id", "webhook_endpoints", ["account_id"])
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("endpoint_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text()),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_attempt_at", moment, server_default=clock, nullable=False),
        sa.Column("attempted_at", moment),
        sa.Column("status", sa.Integer()),
        sa.Column("problem", sa.Text()),
        sa.Column("created_at", moment, server_default=clock, nullable=False),
        sa.Column("ended_at", moment),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="ck_webhook_deliveries_state"),
        sa.ForeignKeyConstraint(
            ["endpoint_id"], ["webhook_endpoints.id"], name="fk_webhook_deliveries_endpoint_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_webhook_deliveries_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_deliveries"),
    )
    op.create_index("ix_webhook_deliveries_endpoint_id", "webhook_deliveries", ["endpoint_id"])
    op.create_index("ix_webhook_deliveries_account_id", "webhook_deliveries", ["account_id"])
    op.create_index("ix_webhook_deliveries_created_at", "webhook_deliveries", ["created_at"])
    op.create_index(
        "ix_webhook_deliveries_pending",
        "webhook_deliveries",
        ["next_attempt_at"],
        postgresql_where=sa.text("state = 'pending'"),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_endpoints")
