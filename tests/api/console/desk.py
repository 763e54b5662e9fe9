"""An operator at the console: a browser's cookies and forms, over the API of `tests/api/house.py`."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx

from storage.postgres import operators
from storage.postgres.operators import NewOperator
from tests.api.house import House

SIGN_IN = "/console/sign-in"


class Desk:
    """A browser in which an operator is signed in, or not yet."""

    def __init__(self, house: House, client: httpx.AsyncClient, operator: NewOperator) -> None:
        self.house, self.client, self.operator = house, client, operator

    @asynccontextmanager
    async def elsewhere(self, address: str) -> AsyncIterator[Desk]:
        """The same operator in a browser at another address."""
        transport = httpx.ASGITransport(self.house.app, client=(address, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as client:
            yield Desk(self.house, client, self.operator)

    async def sign_in(self, password: str | None = None, **fields: str) -> httpx.Response:
        """Send the form of the sign-in."""
        form = {"name": self.operator.name, "password": password or self.operator.password, **fields}
        return await self.client.post(SIGN_IN, data=form)

    async def get(self, path: str, status: int = 200) -> str:
        """The text of a page."""
        answer = await self.client.get(path)
        assert answer.status_code == status, answer.text
        return answer.text

    async def token(self) -> str:
        """The token that forms of this session carry."""
        found = re.search(r'data-token="([0-9a-f]{64})"', await self.get("/console/password"))
        assert found is not None
        return found[1]

    async def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form as a page of this session does."""
        return await self.client.post(path, data={"token": await self.token(), **fields})


@asynccontextmanager
async def open_desk(house: House, *, signed_in: bool = True, address: str = "192.0.2.1") -> AsyncIterator[Desk]:
    """A browser of a new operator, at an address."""
    async with house.dispatch.database.transaction() as connection:
        operator = await operators.add(connection, f"operator {uuid4().hex}")
    transport = httpx.ASGITransport(house.app, client=(address, 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as client:
        desk = Desk(house, client, operator)
        if signed_in:
            assert (await desk.sign_in()).status_code == 303
        yield desk
