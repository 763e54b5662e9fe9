"""Inflates compressed data within a limit: a megabyte that would become a gigabyte is refused before it does."""

from __future__ import annotations

import zlib
from typing import Final

from spatial.errors import ParseError

INFLATED_BYTES: Final = 64 * 1024 * 1024
"""Most bytes that all compressed data of one file may inflate to; the largest diagrams need a tenth."""

HEADER_BYTES: Final = 2
"""Of zlib's format (RFC 1950), before the deflated data."""

CHECKSUM_BYTES: Final = 4
"""Of Adler-32, after it."""


class InflateBudget:
    """Bytes that one file may still inflate to."""

    def __init__(self, file_name: str, left: int = INFLATED_BYTES) -> None:
        self.file_name, self.left = file_name, left

    def inflate(self, data: bytes, what: str, warnings: list[str]) -> bytes:
        """The inflated data, with or without a header of zlib; `what` names the data in messages.

        A checksum that is wrong or cut off is a warning: whether the data is sound, what it holds shows.
        Raises: ParseError where the limit is exceeded, the data is cut short, or it is no deflated data.
        """
        if not _has_header(data):
            return self._deflated(data, what)[0]
        inflated, rest = self._deflated(data[HEADER_BYTES:], what)
        if int.from_bytes(rest[:CHECKSUM_BYTES]) != zlib.adler32(inflated) or len(rest) < CHECKSUM_BYTES:
            warnings.append(f"the checksum of {what} is wrong; parts of its text may be damaged")
        return inflated

    def _deflated(self, data: bytes, what: str) -> tuple[bytes, bytes]:
        """The inflated data, and the bytes that follow the deflated data."""
        engine = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            inflated = engine.decompress(data, self.left + 1)
        except zlib.error as error:
            raise ParseError(
                f"{self.file_name}: {what} cannot be inflated: {error}; export it again", details={"phase": "read"}
            ) from error
        if len(inflated) > self.left:
            raise ParseError(
                f"{self.file_name}: {what} inflates beyond {INFLATED_BYTES:,} bytes, which no diagram needs; split it into several files",
                details={"phase": "read", "limit_bytes": INFLATED_BYTES},
            )
        if not engine.eof:
            raise ParseError(f"{self.file_name}: {what} is cut short; export it again", details={"phase": "read"})
        self.left -= len(inflated)
        return inflated, engine.unused_data


def _has_header(data: bytes) -> bool:
    """Whether deflated data has a header of zlib, as PNG's chunks have; draw.io's pages, and old PNGs of draw.io, have none."""
    return len(data) > HEADER_BYTES and data[0] & 15 == zlib.DEFLATED and int.from_bytes(data[:HEADER_BYTES]) % 31 == 0
