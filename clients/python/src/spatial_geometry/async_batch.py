"""The handle of a batch for asyncio; made of batch.py by scripts/client_models.py."""

from __future__ import annotations

from collections.abc import AsyncIterator

from spatial_geometry._batch_run import BatchRun, Progress
from spatial_geometry._drivers import AsyncDriver
from spatial_geometry._submissions import BatchOutcome


class AsyncBatch:
    """Files that were submitted together; `AsyncClient.batch` makes one.

        batch = await client.batch(Path("drawings").glob("*.pdf"))
        async for outcome in batch.as_completed():
            print(outcome.file_name, outcome.error or outcome.document.units)

    More than 32 files are several batches of the service, of which at most 5 run at a time. Those that have no place yet are
    submitted by `wait` and `as_completed`. A handle serves one task at a time.
    """

    def __init__(self, run: BatchRun, driver: AsyncDriver) -> None:
        self._run, self._driver = run, driver
        self._waited: list[BatchOutcome] = []

    def __repr__(self) -> str:
        return f"AsyncBatch(ids={self.ids!r})"

    @property
    def id(self) -> str | None:
        """Id of the first batch of the service; None where every file was refused. Pass it to `AsyncClient.batch` to resume."""
        return next(iter(self.ids), None)

    @property
    def ids(self) -> list[str]:
        """Ids of all batches that are submitted so far."""
        return [batch.id for batch in self._run.accepted]

    @property
    def progress(self) -> Progress:
        """Numbers of files as of the latest request."""
        return self._run.progress()

    async def as_completed(self, timeout: float | None = None) -> AsyncIterator[BatchOutcome]:
        """The outcome of every file as soon as it has ended, each once and in any order.

        A loop that was left, or that ended with an error of the connection, is continued by another call. Raises: SpatialError;
        TimeoutError after `timeout` seconds.
        """
        async for outcome in self._driver.iterate(self._run.outcomes(timeout)):
            yield outcome

    async def wait(self, timeout: float | None = None) -> list[BatchOutcome]:
        """The outcomes of all files that `as_completed` has not handed out, in the order of submission.

        Raises: SpatialError; TimeoutError after `timeout` seconds.
        """
        async for outcome in self.as_completed(timeout):
            self._waited.append(outcome)
        return sorted(self._waited, key=lambda outcome: outcome.index)

    async def rerun(self, *, idempotency_key: str | None = None) -> AsyncBatch:
        """Extract the failed items again, in a new handle; the files need not be sent again. An outcome keeps its index.

        Raises: SpatialError; InvalidRequest while the batch runs; ValueError where nothing has failed.
        """
        run = BatchRun(self._run.policy, self._run.on_progress)
        run.pending = await self._driver.run(self._run.rerun(idempotency_key))
        await self._driver.run(run.start())
        return AsyncBatch(run, self._driver)

    async def cancel(self) -> None:
        """Cancel what has not ended; it fails as Cancelled and is not charged. Raises: SpatialError."""
        await self._driver.run(self._run.cancel())
