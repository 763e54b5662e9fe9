"""Accounts, keys, subscriptions, operations, idempotency and the usage ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = ("accounts", "keys", "subscriptions", "operations", "idempotency", "usage_objects", "usage", "usage_manifests")
"""In the order in which they need each other."""


def upgrade() -> None:
    """Make the step."""
    _who_pays()
    _requests()
    _usage()


def downgrade() -> None:
    """Take it back."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _who_pays() -> None:
    """Accounts, keys, subscriptions."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_keys_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.UniqueConstraint("digest", name="uq_keys_digest"),
    )
    op.create_index("ix_keys_account_id", "keys", ["account_id"])
    op.create_table(
        "subscriptions",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column(
            "updated_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint(
            "status IN ('active', 'trialing', 'past_due', 'canceled', 'none')", name="ck_subscriptions_status"
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_subscriptions_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_subscriptions"),
    )


def _requests() -> None:
    """Operations, and the Idempotency-Keys that stand for them."""
    op.create_table(
        "operations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("result_key", sa.Text(), nullable=True),
        sa.Column("content_type", sa.Text(), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('open', 'completed', 'failed')", name="ck_operations_state"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_operations_account_id"),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"], name="fk_operations_key_id"),
        sa.PrimaryKeyConstraint("id", name="pk_operations"),
    )
    op.create_index("ix_operations_open", "operations", ["lease_until"], postgresql_where=sa.text("state = 'open'"))
    op.create_table(
        "idempotency",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column(
            "claimed_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_idempotency_account_id"),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_idempotency_operation_id"),
        sa.PrimaryKeyConstraint("account_id", "route", "key", name="pk_idempotency"),
    )
    op.create_index("ix_idempotency_claimed_at", "idempotency", ["claimed_at"])
    op.create_index("ix_idempotency_operation_id", "idempotency", ["operation_id"])


def _usage() -> None:
    """What was charged, and the Parquet objects that hold it."""
    op.create_table(
        "usage_objects",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="planned", nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("merged_into", sa.BigInteger(), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('export', 'merge')", name="ck_usage_objects_kind"),
        sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="ck_usage_objects_state"),
        sa.ForeignKeyConstraint(["merged_into"], ["usage_objects.id"], name="fk_usage_objects_merged_into"),
        sa.PrimaryKeyConstraint("id", name="pk_usage_objects"),
        sa.UniqueConstraint("key", name="uq_usage_objects_key"),
    )
    op.create_index("ix_usage_objects_merged_into", "usage_objects", ["merged_into"])
    op.create_index(
        "ix_usage_objects_standing", "usage_objects", ["state"], postgresql_where=sa.text("state <> 'removed'")
    )
    op.create_table(
        "usage",
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("source_format", sa.Text(), nullable=True),
        sa.Column("file_name", sa.Text(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("estimated_input_cost_usd", sa.Numeric(precision=20, scale=10), nullable=False),
        sa.Column("estimated_output_cost_usd", sa.Numeric(precision=20, scale=10), nullable=False),
        sa.Column("estimated_cost_usd", sa.Numeric(precision=20, scale=10), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("object_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_usage_account_id"),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"], name="fk_usage_key_id"),
        sa.ForeignKeyConstraint(["object_id"], ["usage_objects.id"], name="fk_usage_object_id"),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_usage_operation_id"),
        sa.PrimaryKeyConstraint("operation_id", "item", name="pk_usage"),
    )
    op.create_index("ix_usage_account", "usage", ["account_id", "created_at"])
    op.create_index("ix_usage_object_id", "usage", ["object_id"])
    op.create_index("ix_usage_unexported", "usage", ["created_at"], postgresql_where=sa.text("object_id IS NULL"))
    op.create_table(
        "usage_manifests",
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("objects", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("version", name="pk_usage_manifests"),
    )
