"""The task of a bulk ingest: one chunk of files."""

from __future__ import annotations

from prefect import task
from prefect.cache_policies import NO_CACHE

from pipelines.ingest import chunk as chunks
from pipelines.ingest.plan import Chunk, Report


@task(
    name="ingest-chunk",
    task_run_name="{chunk.name}",
    tags=["ingest-chunk"],
    persist_result=False,
    cache_policy=NO_CACHE,
)
async def ingest_chunk(chunk: Chunk) -> Report:
    """Settle the files of a chunk. A tag, so that a limit in Prefect can hold back how many run in the whole fleet."""
    return await chunks.ingest_chunk(chunk)
