"""Files that pages offer: written to a temporary file, then sent in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final

from starlette.responses import Response, StreamingResponse

from storage.tables.result_writers import FileFormat

PIECE: Final = 1 << 16
"""Bytes that are read at a time."""

MEDIA_TYPES: Final[dict[FileFormat, str]] = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


def response(file: IO[bytes], file_format: FileFormat, stem: str) -> Response:
    """The file as a download, closed when it is sent. stem: its name without extension, ASCII."""
    headers = {"Content-Disposition": f'attachment; filename="{stem}.{file_format}"'}
    return StreamingResponse(_pieces(file), media_type=MEDIA_TYPES[file_format], headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece
