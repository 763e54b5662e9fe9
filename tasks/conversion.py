"""One file through the converter to its document, in one go: where the stages of a file have no task runs of their own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from converter.client import ReadingHandle, Upload
from spatial.contract.extraction import CadExtraction, TargetContract
from spatial.contract.points import PointCloudScene
from spatial.extraction import assemble as assembling
from spatial.extraction.reading import Meaning, SamplingPlan
from tasks.resources import Resources


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
    upload = Upload(file_name=wanted.file_name, format=wanted.format)
    handle = await here.stages.measured("convert", here.converter.read(upload, data))
    plan = plan_of(here, wanted.sha256) if wanted.target.has_points else None
    try:
        meaning, clouds = await _understood(here, handle, data, plan)
    finally:
        await here.converter.release(handle)
    return assembling.assemble(
        handle.reading,
        meaning,
        clouds,
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


async def _understood(
    here: Resources, handle: ReadingHandle, data: bytes, plan: SamplingPlan | None
) -> tuple[Meaning, PointCloudScene | None]:
    async def same() -> bytes:
        return data

    meaning = here.stages.measured("interpret", here.converter.interpret(handle, same))
    if plan is None:
        return await meaning, None
    return await asyncio.gather(meaning, here.stages.measured("sample", here.converter.sample(handle, plan, same)))
