"""Fixtures of the API's tests: one house a test, over one database a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.house import House, open_house


@pytest.fixture
async def house(postgres_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """The API with a dispatch that does as the test says."""
    async with open_house(postgres_url, tmp_path) as opened:
        yield opened


@pytest.fixture
async def key(house: House) -> str:
    """A key of an account with an active subscription."""
    return await house.key()
