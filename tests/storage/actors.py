"""Who acts in the tests of storage: a customer with a key, a request that begins, runs and ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from spatial.errors import SpatialError
from storage import ids
from storage.postgres import accounts, idempotency, keys, operations, partner_secrets, scenes
from storage.postgres.database import Database
from storage.postgres.idempotency import Replay
from storage.postgres.scenes import SceneSource
from storage.postgres.usage import UsageRow

ROUTE = "/api/v1/cad/extract"
LEASE_SECONDS = 60.0
"""Longer than any test runs."""


@dataclass(frozen=True)
class Customer:
    """Who pays."""

    account_id: str
    key_id: str


async def customer(database: Database) -> Customer:
    """A new account with a key."""
    async with database.transaction() as connection:
        account = await accounts.create(connection, ids.new("customer"))
        key = await keys.issue(connection, account.id)
    return Customer(account.id, key.key_id)


async def begun(
    database: Database,
    who: Customer,
    key: str | None = None,
    fingerprint: str = "payload",
    *,
    route: str = ROUTE,
    lease_seconds: float = LEASE_SECONDS,
) -> str:
    """A request that began to execute: what the API does in one transaction. Returns the operation's id."""
    operation_id = operations.new_id()
    async with database.transaction() as connection:
        await operations.open(
            connection,
            operation_id=operation_id,
            account_id=who.account_id,
            key_id=who.key_id,
            request_id=f"req-{operation_id}",
            route=route,
            lease_seconds=lease_seconds,
        )
        if key is not None:
            await idempotency.claim(connection, who.account_id, route, key, fingerprint, operation_id)
    return operation_id


async def claimed(
    database: Database, who: Customer, key: str, fingerprint: str = "payload", lease_seconds: float = LEASE_SECONDS
) -> str:
    """The operation's id, or why there is none."""
    try:
        return await begun(database, who, key, fingerprint, lease_seconds=lease_seconds)
    except SpatialError as error:
        return error.type


def charge(who: Customer, operation_id: str, *, item: int = 0, tokens: int = 100) -> UsageRow:
    """What an item of an operation is charged."""
    return UsageRow.model_validate(
        {
            "operation_id": operation_id,
            "item": item,
            "account_id": who.account_id,
            "key_id": who.key_id,
            "request_id": f"req-{operation_id}",
            "route": ROUTE,
            "source_format": "step",
            "file_name": "part.step",
            "input_tokens": tokens,
            "output_tokens": 2 * tokens,
            "estimated_input_cost_usd": "0.0001",
            "estimated_output_cost_usd": "0.0003",
            "estimated_cost_usd": "0.0004",
        }
    )


def outcome(who: Customer, operation_id: str) -> dict[str, Any]:
    """What a finished operation came to, as `complete` and `conclude` take it."""
    return {
        "status": 200,
        "result_key": f"results/{operation_id}.json",
        "content_type": "application/json",
        "usage": charge(who, operation_id),
    }


async def completed(database: Database, who: Customer, operation_id: str) -> bool:
    """What the flow's last stage does."""
    async with database.transaction() as connection:
        return await operations.complete(connection, operation_id, **outcome(who, operation_id))


async def renewed(database: Database, operation_id: str, lease_seconds: float = LEASE_SECONDS) -> bool:
    """What the API does while the request runs."""
    async with database.transaction() as connection:
        return await operations.renew(connection, operation_id, lease_seconds)


async def failed(database: Database, operation_id: str, status: int) -> bool:
    """What the API does when an extraction came to an error; the body of a 4xx was stored."""
    result_key = f"results/{operation_id}.json"
    async with database.transaction() as connection:
        return await operations.fail(connection, operation_id, status=status, result_key=result_key)


async def looked_up(
    database: Database, who: Customer, key: str, fingerprint: str = "payload", *, route: str = ROUTE
) -> Replay | None:
    """What the API asks before it runs a request."""
    async with database.transaction() as connection:
        return await idempotency.look_up(connection, who.account_id, route, key, fingerprint)


async def execute(database: Database, statement: str, **values: Any) -> None:
    """A statement of the test's own."""
    async with database.transaction() as connection:
        await connection.execute(sa.text(statement), values)


async def fetch_column(database: Database, statement: str, **values: Any) -> list[Any]:
    """The first column of what a statement of the test's own answers."""
    async with database.transaction() as connection:
        return list((await connection.execute(sa.text(statement), values)).scalars())


async def lapse(database: Database, operation_id: str) -> None:
    """Let the lease end, as the database's clock sees it."""
    ended = "UPDATE operations SET lease_until = clock_timestamp() - interval '1 ms' WHERE id = :id"
    await execute(database, ended, id=operation_id)


async def billed(database: Database, who: Customer) -> int:
    """How many usage rows a customer has."""
    return len(await fetch_column(database, "SELECT item FROM usage WHERE account_id = :id", id=who.account_id))


async def partnered(database: Database, who: Customer) -> None:
    """A partner of the customer with a secret, and a scene that it sent."""
    async with database.transaction() as connection:
        secret = await partner_secrets.add(connection, who.account_id, ids.new("partner"))
        source = SceneSource(who.account_id, secret.partner, "doc-1", "0" * 64)
        await scenes.save(connection, source, b'{"schema": "cad.extraction.v1"}')
