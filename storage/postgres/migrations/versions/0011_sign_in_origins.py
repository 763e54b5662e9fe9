"""Failed sign-ins know where they came from; those of the last minutes are forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    op.execute("DELETE FROM sign_in_failures")
    op.add_column("sign_in_failures", sa.Column("origin_digest", sa.LargeBinary(), nullable=False))


def downgrade() -> None:
    """Take it back."""
    op.drop_column("sign_in_failures", "origin_digest")
