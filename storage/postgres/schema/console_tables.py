"""Tables: operators, console_sessions, sign_in_failures, probe_results."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from storage.postgres.schema.base import Moment, metadata, now

operators: Final = sa.Table(
    "operators",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("password_hash", sa.Text, nullable=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("signed_in_at", Moment),
)


console_sessions: Final = sa.Table(
    "console_sessions",
    metadata,
    sa.Column("digest", sa.LargeBinary, primary_key=True),
    sa.Column("operator_id", sa.ForeignKey("operators.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("expires_at", Moment, nullable=False, index=True),
)
"""Only the SHA-256 of the cookie's value is kept."""


sign_in_failures: Final = sa.Table(
    "sign_in_failures",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("name_digest", sa.LargeBinary, nullable=False),
    sa.Column("failed_at", Moment, nullable=False, server_default=now(), index=True),
    sa.Column("origin_digest", sa.LargeBinary, nullable=False),
    sa.Index("ix_sign_in_failures_name_digest", "name_digest", "failed_at"),
)
"""Of any name, known or not, so that a refusal does not tell which names exist; only the SHA-256 of name and origin are kept."""


probe_results: Final = sa.Table(
    "probe_results",
    metadata,
    sa.Column("minute", Moment, primary_key=True),
    sa.Column("probe", sa.Text, primary_key=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("latency_ms", sa.Double),
    sa.Column("detail", sa.Text, nullable=False),
)
"""One row per probe and minute, from whichever API process wrote first."""
