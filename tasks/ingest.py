"""One chunk of a bulk ingest: read the files, claim what is new, take it through the converter, commit; portion by portion.

Glossary
  chunk      some hundred files that one task run settles; the unit of work, not of loss: it commits as it goes.
  portion    files of a chunk that are read and claimed together, while those before them are in the converter.
  patience   how long a chunk waits for a converter, lake or database that is away, counted from when something last succeeded.
  left       a file that this run does not settle: it is gone, it changed while it was read, somebody else reads it, or patience ended.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Final, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE

from spatial.contract.extraction import TargetContract
from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.document import assemble as assembling
from spatial.document.version import EXTRACTOR_VERSION
from spatial.errors import (
    ConversionTimeout,
    InternalError,
    NotFound,
    ParseError,
    RequestTooLarge,
    SpatialError,
    Unavailable,
)
from storage.objects.sources import Source, SourceFile, file_name_of
from storage.tables import ingest, row_mapping
from storage.tables.ingest import Action, Candidate, DocumentClaim, Extracted, Failed, Failure, Linked, Outcome, Refused
from tasks import resources
from tasks.conversion import Wanted, document_of
from tasks.resources import Resources

T = TypeVar("T")

Key = tuple[str, str]
"""SHA-256 of a file's content, and the format that it is read as."""

PATIENCE_SECONDS: Final = 300.0
"""How long a chunk waits for what is out of reach."""

PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts; the last one stays."""

CLAIM_SECONDS: Final = 10.0
"""How long a claim on a file outlives the process that made it; it is renewed three times in that time."""

HELD_BYTES: Final = 64 * 2**20
"""Content of a chunk's files that is kept from hashing to extracting; what is more is read twice."""

COMMIT_FILES: Final = 100
COMMIT_BYTES: Final = 32 * 2**20
"""Documents, and their size together, that wait for a commit; a kill costs no more than these."""

COMMIT_PAUSES: Final = (2.0, 3.0, 5.0, 10.0, 20.0)
"""Most seconds between a chunk's commits while files come; the last one stays. A run of slow files is seen to move, and a long one does
not litter the lake with small objects."""

READS: Final = 8
"""Files that are read at a time."""

PORTION_FILES: Final = 100
PORTION_BYTES: Final = 16 * 2**20
"""Most files of a portion, and their size together; a file that is larger is a portion of its own."""

TOLD: Final = 20
"""Most failures that a report spells out."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Chunk:
    """What one task run is to settle."""

    run_id: str
    number: int
    first: int
    """Place of its first file in the run, from 1."""
    total: int
    """Files of the run."""
    source: str | None
    """Prefix below which the files lie; None where they lie anywhere."""
    files: tuple[SourceFile, ...]
    parallel: int
    """Files through the converter at a time."""
    tries: int
    """How often a file that times out or kills its process is tried before it is quarantined."""
    target: TargetContract = TargetContract.structured
    again: bool = False
    """Read again what the current version has read, and what is quarantined."""

    @property
    def name(self) -> str:
        """As the Prefect UI shows it."""
        return f"files {self.first:,}-{self.first + len(self.files) - 1:,} of {self.total:,}"


@dataclass
class Report:
    """What became of a chunk."""

    done: int = 0
    failed: int = 0
    unchanged: int = 0
    """Their bytes are those that were settled before."""
    quarantined: int = 0
    """Of the unchanged."""
    left: int = 0
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    """URI, type and message of the first failures."""
    notes: list[str] = field(default_factory=list)
    """Why files were left, where that is nobody's fault: they are gone, or somebody else reads them."""
    trouble: list[str] = field(default_factory=list)
    """What was out of reach for longer than our patience."""


