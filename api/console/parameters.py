"""Query parameters that several pages share: the account that they are about, and a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from spatial.errors import InvalidRequest, NotFound
from storage.postgres import accounts
from storage.postgres.accounts import Account, AccountRow
from storage.postgres.database import Database

DAYS: Final = 30
"""Days that a page shows where its address names none."""

MOST_DAYS: Final = 366
"""Longest time that a page shows."""


@dataclass(frozen=True)
class Period:
    """Days in UTC, both inclusive."""

    first: date
    last: date

    @property
    def since(self) -> datetime:
        """Its first moment."""
        return datetime.combine(self.first, time.min, UTC)

    @property
    def until(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last, time.min, UTC) + timedelta(days=1)

    @property
    def days(self) -> list[date]:
        """Each of its days."""
        return [self.first + timedelta(days=count) for count in range((self.last - self.first).days + 1)]


def period(since: str, until: str) -> Period:
    """The time that two fields name; an empty one is the default. Raises: InvalidRequest."""
    last = _day("until", until) or datetime.now(UTC).date()
    first = _day("since", since) or last - timedelta(days=DAYS - 1)
    if not 0 <= (last - first).days < MOST_DAYS:
        raise InvalidRequest(f"since is after until, or more than {MOST_DAYS} days before it; choose a shorter time")
    return Period(first, last)


def _day(name: str, text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidRequest(f"{name} is not a date; write it as 2026-11-30") from None


async def list_accounts(database: Database) -> list[AccountRow]:
    """Every account, for a choice."""
    async with database.transaction() as connection:
        return await accounts.list_accounts(connection)


async def require_account(connection: Any, account_id: str) -> Account:
    """The account of this id. Raises: NotFound."""
    found = await accounts.find(connection, account_id)
    if found is None:
        raise NotFound("there is no such account; see the list of accounts")
    return found
