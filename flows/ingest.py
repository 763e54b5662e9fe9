"""The flow `ingest`: extract every file under a prefix into documents and tables, except settled files."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime
from typing import Annotated

from prefect import flow
from prefect.client.schemas.objects import State
from pydantic import Field

from flows import bulk
from flows.bulk import Account, ChunkFiles, FormatName, Options, Parallel, Tries
from flows.runners import Runner
from pipelines.resources import current_resources
from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.contract.target import TargetContract
from spatial.document.version import EXTRACTOR_VERSION
from storage.objects.file_filter import FileFilter, SourceFile
from storage.objects.sources import Source, file_name_of, normalize_url
from storage.tables import ingest as store


@flow(name="ingest", flow_run_name="{source}", persist_result=True, **bulk.HOOKS)
async def ingest(
    source: str,
    pattern: str | None = None,
    formats: list[FormatName] = [],  # noqa: B006  # the Prefect UI shows this default, and no code changes it
    min_bytes: Annotated[int, Field(ge=0)] = 0,
    max_bytes: Annotated[int, Field(ge=1)] | None = None,
    changed_since: datetime | None = None,
    chunk_files: ChunkFiles = 500,
    parallel: Parallel | None = None,
    tries: Tries = 3,
    target_contract: TargetContract = TargetContract.structured,
    edges: bool = False,
    runner: Runner | None = None,
    dry_run: bool = False,
) -> State[Account]:
    """Extract every file under a prefix that is new or changed, into one document per file and the tables of `spatial query`.

    It can be stopped and run again at any time: settled files are not read again. It is not metered.

    Args:
        source: s3://bucket/prefix or file:///absolute/folder, as the worker sees it.
        pattern: Glob below the source, for example 2026/**/*.dxf; without a slash it matches file names in any folder.
        formats: Only these formats; all where the list is empty.
        min_bytes: Smaller files are skipped.
        max_bytes: Larger files are skipped; other files that exceed the limit of the service fail.
        changed_since: Files last modified before this moment (UTC) are skipped.
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
    prefix = normalize_url(source)
    choice = FileFilter(pattern, tuple(formats), min_bytes, max_bytes, changed_since)
    if dry_run:
        found, due, _ = await _find_due(prefix, choice)
        return await bulk.dry_run_account("ingest", due, len(found), _by_format(due))
    parameters = {
        "source": prefix,
        "pattern": pattern,
        "formats": formats,
        "target_contract": target_contract.value,
        "edges": edges,
    }
    async with bulk.only_one(f"ingest {prefix}") as only:
        if not only:
            return bulk.unneeded(prefix)
        found, due, quarantined = await _find_due(prefix, choice)
        return await bulk.carry_out(
            "ingest",
            due,
            options,
            source=prefix,
            found=len(found),
            quarantined=quarantined,
            parameters=parameters,
        )


async def _find_due(source: str, choice: FileFilter) -> tuple[list[SourceFile], list[SourceFile], int]:
    """The selected files of the source, those of them that are not settled, and how many of the others are in quarantine.

    Raises: NotFound, Unavailable.
    """
    resources = current_resources()
    walked = Source(source, resources.settings.s3_endpoint, lake=resources.settings.storage_url)
    try:
        found = await walked.find(choice)
    finally:
        await walked.close()
    settled = await store.find_unchanged(resources.database, found, EXTRACTOR_VERSION)
    due = await asyncio.to_thread(lambda: [one for one in found if one.uri not in settled])
    return found, due, Counter(settled.values())["quarantined"]


def _by_format(files: list[SourceFile]) -> dict[str, int]:
    return dict(Counter(EXTENSIONS[extension_of(file_name_of(one.uri))].name for one in files))
