"""One file through the converter to its document in one call, for work that does not show each stage by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import partial
from typing import Final

from converter.client import Document, DocumentPlan, InputFile
from pipelines.handoff import EarlyConversion, begin_early
from pipelines.jobs import ExtractJob
from pipelines.resources import Resources
from pipelines.stages import Stages, outcome_of
from spatial.contract.target import TargetContract
from spatial.errors import SpatialError
from spatial.models.sampling_plan import SamplingPlan

STAGES: Final = {"read": "convert", "interpret": "interpret", "sample": "sample", "assemble": "assemble"}
"""Phase of the converter to the stage that it belongs to."""


@dataclass(frozen=True)
class ExtractionSpec:
    """What to extract from a file."""

    file_name: str
    format: str
    """Name of the row of FORMATS that reads it."""
    sha256: str
    """Hash of the file's bytes; the seed of its points."""
    target: TargetContract
    request_id: str
    """Request id that the document carries."""
    edges: bool = False
    """Whether the document lists edges."""
    account_id: str = ""
    """Whose turn it takes in the converter."""
    bulk: bool = False
    """Whether it is one of many, which wait beside single calls."""


async def extract_document(resources: Resources, spec: ExtractionSpec, data: bytes) -> Document:
    """The document of a file, without usage.

    Raises: ParseError, ConversionTimeout, RequestTooLarge, UnsupportedFileType for faults of the file; ConverterUnavailable.
    """
    plan = document_plan(resources, spec.sha256, spec.target, spec.request_id)
    source = InputFile(
        file_name=spec.file_name, format=spec.format, edges=spec.edges, account=spec.account_id, bulk=spec.bulk
    )
    return await _convert(resources.stages, resources.converter.extract(source, data, plan))


def begin_conversion(
    resources: Resources, job: ExtractJob, data: bytes, staging: asyncio.Task[None] | None = None
) -> EarlyConversion:
    """Begin the conversion of a job's file, whose stages join it. staging: as in `EarlyConversion`."""
    plan_of = partial(document_plan, resources, target=job.target_contract, request_id=job.request_id)
    return begin_early(job, data, staging, resources.converter, resources.stages, plan_of)


def document_plan(resources: Resources, sha256: str, target: TargetContract, request_id: str) -> DocumentPlan:
    """Which document is made of a file with this hash."""
    sampling = sampling_plan(resources, sha256) if target.has_points else None
    return DocumentPlan(target=target, request_id=request_id, sampling=sampling)


def sampling_plan(resources: Resources, sha256: str) -> SamplingPlan:
    """How the surfaces of a file are sampled: its own hash is the seed, so the same file gives the same points."""
    settings = resources.settings
    return SamplingPlan.of_file(
        sha256, points_per_object=settings.points_per_object, points_total=settings.points_total
    )


def failed_stage(error: SpatialError) -> str:
    """The stage in which a full conversion failed."""
    return STAGES.get((error.details or {}).get("phase", "read"), STAGES["read"])


async def _convert(stages: Stages, call: Awaitable[Document]) -> Document:
    """Await a full conversion; the converter's phases are observed as stages, but for the last, which ends in the lake."""
    began = time.perf_counter()
    try:
        document = await call
    except SpatialError as error:
        stages.observe(failed_stage(error), time.perf_counter() - began, outcome_of(error))
        raise
    for phase, seconds in document.facts.seconds.items():
        if phase != "assemble":
            stages.observe(STAGES[phase], seconds)
    return document
