"""A process that claims Idempotency-Keys, as an API process would: commands on stdin, answers on stdout.

claim KEY       the operation's id, or the error's type; from then on its lease is renewed
complete ID     True or False
"""

from __future__ import annotations

import asyncio
import sys

from storage.postgres.database import Database
from tests.storage.actors import Customer, claimed, completed, renewed


async def serve(url: str, who: Customer, lease_seconds: float) -> None:
    """Answer until stdin ends."""
    database, renewals = Database(url), set()
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        if words[0] == "claim":
            answer: object = await claimed(database, who, words[1], lease_seconds=lease_seconds)
            if str(answer).startswith("op_"):
                renewals.add(asyncio.create_task(_renew(database, str(answer), lease_seconds)))
        else:
            answer = await completed(database, who, words[1])
        print(answer, flush=True)
    for renewal in renewals:
        renewal.cancel()
    await database.close()


async def _renew(database: Database, operation_id: str, lease_seconds: float) -> None:
    while await renewed(database, operation_id, lease_seconds):
        await asyncio.sleep(lease_seconds / 4)


if __name__ == "__main__":
    address, account_id, key_id, seconds = sys.argv[1:]
    asyncio.run(serve(address, Customer(account_id, key_id), float(seconds)))
