"""What becomes of an extraction whose answer would come after its deadline."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from converter.deadline import most_seconds
from flows.answering import abandon, answer_seconds, wait_for_receipt
from pipelines.jobs import Receipt
from spatial.contract.usage import Usage
from spatial.errors import ConverterUnavailable
from storage.postgres.database import Database
from tests.storage.actors import Customer, begun, billed, completed, customer
from tests.support import virtual_time

Run = asyncio.Task[None]


@pytest.fixture
async def who(database: Database) -> Customer:
    """A customer of the test's own."""
    return await customer(database)


def receipt_of(operation_id: str) -> Receipt:
    free = Usage(
        input_tokens=1,
        output_tokens=1,
        estimated_input_cost_usd=0.0,
        estimated_output_cost_usd=0.0,
        estimated_cost_usd=0.0,
    )
    return Receipt(result_key=f"results/{operation_id}", usage=free, charged=True)


def endless() -> Run:
    """A run that does not end by itself."""

    async def wait() -> None:
        await asyncio.Event().wait()

    return asyncio.create_task(wait())


@pytest.mark.requirement("capacity.late")
async def test_a_late_extraction_is_closed_ended_and_answered_when_to_come_again(
    database: Database, who: Customer
) -> None:
    operation_id, run = await begun(database, who), endless()
    with pytest.raises(ConverterUnavailable, match="nothing is billed") as refused:
        await wait_for_receipt(run, asyncio.Future(), 0.01, partial(abandon, database, operation_id))
    assert refused.value.retry_after
    await asyncio.wait({run})
    assert run.cancelled()
    assert not await completed(database, who, operation_id), "nothing can be billed under it any more"
    assert await billed(database, who) == 0


@pytest.mark.requirement("capacity.late")
async def test_what_was_metered_in_time_is_answered(database: Database, who: Customer) -> None:
    operation_id, run = await begun(database, who), endless()
    assert await completed(database, who, operation_id)
    receipt: asyncio.Future[Receipt] = asyncio.Future()
    waiting = asyncio.create_task(wait_for_receipt(run, receipt, 0.0, partial(abandon, database, operation_id)))
    await asyncio.sleep(0)
    receipt.set_result(receipt_of(operation_id))
    await waiting
    assert not run.cancelling()
    assert await billed(database, who) == 1
    run.cancel()


@pytest.mark.requirement("capacity.late")
@pytest.mark.parametrize("deadline", [0.5, 5.0, 60.0, 600.0])
def test_what_the_converter_says_of_a_file_that_got_no_processor_reaches_its_caller(deadline: float) -> None:
    told = ConverterUnavailable("too busy", details={"phase": "read"}, retry_after=60)

    async def starved() -> None:
        await asyncio.sleep(most_seconds(deadline) + 15)  # up to the converter's limit, and its answer travels
        raise told

    async def never() -> bool:
        raise AssertionError("the caller gave up before the converter had answered")

    async def follow() -> None:
        run = asyncio.create_task(starved())
        await wait_for_receipt(run, asyncio.Future(), answer_seconds(deadline), never)
        assert run.exception() is told

    virtual_time.run(follow())


@pytest.mark.requirement("capacity.late")
def test_the_longer_an_abandoned_extraction_took_the_later_it_may_come_again() -> None:
    async def closed() -> bool:
        return True

    async def retry_after(seconds: float) -> int:
        with pytest.raises(ConverterUnavailable) as refused:
            await wait_for_receipt(endless(), asyncio.Future(), seconds, closed)
        return refused.value.retry_after or 0

    assert virtual_time.run(retry_after(140)) == 70
    assert virtual_time.run(retry_after(10)) == 30
