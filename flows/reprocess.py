"""The flow `reprocess`: extract ingested files again, after an upgrade or a repair.

Old results stay until the new ones are committed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Final, Literal

from prefect import flow
from prefect.client.schemas.objects import State

from flows import bulk
from flows.bulk import Account, ChunkFiles, FormatName, Options, Parallel, Tries
from flows.runners import Runner
from pipelines.resources import current_resources
from spatial.contract.target import TargetContract
from spatial.document.version import EXTRACTOR_VERSION
from spatial.errors import InvalidRequest
from storage.objects.sources import normalize_url
from storage.tables import ingest as store
from storage.tables.ingest import FailureType, Selection, SettledSource
from storage.timestamps import utc

Which = Literal["outdated", "failed", "all"]

PAGE: Final = 5_000
"""Maximum number of rows per query, and of values in its condition."""

SQL_COLUMNS: Final = {"source_uri": "uris", "extraction_id": "extraction_ids", "document_id": "document_ids"}
"""Columns that an SQL selection may return, the most specific first, and the member of Selection that each one sets."""


@flow(name="reprocess", flow_run_name="{which}", persist_result=True, **bulk.HOOKS)
async def reprocess(
    which: Which = "outdated",
    sql: str | None = None,
    source: str | None = None,
    formats: list[FormatName] = [],  # noqa: B006  # the Prefect UI shows this default, and no code changes it
    extractor_versions: list[int] = [],  # noqa: B006  # the same
    error_types: list[FailureType] = [],  # noqa: B006  # the same
    since: datetime | None = None,
    until: datetime | None = None,
    chunk_files: ChunkFiles = 500,
    parallel: Parallel | None = None,
    tries: Tries = 3,
    target_contract: TargetContract = TargetContract.structured,
    edges: bool = False,
    runner: Runner | None = None,
    dry_run: bool = False,
) -> State[Account]:
    """Extract settled files again from their source; a file that was deleted there keeps its old result.

    A new result replaces the old one in one transaction. A file must meet all conditions. Reprocessing is not metered.

    Args:
        which: outdated (extracted by another version of the extractor), failed (in the table `failures`), or all.
        sql: SELECT over the tables that returns source_uri, extraction_id or document_id.
        source: Only below this s3:// or file:// prefix.
        formats: Only these formats; all where the list is empty.
        extractor_versions: Only files that these versions extracted.
        error_types: Only failures of these types, for example timeout_error.
        since: Only files that were settled at this time (UTC) or later.
        until: Only files that were settled before this time (UTC).
        chunk_files: Files per task run.
        parallel: Files at a time; by default three per converter worker.
        tries: How often a file that times out or kills its process is tried before it is quarantined.
        target_contract: Content of the documents; points take much time and space.
        edges: Whether documents list the edges of models.
        runner: Where chunks run; by default SPATIAL_INGEST_RUNNER.
        dry_run: Only report what would be read.
    """
    options = Options(
        chunk_files=chunk_files,
        parallel=parallel,
        tries=tries,
        target_contract=target_contract,
        edges=edges,
        runner=runner,
    )
    conditions: dict[str, Any] = {
        "status": "failed" if which == "failed" else None,
        "prefix": normalize_url(source) if source else None,
        "formats": tuple(formats),
        "extractor_versions": tuple(extractor_versions),
        "error_types": tuple(error_types),
        "since": utc(since) if since else None,
        "until": utc(until) if until else None,
    }
    outdated = which == "outdated"
    selected = [
        one async for one in _select(conditions, sql) if not outdated or one.extractor_version != EXTRACTOR_VERSION
    ]
    selected.sort(key=lambda one: one.found.uri)
    files = [one.found for one in selected]
    if dry_run:
        return await bulk.dry_run_account("reprocess", files, len(files), dict(Counter(one.format for one in selected)))
    parameters = {
        "which": which,
        "sql": sql,
        "source": source,
        "formats": formats,
        "target_contract": target_contract.value,
        "edges": edges,
    }
    return await bulk.carry_out("reprocess", files, options, source=None, found=len(files), parameters=parameters)


async def _select(conditions: dict[str, Any], sql: str | None) -> AsyncIterator[SettledSource]:
    """The selected sources, each once."""
    seen: set[str] = set()
    for names in [{}] if sql is None else await _conditions_of(sql):
        after: str | None = None
        while True:
            page = await store.select_sources(
                current_resources().database, Selection(**conditions, **names), after=after, limit=PAGE
            )
            for one in page:
                if one.found.uri not in seen:
                    seen.add(one.found.uri)
                    yield one
            if len(page) < PAGE:
                break
            after = page[-1].found.uri


async def _conditions_of(sql: str) -> list[dict[str, Any]]:
    """Conditions that select the files of the SQL result, with at most PAGE values each. Raises: InvalidRequest."""
    from storage.tables import query as tables_query  # imports pyarrow, which some processes do not need

    rows = await tables_query.query(current_resources().lake, sql)
    if not rows:
        return []
    column = next((name for name in SQL_COLUMNS if name in rows[0]), None)
    if column is None:
        raise InvalidRequest(f"the SQL returns {', '.join(rows[0])}; select {' or '.join(SQL_COLUMNS)}")
    values = sorted({str(row[column]) for row in rows if row[column] is not None})
    return [{SQL_COLUMNS[column]: values[start : start + PAGE]} for start in range(0, len(values), PAGE)]
