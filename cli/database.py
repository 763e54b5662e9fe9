"""The database of a command, for the length of that command.

the settings name a database   that database
a stack runs in this home      its database
neither                        the embedded server, started for this command with python -m deployments.database
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from spatial.errors import BillingUnavailable
from storage.postgres.database import Database, migrate
from storage.settings import Settings


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[Database]:
    """The database, migrated.

    Raises: BillingUnavailable where it cannot be reached or started.
    """
    with address(settings) as url:
        await migrate(url)
        database = Database(url)
        try:
            yield database
        finally:
            await database.close()


@contextmanager
def address(settings: Settings) -> Iterator[str]:
    """The database's URL, without migrating it; it may have no tables.

    Raises: BillingUnavailable where the embedded server does not start.
    """
    if settings.database_url is not None:
        yield settings.database_url
        return
    command = [sys.executable, "-P", "-m", "deployments.database", "--home", str(settings.home)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert (
            server.stdin is not None and server.stdout is not None and server.stderr is not None
        )  # all three are pipes
        url = server.stdout.readline().strip()
        if not url:
            raise BillingUnavailable(
                server.stderr.read().strip() or "the embedded Postgres does not start; see HOME/postgres/log"
            )
        try:
            yield url
        finally:
            server.stdin.close()
            server.wait()
