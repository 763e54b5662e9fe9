"""Endpoints and deliveries in tests: added, read, and moved in time as the database's clock sees it."""

from __future__ import annotations

import json
from typing import Any

from storage.postgres import webhook_deliveries, webhook_endpoints
from storage.postgres.database import Database
from storage.postgres.webhook_deliveries import Delivery
from tests.storage.actors import execute, fetch_column


async def endpoint(
    database: Database, account_id: str | None, url: str = "http://hooks.example.com/hook"
) -> tuple[str, str]:
    """A new endpoint: its id and its secret."""
    async with database.transaction() as connection:
        return await webhook_endpoints.add(connection, account_id, url)


async def announced(database: Database, endpoint_id: str) -> str:
    """The id of a new message to an endpoint."""
    async with database.transaction() as connection:
        message_id = await webhook_deliveries.announce_test(connection, endpoint_id)
    assert message_id is not None
    return message_id


async def deliveries(database: Database) -> list[Delivery]:
    """Every delivery, oldest first."""
    async with database.transaction() as connection:
        return (await webhook_deliveries.read_newest(connection))[::-1]


async def delivery(database: Database, message_id: str) -> Delivery:
    """One delivery."""
    async with database.transaction() as connection:
        [found] = await webhook_deliveries.read_newest(connection, delivery_id=message_id)
    return found


async def messages(database: Database) -> list[dict[str, Any]]:
    """The body of every delivery, oldest first."""
    bodies = await fetch_column(database, "SELECT body FROM webhook_deliveries ORDER BY created_at, id")
    return [json.loads(body) for body in bodies]


async def delay(database: Database, message_id: str) -> float:
    """Seconds from the last attempt to the next one."""
    [seconds] = await fetch_column(
        database,
        "SELECT extract(epoch FROM next_attempt_at - attempted_at) FROM webhook_deliveries WHERE id = :id",
        id=message_id,
    )
    return float(seconds)


async def come_due(database: Database) -> None:
    """Let the time of every next attempt have come."""
    await execute(database, "UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp()")


async def lapse(database: Database) -> None:
    """Let every lease have ended."""
    await execute(database, "UPDATE webhook_endpoints SET lease_until = clock_timestamp() - interval '1 ms'")
