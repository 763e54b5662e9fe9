"""What an Idempotency-Key stands for, from the claim to the 24th hour."""

from __future__ import annotations

import pytest

from spatial.errors import IdempotencyConflict, IdempotencyInProgress
from storage import ids
from storage.postgres import idempotency
from storage.postgres.database import Database
from tests.storage.actors import (
    Customer,
    begun,
    billed,
    completed,
    customer,
    execute,
    failed,
    fetch_column,
    lapse,
    looked_up,
    renewed,
)


async def _age(database: Database, key: str, interval: str) -> None:
    """Make a claim so old."""
    older = (
        "UPDATE idempotency SET claimed_at = clock_timestamp() - CAST(CAST(:age AS text) AS interval) WHERE key = :key"
    )
    await execute(database, older, age=interval, key=key)


@pytest.mark.requirement("idempotency.replay", "idempotency.replay-unbilled")
async def test_a_completed_request_is_replayed_and_billed_once(database: Database, who: Customer, key: str) -> None:
    operation_id = await begun(database, who, key)
    assert await completed(database, who, operation_id)
    expected = (200, f"results/{operation_id}.json", "application/json", operation_id, f"req-{operation_id}")
    assert await looked_up(database, who, key) == idempotency.Replay(*expected)
    assert await billed(database, who) == 1


@pytest.mark.requirement("idempotency.conflict")
async def test_another_payload_conflicts_while_the_first_runs_and_after(
    database: Database, who: Customer, key: str
) -> None:
    operation_id = await begun(database, who, key)
    with pytest.raises(IdempotencyConflict):
        await looked_up(database, who, key, "another payload")
    await completed(database, who, operation_id)
    with pytest.raises(IdempotencyConflict):
        await looked_up(database, who, key, "another payload")
    with pytest.raises(IdempotencyConflict):
        await begun(database, who, key, "another payload")


@pytest.mark.requirement("idempotency.in-progress")
async def test_the_same_payload_is_in_progress_while_the_first_runs(
    database: Database, who: Customer, key: str
) -> None:
    await begun(database, who, key)
    with pytest.raises(IdempotencyInProgress):
        await looked_up(database, who, key)
    with pytest.raises(IdempotencyInProgress):
        await begun(database, who, key)


@pytest.mark.requirement("idempotency.in-progress", "idempotency.owner-died")
@pytest.mark.parametrize(
    ("so_far", "left", "least", "most"),
    [(0, 600, 1, 60), (100, 600, 100, 160), (600, 100, 40, 100), (600, 0.5, 1, 1)],
    ids=["just begun", "as long as it has run", "until its lease lapses", "no shorter than a second"],
)
async def test_a_retry_is_told_to_wait_as_long_as_the_first_has_run_and_at_most_until_its_lease_lapses(
    database: Database, who: Customer, key: str, so_far: float, left: float, least: int, most: int
) -> None:
    operation_id = await begun(database, who, key)
    aged = """
        UPDATE operations SET created_at = clock_timestamp() - CAST(:so_far AS float8) * interval '1 s',
        lease_until = clock_timestamp() + CAST(:left AS float8) * interval '1 s' WHERE id = :id
    """
    await execute(database, aged, so_far=so_far, left=left, id=operation_id)
    with pytest.raises(IdempotencyInProgress) as refused:
        await looked_up(database, who, key)
    assert least <= (refused.value.retry_after or 0) <= most


@pytest.mark.requirement("idempotency.in-progress")
async def test_a_claim_just_after_the_first_ended_is_told_to_ask_again(
    database: Database, who: Customer, key: str
) -> None:
    await completed(database, who, await begun(database, who, key))
    with pytest.raises(IdempotencyInProgress, match="again"):
        await begun(database, who, key)


@pytest.mark.requirement("idempotency.executed-is-stored")
async def test_a_4xx_outcome_is_replayed(database: Database, who: Customer, key: str) -> None:
    assert await failed(database, await begun(database, who, key), 422)
    replay = await looked_up(database, who, key)
    assert replay is not None and replay.status == 422


@pytest.mark.requirement("idempotency.5xx-not-stored")
async def test_a_5xx_outcome_leaves_the_key_free_for_any_payload(database: Database, who: Customer, key: str) -> None:
    assert await failed(database, await begun(database, who, key), 503)
    assert await looked_up(database, who, key, "another payload") is None
    assert await begun(database, who, key, "another payload")


@pytest.mark.requirement("idempotency.refused-keeps-key")
async def test_a_refused_request_leaves_no_row(database: Database, who: Customer, key: str) -> None:
    first = await begun(database, who, key)
    with pytest.raises(IdempotencyInProgress):
        await begun(database, who, key)
    assert await fetch_column(database, "SELECT id FROM operations WHERE account_id = :id", id=who.account_id) == [
        first
    ]


@pytest.mark.requirement("idempotency.scope-account", "idempotency.scope-route")
async def test_a_key_is_scoped_by_account_and_route(database: Database, who: Customer, key: str) -> None:
    await begun(database, who, key)
    assert await begun(database, await customer(database), key, "another payload")
    assert await begun(database, who, key, "another payload", route="/api/v1/responses")


@pytest.mark.requirement("idempotency.retention-24h", "retention.idempotent-responses", "limit.idempotency-retention")
async def test_a_response_is_replayed_for_24_hours_by_the_clock_and_then_the_key_is_free(
    database: Database, who: Customer, key: str
) -> None:
    await completed(database, who, await begun(database, who, key))
    await _age(database, key, "23 hours 59 minutes")
    assert await looked_up(database, who, key) is not None
    await _age(database, key, "24 hours 1 second")
    assert await looked_up(database, who, key, "another payload") is None
    second = await begun(database, who, key, "another payload")
    assert await completed(database, who, second)
    replay = await looked_up(database, who, key, "another payload")
    assert replay is not None and replay.operation_id == second


@pytest.mark.requirement("retention.idempotent-responses")
async def test_housekeeping_removes_expired_keys_but_not_running_ones(database: Database, who: Customer) -> None:
    done, running, young = (ids.new("retry") for _ in range(3))
    await completed(database, who, await begun(database, who, done))
    await begun(database, who, running)
    await completed(database, who, await begun(database, who, young))
    for old in (done, running):
        await _age(database, old, "25 hours")
    async with database.transaction() as connection:
        assert await idempotency.expire(connection) == 1
    kept = await fetch_column(database, "SELECT key FROM idempotency WHERE account_id = :id", id=who.account_id)
    assert sorted(kept) == sorted([running, young])


@pytest.mark.requirement("idempotency.owner-died")
async def test_a_key_whose_owner_died_is_taken_over_and_the_old_owner_is_fenced(
    database: Database, who: Customer, key: str
) -> None:
    old = await begun(database, who, key)
    await lapse(database, old)
    assert await looked_up(database, who, key, "another payload") is None
    new = await begun(database, who, key, "another payload")
    assert not await renewed(database, old)
    assert not await completed(database, who, old)
    assert not await failed(database, old, 422)
    assert await completed(database, who, new)
    assert await billed(database, who) == 1
    replay = await looked_up(database, who, key, "another payload")
    assert replay is not None and replay.operation_id == new
