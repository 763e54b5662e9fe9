"""Sends pending meter events in a process of its own, to be killed: python -m tests.billing.pusher, with settings in the environment."""

from __future__ import annotations

import asyncio

from billing.push import push_usage
from storage import settings
from storage.postgres.database import Database


async def main() -> None:
    """One run."""
    chosen = settings.load()
    database = Database(chosen.need_database_url())
    await push_usage(chosen, database)
    await database.close()


if __name__ == "__main__":
    asyncio.run(main())
