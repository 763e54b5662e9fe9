"""How many reasoning requests an account has sent in the current minute and billing period."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "response_counts",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("minute_began_at", moment, nullable=False),
        sa.Column("minute_count", sa.BigInteger(), nullable=False),
        sa.Column("period_began_at", moment, nullable=False),
        sa.Column("period_count", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_response_counts_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_response_counts"),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("response_counts")
