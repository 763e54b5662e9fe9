"""A process that sends what is due, to an endpoint on loopback that is allowed: to be killed in transit."""

from __future__ import annotations

import asyncio
import sys

from pipelines.webhooks.deliver import Sender, deliver_due
from storage.postgres.database import Database


async def send(url: str, allowed: str) -> None:
    """One run."""
    database = Database(url)
    await deliver_due(Sender(database, (allowed,)))
    await database.close()


if __name__ == "__main__":
    asyncio.run(send(*sys.argv[1:]))
