"""A process that dies at its n-th moment: before or after a transaction, before or after an operation on the lake."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.lake import Lake
from storage.postgres.database import Database


class Died(BaseException):
    """The process is gone: nothing after this point was done, nothing is cleaned up."""


class Fate:
    """Lets a process die at its n-th moment: before or after a transaction, before or after an operation on the lake."""

    def __init__(self, moment: int) -> None:
        self.left = moment

    def moment(self) -> None:
        if self.left == 0:
            raise Died
        self.left -= 1

    def database(self, inner: Database) -> Database:
        fate = self

        class Mortal(Database):
            def __init__(self) -> None:
                """The pool is the inner one's."""

            @asynccontextmanager
            async def transaction(self) -> AsyncIterator[AsyncConnection]:
                fate.moment()
                async with inner.transaction() as connection:
                    yield connection
                fate.moment()

        return Mortal()

    def lake(self, inner: Lake) -> Lake:
        fate = self

        class Mortal(Lake):
            def __init__(self) -> None:
                """The store is the inner one's."""
                self.__dict__ = inner.__dict__

            async def put(self, key: str, data: bytes) -> None:
                fate.moment()
                await inner.put(key, data)
                fate.moment()

            async def delete(self, key: str) -> None:
                fate.moment()
                await inner.delete(key)
                fate.moment()

        return Mortal()


async def survived(work: Any, moment: int, database: Database, lake: Lake, **options: Any) -> bool:
    """Whether the work ended before its moment of death."""
    fate = Fate(moment)
    try:
        await work(fate.database(database), fate.lake(lake), **options)
    except Died:
        return False
    return True
