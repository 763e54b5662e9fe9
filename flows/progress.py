"""Progress of a bulk run: what its record in Postgres counts, what this process will commit next, and how long the rest may take."""

from __future__ import annotations

import time
from typing import Final

from pipelines.resources import Resources
from spatial.counting import count_of
from storage.tables import ingest
from storage.tables.ingest import IngestRun
from tasks.artifacts import Progress

FIRST_ESTIMATE_SECONDS: Final = 5.0
"""Time after which the speed of a run is known well enough to estimate the rest."""

MINUTE, HOUR = 60, 3_600
"""Seconds."""


class RunProgress:
    """One run. Between two commits it advances with each file; only commits count as done."""

    def __init__(self, resources: Resources, run: IngestRun) -> None:
        self._resources = resources
        self._run_id = run.id
        self._began = time.monotonic()
        self._settled_before = self._highest = _settled(run)

    async def read(self) -> Progress:
        """The progress now; also keeps the record alive. Raises: Unavailable."""
        return self.of(await ingest.add_progress(self._resources.database, self._run_id))

    def of(self, run: IngestRun) -> Progress:
        """The progress at these counts. A commit is counted twice for a moment, so the bar never goes back and ends at the total."""
        waiting = self._resources.uncommitted[self._run_id]
        total = run.total or 0
        self._highest = min(total, max(self._highest, _settled(run) + waiting))
        counts = f"{run.done:,} done, {run.failed:,} failed, {run.skipped:,} unchanged of {count_of(total, 'file')}"
        if run.state != "running" or not total or self._highest == total:
            return Progress(100.0 if not total else 100.0 * self._highest / total, counts)
        return Progress(100.0 * self._highest / total, counts + self._left(total))

    def end(self) -> None:
        """Forget what this process counted."""
        self._resources.uncommitted.pop(self._run_id, None)

    def _left(self, total: int) -> str:
        """Estimate from the average speed since this run of the flow began; empty while that is unknown."""
        seconds, advanced = time.monotonic() - self._began, self._highest - self._settled_before
        if seconds < FIRST_ESTIMATE_SECONDS or advanced <= 0:
            return ""
        return f"; {in_words((total - self._highest) * seconds / advanced)} left"


def in_words(seconds: float) -> str:
    """A duration as precisely as an estimate is worth: about 40 s, about 3 min, about 2 h 10 min."""
    if seconds < MINUTE:
        return f"about {max(1, round(seconds))} s"
    if seconds < HOUR:
        return f"about {round(seconds / MINUTE)} min"
    hours, rest = divmod(round(seconds / MINUTE), MINUTE)
    return f"about {hours} h {rest} min"


def _settled(run: IngestRun) -> int:
    return run.done + run.failed + run.skipped
