"""Read and hash the files of a chunk, and cache the content of some until it is extracted."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pipelines.ingest.plan import Chunk, Report, format_of
from pipelines.resources import Resources
from spatial.document.version import EXTRACTOR_VERSION
from spatial.errors import NotFound, RequestTooLarge, Unavailable
from storage.objects.file_filter import SourceFile
from storage.objects.sources import Source
from storage.retry import Patience
from storage.tables.ingest import Candidate, DocumentClaim, Failure, Refused

PARALLEL_READS: Final = 8
"""Maximum number of files that are read at a time."""

CACHED_BYTES: Final = 64 * 2**20
"""Maximum size of the content that is cached between hashing and extraction; other files are read twice."""


class Reader:
    """The files of one chunk."""

    def __init__(self, resources: Resources, chunk: Chunk, report: Report, patience: Patience) -> None:
        self._settings = resources.settings
        self._chunk = chunk
        self._report = report
        self._patience = patience
        self._sources: dict[str, Source] = {}
        self._content: dict[str, bytes] = {}
        """Content by document id (its SHA-256), at most CACHED_BYTES in total."""

    async def candidates(self, portion: Sequence[SourceFile]) -> list[Candidate | Refused]:
        """Read a portion: candidates with hashes, and refusals of too large files. Deleted and unavailable files are omitted."""
        slots = asyncio.Semaphore(PARALLEL_READS)

        async def read(found: SourceFile) -> Candidate | Refused | None:
            async with slots:
                return await self._candidate(found)

        return [one for one in await asyncio.gather(*map(read, portion)) if one is not None]

    async def content_of(self, claim: DocumentClaim) -> bytes:
        """The bytes of a document, from the cache or read again. Raises: NotFound if the file was changed or deleted; Unavailable."""
        data = self._content.pop(claim.document_id, None)
        if data is not None:
            return data
        for source in claim.sources:
            with suppress(NotFound, RequestTooLarge):
                data = await self._read(source.found.uri)
                if await _sha256(data) == claim.document_id:
                    return data
        raise NotFound(f"{claim.sources[0].found.uri} changed while it was being read; ingest it again")

    def drop(self, document_id: str) -> None:
        """Remove content from the cache, because it will not be extracted."""
        self._content.pop(document_id, None)

    async def close(self) -> None:
        """Close the connections to the sources."""
        for source in self._sources.values():
            await source.close()

    async def _candidate(self, found: SourceFile) -> Candidate | Refused | None:
        try:
            data = await self._read(found.uri)
        except RequestTooLarge as error:
            return Refused(found, format_of(found), EXTRACTOR_VERSION, Failure(error.type, error.message))
        except NotFound as error:
            self._report.notes.append(error.message)
            return None
        except Unavailable as error:
            self._report.trouble.append(error.message)
            return None
        sha256 = await _sha256(data)
        if sum(map(len, self._content.values())) + len(data) <= CACHED_BYTES:
            self._content[sha256] = data
        return Candidate(found, sha256, format_of(found))

    async def _read(self, uri: str) -> bytes:
        root = self._chunk.source or _root_of(uri)
        if root not in self._sources:
            self._sources[root] = Source(root, self._settings.s3_endpoint)
        return await self._patience.retry(lambda: self._sources[root].read(uri, self._settings.file_limit_bytes))


async def _sha256(data: bytes) -> str:
    return (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()


def _root_of(uri: str) -> str:
    """The root of the file's store: `file:///`, or scheme and bucket."""
    return "file:///" if uri.startswith("file:///") else "/".join(uri.split("/")[:3])
