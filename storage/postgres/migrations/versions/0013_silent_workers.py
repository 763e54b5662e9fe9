"""Workers that were found silent, and since when: known to every process, also after the one that found it was killed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "silent_workers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("heartbeat_at", moment, nullable=False),
        sa.Column("since", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_silent_workers"),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("silent_workers")
