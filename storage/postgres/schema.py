"""The tables, as SQLAlchemy Core metadata; `migrations/` makes exactly these.

Glossary
  account      who pays.
  key          what a caller proves an account with; only its SHA-256 is kept.
  operation    one billed request that began to execute: its lease says that its owner lives, its id is the fencing token.
  idempotency  which operation an Idempotency-Key stands for; outcome and lease are the operation's own.
  usage        what was charged for an operation's item, written once.
  object       a Parquet object of the usage ledger in the lake, and what became of it.
  manifest     which objects are the ledger, version by version.
  batch        up to 32 extractions under one operation; the row is the outbox of its flow run.
  upload       a file that a caller laid down ahead of the request that will name it.
  ingest run   one walk of the operator's over files at a source, or over files that were ingested before.
  source       a file at its place, as it was when a run last settled it.
  document     content (SHA-256) read as a format; the place where runs claim it, one at a time.
  extraction   one reading of a document by one version of the extractor; at most one is live.
  superseded   an extraction, or a row of a source, that readers leave out until compaction has dropped it from an object.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

metadata: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Moment = sa.DateTime(timezone=True)
Money = sa.Numeric(20, 10)


def _now() -> sa.TextClause:
    """The database's clock, which is the only clock that leases and retention know."""
    return sa.text("clock_timestamp()")


accounts: Final = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
)

keys: Final = sa.Table(
    "keys",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("label", sa.Text),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("revoked_at", Moment),
)

subscriptions: Final = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("updated_at", Moment, nullable=False, server_default=_now()),
    sa.CheckConstraint("status IN ('active', 'trialing', 'past_due', 'canceled', 'none')", name="status"),
)

