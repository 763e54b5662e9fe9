"""Batches: exact ceilings, items that end once, one run at a time, and a clock that nobody argues with."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from spatial.errors import ConverterUnavailable, RateLimitExceeded
from storage.postgres import batch_expiry, batch_runs, batches
from storage.postgres.batches import NewItem
from storage.postgres.database import Database
from tests.storage import actors
from tests.storage.actors import Customer, billed, fetch_column
from tests.storage.batch_actors import (
    FILES,
    RUN,
    age,
    begun,
    cancelled,
    completed,
    counted,
    failed,
    finished,
    found,
    known,
    laid_down,
    lapse,
    run_out,
    running,
    started,
    submitted,
    version,
)

ROOT = Path(__file__).resolve().parents[3]
NOW = timedelta()


def states(batch: batches.Batch) -> list[str]:
    return [item.state for item in batch.items]


def _raced(url: str, who: Customer, *, processes: int, each: int) -> Counter[str]:
    """What came of so many submissions at once from so many processes, which wait for each other to be ready."""
    command = [sys.executable, "-m", "tests.storage.submitter", url, who.account_id, who.key_id, str(each)]
    pipe = subprocess.PIPE
    racing = [subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(processes)]
    for process in racing:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in racing:
        print("go", file=process.stdin, flush=True)
    outcomes: Counter[str] = Counter()
    for process in racing:
        for outcome in process.communicate()[0].split():
            name, _, count = outcome.partition("=")
            outcomes[name] += int(count)
    return outcomes


@pytest.mark.requirement("batch.ceilings-exact")
async def test_of_many_submissions_in_two_processes_five_are_in_flight(
    database: Database, postgres_url: str, who: Customer
) -> None:
    outcomes = await asyncio.to_thread(_raced, postgres_url, who, processes=2, each=15)
    assert outcomes == {"admitted": 5, "batches_in_flight": 25}
    assert await counted(database, who) == 5


@pytest.mark.requirement("batch.ceilings-exact")
async def test_of_many_submissions_on_two_pools_ten_pass_in_a_minute(
    database: Database, postgres_url: str, who: Customer
) -> None:
    other = Database(postgres_url)

    async def one(pool: Database) -> str:
        outcome = await submitted(pool, who)
        while outcome == "batches_in_flight":
            outcome = await submitted(pool, who)
        if outcome.startswith("cb_"):
            await cancelled(pool, who, outcome)
        return outcome

    outcomes = await asyncio.gather(*(one(pool) for pool in (database, other) for _ in range(8)))
    assert Counter(outcome.startswith("cb_") for outcome in outcomes) == {True: 10, False: 6}
    assert {outcome for outcome in outcomes if not outcome.startswith("cb_")} == {"batches_per_minute"}
    await other.close()


@pytest.mark.requirement("batch.ceilings-exact")
async def test_a_refusal_says_when_to_come_back_and_the_minute_slides(database: Database, who: Customer) -> None:
    for _ in range(10):
        await cancelled(database, who, await submitted(database, who))
    await age(database, who, 42)
    with pytest.raises(RateLimitExceeded) as refused:
        await laid_down(database, who)
    assert refused.value.retry_after is not None and 15 <= refused.value.retry_after <= 18
    assert refused.value.details == {"ceiling": "batches_per_minute", "limit": 10}
    await age(database, who, 18)
    assert (await submitted(database, who)).startswith("cb_")


@pytest.mark.requirement("batch.ceilings-exact")
async def test_what_is_in_flight_are_batches_that_have_not_ended_expired_or_been_abandoned(
    database: Database, who: Customer
) -> None:
    staging = await laid_down(database, who)
    done, gone, out = [await submitted(database, who) for _ in range(3)]
    await running(database, who)
    assert await submitted(database, who) == "batches_in_flight"
    async with database.transaction() as connection:
        await batches.abandon(connection, staging)
        await batches.abandon(connection, done)  # it is not staging any more
    await cancelled(database, who, gone)
    await run_out(database, out)
    more = [await submitted(database, who) for _ in range(4)]
    assert [batch_id[:3] for batch_id in more] == ["cb_", "cb_", "cb_", "bat"]
    assert await found(database, staging) is None and await found(database, done) is not None


@pytest.mark.requirement("batch.ceilings-exact")
async def test_another_key_has_its_own_ceilings(database: Database, who: Customer) -> None:
    outcomes = [await submitted(database, who) for _ in range(6)]
    assert outcomes[5] == "batches_in_flight"
    assert (await submitted(database, await actors.customer(database))).startswith("cb_")


@pytest.mark.requirement("batch.get-404")
async def test_a_batch_is_found_by_its_account_once_it_is_queued(database: Database, who: Customer) -> None:
    batch_id = await laid_down(database, who)
    assert await found(database, batch_id) is None and await found(database, "cb_none") is None
    async with database.transaction() as connection:
        assert await batches.queue(connection, batch_id)
        assert not await batches.queue(connection, batch_id)
    batch = await found(database, batch_id, who)
    assert batch is not None and batch.state == "queued" and not batch.is_expired
    assert [(item.item, item.file_name) for item in batch.items] == [(n, FILES[n].file_name) for n in range(3)]
    assert batch.expires_at - batch.submitted_at == timedelta(hours=24)
    assert await found(database, batch_id, await actors.customer(database)) is None


@pytest.mark.requirement("batch.done-if-any", "batch.billed-items")
async def test_a_batch_runs_to_its_end(database: Database, who: Customer) -> None:
    batch_id = await running(database, who)
    for item in range(3):
        assert await started(database, batch_id, item) and not await started(database, batch_id, item)
        assert await finished(database, batch_id) is None
        ended = completed(database, who, batch_id, item) if item == 1 else failed(database, batch_id, item)
        assert await ended
    assert await finished(database, batch_id) == "done" == await finished(database, batch_id)
    batch = await known(database, batch_id)
    assert (batch.state, states(batch)) == ("done", ["failed", "done", "failed"])
    assert batch.started_at and batch.ended_at and batch.items[1].started_at and batch.items[1].ended_at
    assert (batch.items[1].status, batch.items[1].result_key) == (200, "results/1.json")
    assert batch.items[0].status == 422
    assert batch.items[0].error == {"message": "not\ufffd STEP", "type": "parse_error", "details": {"phase": "read"}}
    assert await fetch_column(database, "SELECT item FROM usage WHERE operation_id = :id", id=batch.operation_id) == [1]


@pytest.mark.requirement("batch.done-if-any")
async def test_a_batch_of_which_nothing_succeeded_is_failed(database: Database, who: Customer) -> None:
    batch_id = await running(database, who)
    for item in range(3):
        await failed(database, batch_id, item)
    assert await finished(database, batch_id) == "failed"


@pytest.mark.requirement("batch.item-ends-once")
async def test_an_item_ends_once_whoever_tries(database: Database, who: Customer) -> None:
    for _ in range(5):
        who = await actors.customer(database)
        batch_id = await running(database, who, FILES[:1])
        await started(database, batch_id, 0)
        outcomes = await asyncio.gather(
            *(completed(database, who, batch_id, 0) for _ in range(4)),
            *(failed(database, batch_id, 0) for _ in range(4)),
            cancelled(database, who, batch_id),
            finished(database, batch_id),
        )
        won = outcomes[:8].count(True)
        batch = await known(database, batch_id)
        done = batch.items[0].state == "done"
        assert won == (batch.items[0].status != 409)
        assert await billed(database, who) == done
        assert await finished(database, batch_id) == ("done" if done else "failed")


@pytest.mark.requirement("batch.item-ends-once", "batch.clock")
async def test_an_item_that_completes_while_its_batch_expires_is_billed_or_not_there(
    database: Database, who: Customer
) -> None:
    for _ in range(5):
        who = await actors.customer(database)
        batch_id = await running(database, who)
        won, _ = await asyncio.gather(completed(database, who, batch_id, 0), run_out(database, batch_id))
        assert await billed(database, who) == won
        assert not await completed(database, who, batch_id, 1)
        assert not await failed(database, batch_id, 1) and not await started(database, batch_id, 2)


@pytest.mark.requirement("batch.delete")
async def test_cancelling_fails_what_is_unfinished_and_keeps_what_is_done(database: Database, who: Customer) -> None:
    batch_id = await running(database, who)
    await completed(database, who, batch_id, 0)
    await started(database, batch_id, 1)
    assert await cancelled(database, await actors.customer(database), batch_id) is None
    batch = await cancelled(database, who, batch_id)
    assert batch is not None and batch.state == "done" and batch.cancelled_at and batch.ended_at
    assert states(batch) == ["done", "failed", "failed"]
    assert [(item.status, (item.error or {}).get("type")) for item in batch.items[1:]] == [(409, "cancelled")] * 2
    assert await cancelled(database, who, batch_id) == batch
    assert await begun(database, batch_id) is None
    async with database.transaction() as connection:
        assert not await batch_runs.renew(connection, batch_id, RUN, 60)
    queued = await submitted(database, who)
    after = await cancelled(database, who, queued)
    assert after is not None and after.state == "failed"


@pytest.mark.requirement("batch.begun-once")
async def test_one_run_carries_a_batch_until_its_lease_lapses(database: Database, who: Customer) -> None:
    batch_id = await submitted(database, who)
    outcomes = await asyncio.gather(*(begun(database, batch_id, f"run-{n}") for n in range(8)))
    [batch] = [outcome for outcome in outcomes if outcome is not None]
    assert batch.state == "running" and batch.attempts == 1 and batch.flow_run_id is not None
    await completed(database, who, batch_id, 0)
    await started(database, batch_id, 1)
    assert await begun(database, batch_id, "run-later") is None
    same = await begun(database, batch_id, batch.flow_run_id)  # a run that its engine tries again
    assert same is not None and same.attempts == 2 and states(same) == ["done", "queued", "queued"]
    await lapse(database, batch_id)
    async with database.transaction() as connection:
        assert [run for run in await batch_runs.find_lapsed(connection) if run.id == batch_id] == [
            batch_runs.BatchRun(batch_id, batch.flow_run_id, 2)
        ]
    taken = await begun(database, batch_id, "run-later")
    assert taken is not None and taken.started_at == batch.started_at
    async with database.transaction() as connection:
        assert not await batch_runs.renew(connection, batch_id, batch.flow_run_id, 60)
        assert await batch_runs.renew(connection, batch_id, "run-later", 60)
        assert batch_id not in [run.id for run in await batch_runs.find_lapsed(connection)]


@pytest.mark.requirement("batch.version")
async def test_what_a_caller_can_see_change_counts_up(database: Database, who: Customer) -> None:
    batch_id = await submitted(database, who)
    seen = [await version(database, batch_id)]

    async def changed() -> bool:
        seen.append(await version(database, batch_id))
        return seen[-1] > seen[-2]

    async with database.transaction() as connection:
        await batch_runs.record_submission(connection, batch_id, RUN)
    assert not await changed()
    await begun(database, batch_id)
    assert await changed()
    await started(database, batch_id, 0)
    assert await changed()
    await completed(database, who, batch_id, 0)
    assert await changed()
    await failed(database, batch_id, 1)
    assert await changed()
    assert not await started(database, batch_id, 1) and not await completed(database, who, batch_id, 1)
    assert not await failed(database, batch_id, 0)
    async with database.transaction() as connection:
        assert await batch_runs.renew(connection, batch_id, RUN, 60)
        assert await batches.finish(connection, batch_id) is None
    assert not await changed()
    await failed(database, batch_id, 2)
    assert await changed()
    await finished(database, batch_id)
    assert await changed()
    async with database.transaction() as connection:
        assert await batches.read_versions(connection, []) == {} == await batches.read_versions(connection, ["cb_none"])


@pytest.mark.requirement("batch.outbox")
async def test_a_queued_batch_without_a_run_waits_for_the_relay(database: Database, who: Customer) -> None:
    batch_id, staging = await submitted(database, who), await laid_down(database, who)

    async def relayed(older_than: timedelta = NOW) -> list[str]:
        async with database.transaction() as connection:
            late = [run.id for run in await batch_runs.find_unstarted(connection, older_than=older_than)]
            found = await batch_runs.find_unsubmitted(connection, older_than=older_than)
        assert staging not in found + late
        return ["waiting"] * (batch_id in found) + ["unbegun"] * (batch_id in late)

    assert await relayed() == ["waiting"] and await relayed(timedelta(seconds=60)) == []
    async with database.transaction() as connection:
        await batch_runs.record_submission(connection, batch_id, RUN)
    assert await relayed() == ["unbegun"]
    await begun(database, batch_id, "another")
    async with database.transaction() as connection:
        await batch_runs.record_submission(connection, batch_id, RUN)  # told late: the batch is another run's by now
    assert await relayed() == [] and (await known(database, batch_id)).flow_run_id == "another"


@pytest.mark.requirement("batch.outbox", "reconcile.at-once")
async def test_a_batch_whose_process_died_before_it_had_a_run_is_counted_for_a_while(
    database: Database, who: Customer
) -> None:
    async def forgotten(older_than: timedelta, within: timedelta) -> int:
        async with database.transaction() as connection:
            return await batch_runs.count_queued(connection, has_run=False, older_than=older_than, within=within)

    minute = timedelta(minutes=1)
    before = await forgotten(NOW, minute)
    batch_id = await submitted(database, who)
    assert await forgotten(NOW, minute) == before + 1
    assert await forgotten(minute, 2 * minute) == 0, "its process may still make one"
    assert await forgotten(NOW, NOW) == 0, "it is left to the schedule"
    async with database.transaction() as connection:
        await batch_runs.record_submission(connection, batch_id, RUN)
    assert await forgotten(NOW, minute) == before


@pytest.mark.requirement("batch.outbox")
async def test_a_run_that_is_given_up_fails_what_is_left(database: Database, who: Customer) -> None:
    batch_id = await running(database, who)
    await completed(database, who, batch_id, 2)
    async with database.transaction() as connection:
        assert await batches.give_up(connection, batch_id, ConverterUnavailable("lost")) == "done"
        assert await batches.give_up(connection, batch_id, ConverterUnavailable("again")) == "done"
    batch = await known(database, batch_id)
    assert [(item.state, item.status) for item in batch.items] == [("failed", 503), ("failed", 503), ("done", 200)]
    assert batch.items[0].error == {"message": "lost", "type": "converter_unavailable"}


@pytest.mark.requirement("batch.staged-whole")
async def test_a_submission_whose_owner_died_is_found(database: Database, who: Customer) -> None:
    dead, alive = await laid_down(database, who), await laid_down(database, who)
    [operation_id] = await fetch_column(database, "SELECT operation_id FROM batches WHERE id = :id", id=dead)
    await actors.lapse(database, operation_id)
    async with database.transaction() as connection:
        stranded = await batch_expiry.find_stranded(connection)
        assert (dead, operation_id) in stranded and alive not in dict(stranded)


@pytest.mark.requirement("batch.clock", "batch.expired")
async def test_an_expired_batch_is_known_for_a_week_and_then_forgotten(database: Database, who: Customer) -> None:
    batch_id = await running(database, who)
    await completed(database, who, batch_id, 0)
    await run_out(database, batch_id)
    batch = await found(database, batch_id, who)
    assert batch is not None and batch.is_expired and batch.state == "running"
    assert await begun(database, batch_id, RUN) is None and await finished(database, batch_id) is None
    assert await cancelled(database, who, batch_id) == batch
    async with database.transaction() as connection:
        assert not await batch_runs.renew(connection, batch_id, RUN, 60)
        assert await batches.give_up(connection, batch_id, ConverterUnavailable("late")) is None
        assert (batch_id, batch.operation_id) in await batch_expiry.find_expired(connection)
        await batch_expiry.mark_expired(connection, batch_id)
        assert batch_id not in dict(await batch_expiry.find_expired(connection))
        await batch_expiry.delete_expired(connection)
    batch = await known(database, batch_id)
    assert batch.state == "expired" and batch.is_expired
    await run_out(database, batch_id, "6 days 23 hours")
    assert await found(database, batch_id) is not None
    await run_out(database, batch_id, "7 days 1 second")
    assert await found(database, batch_id, who) is None
    async with database.transaction() as connection:
        assert await batch_expiry.delete_expired(connection) == 1
    assert await fetch_column(database, "SELECT item FROM batch_items WHERE batch_id = :id", id=batch_id) == []


@pytest.mark.requirement("batch.clock")
async def test_a_batch_whose_clock_runs_is_not_expired_by_anybody(database: Database, who: Customer) -> None:
    batch_id = await submitted(database, who)
    async with database.transaction() as connection:
        assert batch_id not in dict(await batch_expiry.find_expired(connection))
        await batch_expiry.mark_expired(connection, batch_id)
    assert (await known(database, batch_id)).state == "queued"


@pytest.mark.requirement("batch.item-shape")
async def test_a_name_that_postgres_cannot_hold_is_kept_as_far_as_it_can(database: Database, who: Customer) -> None:
    items = [NewItem("a\0\ud800.step", "step", "both", content_url="https://files.example.com/a.step")]
    batch = await known(database, await submitted(database, who, items))
    assert batch.items[0].file_name == "a\ufffd\ufffd.step" and batch.items[0].content_key is None
