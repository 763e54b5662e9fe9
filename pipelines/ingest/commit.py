"""Commit the outcomes of a chunk: many at a time, so that the lake gets few objects, but often, so that a kill loses few."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from pipelines.ingest.claim import Claims
from pipelines.ingest.plan import Chunk, Report
from pipelines.resources import Resources
from storage.retry import Patience
from storage.tables import ingest
from storage.tables.ingest import CommitCounts, Extracted, Failed, Outcome, Refused

COMMIT_FILES: Final = 100
COMMIT_BYTES: Final = 32 * 2**20
"""Number of outcomes and total size of documents (bytes) at which a commit starts; a kill loses at most about as many."""

COMMIT_PAUSES: Final = (2.0, 3.0, 5.0, 10.0, 20.0)
"""Maximum seconds between the commits of a chunk; the last value is repeated. Short pauses first show progress with slow files; longer
pauses later avoid many small objects in the lake."""

LISTED: Final = 20
"""Maximum number of failures in a report."""


class Commits:
    """The outcomes of one chunk that wait for a commit."""

    def __init__(self, resources: Resources, chunk: Chunk, report: Report, claims: Claims, patience: Patience) -> None:
        self._resources = resources
        self._chunk = chunk
        self._report = report
        self._claims = claims
        self._patience = patience
        self._ready: list[Outcome] = []
        self._ready_bytes = 0
        self._committing = asyncio.Lock()
        self._pauses = chain(COMMIT_PAUSES, repeat(COMMIT_PAUSES[-1]))
        self._due = time.monotonic() + next(self._pauses)

    def add(self, outcome: Outcome) -> None:
        """Add an outcome to the next commit."""
        self._ready.append(outcome)
        self._ready_bytes += len(outcome.document) if isinstance(outcome, Extracted) else 0
        self._resources.uncommitted[self._chunk.run_id] += _files_of(outcome)

    async def commit_when_due(self) -> None:
        """Commit if enough outcomes wait or the last commit was long enough ago. Raises: Unavailable."""
        full = len(self._ready) >= COMMIT_FILES or self._ready_bytes > COMMIT_BYTES
        if full or time.monotonic() >= self._due:
            self._due = time.monotonic() + next(self._pauses)
            await self.commit()

    async def commit(self) -> None:
        """Commit all waiting outcomes. Raises: Unavailable."""
        async with self._committing:
            outcomes, self._ready, self._ready_bytes = self._ready, [], 0
            if not outcomes:
                return
            try:
                committed = await self._patience.retry(
                    lambda: ingest.commit(self._resources.database, self._resources.lake, self._chunk.run_id, outcomes)
                )
            finally:
                self._resources.uncommitted[self._chunk.run_id] -= sum(map(_files_of, outcomes))
        self._count(committed, outcomes)
        self._claims.close(outcomes)

    def _count(self, committed: CommitCounts, outcomes: Sequence[Outcome]) -> None:
        report = self._report
        report.done += committed.done
        report.failed += committed.failed
        report.unchanged += committed.unchanged
        report.quarantined += committed.quarantined
        failures = [failure for outcome in outcomes for failure in _failures(outcome)]
        report.failures += failures[: LISTED - len(report.failures)]


def _files_of(outcome: Outcome) -> int:
    return 1 if isinstance(outcome, Refused) else len(outcome.claim.sources)


def _failures(outcome: Outcome) -> list[tuple[str, str, str]]:
    if isinstance(outcome, Refused):
        return [(outcome.found.uri, outcome.failure.error_type, outcome.failure.message)]
    if not isinstance(outcome, Failed):
        return []
    failure = outcome.failure
    return [(source.found.uri, failure.error_type, failure.message) for source in outcome.claim.sources]
