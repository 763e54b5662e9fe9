"""The course of a batch handle: submissions within the limits of the service, polling, and each result fetched once.

pending     submissions that wait for a free place: 5 batches in flight, 10 submissions a minute
in flight   batches that are polled, one after the other, until all their items have ended and are handed out
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from spatial_geometry import _requests as requests
from spatial_geometry._answers import make_error, parse
from spatial_geometry._effects import Call, Deliver, Pause, Request, Steps
from spatial_geometry._operations import extraction
from spatial_geometry._requests import Options, get, one_of
from spatial_geometry._retries import RetryPolicy, send
from spatial_geometry._submissions import (
    Accepted,
    BatchOutcome,
    FileSubmission,
    NamedFile,
    RerunSubmission,
    Submission,
    part_key,
    plan,
)
from spatial_geometry.error_types import Cancelled, NotFound, RateLimitExceeded
from spatial_geometry.errors import ResultExpired, SpatialError
from spatial_geometry.models import CadExtractBatch, CadExtractBatchItem, CadExtraction

IN_FLIGHT: Final = 5
"""Batches of one key that run at a time."""

BATCH_ID: Final = re.compile(r"cb_[0-9A-Za-z]+")

PER_MINUTE: Final = 10
"""Batches that one key submits in 60 s."""

MINUTE: Final = 60.0

SHARED_POLL_SECONDS: Final = 1.0
"""How long one batch is waited for while there are others to look after."""


@dataclass(frozen=True)
class Progress:
    """Numbers of files by what has become of them."""

    total: int
    pending: int
    """Not submitted yet."""
    queued: int
    running: int
    done: int
    failed: int

    @property
    def ended(self) -> int:
        """Files that are done or have failed."""
        return self.done + self.failed


@dataclass
class BatchRun:
    """All batches of one handle."""

    policy: RetryPolicy
    on_progress: Callable[[Progress], None] | None = None
    pending: deque[Submission] = field(default_factory=deque)
    accepted: list[Accepted] = field(default_factory=list)
    refused: list[BatchOutcome] = field(default_factory=list)
    """Files that were refused before they ran."""
    _undelivered: deque[BatchOutcome] = field(default_factory=deque)
    _submitted_at: deque[float] = field(default_factory=lambda: deque(maxlen=PER_MINUTE))
    _refused_since: float | None = None
    _not_before: float = 0.0
    _reported: Progress | None = None
    _turn: int = 0

    def begin(self, files: Iterable[NamedFile] | str, options: Options, key: str | None) -> Steps[None]:
        """Submit what may be submitted at once, or read the state of batches that are named by their ids.

        Raises: SpatialError, OSError, ValueError, TypeError.
        """
        listed = [files] if isinstance(files, str) else list(files)
        ids = [one for one in listed if isinstance(one, str) and BATCH_ID.fullmatch(one)]
        if isinstance(files, str) and not ids:
            raise ValueError("this text is no id of a batch, which begins with cb_; pass a list of files, or an id")
        if ids and len(ids) == len(listed):
            self.accepted = [Accepted(id) for id in ids]
            for batch in self.accepted:
                yield from self._poll(batch, 0)
        else:
            self.pending = yield Call(partial(plan, listed, options, key))
            yield from self.start()

    def start(self) -> Steps[None]:
        """Submit what may be submitted at once, at least one batch. Raises: SpatialError, OSError."""
        while self.pending and not self.accepted:
            yield from self._submit()
            if self.pending and not self.accepted:
                yield Pause(self._delay() or 0.0)

    def outcomes(self, timeout: float | None) -> Steps[None]:
        """Deliver every outcome as it is ready. Raises: SpatialError; TimeoutError after so many seconds."""
        deadline = None if timeout is None else self.policy.clock.now() + timeout
        while True:
            yield from self._submit()
            yield from self._deliver_ready()
            if not self.pending and not self._in_flight():
                return
            left = None if deadline is None else deadline - self.policy.clock.now()
            if left is not None and left <= 0:
                raise TimeoutError(
                    f"{self.progress().ended} of {self.progress().total} files have ended so far; wait again for the others"
                )
            yield from self._wait(left)

    def progress(self) -> Progress:
        """The numbers as of the latest request."""
        counts = dict.fromkeys(("queued", "running", "done", "failed"), 0)
        for batch in self.accepted:
            for status, number in (batch.state.counts if batch.state else {}).items():
                counts[status] = counts.get(status, 0) + number
        counts["failed"] += len(self.refused)
        pending = sum(len(submission.names) for submission in self.pending)
        return Progress(
            sum(counts.values()) + pending,
            pending,
            counts["queued"],
            counts["running"],
            counts["done"],
            counts["failed"],
        )

    def rerun(self, key: str | None) -> Steps[deque[Submission]]:
        """Submissions that extract the failed items again. Raises: SpatialError; ValueError where there are none."""
        found: deque[Submission] = deque()
        for batch in self.accepted:
            if not batch.has_ended:
                yield from self._poll(batch, 0)
            if failed := _failed(batch):
                found.append(RerunSubmission(batch.id, failed, part_key(key, len(found))))
        if not found:
            raise ValueError(
                "no item of the batch that ran has failed; submit files that were refused once more instead"
            )
        return found

    def cancel(self) -> Steps[None]:
        """Cancel what has not ended; its files fail as Cancelled. Raises: SpatialError."""
        for submission in self.pending:
            if isinstance(submission, FileSubmission):
                for index, content in submission.files.items():
                    error = Cancelled("the file was cancelled before it was submitted; submit it again if it is wanted")
                    self._refuse(BatchOutcome(index, content.name, error=error))
        self.pending.clear()
        for batch in self._in_flight():
            request = Request("DELETE", one_of(requests.BATCH, batch.id), {"results": "false"})
            batch.state = parse(CadExtractBatch, (yield from send(request, self.policy)))
        self._report()

    def _in_flight(self) -> list[Accepted]:
        """Batches that have items to be handed out."""
        return [batch for batch in self.accepted if not batch.has_ended or _ready(batch)]

    def _submit(self) -> Steps[None]:
        """Submit while the limits allow it."""
        while self.pending and self._delay() == 0:
            submission = self.pending[0]
            try:
                batch = yield from submission.submit(replace(self.policy, waits_for_ceilings=False))
            except RateLimitExceeded as error:
                self._hold(error)
                return
            finally:
                self._take_refused(submission)
            self.pending.popleft()
            self._refused_since = None
            if batch is not None:
                self._submitted_at.append(self.policy.clock.now())
                self.accepted.append(batch)
            self._report()

    def _hold(self, error: RateLimitExceeded) -> None:
        """Submit later: other programs use the same key. Raises: the error, if that lasts while no batch of ours runs."""
        now = self.policy.clock.now()
        began = self._refused_since = now if self._refused_since is None else self._refused_since
        wait = self.policy.wait_before(0, began, error)
        if wait is None and not self._in_flight():
            raise error
        self._not_before = now + (error.retry_after or MINUTE if wait is None else wait)

    def _take_refused(self, submission: Submission) -> None:
        if isinstance(submission, FileSubmission):
            while submission.refused:
                self._refuse(submission.refused.pop(0))

    def _refuse(self, outcome: BatchOutcome) -> None:
        self.refused.append(outcome)
        self._undelivered.append(outcome)

    def _delay(self) -> float | None:
        """Seconds until the next submission may go; None while as many batches run as may."""
        if sum(not batch.has_ended for batch in self.accepted) >= IN_FLIGHT:
            return None
        now = self.policy.clock.now()
        full = len(self._submitted_at) == PER_MINUTE
        allowed = max(self._not_before, self._submitted_at[0] + MINUTE if full else 0.0)
        return max(0.0, allowed - now)

    def _wait(self, left: float | None) -> Steps[None]:
        """Wait for a change of one batch, or for the next submission."""
        running = [batch for batch in self.accepted if not batch.has_ended]
        bounds = [bound for bound in (left, self._delay() if self.pending else None) if bound is not None]
        if not running:
            yield Pause(min(bounds))
            return
        self._turn += 1
        longest = SHARED_POLL_SECONDS if len(running) > 1 else self.policy.poll_seconds
        yield from self._poll(running[self._turn % len(running)], min([longest, *bounds]))

    def _poll(self, batch: Accepted, wait: float) -> Steps[None]:
        """Read the state of a batch, without its documents."""
        path = one_of(requests.BATCH, batch.id)
        request = get(path, wait=f"{wait:.3f}" if wait > 0 else None, results=False)
        batch.state = parse(CadExtractBatch, (yield from send(request, self.policy)))
        if not batch.places:
            first = sum(len(other.places) for other in self.accepted)
            batch.places = {item.index: first + item.index for item in batch.state.items}
        self._report()

    def _report(self) -> None:
        progress = self.progress()
        if self.on_progress is not None and progress != self._reported:
            self.on_progress(progress)
        self._reported = progress

    def _deliver_ready(self) -> Steps[None]:
        while self._undelivered:
            yield Deliver(self._undelivered.popleft())
        for batch in self.accepted:
            for item in _ready(batch):
                outcome = yield from self._outcome(batch, item)
                batch.delivered.add(item.index)
                yield Deliver(outcome)

    def _outcome(self, batch: Accepted, item: CadExtractBatchItem) -> Steps[BatchOutcome]:
        made = BatchOutcome(batch.places[item.index], item.file_name, batch.id)
        if item.error is not None:
            error = make_error(item.http_status or 500, item.error, request_id=batch.request_id)
            return replace(made, error=error)
        if batch.state is not None and batch.state.status == "expired":
            return replace(made, error=_expired(batch))
        try:
            return replace(made, document=(yield from self._document(batch, item)))
        except NotFound:
            return replace(made, error=_expired(batch))

    def _document(self, batch: Accepted, item: CadExtractBatchItem) -> Steps[CadExtraction]:
        """One document, read once. Of a batch that is resumed all that are done are read, which tells the id of its submission."""
        if batch.request_id is None:
            answer = yield from send(get(one_of(requests.BATCH, batch.id)), self.policy)
            found = parse(CadExtractBatch, answer).items
            batch.documents = {one.index: one.result for one in found if one.result is not None}
            batch.request_id = next((document.request_id for document in batch.documents.values()), None)
        if item.index in batch.documents:
            return batch.documents.pop(item.index)
        return (yield from extraction(f"{batch.request_id}.{item.index}", self.policy))


def _ready(batch: Accepted) -> list[CadExtractBatchItem]:
    """Items that have ended and are not handed out; of an expired batch all that are not."""
    if batch.state is None:
        return []
    items = (item for item in batch.state.items if item.index not in batch.delivered)
    return [item for item in items if item.status in ("done", "failed") or batch.state.status == "expired"]


def _failed(batch: Accepted) -> dict[int, str]:
    """Name of each failed file by its index in the handle."""
    items = batch.state.items if batch.state is not None else []
    return {batch.places[item.index]: item.file_name for item in items if item.status == "failed"}


def _expired(batch: Accepted) -> SpatialError:
    return ResultExpired(
        f"the results of batch {batch.id} are deleted 24 hours after its submission; submit its files again"
    )
