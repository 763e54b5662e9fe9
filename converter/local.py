"""Conversion of one file with the same isolation and without a service, for the command line: one fork server, one child."""

from __future__ import annotations

import asyncio
import tempfile

from converter.fork_server import create_fork_server
from converter.format_table import FORMATS
from converter.pool import Pool, PoolSettings
from converter.wire import FullResult, InputFile
from sandbox.forkserver_client import StartError
from spatial.contract import limits
from spatial.contract.extraction import TargetContract
from spatial.contract.formats import format_of
from spatial.contract.points import PointCloudScene
from spatial.errors import ConverterUnavailable
from spatial.models.reading import Meaning, Reading, SamplingPlan


def convert(
    data: bytes,
    file_name: str,
    target: TargetContract = TargetContract.structured,
    plan: SamplingPlan | None = None,
    deadline: float = limits.CONVERT_SECONDS,
    memory: int = limits.CONVERT_MEMORY_BYTES,
    *,
    table: str = FORMATS,
) -> tuple[Reading, Meaning, PointCloudScene | None]:
    """Read and interpret one file, and sample it if the target requests points.

    It blocks and runs an event loop, so it must not be called in one. `deadline` (seconds) and `memory` (bytes) limit each phase.

    Raises: UnsupportedFileType, ParseError, ConversionTimeout; ConverterUnavailable if no process can be started.
    """
    source = InputFile(file_name=file_name, format=format_of(file_name).name)
    return asyncio.run(_convert(data, source, target, plan or SamplingPlan(), deadline, memory, table))


async def _convert(
    data: bytes,
    source: InputFile,
    target: TargetContract,
    plan: SamplingPlan,
    deadline: float,
    memory: int,
    table: str,
) -> tuple[Reading, Meaning, PointCloudScene | None]:
    server = create_fork_server(memory_bytes=memory, table=table, only=[source.format])
    pool = Pool(PoolSettings(deadline=deadline, memory=memory, workers=1, queue=0, fork_ahead=False), server, table)
    try:
        await pool.start()
    except StartError as error:
        raise ConverterUnavailable(f"the converter does not start: {error}; run `spatial doctor`") from error
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(data)
            body = await pool.extract(source, file, plan if target.has_points else None)
        full = FullResult.model_validate_json(body)
        return full.reading, full.meaning, full.clouds
    finally:
        await pool.close()
