"""Tables: scenes, partner_secrets."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

scenes: Final = sa.Table(
    "scenes",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("partner", sa.Text, nullable=False),
    sa.Column("document_id", sa.Text, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("document", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.UniqueConstraint("account_id", "partner", "document_id", "sha256", name="uq_scenes_import"),
)

partner_secrets: Final = sa.Table(
    "partner_secrets",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("partner", sa.Text, nullable=False, index=True),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
)
