"""A process that submits batches at once, as an API process would: a line on stdin starts it, one line of outcomes is its answer."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from storage.postgres.database import Database
from tests.storage.actors import Customer
from tests.storage.batch_actors import submitted


async def race(url: str, who: Customer, count: int) -> Counter[str]:
    """How many of so many submissions came to what."""
    database = Database(url)
    await database.ping()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    outcomes = await asyncio.gather(*(submitted(database, who) for _ in range(count)))
    await database.close()
    return Counter("admitted" if outcome.startswith("cb_") else outcome for outcome in outcomes)


if __name__ == "__main__":
    address, account_id, key_id, submissions = sys.argv[1:]
    found = asyncio.run(race(address, Customer(account_id, key_id), int(submissions)))
    print(*(f"{name}={count}" for name, count in sorted(found.items())), flush=True)
