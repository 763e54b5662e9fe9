"""Accounts that pay by Stripe: which customer each is, and the state of the customer's subscriptions as it was last read.

The state is kept here and not in the memory of a process, so that an event which one API process receives counts in all of them with
their next request. A lookup has a number: of several lookups at the same time only the latest writes what it read, and an event takes a
number too, so that no lookup that began before an event writes over it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest
from storage.postgres.schema import accounts, stripe_customers, usage
from storage.postgres.subscriptions import Status

CUSTOMER: Final = re.compile(r"cus_[A-Za-z0-9]{1,64}")
"""Form of the id of a customer."""


@dataclass(frozen=True)
class Link:
    """An account with its customer."""

    account_id: str
    customer_id: str
    status: Status
    """The best of the customer's subscriptions when they were last read; "none" before that."""
    age: float | None
    """Seconds since they were read; None where they were not, or where an event says that they changed since."""


@dataclass(frozen=True)
class LinkRow:
    """One row of the list of accounts: an account with its customer, if it has one."""

    account_id: str
    account: str
    customer_id: str | None
    status: Status | None


async def link(connection: AsyncConnection, account_id: str, customer_id: str) -> None:
    """Make an account pay as this customer; nothing changes where it does so already.

    Raises: InvalidRequest for an id that is not a customer's, for a customer of another account, and for an account of another customer.
    """
    if not CUSTOMER.fullmatch(customer_id):
        raise InvalidRequest(f"{customer_id} is not the id of a Stripe customer; copy the id that begins with cus_")
    row = insert(stripe_customers).values(account_id=account_id, customer_id=customer_id)
    await connection.execute(row.on_conflict_do_nothing())
    known = sa.or_(stripe_customers.c.account_id == account_id, stripe_customers.c.customer_id == customer_id)
    query = sa.select(stripe_customers.c.account_id, stripe_customers.c.customer_id).where(known)
    for found in (await connection.execute(query)).all():
        if found.account_id != account_id:
            raise InvalidRequest(
                f"the Stripe customer {customer_id} belongs to the account {found.account_id}; unlink that account first"
            )
        if found.customer_id != customer_id:
            raise InvalidRequest(
                f"the account is linked to the Stripe customer {found.customer_id}; unlink the account first"
            )


async def unlink(connection: AsyncConnection, account_id: str) -> bool:
    """Let an account pay as no customer; False where it did not. Its meter events stay, with the customer that they have."""
    row = sa.delete(stripe_customers).where(stripe_customers.c.account_id == account_id)
    return (await connection.execute(row)).rowcount == 1


async def find(connection: AsyncConnection, account_id: str) -> Link | None:
    """The customer of an account."""
    age = sa.func.extract("epoch", sa.func.clock_timestamp() - stripe_customers.c.read_at)
    query = sa.select(
        stripe_customers.c.account_id,
        stripe_customers.c.customer_id,
        stripe_customers.c.status,
        sa.cast(age, sa.Double).label("age"),
    )
    found = (await connection.execute(query.where(stripe_customers.c.account_id == account_id))).mappings().first()
    return Link(**found) if found is not None else None


async def list_links(connection: AsyncConnection) -> list[LinkRow]:
    """Every account, by name."""
    query = sa.select(
        accounts.c.id.label("account_id"),
        accounts.c.name.label("account"),
        stripe_customers.c.customer_id,
        stripe_customers.c.status,
    )
    rows = query.select_from(accounts.outerjoin(stripe_customers)).order_by(accounts.c.name)
    return [LinkRow(**row) for row in (await connection.execute(rows)).mappings()]


async def begin_lookup(connection: AsyncConnection, account_id: str) -> int | None:
    """The number of a new lookup; None where the account is no longer linked."""
    row = sa.update(stripe_customers).where(stripe_customers.c.account_id == account_id)
    counted = row.values(lookup=stripe_customers.c.lookup + 1).returning(stripe_customers.c.lookup)
    number: int | None = (await connection.execute(counted)).scalar()
    return number


async def end_lookup(connection: AsyncConnection, account_id: str, number: int, status: Status) -> None:
    """Keep what a lookup read, unless another lookup or an event came after its beginning."""
    latest = sa.and_(stripe_customers.c.account_id == account_id, stripe_customers.c.lookup == number)
    kept = {"status": status, "read_at": sa.func.clock_timestamp()}
    await connection.execute(sa.update(stripe_customers).where(latest).values(**kept))


async def invalidate(connection: AsyncConnection, customer_id: str) -> str | None:
    """Forget when a customer's subscriptions were read, because they changed; returns the account, None where there is none."""
    row = sa.update(stripe_customers).where(stripe_customers.c.customer_id == customer_id)
    changed = row.values(read_at=None, lookup=stripe_customers.c.lookup + 1).returning(stripe_customers.c.account_id)
    account_id: str | None = (await connection.execute(changed)).scalar()
    return account_id


async def count_unlinked(connection: AsyncConnection, days: int) -> int:
    """How many accounts without a customer were charged within so many days."""
    recent = sa.exists().where(
        usage.c.account_id == accounts.c.id,
        usage.c.created_at > sa.func.clock_timestamp() - sa.func.make_interval(0, 0, 0, days),
    )
    linked = sa.exists().where(stripe_customers.c.account_id == accounts.c.id)
    query = sa.select(sa.func.count()).select_from(accounts).where(recent, ~linked)
    return int((await connection.execute(query)).scalar_one())
