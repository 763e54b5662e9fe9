"""The stages of one extraction in running order; the flow `extract` strings them together.

A finished stage's result is kept (see `KEEP`), so that a retried flow run redoes only what is missing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

from prefect import task
from prefect.cache_policies import RUN_ID, TASK_SOURCE

from converter.client import ReadingHandle, SourceFile
from spatial.contract.extraction import CadExtraction
from spatial.contract.points import PointCloudScene
from spatial.contract.usage import Usage
from spatial.document import assemble as assembling
from spatial.document.summary import summarise
from spatial.errors import BillingUnavailable, InvalidRequest, UsageFinalizationUnavailable
from spatial.models.reading import Meaning, SamplingPlan
from storage.net import public_url
from storage.postgres import operations, usage
from storage.postgres.usage import UsageRow
from tasks import conversion, pages, resources
from tasks.conversion import Wanted
from tasks.jobs import BATCH_ROUTE, EXTRACT_ROUTE, Draft, ExtractJob, Receipt, StagedFile
from tasks.stages import Stages, stage

KEEP: dict[str, Any] = {"persist_result": True, "cache_policy": RUN_ID + TASK_SOURCE}
"""One result a stage, a run and a version of the stage's code."""


def _stages() -> Stages:
    return resources.current().stages


@stage("fetch", _stages)
async def _fetch(job: ExtractJob) -> StagedFile:
    """Have the file at rest in the lake: the inline upload, or what content_url serves."""
    here = resources.current()
    key = job.content_key
    if job.content_url is not None:
        download = await public_url.download(
            job.content_url,
            allow=here.settings.content_url_allow,
            limit=here.settings.file_limit_bytes,
        )
        if not download.data:
            raise InvalidRequest("content_url answered with an empty file", details={"field": "content_url"})
        key = job.staged_key
        await here.lake.put(key, download.data)
        return _staged(job, key, len(download.data), hashlib.sha256(download.data).hexdigest())
    assert key is not None  # ExtractJob holds exactly one of the two
    ahead = here.head_starts.get(key)
    if ahead is not None:
        await asyncio.shield(ahead.staged)
        return _staged(job, key, ahead.size, ahead.sha256)
    data = await here.lake.get(key)
    return _staged(job, key, len(data), hashlib.sha256(data).hexdigest())


async def _convert(staged: StagedFile) -> ReadingHandle:
    """Read the file in the converter, in a process of its own; join a reading that had a head start."""
    here = resources.current()
    ahead = here.head_starts.get(staged.content_key)
    if ahead is not None and ahead.reading is not None:
        started, ahead.reading = ahead.reading, None
        return await started  # its time is taken where it began
    return await here.stages.measured("convert", _read(staged))


async def _read(staged: StagedFile) -> ReadingHandle:
    here = resources.current()
    data = await here.lake.get(staged.content_key)
    return await here.converter.read(SourceFile(file_name=staged.file_name, format=staged.format), data)


async def _interpret(staged: StagedFile, reading: ReadingHandle) -> Meaning:
    """Say what the reading means: callouts, title block, tables, notes; validity of a B-rep."""
    here = resources.current()
    ahead = here.head_starts.get(staged.content_key)
    if ahead is not None and ahead.meaning is not None:
        started, ahead.meaning = ahead.meaning, None
        return await started
    return await here.stages.measured("interpret", here.converter.interpret(reading, _bytes_of(staged)))


@stage("sample", _stages)
async def _sample(staged: StagedFile, reading: ReadingHandle) -> PointCloudScene:
    """Sample points on the surfaces; the file's own hash is the seed, so the same file gives the same points."""
    return await resources.current().converter.sample(reading, _plan(staged), _bytes_of(staged))


@stage("assemble", _stages)
async def _assemble(
    job: ExtractJob, staged: StagedFile, reading: ReadingHandle, meaning: Meaning, clouds: PointCloudScene | None
) -> Draft:
    """Make the one document and lay it down as the request's result."""
    document = assembling.assemble(
        reading.reading,
        meaning,
        clouds,
        file_name=job.file_name,
        target=job.target_contract,
        request_id=job.request_id,
        plan=_plan(staged) if clouds is not None else None,
    )
    return await _lay_down(job, staged, document)


