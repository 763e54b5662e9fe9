"""Customers that pay by Stripe, in tests."""

from __future__ import annotations

from uuid import uuid4

from storage.postgres import operations, stripe_customers
from storage.postgres.database import Database
from tests.storage.actors import Customer, begun, charge, customer, execute


async def link(database: Database, who: Customer) -> str:
    """Link a customer's account to a new Stripe customer; returns the id of that."""
    customer_id = f"cus_{uuid4().hex[:14]}"
    async with database.transaction() as connection:
        await stripe_customers.link(connection, who.account_id, customer_id)
    return customer_id


async def linked(database: Database) -> tuple[Customer, str]:
    """A customer whose account is linked, and the id of its Stripe customer."""
    who = await customer(database)
    return who, await link(database, who)


async def charged(database: Database, who: Customer, tokens: int = 100) -> str:
    """A request that was completed and charged: `tokens` of input, twice as many of output. Returns the operation's id."""
    operation_id = await begun(database, who)
    row = charge(who, operation_id, tokens=tokens)
    assert await operations.conclude(
        database, operation_id, status=200, result_key=None, content_type="application/json", usage=[row]
    )
    return operation_id


async def grow_old(database: Database, who: Customer, **ages: str) -> None:
    """Set moments of an account's meter events back: attempted_at="23 hours"."""
    for column, age in ages.items():
        moved = f"UPDATE meter_events SET {column} = clock_timestamp() - interval '{age}' WHERE account_id = :id"
        await execute(database, moved, id=who.account_id)
