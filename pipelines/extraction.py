"""The stages of one extraction in running order: fetch, convert, interpret, sample, assemble, meter.

`tasks.extraction` makes a Prefect task of each. A stage first looks for what the process that took the request has begun
(`pipelines.handoff`); without it, the stage does the work itself.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Final

from converter.client import Document, InputFile, MeaningFacts, PointFacts, ReadingHandle
from pipelines import conversion, markdown
from pipelines.conversion import ExtractionSpec
from pipelines.handoff import EarlyConversion
from pipelines.jobs import Draft, ExtractJob, Receipt, StagedFile
from pipelines.resources import current_resources, handoff
from pipelines.stages import Stages, measured
from spatial.contract.routes import BATCH_ROUTE, EXTRACT_ROUTE
from spatial.contract.usage import Usage
from spatial.errors import InvalidRequest
from storage.net import public_url
from storage.objects.lake import Lake, source_key
from storage.postgres import operations, usage
from storage.postgres.usage import UsageRow

INTERNAL_FAULT: Final = (
    "the extraction failed because of a fault in the service, which is logged under the request id; "
    "try again, and report the request id if it stays so"
)
"""Message for callers about an error that is not theirs."""


def _stages() -> Stages:
    return current_resources().stages


@measured("fetch", _stages)
async def fetch(job: ExtractJob) -> StagedFile:
    """Have the file in the lake: the inline upload, or what content_url serves.

    Raises: InvalidRequest for a content_url that cannot be used; LakeUnavailable.
    """
    resources = current_resources()
    if job.content_url is not None:
        data = await _download(job.content_url)
        await resources.lake.put(job.staged_key, data)
        return _fetched(job, job.staged_key, data)
    key = job.content_key
    assert key is not None  # ExtractJob holds exactly one of the two
    early = _early_conversion(job.operation_id)
    if early is not None:
        if early.staging is not None:
            await asyncio.shield(early.staging)
        return _staged(job, key, early.size, early.sha256)
    return _fetched(job, key, await resources.lake.get(key))


async def convert(staged: StagedFile) -> ReadingHandle:
    """Read the file in the converter, in a process of its own; join a conversion that began early.

    Raises: ParseError, ConversionTimeout, RequestTooLarge, UnsupportedFileType for faults of the file; ConverterUnavailable.
    """
    early = _early_conversion(staged.operation_id)
    under_way = early.take_reading() if early is not None else None
    if under_way is not None:
        return await under_way  # measured where it began
    return await _stages().measure("convert", _read(staged), staged.operation_id)


async def interpret(staged: StagedFile, reading: ReadingHandle) -> MeaningFacts:
    """Find the meaning of a reading: callouts, title block, tables, notes; validity of a B-rep. Raises: as `convert`."""
    early = _early_conversion(staged.operation_id)
    under_way = early.take_meaning() if early is not None else None
    if under_way is not None:
        return await under_way
    converter = current_resources().converter
    work = converter.interpret(reading, _content(staged))
    return await _stages().measure("interpret", work, staged.operation_id)


@measured("sample", _stages)
async def sample(staged: StagedFile, reading: ReadingHandle) -> PointFacts:
    """Sample points on the surfaces; the hash of the file is the seed, so the same file gives the same points. Raises: as `convert`."""
    early = _early_conversion(staged.operation_id)
    under_way = early.take_points() if early is not None else None
    if under_way is not None:
        return await under_way
    resources = current_resources()
    plan = conversion.sampling_plan(resources, staged.sha256)
    return await resources.converter.sample(reading, plan, _content(staged))


@measured("assemble", _stages)
async def assemble(job: ExtractJob, staged: StagedFile, reading: ReadingHandle) -> Draft:
    """Have the converter make the document, and write it as the result of the operation. Raises: as `convert`; LakeUnavailable."""
    early = _early_conversion(staged.operation_id)
    under_way = early.take_document() if early is not None else None
    document = await (under_way if under_way is not None else _assemble(job, staged, reading))
    return await _write_result(job, staged, document)


@measured("meter", _stages)
async def meter(job: ExtractJob, draft: Draft) -> Receipt:
    """Write the usage once, in the transaction that completes the request; a closed operation is not billed again.

    Raises: UsageFinalizationUnavailable.
    """
    estimate, row = charge(job, draft)
    charged = await operations.conclude(
        current_resources().database,
        job.operation_id,
        status=200,
        result_key=draft.result_key,
        content_type="application/json",
        usage=row,
    )
    receipt = Receipt(result_key=draft.result_key, usage=estimate, charged=charged)
    waiting = handoff(job.operation_id)
    if waiting is not None:
        waiting.answer(receipt)
    return receipt


def charge(job: ExtractJob, draft: Draft) -> tuple[Usage, UsageRow]:
    """The cost of the answer: as the response shows it, and as the row that bills it."""
    tokens_in, tokens_out = usage.count_tokens(draft.input_bytes), usage.count_tokens(draft.output_bytes)
    estimate = usage.estimate(current_resources().settings, tokens_in, tokens_out)
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


async def extract_unmetered(job: ExtractJob, on_stage: Callable[[str], None]) -> Draft:
    """Fetch to assemble with one converter call, for work that does not show each stage by itself.

    on_stage: called with the name of a stage as it begins; `convert` stands for every phase of the converter call.
    Raises: SpatialError of any of these stages.
    """
    resources = current_resources()
    on_stage("fetch")
    staged = await fetch(job)
    spec = ExtractionSpec(
        file_name=job.file_name,
        format=job.format,
        sha256=staged.sha256,
        target=job.target_contract,
        request_id=job.request_id,
        edges=job.edges,
        account_id=job.account_id,
        bulk=job.item is not None,
    )
    on_stage("convert")
    document = await conversion.extract_document(resources, spec, await resources.lake.get(staged.content_key))
    on_stage("assemble")
    made_in = document.facts.seconds.get("assemble", 0.0)
    return await resources.stages.measure("assemble", _write_result(job, staged, document), before=made_in)


def summary_page(job: ExtractJob, draft: Draft, receipt: Receipt) -> str:
    """Markdown for the Prefect UI: summary, warnings, cost and result key."""
    billed = "" if receipt.charged else " (not charged: this operation was closed before)"
    lines = [
        f"## {markdown.escape(job.file_name)}",
        *(f"- {markdown.escape(line)}" for line in draft.summary),
        "### Warnings",
        *([f"- {markdown.escape(warning)}" for warning in draft.warnings] or ["none"]),
        "### Usage",
        f"{receipt.usage.input_tokens} input tokens, {receipt.usage.output_tokens} output tokens{billed}",
        f"### Result\n{markdown.code(receipt.result_key)}, request {markdown.code(job.request_id)}",
    ]
    return "\n\n".join(lines)


async def _download(url: str) -> bytes:
    settings = current_resources().settings
    download = await public_url.download(url, allow=settings.content_url_allow, limit=settings.file_limit_bytes)
    if not download.data:
        raise InvalidRequest("content_url answered with an empty file; check the URL", details={"field": "content_url"})
    return download.data


def _early_conversion(operation_id: str) -> EarlyConversion | None:
    handed = handoff(operation_id)
    return handed.early if handed is not None else None


async def _read(staged: StagedFile) -> ReadingHandle:
    resources = current_resources()
    data = await resources.lake.get(staged.content_key)
    source = InputFile(
        file_name=staged.file_name,
        format=staged.format,
        edges=staged.edges,
        account=staged.account_id,
        bulk=staged.is_item,
    )
    return await resources.converter.read(source, data)


async def _assemble(job: ExtractJob, staged: StagedFile, reading: ReadingHandle) -> Document:
    resources = current_resources()
    plan = conversion.document_plan(resources, staged.sha256, job.target_contract, job.request_id)
    return await resources.converter.assemble(reading, plan, _content(staged), is_last=True)


async def _write_result(job: ExtractJob, staged: StagedFile, document: Document) -> Draft:
    await record_source(current_resources().lake, job, staged.content_key)
    await current_resources().lake.put(job.result_key, document.body)
    waiting = handoff(job.operation_id)
    if waiting is not None:
        waiting.document = document.body
    return Draft(
        result_key=job.result_key,
        source_format=document.source_format,
        input_bytes=staged.size,
        output_bytes=len(document.body),
        summary=document.facts.outline,
        warnings=document.warnings,
    )


async def record_source(lake: Lake, job: ExtractJob, content_key: str) -> None:
    """Write down which file was read, where that does not follow from the operation: the file of an upload. Raises: LakeUnavailable."""
    if content_key != job.staged_key:
        await lake.put(source_key(job.operation_id, job.item or 0), content_key.encode())


def _fetched(job: ExtractJob, key: str, data: bytes) -> StagedFile:
    """A file that the lake has. Where a caller waits for it, its conversion begins with the bytes at hand, by one call for all stages."""
    waiting = handoff(job.operation_id)
    if waiting is None:
        return _staged(job, key, len(data), hashlib.sha256(data).hexdigest())
    waiting.early = early = conversion.begin_conversion(current_resources(), job, data)
    return _staged(job, key, early.size, early.sha256)


def _staged(job: ExtractJob, key: str, size: int, sha256: str) -> StagedFile:
    return StagedFile(
        operation_id=job.operation_id,
        content_key=key,
        file_name=job.file_name,
        format=job.format,
        size=size,
        sha256=sha256,
        edges=job.edges,
        account_id=job.account_id,
        is_item=job.item is not None,
    )


def _content(staged: StagedFile) -> Callable[[], Awaitable[bytes]]:
    return lambda: current_resources().lake.get(staged.content_key)
