"""Where a file lies that a call brings: an unnamed temporary file, so that waiting calls use no memory.

    async with staged() as file:
        await write(file, chunk)

Only what fails here is told as such: the calls in between have errors of their own.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO, Final, cast

from spatial.errors import ConverterUnavailable

PAUSES: Final = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between attempts to open a file where that passes by itself."""

TRANSIENT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
"""Each call that ends gives back descriptors and memory."""

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)

RETRY_SECONDS: Final = 2

ROOM_RETRY_SECONDS: Final = 10
"""Retry-After where something must be removed first."""

log = logging.getLogger("converter")


@asynccontextmanager
async def staged() -> AsyncIterator[BinaryIO]:
    """An empty temporary file for the length of a block. Raises: ConverterUnavailable."""
    file = await _open()
    try:
        yield file
    finally:
        file.close()


def write(file: BinaryIO, data: bytes) -> None:
    """Append all of these bytes: a disk that is nearly full takes a part of them without an error. Raises: ConverterUnavailable."""
    left = memoryview(data)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        raise _unavailable("written", error) from error


async def _open() -> BinaryIO:
    for pause in PAUSES:
        try:
            return _opened()
        except OSError as error:
            if error.errno not in TRANSIENT:
                raise _unavailable("opened", error) from error
            await asyncio.sleep(pause)
    try:
        return _opened()
    except OSError as error:
        raise _unavailable("opened", error) from error


def _opened() -> BinaryIO:
    return cast(BinaryIO, tempfile.TemporaryFile(buffering=0))


def _unavailable(done: str, error: OSError) -> ConverterUnavailable:
    """The error of a temporary file that cannot be opened or written."""
    why = error.strerror or type(error).__name__
    log.error("a temporary file in %s cannot be %s: %s", tempfile.gettempdir(), done, why)
    if error.errno in NO_ROOM:
        return ConverterUnavailable(
            "the converter's disk has no room for the file; try again later", retry_after=ROOM_RETRY_SECONDS
        )
    return ConverterUnavailable(
        f"the converter cannot stage the file, because a temporary file cannot be {done} ({why.lower()}); try again",
        retry_after=RETRY_SECONDS,
    )
