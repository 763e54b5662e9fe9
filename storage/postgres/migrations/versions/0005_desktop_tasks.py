"""Tasks of spatial reasoning on their way to the desktop worker and back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "desktop_tasks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("input", sa.LargeBinary(), nullable=False),
        sa.Column("flow_run_id", sa.Text(), nullable=True),
        sa.Column("taken_at", moment, nullable=True),
        sa.Column("outcome", postgresql.JSONB(), nullable=True),
        sa.Column("output", sa.LargeBinary(), nullable=True),
        sa.Column("ended_at", moment, nullable=True),
        sa.Column("created_at", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("expires_at", moment, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_desktop_tasks_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_desktop_tasks"),
        prefixes=["UNLOGGED"],
    )
    op.create_index("ix_desktop_tasks_account_id", "desktop_tasks", ["account_id"])
    op.create_index("ix_desktop_tasks_expires_at", "desktop_tasks", ["expires_at"])


def downgrade() -> None:
    """Take it back."""
    op.drop_table("desktop_tasks")
