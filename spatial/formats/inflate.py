"""Inflates compressed data within a limit: a megabyte that would become a gigabyte is refused before it does."""

from __future__ import annotations

import zlib
from typing import Final

from spatial.errors import ParseError

INFLATED_BYTES: Final = 64 * 1024 * 1024
"""Most bytes that all compressed data of one file may inflate to; the largest diagrams need a tenth."""

RAW_DEFLATE: Final = -zlib.MAX_WBITS
"""Deflate without a header: draw.io's pages. `zlib.MAX_WBITS` is with one: PNG's chunks."""


class InflateBudget:
    """Bytes that one file may still inflate to."""

    def __init__(self, file_name: str, left: int = INFLATED_BYTES) -> None:
        self.file_name, self.left = file_name, left

    def inflate(self, data: bytes, window: int, what: str) -> bytes:
        """The inflated data; `window` as in `zlib.decompressobj`, `what` names the data in messages.

        Raises: ParseError where the limit is exceeded, the data is cut short, or it is no deflated data.
        """
        engine = zlib.decompressobj(window)
        try:
            inflated = engine.decompress(data, self.left + 1)
        except zlib.error as error:
            raise ParseError(
                f"{self.file_name}: {what} cannot be inflated: {error}", details={"phase": "read"}
            ) from error
        if len(inflated) > self.left:
            raise ParseError(
                f"{self.file_name}: {what} inflates beyond {INFLATED_BYTES:,} bytes; no diagram is that large",
                details={"phase": "read", "limit_bytes": INFLATED_BYTES},
            )
        if not engine.eof:
            raise ParseError(f"{self.file_name}: {what} is cut short", details={"phase": "read"})
        self.left -= len(inflated)
        return inflated
