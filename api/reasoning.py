"""One billed reasoning request: admitted within its account's ceilings, answered by a solver, metered once.

Tokens (INTERPRETATION 20): input = ceil(request bytes / 4), output = ceil(answer bytes without `usage` / 4).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from api.billed_operations import BilledRequest, usage_not_finalized
from api.dispatcher import Dispatcher
from flows.dispatch import RespondJob, Solution
from spatial.contract.responses import MODEL, ResponsesResponse, TaskType
from spatial.contract.usage import Usage
from spatial.errors import SpatialError
from storage import ids
from storage.objects import lake
from storage.postgres import operations, response_ceilings, usage
from storage.postgres.response_ceilings import Admitted, PlanCeilings
from storage.postgres.usage import UsageRow

JSON: Final = "application/json"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Metered:
    """An answer and its price."""

    body: bytes
    """ResponsesResponse as JSON, without its usage."""
    usage: Usage

    @property
    def whole(self) -> bytes:
        """The answer with its usage."""
        return self.usage.attached_to(self.body)


class Admission:
    """Counts requests within the ceilings of the account's plan, in the transaction that opens the operation."""

    def __init__(self, caller_account: str, ceilings: PlanCeilings, wanted: int = 1) -> None:
        self._account_id, self._ceilings, self._wanted = caller_account, ceilings, wanted
        self.admitted: Admitted | None = None
        """None until the operation is opened."""

    async def __call__(self, connection: Any) -> None:
        """Raises: RateLimitExceeded where not one may run; nothing is counted then."""
        self.admitted = await response_ceilings.admit(connection, self._account_id, self._wanted, self._ceilings)
        if self.admitted.count == 0 and self.admitted.refusal is not None:
            raise self.admitted.refusal

    async def give_back(self, dispatcher: Dispatcher, count: int) -> None:
        """Take requests that the service could not answer out of the billing period; where that fails they stay counted."""
        if self.admitted is None or not count:
            return
        try:
            async with dispatcher.database.transaction() as connection:
                await response_ceilings.give_back(connection, self._account_id, count, self.admitted.period_began_at)
        except SpatialError as problem:
            log.warning("requests that failed stay counted in the billing period: %s", problem.message)


def job_of(
    billed: BilledRequest, task: TaskType, *, item: int | None = None, request_id: str | None = None
) -> RespondJob:
    """The job of a request, or of an item of a batch with its own request_id."""
    return RespondJob(
        operation_id=billed.operation_id,
        request_id=request_id or billed.request_id,
        account_id=billed.caller.account_id,
        key_id=billed.caller.key_id,
        task=task,
        item=item,
    )


def meter(dispatcher: Dispatcher, job: RespondJob, solution: Solution, size: int) -> Metered:
    """The answer with its price. size: bytes of the request."""
    answer = ResponsesResponse(
        id=ids.new("resp"), model=MODEL, output=solution.output, request_id=job.request_id, router=solution.router
    )
    body = answer.model_dump_json(exclude={"usage"}).encode()
    tokens = usage.count_tokens(size), usage.count_tokens(len(body))
    return Metered(body, usage.estimate(dispatcher.settings, *tokens))


def usage_row(job: RespondJob, route: str, metered: Metered) -> UsageRow:
    """The row that bills an answer."""
    return UsageRow(
        operation_id=job.operation_id,
        item=job.item or 0,
        account_id=job.account_id,
        key_id=job.key_id,
        request_id=job.request_id,
        route=route,
        **metered.usage.model_dump(),
    )


async def conclude(
    dispatcher: Dispatcher, billed: BilledRequest, status: int, stored: bytes | None, charged: Sequence[UsageRow]
) -> None:
    """Complete the operation and charge it, in one transaction. stored: the body for replays; None for one that is not kept.

    Raises: UsageFinalizationUnavailable, LakeUnavailable; nothing is charged then.
    """
    result_key = None
    if stored is not None and billed.idempotent is not None:
        result_key = lake.result_key(billed.operation_id)
        await dispatcher.lake.put(result_key, stored)
    if not await operations.conclude(
        dispatcher.database,
        billed.operation_id,
        status=status,
        result_key=result_key,
        content_type=JSON,
        usage=list(charged),
    ):
        raise usage_not_finalized()


async def answer(
    dispatcher: Dispatcher,
    billed: BilledRequest,
    job: RespondJob,
    content: bytes,
    deadline: float,
    admission: Admission,
) -> bytes:
    """Answer, meter and complete one request; the body of its 200. deadline: by the event loop's clock.

    Raises: InputRejected; DesktopInferenceUnavailable; UsageFinalizationUnavailable; LakeUnavailable; InternalError.
    """
    try:
        metered = meter(dispatcher, job, await dispatcher.respond(job, content, deadline), billed.input_bytes)
        await conclude(dispatcher, billed, 200, metered.body, [usage_row(job, billed.route, metered)])
    except SpatialError as error:
        if not error.is_refusal:
            await admission.give_back(dispatcher, 1)
        raise
    return metered.whole
