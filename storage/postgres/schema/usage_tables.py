"""Tables: usage rows, and the objects and manifests of the usage ledger."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, Money, metadata, now

usage_objects: Final = sa.Table(
    "usage_objects",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="planned"),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("merged_into", sa.ForeignKey("usage_objects.id"), index=True),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("retired_at", Moment),
    sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="state"),
    sa.CheckConstraint("kind IN ('export', 'merge')", name="kind"),
    sa.Index("ix_usage_objects_standing", "state", postgresql_where=sa.text("state <> 'removed'")),
)


usage: Final = sa.Table(
    "usage",
    metadata,
    sa.Column("operation_id", sa.ForeignKey("operations.id"), primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("route", sa.Text, nullable=False),
    sa.Column("source_format", sa.Text),
    sa.Column("file_name", sa.Text),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("estimated_input_cost_usd", Money, nullable=False),
    sa.Column("estimated_output_cost_usd", Money, nullable=False),
    sa.Column("estimated_cost_usd", Money, nullable=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("object_id", sa.ForeignKey("usage_objects.id"), index=True),
    sa.Index("ix_usage_unexported", "created_at", postgresql_where=sa.text("object_id IS NULL")),
    sa.Index("ix_usage_account", "account_id", "created_at"),
)


usage_manifests: Final = sa.Table(
    "usage_manifests",
    metadata,
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("published_at", Moment),
)
