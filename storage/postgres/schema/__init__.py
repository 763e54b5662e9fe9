"""The tables, as SQLAlchemy Core metadata; `storage/postgres/migrations` makes exactly these.

Glossary
  account      who pays.
  key          what a caller proves an account with; only its SHA-256 is kept.
  operation    one billed request that began to execute: its lease says that its owner lives, its id is the fencing token.
  idempotency  which operation an Idempotency-Key stands for; outcome and lease are the operation's own.
  usage        what was charged for an operation's item, written once.
  object       a Parquet object of the usage ledger in the lake, and what became of it.
  manifest     which objects are the ledger, version by version.
  batch        up to 32 extractions under one operation; the row is the outbox of its flow run.
  response     a reasoning request; its counts are those of an account's current minute and billing period.
  upload       a file that a caller laid down ahead of the request that will name it.
  desktop task a question to the reasoning worker, for the seconds that its caller waits.
  stripe customer  the customer of the payment provider that an account pays as, and what its subscriptions last were.
  meter event  tokens of one usage row and one meter, on their way to the payment provider.
  scene        the document of an imported feature tree, kept for reasoning.
  partner secret  what a CAD partner signs its events with.
  webhook endpoint  a URL of an account, or of the operator, that is notified of what ended.
  webhook delivery  one message to one endpoint, and what its attempts came to.
  operator     who signs in to the console; a console session is one browser in which an operator did.
  probe result what a health probe found in one minute.
  silent worker  a worker of Prefect without heartbeats, whose runs are lost if it stays so.
  ingest run   one walk of the operator's over files at a source, or over files that were ingested before.
  source       a file at its place, as it was when a run last settled it.
  document     content (SHA-256) read as a format; the place where runs claim it, one at a time.
  extraction   one reading of a document by one version of the extractor; at most one is live.
  superseded   an extraction, or a row of a source, that readers leave out until compaction has dropped it from an object.
"""

from __future__ import annotations

from storage.postgres.schema.base import metadata
from storage.postgres.schema.batch_tables import batch_items, batches
from storage.postgres.schema.ceiling_tables import response_counts
from storage.postgres.schema.console_tables import console_sessions, operators, probe_results, sign_in_failures
from storage.postgres.schema.customer_tables import accounts, keys, subscriptions
from storage.postgres.schema.desktop_tables import desktop_tasks
from storage.postgres.schema.ingest_tables import (
    ingest_documents,
    ingest_extractions,
    ingest_manifests,
    ingest_objects,
    ingest_runs,
    ingest_sources,
    ingest_superseded,
)
from storage.postgres.schema.partner_tables import partner_secrets, scenes
from storage.postgres.schema.request_tables import idempotency, operations
from storage.postgres.schema.stripe_tables import meter_events, stripe_customers
from storage.postgres.schema.upload_tables import uploads
from storage.postgres.schema.usage_tables import usage, usage_manifests, usage_objects
from storage.postgres.schema.webhook_tables import webhook_deliveries, webhook_endpoints
from storage.postgres.schema.worker_tables import silent_workers

__all__ = [
    "accounts",
    "batch_items",
    "batches",
    "console_sessions",
    "desktop_tasks",
    "idempotency",
    "ingest_documents",
    "ingest_extractions",
    "ingest_manifests",
    "ingest_objects",
    "ingest_runs",
    "ingest_sources",
    "ingest_superseded",
    "keys",
    "metadata",
    "meter_events",
    "operations",
    "operators",
    "partner_secrets",
    "probe_results",
    "response_counts",
    "scenes",
    "sign_in_failures",
    "silent_workers",
    "stripe_customers",
    "subscriptions",
    "uploads",
    "usage",
    "usage_manifests",
    "usage_objects",
    "webhook_deliveries",
    "webhook_endpoints",
]
