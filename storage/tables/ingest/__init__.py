"""Bulk ingest, the store's side: which files are settled, who reads what, and tables in the lake that readers can trust.

    run = await open_run(database, "ingest", parameters=…, flow_run_id=…)
    settled = await unchanged(database, found, EXTRACTOR_VERSION)              need not even be read
    claims = await claim(database, run.id, candidates, EXTRACTOR_VERSION, lease_seconds=…, chunk=number)
    …                                                                          EXTRACT: Extracted or Failed; LINK, QUARANTINED: Linked
    await commit(database, lake, run.id, outcomes)                             one transaction a chunk
    await close_run(database, lake, run.id, "done")

Truth is Postgres; the bytes lie in the lake; readers follow a manifest (storage/tables/table_store.py):

    ingest/documents/<sha256[:2]>/<extraction id>.json                        the cad.extraction.v1 document
    ingest/tables/<table>/ingest_date=YYYY-MM-DD/<id>.parquet                  rows; columns are storage.tables.row_mapping.TABLES
    ingest/manifest/<version>.json       {"version", "objects": [{"key", "table", "ingest_date", "rows"}, …]}

What is replaced is *superseded*: its id is listed in objects of the manifest's table `superseded` (one column, `id`), and readers leave out
the rows of documents and failures whose row_id, and the facts whose extraction_id, is among them. Compaction drops such rows and then the
list. At every version of the manifest a source has at most one row in documents and in failures, and the facts of a document are there
once, however many sources hold it, for as long as one does.

A file that was read once and fails when it is read again, with the same bytes, keeps its old result and gets a row in failures; a file
whose new bytes fail loses it.
"""

from __future__ import annotations

from storage.tables.ingest.claims import claim, find_unchanged, release, renew
from storage.tables.ingest.commits import commit
from storage.tables.ingest.compaction import compact_tables, sweep
from storage.tables.ingest.objects import STORE, SUPERSEDED
from storage.tables.ingest.records import (
    UNNEEDED,
    WITH_FAILURES,
    Action,
    Candidate,
    CommitCounts,
    DocumentClaim,
    Extracted,
    Failed,
    Failure,
    FailureType,
    IngestRun,
    Linked,
    Outcome,
    Refused,
    Rows,
    RunState,
    Selection,
    SettledSource,
    SourceCount,
    SourceRecord,
)
from storage.tables.ingest.runs import (
    add_progress,
    close_run,
    count_sources,
    find_run,
    find_silent_runs,
    open_run,
    select_sources,
)

__all__ = [
    "STORE",
    "SUPERSEDED",
    "UNNEEDED",
    "WITH_FAILURES",
    "Action",
    "Candidate",
    "CommitCounts",
    "DocumentClaim",
    "Extracted",
    "Failed",
    "Failure",
    "FailureType",
    "IngestRun",
    "Linked",
    "Outcome",
    "Refused",
    "Rows",
    "RunState",
    "Selection",
    "SettledSource",
    "SourceCount",
    "SourceRecord",
    "add_progress",
    "claim",
    "close_run",
    "commit",
    "compact_tables",
    "count_sources",
    "find_run",
    "find_silent_runs",
    "find_unchanged",
    "open_run",
    "release",
    "renew",
    "select_sources",
    "sweep",
]
