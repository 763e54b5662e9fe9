"""Accounts, keys and subscriptions."""

from __future__ import annotations

import asyncio
import re

import pytest
import sqlalchemy as sa

from spatial.errors import InvalidRequest
from storage import ids
from storage.postgres import accounts, keys, schema, subscriptions
from storage.postgres.database import Database
from storage.postgres.subscriptions import LocalBilling
from tests.storage.actors import Customer, fetch_column


@pytest.mark.requirement("storage.postgres.accounts")
async def test_one_name_is_one_account_however_many_ask_at_once(database: Database) -> None:
    name = ids.new("company")

    async def get() -> str:
        async with database.transaction() as connection:
            return (await accounts.get_or_create(connection, name)).id

    assert len(set(await asyncio.gather(*(get() for _ in range(8))))) == 1
    async with database.transaction() as connection:
        assert await accounts.by_name(connection, "nobody") is None
        with pytest.raises(InvalidRequest, match="already"):
            await accounts.create(connection, name)


@pytest.mark.requirement("storage.postgres.accounts")
@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "two\nlines", "nul\0"])
async def test_a_name_that_cannot_be_shown_is_refused(database: Database, name: str) -> None:
    async with database.transaction() as connection:
        with pytest.raises(InvalidRequest):
            await accounts.get_or_create(connection, name)


@pytest.mark.requirement("auth.stored-hashed")
async def test_a_key_is_shown_once_and_stored_hashed(database: Database, who: Customer) -> None:
    async with database.transaction() as connection:
        issued = await keys.issue(connection, who.account_id, "laptop")
    assert re.fullmatch(r"sk_[A-Za-z0-9_-]{43}", issued.secret)
    rows = await fetch_column(database, "SELECT keys::text FROM keys WHERE id = :id", id=issued.key_id)
    assert issued.secret not in rows[0] and issued.secret[3:].encode().hex() not in rows[0]
    async with database.transaction() as connection:
        found = await keys.find(connection, issued.secret)
    assert found == keys.Key(issued.key_id, who.account_id)


@pytest.mark.requirement("storage.postgres.keys")
@pytest.mark.parametrize("sent", ["", "sk_", "sk_" + "A" * 43, "sk_" + "é" * 43, "\0", "x" * 10_000])
async def test_what_is_no_key_is_not_found(database: Database, sent: str) -> None:
    async with database.transaction() as connection:
        assert await keys.find(connection, sent) is None


@pytest.mark.requirement("auth.revocable")
@pytest.mark.parametrize("by", ["secret", "id", "prefix"])
async def test_a_revoked_key_is_not_found_from_then_on(database: Database, who: Customer, by: str) -> None:
    async with database.transaction() as connection:
        issued = await keys.issue(connection, who.account_id)
    named = {"secret": issued.secret, "id": issued.key_id, "prefix": issued.secret[: keys.PREFIX_CHARACTERS]}[by]
    async with database.transaction() as connection:
        assert await keys.revoke(connection, named)
    async with database.transaction() as connection:
        assert await keys.find(connection, issued.secret) is None
        assert not await keys.revoke(connection, named)
        listed = {row.id: row for row in await keys.list_keys(connection)}
    assert listed[issued.key_id].revoked_at is not None
    assert listed[who.key_id].revoked_at is None
    assert listed[who.key_id].account_id == who.account_id


@pytest.mark.requirement("auth.revocable")
async def test_a_prefix_of_several_keys_revokes_none(database: Database, who: Customer) -> None:
    async with database.transaction() as connection:
        one, two = [await keys.issue(connection, who.account_id) for _ in range(2)]
        statement = sa.update(schema.keys).where(schema.keys.c.id.in_([one.key_id, two.key_id]))
        await connection.execute(statement.values(prefix="sk_same"))
    async with database.transaction() as connection:
        with pytest.raises(InvalidRequest, match=one.key_id):
            await keys.revoke(connection, "sk_same")
        assert await keys.find(connection, one.secret) is not None


@pytest.mark.requirement("storage.postgres.subscriptions")
async def test_a_subscription_is_what_was_set_last_and_none_before(database: Database, who: Customer) -> None:
    billing = LocalBilling(database)
    assert await billing.subscription(who.account_id) == "none"
    assert await billing.subscription("acct_unknown") == "none"
    for status in subscriptions.STATUSES:
        async with database.transaction() as connection:
            await subscriptions.set_status(connection, who.account_id, status)
        assert await billing.subscription(who.account_id) == status


@pytest.mark.requirement("storage.postgres.subscriptions")
async def test_a_status_that_does_not_exist_is_refused(database: Database, who: Customer) -> None:
    async with database.transaction() as connection:
        with pytest.raises(InvalidRequest, match="past_due"):
            await subscriptions.set_status(connection, who.account_id, "overdue")
