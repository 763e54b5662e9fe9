"""Tables: accounts, their keys and subscriptions."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

accounts: Final = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
)


keys: Final = sa.Table(
    "keys",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("label", sa.Text),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("revoked_at", Moment),
    sa.Column("last_used_at", Moment),
)


subscriptions: Final = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("updated_at", Moment, nullable=False, server_default=now()),
    sa.CheckConstraint("status IN ('active', 'trialing', 'past_due', 'canceled', 'none')", name="status"),
)