operations: Final = sa.Table(
    "operations",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("route", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="open"),
    sa.Column("lease_until", Moment, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("result_key", sa.Text),
    sa.Column("content_type", sa.Text),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("closed_at", Moment),
    sa.CheckConstraint("state IN ('open', 'completed', 'failed')", name="state"),
    sa.Index("ix_operations_open", "lease_until", postgresql_where=sa.text("state = 'open'")),
)

idempotency: Final = sa.Table(
    "idempotency",
    metadata,
    sa.Column("account_id", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("route", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("operation_id", sa.ForeignKey("operations.id"), nullable=False, index=True),
    sa.Column("claimed_at", Moment, nullable=False, server_default=_now(), index=True),
)

usage_objects: Final = sa.Table(
    "usage_objects",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="planned"),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("merged_into", sa.ForeignKey("usage_objects.id"), index=True),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
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
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("object_id", sa.ForeignKey("usage_objects.id"), index=True),
    sa.Index("ix_usage_unexported", "created_at", postgresql_where=sa.text("object_id IS NULL")),
    sa.Index("ix_usage_account", "account_id", "created_at"),
)

usage_manifests: Final = sa.Table(
    "usage_manifests",
    metadata,
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("published_at", Moment),
)

batches: Final = sa.Table(
    "batches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("operation_id", sa.ForeignKey("operations.id"), nullable=False, unique=True),
    sa.Column("account_id", sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("key_id", sa.ForeignKey("keys.id"), nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="staging"),
    sa.Column("version", sa.BigInteger, nullable=False, server_default="1"),
    sa.Column("flow_run_id", sa.Text),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lease_until", Moment),
    sa.Column("submitted_at", Moment, nullable=False, server_default=_now()),
    sa.Column("started_at", Moment),
    sa.Column("ended_at", Moment),
    sa.Column("cancelled_at", Moment),
    sa.Column("expires_at", Moment, nullable=False),
    sa.CheckConstraint("state IN ('staging', 'queued', 'running', 'done', 'failed', 'expired')", name="state"),
    sa.Index("ix_batches_key", "key_id", "submitted_at"),
    sa.Index("ix_batches_open", "state", postgresql_where=sa.text("state IN ('staging', 'queued', 'running')")),
    sa.Index("ix_batches_expires_at", "expires_at"),
)

batch_items: Final = sa.Table(
    "batch_items",
    metadata,
    sa.Column("batch_id", sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("target_contract", sa.Text, nullable=False),
    sa.Column("content_key", sa.Text),
    sa.Column("content_url", sa.Text),
    sa.Column("state", sa.Text, nullable=False, server_default="queued"),
    sa.Column("status", sa.Integer),
    sa.Column("result_key", sa.Text),
    sa.Column("error", JSONB),
    sa.Column("started_at", Moment),
    sa.Column("ended_at", Moment),
    sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed')", name="state"),
    sa.CheckConstraint("num_nonnulls(content_key, content_url) = 1", name="one_source"),
)

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
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("expires_at", Moment, nullable=False, index=True),
)

ingest_runs: Final = sa.Table(
    "ingest_runs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("flow_run_id", sa.Text, unique=True),
    sa.Column("parameters", JSONB, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="running"),
    sa.Column("total", sa.BigInteger),
    sa.Column("done", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("failed", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("skipped", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("started_at", Moment, nullable=False, server_default=_now()),
    sa.Column("updated_at", Moment, nullable=False, server_default=_now()),
    sa.Column("ended_at", Moment),
    sa.CheckConstraint("kind IN ('ingest', 'reprocess')", name="kind"),
    sa.CheckConstraint("state IN ('running', 'done', 'failed', 'cancelled', 'lost')", name="state"),
    sa.Index("ix_ingest_runs_started_at", "started_at"),
)

ingest_objects: Final = sa.Table(
    "ingest_objects",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="planned"),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("ingest_date", sa.Date, nullable=False),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("merged_into", sa.ForeignKey("ingest_objects.id"), index=True),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("retired_at", Moment),
    sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="state"),
    sa.CheckConstraint("kind IN ('part', 'merge')", name="kind"),
    sa.Index("ix_ingest_objects_standing", "state", postgresql_where=sa.text("state <> 'removed'")),
)

ingest_manifests: Final = sa.Table(
    "ingest_manifests",
    metadata,
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("published_at", Moment),
)

ingest_extractions: Final = sa.Table(
    "ingest_extractions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("document_id", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("extractor_version", sa.Integer, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="planned"),
    sa.Column("result_key", sa.Text, nullable=False),
    sa.Column("summary", JSONB(none_as_null=True)),
    sa.Column("objects", sa.ARRAY(sa.BigInteger)),
    sa.Column("run_id", sa.ForeignKey("ingest_runs.id"), nullable=False),
    sa.Column("ingested_at", Moment),
    sa.Column("created_at", Moment, nullable=False, server_default=_now()),
    sa.Column("retired_at", Moment),
    sa.UniqueConstraint(
        "document_id", "format", "extractor_version", "generation", name="uq_ingest_extractions_generation"
    ),
    sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="state"),
    sa.Index("ix_ingest_extractions_leaving", "state", postgresql_where=sa.text("state IN ('planned', 'retired')")),
)

ingest_documents: Final = sa.Table(
    "ingest_documents",
    metadata,
    sa.Column("document_id", sa.Text, primary_key=True),
    sa.Column("format", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False, server_default="new"),
    sa.Column("extractor_version", sa.Integer),
    sa.Column("extraction_id", sa.ForeignKey("ingest_extractions.id")),
    sa.Column("failure", JSONB(none_as_null=True)),
    sa.Column("settled_run", sa.ForeignKey("ingest_runs.id")),
    sa.Column("settled_at", Moment),
    sa.Column("claim_token", sa.Text),
    sa.Column("claim_run", sa.ForeignKey("ingest_runs.id")),
    sa.Column("claim_chunk", sa.Integer),
    sa.Column("lease_until", Moment),
    sa.CheckConstraint("state IN ('new', 'done', 'failed')", name="state"),
    sa.Index("ix_ingest_documents_claimed", "claim_token", postgresql_where=sa.text("claim_token IS NOT NULL")),
)

ingest_sources: Final = sa.Table(
    "ingest_sources",
    metadata,
    sa.Column("uri", sa.Text, primary_key=True),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("issued", sa.BigInteger, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("etag", sa.Text),
    sa.Column("modified_at", Moment, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("document_id", sa.Text),
    sa.Column("extractor_version", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("extraction_id", sa.ForeignKey("ingest_extractions.id")),
    sa.Column("failure", JSONB(none_as_null=True)),
    sa.Column("document_object", sa.ForeignKey("ingest_objects.id")),
    sa.Column("failure_object", sa.ForeignKey("ingest_objects.id")),
    sa.Column("document_row", sa.Text),
    sa.Column("failure_row", sa.Text),
    sa.Column("run_id", sa.ForeignKey("ingest_runs.id"), nullable=False),
    sa.Column("settled_at", Moment, nullable=False, server_default=_now()),
    sa.CheckConstraint("state IN ('done', 'failed', 'quarantined')", name="state"),
    sa.Index("ix_ingest_sources_document", "document_id", "format"),
)

ingest_superseded: Final = sa.Table(
    "ingest_superseded",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("object_id", sa.ForeignKey("ingest_objects.id"), primary_key=True, index=True),
    sa.Column("listed_in", sa.ForeignKey("ingest_objects.id"), nullable=False, index=True),
    sa.Column("applied_by", sa.ForeignKey("ingest_objects.id"), index=True),
)
