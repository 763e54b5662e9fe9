"""One file through the converter to its document, in one go: where the stages of a file have no task runs of their own."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final

from converter.client import FullResult, SourceFile
from spatial.contract.extraction import CadExtraction, TargetContract
from spatial.document import assemble as assembling
from spatial.errors import SpatialError
from spatial.models.reading import SamplingPlan
from tasks.resources import Resources
from tasks.stages import Stages, end_of

STAGES: Final = {"read": "convert", "interpret": "interpret", "sample": "sample"}
"""The stage that each phase of the converter is."""


@dataclass(frozen=True)
class Wanted:
    """What is to become of a file."""

    file_name: str
    format: str
    """Name of the row of FORMATS that reads it."""
    sha256: str
    """Of its bytes; the seed of its points."""
    target: TargetContract
    request_id: str
    """What the document says asked for it."""


async def document_of(here: Resources, wanted: Wanted, data: bytes) -> CadExtraction:
    """The document of a file, without usage.

    Raises: ParseError, ConversionTimeout, RequestTooLarge, UnsupportedFileType for what is wrong with the file; ConverterUnavailable.
    """
    plan = plan_of(here, wanted.sha256) if wanted.target.has_points else None
    whole = await _converted(
        here.stages, here.converter.extract(SourceFile(file_name=wanted.file_name, format=wanted.format), data, plan)
    )
    return assembling.assemble(
        whole.reading,
        whole.meaning,
        whole.clouds,
        file_name=wanted.file_name,
        target=wanted.target,
        request_id=wanted.request_id,
        plan=plan,
    )


def plan_of(here: Resources, sha256: str) -> SamplingPlan:
    """How a file's surfaces are sampled: its own hash is the seed, so the same file gives the same points."""
    settings = here.settings
    return SamplingPlan.of_file(
        sha256, points_per_object=settings.points_per_object, points_total=settings.points_total
    )


async def _converted(stages: Stages, converting: Awaitable[FullResult]) -> FullResult:
    """All of a file, its time counted as that of the stages that the converter's phases are."""
    began = time.perf_counter()
    try:
        whole = await converting
    except SpatialError as error:
        phase = (error.details or {}).get("phase", "read")
        stages.took(STAGES.get(phase, STAGES["read"]), time.perf_counter() - began, end_of(error))
        raise
    for phase, seconds in whole.seconds.items():
        stages.took(STAGES[phase], seconds)
    return whole
