"""Claim the files of a chunk: only one run extracts a document at a time, and a claim that is not renewed lapses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from pipelines.ingest.plan import Chunk
from pipelines.resources import Resources
from spatial.document.version import EXTRACTOR_VERSION
from spatial.errors import Unavailable
from storage.retry import Patience
from storage.tables import ingest
from storage.tables.ingest import Candidate, DocumentClaim, Outcome, Refused

LEASE_SECONDS: Final = 10.0
"""How long a claim stays valid after its last renewal."""

RENEWALS: Final = 3
"""Number of renewals per lease."""


class Claims:
    """The open claims of one chunk, whose outcome is not committed."""

    def __init__(self, resources: Resources, chunk: Chunk, patience: Patience) -> None:
        self._database = resources.database
        self._chunk = chunk
        self._patience = patience
        self._open: dict[str, DocumentClaim] = {}
        """Claims by token."""

    async def claim(self, candidates: Sequence[Candidate]) -> list[DocumentClaim]:
        """Claim candidates; returns one claim per content and format, with the action to take. Raises: Unavailable."""

        async def attempt() -> list[DocumentClaim]:
            return await ingest.claim(
                self._database,
                self._chunk.run_id,
                candidates,
                EXTRACTOR_VERSION,
                lease_seconds=LEASE_SECONDS,
                chunk=self._chunk.number,
                again=self._chunk.again,
            )

        claims = await self._patience.retry(attempt)
        self._open |= {claim.token: claim for claim in claims if claim.token}
        return claims

    def close(self, outcomes: Iterable[Outcome]) -> None:
        """Remove claims whose outcome is committed."""
        for outcome in outcomes:
            if not isinstance(outcome, Refused):
                self._open.pop(outcome.claim.token or "", None)

    async def release(self) -> None:
        """Release the open claims, so that no other run waits until the lease has lapsed."""
        if self._open:
            with suppress(Unavailable):
                await ingest.release(self._database, list(self._open.values()))

    @asynccontextmanager
    async def renewed(self) -> AsyncIterator[None]:
        """Renew the open claims while the block runs."""

        async def renew() -> None:
            while True:
                await asyncio.sleep(LEASE_SECONDS / RENEWALS)
                with suppress(Unavailable):
                    await ingest.renew(self._database, list(self._open.values()), LEASE_SECONDS)

        renewing = asyncio.create_task(renew())
        try:
            yield
        finally:
            renewing.cancel()
