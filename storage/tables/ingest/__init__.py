"""The store of bulk ingest: which files are settled, which process extracts which document, and the tables in the lake.

    run = await open_run(database, "ingest", parameters=…, flow_run_id=…)
    settled = await find_unchanged(database, found, EXTRACTOR_VERSION)         these files are not read again
    claims = await claim(database, run.id, candidates, EXTRACTOR_VERSION, lease_seconds=…, chunk=number)
    …                                                                          EXTRACT: Extracted or Failed; LINK, QUARANTINED: Linked
    await commit(database, lake, run.id, outcomes)                             all outcomes in one transaction
    await close_run(database, lake, run.id, "done")

Postgres is authoritative, the lake holds the content, and readers use a manifest (storage/tables/table_store.py):

    ingest/documents/<sha256[:2]>/<extraction id>.json                        the cad.extraction.v1 document
    ingest/tables/<table>/ingest_date=YYYY-MM-DD/<id>.parquet                  rows; columns are storage.tables.row_mapping.TABLES
    ingest/manifest/<version>.json       {"version", "objects": [{"key", "table", "ingest_date", "rows"}, …]}

A replaced row is *superseded*: its id is listed in objects of the manifest's table `superseded` (one column, `id`). Readers exclude the
rows of `documents` and `failures` whose row_id is listed, and the rows of other tables whose extraction_id is listed. Compaction deletes
these rows and then the list. In every version of the manifest a source has at most one row in `documents` and one in `failures`, and the
rows of a document exist exactly once while at least one source holds the document.

If a file was extracted and a later extraction of the same bytes fails, it keeps the old result and gets a row in `failures`. If the bytes
have changed and extraction fails, the old result is removed.
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
    has_changed,
    list_failures,
    list_runs,
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
    "has_changed",
    "list_failures",
    "list_runs",
    "open_run",
    "release",
    "renew",
    "select_sources",
    "sweep",
]
