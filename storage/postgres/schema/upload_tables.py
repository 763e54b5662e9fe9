"""Tables: uploads."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

uploads: Final = sa.Table(
    "uploads",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("content_key", sa.Text, nullable=False),
    sa.Column("most_bytes", sa.BigInteger, nullable=False),
    sa.Column("size", sa.BigInteger),
    sa.Column("sha256", sa.Text),
    sa.Column("received_at", Moment),
    sa.Column("used_at", Moment),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("expires_at", Moment, nullable=False, index=True),
)
