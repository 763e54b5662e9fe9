"""Conversion of one file with the same isolation and without a service, for the command line: one fork server, one child.

The fork server loads the reader while this process loads what it takes to talk to the child, so that is imported only once it runs.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeVar

from converter.fork_server import create_fork_server
from converter.format_table import FORMATS
from sandbox.forkserver_client import StartError
from spatial.contract import limits
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.errors import ConverterUnavailable

if TYPE_CHECKING:
    from converter.documents import Document
    from converter.pool import Pool
    from spatial.models.picture import Picture, PicturePlan
    from spatial.models.sampling_plan import SamplingPlan

T = TypeVar("T")

LOCAL: Final = "local"
"""The request_id of a document that belongs to no request."""


class Bounds(NamedTuple):
    """The limits of a file."""

    deadline: float = limits.CONVERT_SECONDS
    """Seconds of all phases together."""
    memory: int = limits.CONVERT_MEMORY_BYTES
    """Bytes of each phase."""


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

    It blocks and runs an event loop, so it must not be called in one. `deadline` (seconds) and `memory` (bytes) limit the file.

    Raises: UnsupportedFileType, ParseError, ConversionTimeout; ConverterUnavailable if no process can be started.
    """
    format = format_of(file_name).name

    async def extract(pool: Pool, file: BinaryIO) -> Document:
        from converter.documents import unpacked
        from converter.wire import DocumentPlan, InputFile
        from spatial.models.sampling_plan import SamplingPlan

        wanted = (sampling or SamplingPlan()) if target.has_points else None
        plan = DocumentPlan(target=target, request_id=LOCAL, sampling=wanted)
        source = InputFile(file_name=file_name, format=format, edges=edges)
        return unpacked(await pool.extract(source, file, plan), source, plan)

    return asyncio.run(_in_pool(data, format, extract, Bounds(deadline, memory), table))


def picture(
    data: bytes,
    file_name: str,
    plan: PicturePlan,
    deadline: float = limits.CONVERT_SECONDS,
    memory: int = limits.CONVERT_MEMORY_BYTES,
) -> Picture:
    """Read one file and draw its solids. Raises: what `convert` raises; InvalidRequest for what cannot be drawn."""
    format = format_of(file_name).name

    async def draw(pool: Pool, file: BinaryIO) -> Picture:
        from converter.wire import InputFile
        from spatial.models.picture import Picture

        source = InputFile(file_name=file_name, format=format)
        return Picture.model_validate_json(await pool.picture(source, file, plan))

    return asyncio.run(_in_pool(data, format, draw, Bounds(deadline, memory), FORMATS))


def mesh(
    data: bytes, file_name: str, deadline: float = limits.CONVERT_SECONDS, memory: int = limits.CONVERT_MEMORY_BYTES
) -> bytes:
    """Read one file; its surfaces as binary glTF. Raises: as `picture`."""
    format = format_of(file_name).name

    async def make(pool: Pool, file: BinaryIO) -> bytes:
        from converter.wire import InputFile

        return await pool.mesh(InputFile(file_name=file_name, format=format), file)

    return asyncio.run(_in_pool(data, format, make, Bounds(deadline, memory), FORMATS))


async def _in_pool(
    data: bytes, format: str, work: Callable[[Pool, BinaryIO], Awaitable[T]], bounds: Bounds, table: str
) -> T:
    """What comes of work in a pool of one worker."""
    server = create_fork_server(memory_bytes=bounds.memory, table=table, only=[format])
    starting = asyncio.create_task(server.start())
    await asyncio.sleep(0)  # its process is started; what is imported next is imported beside it
    from converter.deadline import PATIENT_FACTOR
    from converter.pool import Pool, PoolSettings
    from converter.staging import write

    settings = PoolSettings(
        deadline=bounds.deadline,
        clock_factor=PATIENT_FACTOR,
        memory=bounds.memory,
        workers=1,
        queue=0,
        fork_ahead=False,
    )
    pool = Pool(settings, server, table)
    try:
        await starting
    except StartError as error:
        raise ConverterUnavailable(f"the converter does not start: {error}; run `spatial doctor`") from error
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            write(file, data)
            return await work(pool, file)
    finally:
        await pool.close()
