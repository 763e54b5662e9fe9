"""Operators of the console with their sessions, results of probes, and when a key was last used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment, clock = sa.DateTime(timezone=True), sa.text("clock_timestamp()")
    op.create_table(
        "operators",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("created_at", moment, server_default=clock, nullable=False),
        sa.Column("signed_in_at", moment),
        sa.PrimaryKeyConstraint("id", name="pk_operators"),
        sa.UniqueConstraint("name", name="uq_operators_name"),
    )
    op.create_table(
        "console_sessions",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("operator_id", sa.Text(), nullable=False),
        sa.Column("created_at", moment, server_default=clock, nullable=False),
        sa.Column("expires_at", moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["operators.id"], name="fk_console_sessions_operator_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_console_sessions"),
    )
    op.create_index("ix_console_sessions_operator_id", "console_sessions", ["operator_id"])
    op.create_index("ix_console_sessions_expires_at", "console_sessions", ["expires_at"])
    op.create_table(
        "sign_in_failures",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("name_digest", sa.LargeBinary(), nullable=False),
        sa.Column("failed_at", moment, server_default=clock, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in_failures"),
    )
    op.create_index("ix_sign_in_failures_failed_at", "sign_in_failures", ["failed_at"])
    op.create_index("ix_sign_in_failures_name_digest", "sign_in_failures", ["name_digest", "failed_at"])
    op.create_table(
        "probe_results",
        sa.Column("minute", moment, nullable=False),
        sa.Column("probe", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("latency_ms", sa.Double()),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("minute", "probe", name="pk_probe_results"),
    )
    op.add_column("keys", sa.Column("last_used_at", moment))
    op.create_index("ix_operations_created_at", "operations", ["created_at"])
    op.create_index("ix_batches_submitted_at", "batches", ["submitted_at"])


def downgrade() -> None:
    """Take it back."""
    op.drop_index("ix_batches_submitted_at", "batches")
    op.drop_index("ix_operations_created_at", "operations")
    op.drop_column("keys", "last_used_at")
    for name in ("probe_results", "sign_in_failures", "console_sessions", "operators"):
        op.drop_table(name)
