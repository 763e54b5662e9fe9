"""The handle of many files that are extracted in the background."""

from __future__ import annotations

from collections.abc import Iterator

from spatial_geometry._batch_run import BatchRun, Progress
from spatial_geometry._drivers import Driver
from spatial_geometry._submissions import BatchOutcome


class Batch:
    """Files that were submitted together; `Client.batch` makes one.

        batch = client.batch(Path("drawings").glob("*.pdf"))
        for outcome in batch.as_completed():
            print(outcome.file_name, outcome.error or outcome.document.units)

    More than 32 files are several batches of the service, of which at most 5 run at a time. Those that have no place yet are
    submitted by `wait` and `as_completed`. A handle serves one thread at a time.
    """

    def __init__(self, run: BatchRun, driver: Driver) -> None:
        self._run, self._driver = run, driver
        self._waited: list[BatchOutcome] = []

    def __repr__(self) -> str:
        return f"Batch(ids={self.ids!r})"

    @property
    def id(self) -> str | None:
        """Id of the first batch of the service; None where every file was refused. Pass it to `Client.batch` to resume."""
        return next(iter(self.ids), None)

    @property
    def ids(self) -> list[str]:
        """Ids of all batches that are submitted so far."""
        return [batch.id for batch in self._run.accepted]

    @property
    def progress(self) -> Progress:
        """Numbers of files as of the latest request."""
        return self._run.progress()

    def as_completed(self, timeout: float | None = None) -> Iterator[BatchOutcome]:
        """The outcome of every file as soon as it has ended, each once and in any order.

        A loop that was left, or that ended with an error of the connection, is continued by another call. Raises: SpatialError;
        TimeoutError after `timeout` seconds.
        """
        for outcome in self._driver.iterate(self._run.outcomes(timeout)):  # noqa: UP028  # a coroutine has no `yield from`
            yield outcome

    def wait(self, timeout: float | None = None) -> list[BatchOutcome]:
        """The outcomes of all files that `as_completed` has not handed out, in the order of submission.

        Raises: SpatialError; TimeoutError after `timeout` seconds.
        """
        for outcome in self.as_completed(timeout):
            self._waited.append(outcome)
        return sorted(self._waited, key=lambda outcome: outcome.index)

    def rerun(self, *, idempotency_key: str | None = None) -> Batch:
        """Extract the failed items again, in a new handle; the files need not be sent again. An outcome keeps its index.

        Raises: SpatialError; InvalidRequest while the batch runs; ValueError where nothing has failed.
        """
        run = BatchRun(self._run.policy, self._run.on_progress)
        run.pending = self._driver.run(self._run.rerun(idempotency_key))
        self._driver.run(run.start())
        return Batch(run, self._driver)

    def cancel(self) -> None:
        """Cancel what has not ended; it fails as Cancelled and is not charged. Raises: SpatialError."""
        self._driver.run(self._run.cancel())