async def _lay_down(job: ExtractJob, staged: StagedFile, document: CadExtraction) -> Draft:
    here = resources.current()
    body = assembling.result_bytes(document)
    key = job.result_key
    await here.lake.put(key, body)
    if job.operation_id in here.receipts:
        here.documents[job.operation_id] = body
    return Draft(
        result_key=key,
        source_format=document.source_format,
        input_bytes=staged.size,
        output_bytes=len(body),
        summary=summarise(document),
        warnings=document.warnings,
    )


@stage("meter", _stages)
async def _meter(job: ExtractJob, draft: Draft) -> Receipt:
    """Write the usage once, in the transaction that completes the request; a closed operation is not billed again."""
    here = resources.current()
    estimate, row = charge(job, draft)
    try:
        charged = await operations.conclude(
            here.database,
            job.operation_id,
            status=200,
            result_key=draft.result_key,
            content_type="application/json",
            usage=row,
        )
    except BillingUnavailable as error:
        raise UsageFinalizationUnavailable(
            "the usage record cannot be written now, so the result is withheld and nothing is billed; try again"
        ) from error
    receipt = Receipt(result_key=draft.result_key, usage=estimate, charged=charged)
    waiting = here.receipts.get(job.operation_id)
    if waiting is not None and not waiting.done():
        waiting.set_result(receipt)
    return receipt


def charge(job: ExtractJob, draft: Draft) -> tuple[Usage, UsageRow]:
    """What the answer costs: as the response says it, and as the row that bills it."""
    tokens_in, tokens_out = usage.count_tokens(draft.input_bytes), usage.count_tokens(draft.output_bytes)
    estimate = usage.estimate(resources.current().settings, tokens_in, tokens_out)
    row = UsageRow(
        operation_id=job.operation_id,
        item=job.item or 0,
        account_id=job.account_id,
        key_id=job.key_id,
        request_id=job.request_id,
        route=EXTRACT_ROUTE if job.item is None else BATCH_ROUTE,
        source_format=draft.source_format,
        file_name=job.file_name,
        **estimate.model_dump(),
    )
    return estimate, row


async def document_of(job: ExtractJob) -> Draft:
    """All stages but the metering in one go, for work whose task run is a whole file.

    Raises: SpatialError of any stage.
    """
    here, staged = resources.current(), await _fetch(job)
    wanted = Wanted(
        file_name=job.file_name,
        format=job.format,
        sha256=staged.sha256,
        target=job.target_contract,
        request_id=job.request_id,
    )
    document = await conversion.document_of(here, wanted, await here.lake.get(staged.content_key))
    return await here.stages.measured("assemble", _lay_down(job, staged, document))


async def let_go(reading: ReadingHandle) -> None:
    """Tell the converter that nobody will ask about this file again; it would find out by itself a little later."""
    await resources.current().converter.release(reading)


async def report(job: ExtractJob, draft: Draft, receipt: Receipt) -> None:
    """Leave a page in the Prefect UI that says what came out: summary, warnings, cost."""
    billed = "" if receipt.charged else " (not charged: this operation had been closed before)"
    lines = [
        f"## {job.file_name}",
        *(f"- {line}" for line in draft.summary),
        "### Warnings",
        *([f"- {warning}" for warning in draft.warnings] or ["none"]),
        "### Usage",
        f"{receipt.usage.input_tokens} input tokens, {receipt.usage.output_tokens} output tokens{billed}",
        f"### Result\n`{receipt.result_key}`, request `{job.request_id}`",
    ]
    await pages.leave("extraction", "\n\n".join(lines), f"What was read from {job.file_name}")


def _staged(job: ExtractJob, key: str, size: int, sha256: str) -> StagedFile:
    return StagedFile(content_key=key, file_name=job.file_name, format=job.format, size=size, sha256=sha256)


def _plan(staged: StagedFile) -> SamplingPlan:
    return conversion.plan_of(resources.current(), staged.sha256)


def _bytes_of(staged: StagedFile) -> Callable[[], Awaitable[bytes]]:
    return lambda: resources.current().lake.get(staged.content_key)


fetch = task(name="fetch", task_run_name="fetch {job.file_name}", **KEEP)(_fetch)
convert = task(name="convert", task_run_name="convert {staged.file_name}", **KEEP)(_convert)
interpret = task(name="interpret", task_run_name="interpret {staged.file_name}", **KEEP)(_interpret)
sample = task(name="sample", task_run_name="sample points of {staged.file_name}", **KEEP)(_sample)
assemble = task(name="assemble", task_run_name="assemble {job.file_name}", **KEEP)(_assemble)
meter = task(name="meter", task_run_name="meter {job.file_name}", **KEEP)(_meter)
