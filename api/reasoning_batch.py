"""A responses batch: its items run at the same time and are answered in the order of the requests; one that fails fails alone.

An item that an earlier attempt under the same Idempotency-Key has settled keeps its answer (`settled_items`).
An item's statuses are those of INTERPRETATION 20. Where an error of the whole service would stop every item, for example a database that is
out of reach, it becomes the 503 of the items that had no outcome yet.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from api import reasoning, scene_references, settled_items
from api.billed_operations import BilledOperations, BilledRequest, with_usage
from api.dispatcher import Dispatcher
from api.reasoning import Admission, Metered
from api.reasoning_bodies import Parsed, ParsedRequest, RefusedRequest, of_item
from api.scene_references import SceneAllowance
from api.settled_items import SettledItem
from flows.dispatch import Solution
from spatial.contract.error import Fault
from spatial.contract.responses import ResponseBatch, ResponseBatchItem
from spatial.errors import (
    DesktopInferenceUnavailable,
    InputRejected,
    InvalidRequest,
    PaymentRequired,
    RateLimitExceeded,
    RequestTooLarge,
    SpatialError,
    Unavailable,
)
from storage.postgres.response_ceilings import PlanCeilings

OK: Final = 200
MULTI_STATUS: Final = 207
"""RFC 4918 section 11.1."""

ITEM_ERRORS: Final = (InvalidRequest, PaymentRequired, InputRejected, RateLimitExceeded, Unavailable)
"""Errors that an item may have."""

NOT_STORED: Final = (RateLimitExceeded, Unavailable)
"""Errors that another attempt may not have: a batch with one of them is not kept for a replay (INTERPRETATION 8)."""

Outcome = Metered | SpatialError | SettledItem

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BatchAnswer:
    """What the batch is answered with."""

    status: int
    body: bytes


class BatchRun:
    """The items of one batch, and what became of each."""

    def __init__(self, dispatcher: Dispatcher, billed: BilledRequest, items: Sequence[Parsed], deadline: float) -> None:
        """deadline: of every item, by the event loop's clock."""
        self._dispatcher, self._billed, self._items, self._deadline = dispatcher, billed, items, deadline
        self._outcomes: dict[int, Outcome] = {
            index: item.error for index, item in enumerate(items) if isinstance(item, RefusedRequest)
        }
        self._contents: dict[int, bytes] = {}
        self._answer: BatchAnswer | None = None

    def fail_rest(self, error: SpatialError) -> None:
        """Let every item without an outcome fail with this error."""
        for index, _ in self._open_items():
            self._outcomes[index] = _item_error(error, index)

    async def take_over_settled(self) -> None:
        """Let items keep the answers that an earlier attempt under the same key gave them. Raises: BillingUnavailable; LakeUnavailable."""
        if self._billed.idempotent is None:
            return
        found = await settled_items.read(self._dispatcher, self._billed.caller.account_id, self._billed.idempotent)
        self._outcomes |= {item.index: item for item in found if item.index not in self._outcomes}

    async def fill_in_scenes(self) -> None:
        """Resolve the references of the items."""
        allowance = SceneAllowance(self._dispatcher.settings.file_limit_bytes)
        await asyncio.gather(*(self._fill_in(index, item, allowance) for index, item in self._open_items()))

    async def run(self, operations: BilledOperations, ceilings: PlanCeilings) -> None:
        """Run the items without an outcome as one operation, as many of them as the ceilings allow.

        Raises: IdempotencyConflict, IdempotencyInProgress where another request claimed the key first.
        """
        waiting = [index for index, _ in self._open_items()]
        if not waiting:
            return
        admission = Admission(self._billed.caller.account_id, ceilings, len(waiting))
        try:
            await operations.run(self._billed, lambda: self._work(admission), admission)
        except (Unavailable, RateLimitExceeded) as error:
            self._outcomes |= {index: _item_error(error, index) for index in waiting}
            self._answer = None
        admitted = waiting[: admission.admitted.count] if admission.admitted is not None else []
        unanswered = sum(isinstance(self._outcomes[index], Unavailable) for index in admitted)
        await admission.give_back(self._dispatcher, unanswered)

    @property
    def answer(self) -> BatchAnswer:
        """The status and body of the batch. Every item has an outcome."""
        return self._answer or self._render()

    async def _fill_in(self, index: int, item: ParsedRequest, allowance: SceneAllowance) -> None:
        try:
            self._contents[index] = await scene_references.fill_in(
                self._dispatcher, self._billed.caller.account_id, item, allowance
            )
        except SpatialError as error:
            self._outcomes[index] = _item_error(error, index)

    async def _work(self, admission: Admission) -> bytes:
        """The operation: run the admitted items, charge those that succeeded, and answer."""
        assert admission.admitted is not None
        passed = self._open_items()[: admission.admitted.count]
        await self._run_items(passed)
        if admission.admitted.refusal is not None:
            self.fail_rest(admission.admitted.refusal)
        self._answer = self._render()
        await self._conclude(self._answer)
        return self._answer.body

    async def _conclude(self, answer: BatchAnswer) -> None:
        charged = [
            reasoning.usage_row(self._job(index), self._billed.route, outcome)
            for index, outcome in sorted(self._outcomes.items())
            if isinstance(outcome, Metered)
        ]
        is_kept = not any(isinstance(outcome, NOT_STORED) for outcome in self._outcomes.values())
        stored = answer.body if is_kept else None
        if not is_kept and self._billed.idempotent is not None:
            account_id = self._billed.caller.account_id
            await settled_items.write(self._dispatcher, account_id, self._billed.idempotent, self._settled())
        await reasoning.conclude(self._dispatcher, self._billed, answer.status, stored, charged)

    async def _run_items(self, items: Sequence[tuple[int, ParsedRequest]]) -> None:
        asked = [(self._job(index), self._contents[index]) for index, _ in items]
        solved = await self._dispatcher.respond_to_batch(self._billed.request_id, asked, self._deadline)
        for (index, item), (job, _), one in zip(items, asked, solved, strict=True):
            if isinstance(one, Solution):
                self._outcomes[index] = reasoning.meter(self._dispatcher, job, one, item.size)
                continue
            if not isinstance(one, SpatialError):
                log.error("item %d of %s failed", index, self._billed.operation_id, exc_info=one)
            self._outcomes[index] = with_usage(_item_error(one, index), item.size)

    def _settled(self) -> list[SettledItem]:
        """The items that another attempt would answer as this one does."""
        return [
            outcome
            if isinstance(outcome, SettledItem)
            else SettledItem(
                index, self._billed.operation_id, _status_of(outcome), self._entry(index, outcome).decode()
            )
            for index, outcome in sorted(self._outcomes.items())
            if not isinstance(outcome, NOT_STORED)
        ]

    def _job(self, index: int) -> Any:
        item = self._items[index]
        assert isinstance(item, ParsedRequest)
        return reasoning.job_of(self._billed, item.task, item=index, request_id=item.request_id)

    def _open_items(self) -> list[tuple[int, ParsedRequest]]:
        return [
            (index, item)
            for index, item in enumerate(self._items)
            if index not in self._outcomes and isinstance(item, ParsedRequest)
        ]

    def _render(self) -> BatchAnswer:
        entries = [self._entry(index, self._outcomes[index]) for index in range(len(self._items))]
        succeeded = all(_status_of(outcome) == OK for outcome in self._outcomes.values())
        frame = ResponseBatch(request_id=self._billed.request_id, data=[]).model_dump_json().encode()
        body = frame.replace(b'"data":[]', b'"data":[' + b",".join(entries) + b"]")
        return BatchAnswer(OK if succeeded else MULTI_STATUS, body)

    def _entry(self, index: int, outcome: Outcome) -> bytes:
        if isinstance(outcome, SettledItem):
            return outcome.entry.encode()
        if isinstance(outcome, Metered):
            return b'{"status":%d,"index":%d,"response":%s}' % (OK, index, outcome.whole)
        entry = ResponseBatchItem(
            status=outcome.status,
            index=index,
            error=Fault(message=outcome.message, type=outcome.type, details=outcome.details),
            request_id=self._items[index].request_id or self._billed.request_id,
            retry_after=outcome.retry_after,
        )
        return entry.model_dump_json(exclude_none=True).encode()


def _status_of(outcome: Outcome) -> int:
    return OK if isinstance(outcome, Metered) else outcome.status


def _item_error(error: BaseException, index: int) -> SpatialError:
    """The error of an item, as one of those that an item may have; what is none of them is a fault of the service."""
    if isinstance(error, RequestTooLarge):
        error = InvalidRequest(error.message, details=error.details)
    if not isinstance(error, ITEM_ERRORS):
        return DesktopInferenceUnavailable(
            "the run of this item failed because of a fault in the service, which is logged under the request id; send the item again"
        )
    is_about_item = isinstance(error, InvalidRequest | InputRejected)
    return of_item(error, index) if is_about_item and (error.details or {}).get("field") else error
