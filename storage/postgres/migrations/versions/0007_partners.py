"""Scenes of imported feature trees, and the secrets of the partners that send them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the step."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "scenes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("partner", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_scenes_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_scenes"),
        sa.UniqueConstraint("account_id", "partner", "document_id", "sha256", name="uq_scenes_import"),
    )
    op.create_index("ix_scenes_account_id", "scenes", ["account_id"])
    op.create_table(
        "partner_secrets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("partner", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", moment, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_partner_secrets_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_partner_secrets"),
    )
    op.create_index("ix_partner_secrets_account_id", "partner_secrets", ["account_id"])
    op.create_index("ix_partner_secrets_partner", "partner_secrets", ["partner"])


def downgrade() -> None:
    """Take it back."""
    op.drop_table("partner_secrets")
    op.drop_table("scenes")