class Incomplete(Exception):
    """A chunk did what it could; what it left, the next run does."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"{self.report.left:,} files were left: {'; '.join(dict.fromkeys(self.report.trouble))}"


# Working ------------------------------------------------------------------------------------------------------------------


class _Work:
    """One chunk under way."""

    def __init__(self, here: Resources, chunk: Chunk) -> None:
        self._here = here
        self._chunk = chunk
        self._report = Report()
        self._places = asyncio.Semaphore(chunk.parallel)
        """In the converter."""
        self._sources: dict[str, Source] = {}
        self._content: dict[str, bytes] = {}
        """By document id, up to HELD_BYTES."""
        self._open: dict[str, DocumentClaim] = {}
        """By token: claims that are not committed."""
        self._ready: list[Outcome] = []
        self._ready_bytes = 0
        self._committing = asyncio.Lock()
        self._pauses = chain(COMMIT_PAUSES, repeat(COMMIT_PAUSES[-1]))
        self._commit_due = time.monotonic() + next(self._pauses)
        self._succeeded = time.monotonic()

    async def through(self) -> Report:
        """Settle every file that can be. Raises: Incomplete."""
        async with self._renewed():
            try:
                await self._work_off()
                await self._commit()
            except Unavailable as error:
                self._report.trouble.append(error.message)
            finally:
                await self._let_go()
        settled = self._report.done + self._report.failed + self._report.unchanged
        self._report.left = len(self._chunk.files) - settled
        if self._report.left and self._report.trouble:
            raise Incomplete(self._report)
        return self._report

    async def _work_off(self) -> None:
        """Every portion, each read while the one before is in the converter; then what had to wait, until others' lease has lapsed."""
        waiting: list[Candidate] = []
        begun: set[Key] = set()
        portions = list(self._portions())
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._candidates(portions[0]))
            for following in [*portions[1:], ()]:
                candidates = await reading
                reading = group.create_task(self._candidates(following))
                waiting += await self._begun(group, candidates, begun)
        until = time.monotonic() + 2 * CLAIM_SECONDS
        while waiting and time.monotonic() <= until:
            await self._commit()
            async with asyncio.TaskGroup() as group:
                waiting = await self._begun(group, waiting, set())
            if waiting:
                await asyncio.sleep(PAUSES[0])
        if waiting:
            self._report.notes.append(f"{len(waiting):,} files are being read by another run")

    def _portions(self) -> Iterator[Sequence[SourceFile]]:
        """The files in their order."""
        portion: list[SourceFile] = []
        for found in self._chunk.files:
            full = len(portion) >= PORTION_FILES or sum(one.size for one in portion) + found.size > PORTION_BYTES
            if portion and full:
                yield portion
                portion = []
            portion.append(found)
        yield portion

    async def _candidates(self, portion: Sequence[SourceFile]) -> list[Candidate]:
        """The files with their hashes, without those that are gone or too large."""
        gate = asyncio.Semaphore(READS)

        async def read(found: SourceFile) -> Candidate | None:
            async with gate:
                return await self._candidate(found)

        return [one for one in await asyncio.gather(*map(read, portion)) if one is not None]

    async def _candidate(self, found: SourceFile) -> Candidate | None:
        try:
            data = await self._read(found.uri)
        except RequestTooLarge as error:
            failure = Failure(error.type, error.message)
            self._ready.append(Refused(found, _format(found), EXTRACTOR_VERSION, failure))
            return None
        except NotFound as error:
            self._report.notes.append(error.message)
            return None
        except Unavailable as error:
            self._report.trouble.append(error.message)
            return None
        sha256 = (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()
        if sum(map(len, self._content.values())) + len(data) <= HELD_BYTES:
            self._content[sha256] = data
        return Candidate(found, sha256, _format(found))

    async def _begun(
        self, group: asyncio.TaskGroup, candidates: Sequence[Candidate], begun: set[Key]
    ) -> list[Candidate]:
        """Claim, and have what is new on its way through the converter; what has to wait: another run reads it, or it is begun already."""
        free = [one for one in candidates if (one.sha256, one.format) not in begun]
        try:
            claims = await self._claim(free)
            self._ready += [Linked(claim) for claim in claims if claim.action in (Action.LINK, Action.QUARANTINED)]
            await self._commit_when_due()
        except Unavailable as error:
            self._report.trouble.append(error.message)
            return []
        for claim in claims:
            if claim.action is Action.EXTRACT:
                await self._places.acquire()
                group.create_task(self._extract(claim))
            else:
                self._content.pop(claim.document_id, None)
        begun |= {(claim.document_id, claim.format) for claim in claims if claim.action is not Action.HELD}
        settled = {source.found.uri for claim in claims if claim.action is not Action.HELD for source in claim.sources}
        return [one for one in candidates if one.found.uri not in settled]

    async def _claim(self, candidates: Sequence[Candidate]) -> list[DocumentClaim]:
        async def ask() -> list[DocumentClaim]:
            return await ingest.claim(
                self._here.database,
                self._chunk.run_id,
                candidates,
                EXTRACTOR_VERSION,
                lease_seconds=CLAIM_SECONDS,
                chunk=self._chunk.number,
                again=self._chunk.again,
            )

        claims = await self._patiently(ask)
        self._open |= {claim.token: claim for claim in claims if claim.token}
        return claims

    async def _extract(self, claim: DocumentClaim) -> None:
        """Have the outcome of one claim ready, or leave it; then somebody else may have its place."""
        try:
            try:
                outcome = await self._outcome(claim)
            finally:
                self._places.release()
            self._ready.append(outcome)
            self._ready_bytes += len(outcome.document) if isinstance(outcome, Extracted) else 0
            await self._commit_when_due()
        except NotFound as error:
            self._report.notes.append(error.message)
        except Unavailable as error:
            self._report.trouble.append(error.message)

    async def _commit_when_due(self) -> None:
        full = len(self._ready) >= COMMIT_FILES or self._ready_bytes > COMMIT_BYTES
        if full or time.monotonic() >= self._commit_due:
            self._commit_due = time.monotonic() + next(self._pauses)
            await self._commit()

    async def _outcome(self, claim: DocumentClaim) -> Extracted | Failed:
        """Raises: Unavailable when patience has ended; NotFound."""
        before = claim.failure.tries if claim.failure else 0
        data = await self._content_of(claim)
        for attempt in range(1, self._chunk.tries + 1):
            try:
                return await self._patiently(lambda: self._extracted(claim, data))
            except (Unavailable, asyncio.CancelledError):
                raise
            except SpatialError as error:
                if attempt == self._chunk.tries or not _may_pass(error):
                    return Failed(claim, _failure(error, before + attempt))
            except Exception as error:  # noqa: BLE001  # one file must not end the run, whatever it finds in us
                _log.exception("%s cannot be ingested", claim.sources[0].found.uri)
                fault = InternalError(f"the document cannot be made: {type(error).__name__}: {error}")
                return Failed(claim, _failure(fault, before + attempt))
        raise AssertionError("tries is at least 1")

    async def _extracted(self, claim: DocumentClaim, data: bytes) -> Extracted:
        wanted = Wanted(
            file_name=file_name_of(claim.sources[0].found.uri),
            format=claim.format,
            sha256=claim.document_id,
            target=self._chunk.target,
            # A document says who asked for it; what ingest makes of a file must not depend on the run.
            request_id=claim.extraction_id,
        )
        document = await document_of(self._here, wanted, data)

        def made() -> Extracted:
            rows = row_mapping.rows_of(document, document_id=claim.document_id, extraction_id=claim.extraction_id)
            return Extracted(claim, assembling.result_bytes(document), rows)

        return await asyncio.to_thread(made)

    async def _content_of(self, claim: DocumentClaim) -> bytes:
        """The bytes that were hashed. Raises: NotFound where they are not there any more; Unavailable."""
        data = self._content.pop(claim.document_id, None)
        for source in () if data is not None else claim.sources:
            with suppress(NotFound, RequestTooLarge):
                again = await self._read(source.found.uri)
                if (await asyncio.to_thread(hashlib.sha256, again)).hexdigest() == claim.document_id:
                    return again
        if data is None:
            raise NotFound(f"{claim.sources[0].found.uri} changed while it was being read")
        return data

    async def _commit(self) -> None:
        """Make what is ready final."""
        async with self._committing:
            outcomes, self._ready, self._ready_bytes = self._ready, [], 0
            if not outcomes:
                return
            here = self._here
            committed = await self._patiently(
                lambda: ingest.commit(here.database, here.lake, self._chunk.run_id, outcomes)
            )
        self._report.done += committed.done
        self._report.failed += committed.failed
        self._report.unchanged += committed.unchanged
        self._report.quarantined += committed.quarantined
        self._report.failures += [told for outcome in outcomes for told in _told(outcome)][
            : TOLD - len(self._report.failures)
        ]
        for outcome in outcomes:
            if not isinstance(outcome, Refused):
                self._open.pop(outcome.claim.token or "", None)

    async def _read(self, uri: str) -> bytes:
        root = self._chunk.source or _root(uri)
        if root not in self._sources:
            self._sources[root] = Source(root, self._here.settings.s3_endpoint)
        return await self._patiently(lambda: self._sources[root].read(uri, self._here.settings.file_limit_bytes))

    async def _patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work comes to, tried again while something is out of reach. Raises: Unavailable when patience has ended."""
        attempt = 0
        while True:
            try:
                result = await work()
            except Unavailable:
                if time.monotonic() - self._succeeded > PATIENCE_SECONDS:
                    raise
            else:
                self._succeeded = time.monotonic()
                return result
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            attempt += 1

    @asynccontextmanager
    async def _renewed(self) -> AsyncIterator[None]:
        """Our claims stay ours for the length of a block."""

        async def renew() -> None:
            while True:
                await asyncio.sleep(CLAIM_SECONDS / 3)
                with suppress(Unavailable):
                    await ingest.renew(self._here.database, list(self._open.values()), CLAIM_SECONDS)

        renewing = asyncio.create_task(renew())
        try:
            yield
        finally:
            renewing.cancel()

    async def _let_go(self) -> None:
        """Nobody has to wait for what we leave, and no connection stays open."""
        if self._open:
            with suppress(Unavailable):
                await ingest.release(self._here.database, list(self._open.values()))
        for source in self._sources.values():
            await source.close()


def _format(found: SourceFile) -> str:
    """The row that the name's extension selects; sources lists no other files."""
    return EXTENSIONS[extension_of(file_name_of(found.uri))].name


def _root(uri: str) -> str:
    """The whole store that a file lies in."""
    return "file:///" if uri.startswith("file:///") else "/".join(uri.split("/")[:3])


def _may_pass(error: SpatialError) -> bool:
    """Whether another try may go better: a timeout, or a process that was killed, depends on what else the machine does."""
    killed = {"signal", "exit_code", "limit_bytes"} & set(error.details or ())
    return isinstance(error, ConversionTimeout) or (isinstance(error, ParseError) and bool(killed))


def _failure(error: SpatialError, tries: int) -> Failure:
    phase = (error.details or {}).get("phase")
    return Failure(error.type, error.message, str(phase) if phase else None, tries, quarantined=True)


def _told(outcome: Outcome) -> list[tuple[str, str, str]]:
    if isinstance(outcome, Refused):
        return [(outcome.found.uri, outcome.failure.error_type, outcome.failure.message)]
    failure = outcome.failure if isinstance(outcome, Failed) else None
    sources = outcome.claim.sources if failure else ()
    return [(source.found.uri, failure.error_type, failure.message) for source in sources if failure]


async def _chunk(chunk: Chunk) -> Report:
    """Settle the files of a chunk, in whatever process this is."""
    async with resources.at_hand() as here:
        return await _Work(here, chunk).through()


ingest_chunk = task(name="ingest-chunk", task_run_name="{chunk.name}", persist_result=False, cache_policy=NO_CACHE)(
    _chunk
)
