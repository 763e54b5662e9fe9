"""Whether the document of a batch item lists edges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    op.add_column("batch_items", sa.Column("edges", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Take it back."""
    op.drop_column("batch_items", "edges")
