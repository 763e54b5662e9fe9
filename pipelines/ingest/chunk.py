"""One chunk of a bulk ingest: read its files, claim new documents, extract them in the converter and commit, portion by portion."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Final

from converter.documents import parsed
from pipelines.conversion import ExtractionSpec, extract_document
from pipelines.ingest.claim import LEASE_SECONDS, Claims
from pipelines.ingest.commit import Commits
from pipelines.ingest.plan import Chunk, Incomplete, Report, portions
from pipelines.ingest.read import Reader
from pipelines.resources import Resources, ensure_resources
from spatial.errors import ConversionTimeout, InternalError, NotFound, ParseError, SpatialError, Unavailable
from storage.objects.file_filter import SourceFile
from storage.objects.sources import file_name_of
from storage.retry import Patience
from storage.tables.ingest import Action, Candidate, DocumentClaim, Extracted, Failed, Failure, Linked, Refused

Key = tuple[str, str]
"""SHA-256 of a file's content, and the format that it is read as."""

PATIENCE_SECONDS: Final = 300.0
"""How long a chunk waits for a converter, lake or database that is unavailable, counted from when something last succeeded."""

PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Pauses between attempts, in seconds; the last one is repeated."""

log = logging.getLogger(__name__)


async def ingest_chunk(chunk: Chunk) -> Report:
    """Settle the files of a chunk; it can run in any process. Raises: Incomplete if a dependency was unavailable for too long."""
    async with ensure_resources() as resources:
        return await _ChunkRun(resources, chunk).run()


class _ChunkRun:
    """The run of one chunk."""

    def __init__(self, resources: Resources, chunk: Chunk) -> None:
        self._resources = resources
        self._chunk = chunk
        self._report = Report()
        self._patience = Patience(PATIENCE_SECONDS, PAUSES)
        self._reader = Reader(resources, chunk, self._report, self._patience)
        self._claims = Claims(resources, chunk, self._patience)
        self._commits = Commits(resources, chunk, self._report, self._claims, self._patience)
        self._converter_slots = asyncio.Semaphore(chunk.parallel)

    async def run(self) -> Report:
        """Settle every file that can be settled. Raises: Incomplete."""
        async with self._claims.renewed():
            try:
                await self._settle_held(await self._settle_portions())
                await self._commits.commit()
            except Unavailable as error:
                self._report.trouble.append(error.message)
            finally:
                await self._claims.release()
                await self._reader.close()
        settled = self._report.done + self._report.failed + self._report.unchanged
        self._report.left = len(self._chunk.files) - settled
        if self._report.left and self._report.trouble:
            raise Incomplete(self._report)
        return self._report

    async def _settle_portions(self) -> list[Candidate]:
        """Extract every portion while the next one is read; returns the files that other runs hold."""
        held: list[Candidate] = []
        begun: set[Key] = set()
        planned = list(portions(self._chunk.files))
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read(planned[0]))
            for following in [*planned[1:], ()]:
                candidates = await reading
                reading = group.create_task(self._read(following))
                held += await self._begin(group, candidates, begun)
        return held

    async def _settle_held(self, held: list[Candidate]) -> None:
        """Repeat the claim of files that other runs hold, until those runs have ended or their leases have lapsed."""
        deadline = time.monotonic() + 2 * LEASE_SECONDS
        while held and time.monotonic() <= deadline:
            await self._commits.commit()
            async with asyncio.TaskGroup() as group:
                held = await self._begin(group, held, set())
            if held:
                await asyncio.sleep(PAUSES[0])
        if held:
            self._report.notes.append(f"{len(held):,} files are being read by another run")

    async def _read(self, portion: Sequence[SourceFile]) -> list[Candidate]:
        """Read a portion; returns the files that can be claimed. Refused files are added to the commit."""
        candidates = []
        for one in await self._reader.candidates(portion):
            if isinstance(one, Refused):
                self._commits.add(one)
            else:
                candidates.append(one)
        return candidates

    async def _begin(
        self, group: asyncio.TaskGroup, candidates: Sequence[Candidate], begun: set[Key]
    ) -> list[Candidate]:
        """Claim candidates and start the extraction of new documents; returns candidates that this or another run is extracting."""
        try:
            claims = await self._claims.claim([one for one in candidates if (one.sha256, one.format) not in begun])
            for claim in claims:
                if claim.action in (Action.LINK, Action.QUARANTINED):
                    self._commits.add(Linked(claim))
            await self._commits.commit_when_due()
        except Unavailable as error:
            self._report.trouble.append(error.message)
            return []
        for claim in claims:
            if claim.action is Action.EXTRACT:
                await self._converter_slots.acquire()
                group.create_task(self._extract(claim))
            else:
                self._reader.drop(claim.document_id)
        ours = [claim for claim in claims if claim.action is not Action.HELD]
        begun |= {(claim.document_id, claim.format) for claim in ours}
        settled = {source.found.uri for claim in ours for source in claim.sources}
        return [one for one in candidates if one.found.uri not in settled]

    async def _extract(self, claim: DocumentClaim) -> None:
        """Extract one claim and add its outcome to the commit; its files are left if a dependency is unavailable."""
        try:
            try:
                outcome = await self._try_extract(claim)
            finally:
                self._converter_slots.release()
            self._commits.add(outcome)
            await self._commits.commit_when_due()
        except NotFound as error:
            self._report.notes.append(error.message)
        except Unavailable as error:
            self._report.trouble.append(error.message)

    async def _try_extract(self, claim: DocumentClaim) -> Extracted | Failed:
        """The outcome of a claim, after at most `tries` attempts. Raises: Unavailable after PATIENCE_SECONDS; NotFound."""
        before = claim.failure.tries if claim.failure else 0
        data = await self._reader.content_of(claim)
        for attempt in range(1, self._chunk.tries + 1):
            try:
                return await self._patience.retry(lambda: self._read_document(claim, data))
            except (Unavailable, asyncio.CancelledError):
                raise
            except SpatialError as error:
                if attempt == self._chunk.tries or not _may_succeed(error):
                    return Failed(claim, _failure(error, before + attempt))
            except Exception as error:  # a defect that one file triggers must not end the run
                log.exception("%s cannot be ingested", claim.sources[0].found.uri)
                fault = InternalError(
                    f"the document cannot be made: {type(error).__name__}: {error}; report it with the file"
                )
                return Failed(claim, _failure(fault, before + attempt))
        raise AssertionError("tries is at least 1")

    async def _read_document(self, claim: DocumentClaim, data: bytes) -> Extracted:
        spec = ExtractionSpec(
            file_name=file_name_of(claim.sources[0].found.uri),
            format=claim.format,
            sha256=claim.document_id,
            target=self._chunk.target,
            edges=self._chunk.edges,
            # A document contains the id of its request; the result of an ingested file must not depend on the run.
            request_id=claim.extraction_id,
            bulk=True,
        )
        document = await extract_document(self._resources, spec, data)

        def map_rows() -> Extracted:
            from storage.tables import row_mapping  # imports pyarrow, which some processes do not need

            model = parsed(document, spec.file_name)
            rows = row_mapping.rows_of(model, document_id=claim.document_id, extraction_id=claim.extraction_id)
            return Extracted(claim, document.body, rows)

        return await asyncio.to_thread(map_rows)


def _may_succeed(error: SpatialError) -> bool:
    """Whether another attempt may succeed: timeouts and killed processes depend on the load of the machine."""
    killed = {"signal", "exit_code", "limit_bytes"} & set(error.details or ())
    return isinstance(error, ConversionTimeout) or (isinstance(error, ParseError) and bool(killed))


def _failure(error: SpatialError, tries: int) -> Failure:
    phase = (error.details or {}).get("phase")
    return Failure(error.type, error.message, str(phase) if phase else None, tries, quarantined=True)
