"""Fixtures of the console's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.api.console.desk import Desk, open_desk
from tests.api.house import House


@pytest.fixture
async def desk(house: House) -> AsyncIterator[Desk]:
    """An operator who is signed in."""
    async with open_desk(house) as opened:
        yield opened
