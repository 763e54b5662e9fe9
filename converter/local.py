"""Conversion of one file with the same isolation and without a service, for the command line: one fork server, one child."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from typing import BinaryIO, Final

from converter.documents import Document, unpacked
from converter.fork_server import create_fork_server
from converter.format_table import FORMATS
from converter.pool import Pool, PoolSettings
from converter.wire import DocumentPlan, InputFile
from sandbox.forkserver_client import StartError
from spatial.contract import limits
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.errors import ConverterUnavailable
from spatial.models.picture import Picture, PicturePlan
from spatial.models.sampling_plan import SamplingPlan

Work = Callable[[Pool, InputFile, BinaryIO], Awaitable[bytes]]
"""A call of a pool, about a file."""

LOCAL: Final = "local"
"""The request_id of a document that belongs to no request."""


def convert(
    data: bytes,
    file_name: str,
    target: TargetContract = TargetContract.structured,
    sampling: SamplingPlan | None = None,
    deadline: float = limits.CONVERT_SECONDS,
    memory: int = limits.CONVERT_MEMORY_BYTES,
    *,
    edges: bool = False,
    table: str = FORMATS,
) -> Document:
    """The document of one file, without usage. edges: whether it lists the edges of a model.

    It blocks and runs an event loop, so it must not be called in one. `deadline` (seconds) and `memory` (bytes) limit each phase.

    Raises: UnsupportedFileType, ParseError, ConversionTimeout; ConverterUnavailable if no process can be started.
    """
    wanted = (sampling or SamplingPlan()) if target.has_points else None
    plan = DocumentPlan(target=target, request_id=LOCAL, sampling=wanted)

    async def extract(pool: Pool, source: InputFile, file: BinaryIO) -> bytes:
        return await pool.extract(source, file, plan)

    source = InputFile(file_name=file_name, format=format_of(file_name).name, edges=edges)
    return unpacked(_run(data, source, extract, deadline, memory, table), source, plan)


def picture(
    data: bytes,
    file_name: str,
    plan: PicturePlan,
    deadline: float = limits.CONVERT_SECONDS,
    memory: int = limits.CONVERT_MEMORY_BYTES,
) -> Picture:
    """Read one file and draw its solids. Raises: what `convert` raises; InvalidRequest for what cannot be drawn."""

    async def draw(pool: Pool, source: InputFile, file: BinaryIO) -> bytes:
        return await pool.picture(source, file, plan)

    source = InputFile(file_name=file_name, format=format_of(file_name).name)
    return Picture.model_validate_json(_run(data, source, draw, deadline, memory, FORMATS))


def mesh(
    data: bytes, file_name: str, deadline: float = limits.CONVERT_SECONDS, memory: int = limits.CONVERT_MEMORY_BYTES
) -> bytes:
    """Read one file; its surfaces as binary glTF. Raises: as `picture`."""

    async def make(pool: Pool, source: InputFile, file: BinaryIO) -> bytes:
        return await pool.mesh(source, file)

    source = InputFile(file_name=file_name, format=format_of(file_name).name)
    return _run(data, source, make, deadline, memory, FORMATS)


def _run(data: bytes, source: InputFile, work: Work, deadline: float, memory: int, table: str) -> bytes:
    """What a pool of one worker answers."""
    return asyncio.run(_in_pool(data, source, work, deadline, memory, table))


async def _in_pool(data: bytes, source: InputFile, work: Work, deadline: float, memory: int, table: str) -> bytes:
    server = create_fork_server(memory_bytes=memory, table=table, only=[source.format])
    pool = Pool(PoolSettings(deadline=deadline, memory=memory, workers=1, queue=0, fork_ahead=False), server, table)
    try:
        await pool.start()
    except StartError as error:
        raise ConverterUnavailable(f"the converter does not start: {error}; run `spatial doctor`") from error
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(data)
            return await work(pool, source, file)
    finally:
        await pool.close()
