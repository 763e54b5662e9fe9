"""Bulk ingest: runs, sources, documents, extractions, and the Parquet objects of its tables.

A manifest is made of the objects' own states when it is published, so a version need not repeat them: that of usage loses its copy.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = (
    "ingest_runs",
    "ingest_objects",
    "ingest_manifests",
    "ingest_extractions",
    "ingest_documents",
    "ingest_sources",
    "ingest_superseded",
)
"""In the order in which they need each other."""

MOMENT = sa.DateTime(timezone=True)
JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    """Make the step."""
    op.drop_column("usage_manifests", "objects")
    _runs()
    _objects()
    _extractions()
    _documents()
    _sources()
    _superseded()


def downgrade() -> None:
    """Take it back. Manifests that are not published yet are made from the objects that are live."""
    for table in reversed(TABLES):
        op.drop_table(table)
    op.add_column("usage_manifests", sa.Column("objects", JSON, nullable=True))
    op.execute(
        "UPDATE usage_manifests SET objects ="
        " (SELECT coalesce(jsonb_agg(key ORDER BY id), '[]') FROM usage_objects WHERE state = 'live')"
    )
    op.alter_column("usage_manifests", "objects", nullable=False)


def _now(name: str) -> sa.Column[Any]:
    return sa.Column(name, MOMENT, server_default=sa.text("clock_timestamp()"), nullable=False)


def _runs() -> None:
    """Who walks over files."""
    op.create_table(
        "ingest_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("flow_run_id", sa.Text(), nullable=True),
        sa.Column("parameters", JSON, nullable=False),
        sa.Column("state", sa.Text(), server_default="running", nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.Column("done", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("skipped", sa.BigInteger(), server_default="0", nullable=False),
        _now("started_at"),
        _now("updated_at"),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("kind IN ('ingest', 'reprocess')", name="ck_ingest_runs_kind"),
        sa.CheckConstraint("state IN ('running', 'done', 'failed', 'cancelled', 'lost')", name="ck_ingest_runs_state"),
        sa.PrimaryKeyConstraint("id", name="pk_ingest_runs"),
        sa.UniqueConstraint("flow_run_id", name="uq_ingest_runs_flow_run_id"),
    )
    op.create_index("ix_ingest_runs_started_at", "ingest_runs", ["started_at"])


def _objects() -> None:
    """Parquet objects, and versions of which are the tables."""
    op.create_table(
        "ingest_objects",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="planned", nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("ingest_date", sa.Date(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("merged_into", sa.BigInteger(), nullable=True),
        _now("created_at"),
        sa.Column("retired_at", MOMENT, nullable=True),
        sa.CheckConstraint("kind IN ('part', 'merge')", name="ck_ingest_objects_kind"),
        sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="ck_ingest_objects_state"),
        sa.ForeignKeyConstraint(["merged_into"], ["ingest_objects.id"], name="fk_ingest_objects_merged_into"),
        sa.PrimaryKeyConstraint("id", name="pk_ingest_objects"),
        sa.UniqueConstraint("key", name="uq_ingest_objects_key"),
    )
    op.create_index("ix_ingest_objects_merged_into", "ingest_objects", ["merged_into"])
    op.create_index(
        "ix_ingest_objects_standing", "ingest_objects", ["state"], postgresql_where=sa.text("state <> 'removed'")
    )
    op.create_table(
        "ingest_manifests",
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        _now("created_at"),
        sa.Column("published_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("version", name="pk_ingest_manifests"),
    )


def _extractions() -> None:
    """What was read of which content by which extractor."""
    op.create_table(
        "ingest_extractions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("extractor_version", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default="planned", nullable=False),
        sa.Column("result_key", sa.Text(), nullable=False),
        sa.Column("summary", JSON, nullable=True),
        sa.Column("objects", sa.ARRAY(sa.BigInteger()), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("ingested_at", MOMENT, nullable=True),
        _now("created_at"),
        sa.Column("retired_at", MOMENT, nullable=True),
        sa.CheckConstraint("state IN ('planned', 'live', 'retired', 'removed')", name="ck_ingest_extractions_state"),
        sa.ForeignKeyConstraint(["run_id"], ["ingest_runs.id"], name="fk_ingest_extractions_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_ingest_extractions"),
        sa.UniqueConstraint(
            "document_id", "format", "extractor_version", "generation", name="uq_ingest_extractions_generation"
        ),
    )
    op.create_index(
        "ix_ingest_extractions_leaving",
        "ingest_extractions",
        ["state"],
        postgresql_where=sa.text("state IN ('planned', 'retired')"),
    )


def _documents() -> None:
    """What content came to, and who is reading it."""
    op.create_table(
        "ingest_documents",
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="new", nullable=False),
        sa.Column("extractor_version", sa.Integer(), nullable=True),
        sa.Column("extraction_id", sa.Text(), nullable=True),
        sa.Column("failure", JSON, nullable=True),
        sa.Column("settled_run", sa.Text(), nullable=True),
        sa.Column("settled_at", MOMENT, nullable=True),
        sa.Column("claim_token", sa.Text(), nullable=True),
        sa.Column("claim_run", sa.Text(), nullable=True),
        sa.Column("claim_chunk", sa.Integer(), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.CheckConstraint("state IN ('new', 'done', 'failed')", name="ck_ingest_documents_state"),
        sa.ForeignKeyConstraint(["claim_run"], ["ingest_runs.id"], name="fk_ingest_documents_claim_run"),
        sa.ForeignKeyConstraint(["extraction_id"], ["ingest_extractions.id"], name="fk_ingest_documents_extraction_id"),
        sa.ForeignKeyConstraint(["settled_run"], ["ingest_runs.id"], name="fk_ingest_documents_settled_run"),
        sa.PrimaryKeyConstraint("document_id", "format", name="pk_ingest_documents"),
    )
    op.create_index(
        "ix_ingest_documents_claimed",
        "ingest_documents",
        ["claim_token"],
        postgresql_where=sa.text("claim_token IS NOT NULL"),
    )


def _sources() -> None:
    """What lay where, and the rows that readers see of it."""
    op.create_table(
        "ingest_sources",
        sa.Column("uri", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("issued", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("modified_at", MOMENT, nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=True),
        sa.Column("extractor_version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("extraction_id", sa.Text(), nullable=True),
        sa.Column("failure", JSON, nullable=True),
        sa.Column("document_object", sa.BigInteger(), nullable=True),
        sa.Column("failure_object", sa.BigInteger(), nullable=True),
        sa.Column("document_row", sa.Text(), nullable=True),
        sa.Column("failure_row", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        _now("settled_at"),
        sa.CheckConstraint("state IN ('done', 'failed', 'quarantined')", name="ck_ingest_sources_state"),
        sa.ForeignKeyConstraint(["document_object"], ["ingest_objects.id"], name="fk_ingest_sources_document_object"),
        sa.ForeignKeyConstraint(["extraction_id"], ["ingest_extractions.id"], name="fk_ingest_sources_extraction_id"),
        sa.ForeignKeyConstraint(["failure_object"], ["ingest_objects.id"], name="fk_ingest_sources_failure_object"),
        sa.ForeignKeyConstraint(["run_id"], ["ingest_runs.id"], name="fk_ingest_sources_run_id"),
        sa.PrimaryKeyConstraint("uri", name="pk_ingest_sources"),
    )
    op.create_index("ix_ingest_sources_document", "ingest_sources", ["document_id", "format"])


def _superseded() -> None:
    """What readers leave out."""
    op.create_table(
        "ingest_superseded",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("object_id", sa.BigInteger(), nullable=False),
        sa.Column("listed_in", sa.BigInteger(), nullable=False),
        sa.Column("applied_by", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["applied_by"], ["ingest_objects.id"], name="fk_ingest_superseded_applied_by"),
        sa.ForeignKeyConstraint(["listed_in"], ["ingest_objects.id"], name="fk_ingest_superseded_listed_in"),
        sa.ForeignKeyConstraint(["object_id"], ["ingest_objects.id"], name="fk_ingest_superseded_object_id"),
        sa.PrimaryKeyConstraint("id", "object_id", name="pk_ingest_superseded"),
    )
    for column in ("applied_by", "listed_in", "object_id"):
        op.create_index(f"ix_ingest_superseded_{column}", "ingest_superseded", [column])
