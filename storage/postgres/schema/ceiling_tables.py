"""Table: how many reasoning requests an account has sent in the current minute and billing period."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata

response_counts: Final = sa.Table(
    "response_counts",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("minute_began_at", Moment, nullable=False),
    sa.Column("minute_count", sa.BigInteger, nullable=False),
    sa.Column("period_began_at", Moment, nullable=False),
    sa.Column("period_count", sa.BigInteger, nullable=False),
)
