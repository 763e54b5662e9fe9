"""Tables: runs, objects, extractions, documents and sources of bulk ingest."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from storage.postgres.schema.base import Moment, metadata, now

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
    sa.Column("started_at", Moment, nullable=False, server_default=now()),
    sa.Column("updated_at", Moment, nullable=False, server_default=now()),
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
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
    sa.Column("retired_at", Moment),
    sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="state"),
    sa.CheckConstraint("kind IN ('part', 'merge')", name="kind"),
    sa.Index("ix_ingest_objects_standing", "state", postgresql_where=sa.text("state <> 'removed'")),
)


ingest_manifests: Final = sa.Table(
    "ingest_manifests",
    metadata,
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
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
    sa.Column("created_at", Moment, nullable=False, server_default=now()),
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
    sa.Column("settled_at", Moment, nullable=False, server_default=now()),
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
