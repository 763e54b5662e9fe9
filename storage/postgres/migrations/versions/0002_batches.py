"""Batches and their items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "batches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="staging", nullable=False),
        sa.Column("version", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("flow_run_id", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_until", moment, nullable=True),
        sa.Column("submitted_at", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("started_at", moment, nullable=True),
        sa.Column("ended_at", moment, nullable=True),
        sa.Column("cancelled_at", moment, nullable=True),
        sa.Column("expires_at", moment, nullable=False),
        sa.CheckConstraint(
            "state IN ('staging', 'queued', 'running', 'done', 'failed', 'expired')", name="ck_batches_state"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_batches_account_id"),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"], name="fk_batches_key_id"),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_batches_operation_id"),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
        sa.UniqueConstraint("operation_id", name="uq_batches_operation_id"),
    )
    op.create_index("ix_batches_key", "batches", ["key_id", "submitted_at"])
    op.create_index(
        "ix_batches_open",
        "batches",
        ["state"],
        postgresql_where=sa.text("state IN ('staging', 'queued', 'running')"),
    )
    op.create_index("ix_batches_expires_at", "batches", ["expires_at"])
    op.create_table(
        "batch_items",
        sa.Column("batch_id", sa.Text(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("target_contract", sa.Text(), nullable=False),
        sa.Column("content_key", sa.Text(), nullable=True),
        sa.Column("content_url", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("result_key", sa.Text(), nullable=True),
        sa.Column("error", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("started_at", moment, nullable=True),
        sa.Column("ended_at", moment, nullable=True),
        sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed')", name="ck_batch_items_state"),
        sa.CheckConstraint("num_nonnulls(content_key, content_url) = 1", name="ck_batch_items_one_source"),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_batch_items_batch_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("batch_id", "item", name="pk_batch_items"),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("batch_items")
    op.drop_table("batches")
