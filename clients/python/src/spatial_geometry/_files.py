"""The files that callers pass, as something that can be read again and again: a retry sends a file from its start."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeAlias, cast

INLINE_BYTES: Final = 4 * 1024 * 1024
"""Largest file that goes within a request; a larger one is uploaded first."""

PIECE_BYTES: Final = 256 * 1024
"""A larger file is read and sent in pieces of this size."""

FileSource: TypeAlias = "str | os.PathLike[str] | bytes | IO[bytes]"
"""A path, the content of a file, or a file that is open for reading in binary mode."""


@dataclass(frozen=True)
class Content:
    """A file of known size that can be read several times."""

    name: str
    size: int
    opened: Callable[[], AbstractContextManager[IO[bytes]]] = field(repr=False)
    """Gives the file, at its start, for the length of a block."""

    def read(self) -> bytes:
        """The whole file. Raises: OSError."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """The file in order, PIECE_BYTES at a time. Raises: OSError if it cannot be read, or has become shorter."""
        left = self.size
        with self.opened() as file:
            while left:
                piece = file.read(min(left, PIECE_BYTES))
                if not piece:
                    raise OSError(
                        f"{self.name} has become shorter while it was read; extract it again when it is complete"
                    )
                left -= len(piece)
                yield piece

    def sha256(self) -> str:
        """SHA-256 of the file, hexadecimal. Raises: OSError."""
        digest = hashlib.sha256()
        for piece in self.pieces():
            digest.update(piece)
        return digest.hexdigest()


def open_content(file: FileSource, file_name: str | None = None) -> Content:
    """The content of a file.

    Raises: ValueError where the name is missing; TypeError for text; OSError for a file that cannot be read.
    """
    if isinstance(file, bytes):
        return Content(_required(file_name), len(file), lambda: nullcontext(io.BytesIO(file)))
    if isinstance(file, (str, os.PathLike)):
        path = Path(file)
        return Content(file_name or path.name, path.stat().st_size, lambda: path.open("rb"))
    if isinstance(cast("object", file), io.TextIOBase):
        raise TypeError("the file is open as text; open it with mode 'rb'")
    name = getattr(file, "name", None)
    return _of_stream(file, _required(file_name or (Path(name).name if isinstance(name, str) else None)))


def _required(file_name: str | None) -> str:
    if not file_name:
        raise ValueError("the file has no name; pass file_name, whose extension selects the parser")
    return file_name


def _of_stream(file: IO[bytes], name: str) -> Content:
    """The rest of an open file; one that cannot be read twice is copied, into memory as far as it fits there."""
    source = file if file.seekable() else _copied(file)
    start = source.tell()
    size = source.seek(0, os.SEEK_END) - start

    def opened() -> AbstractContextManager[Any]:
        source.seek(start)
        return nullcontext(source)

    content = Content(name, size, opened)
    if source is not file:
        weakref.finalize(content, source.close)
    return content


def _copied(file: IO[bytes]) -> IO[bytes]:
    copy = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=INLINE_BYTES))  # noqa: SIM115  # is closed with the content
    while piece := file.read(PIECE_BYTES):
        copy.write(piece)
    copy.seek(0)
    return copy
