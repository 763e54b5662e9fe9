"""Fixtures of the console's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from argon2 import PasswordHasher

from storage.postgres import operators
from tests.api.console.desk import Desk, open_desk
from tests.api.house import House


@pytest.fixture
async def desk(house: House) -> AsyncIterator[Desk]:
    """An operator who is signed in."""
    async with open_desk(house) as opened:
        yield opened


@pytest.fixture
def hasher() -> PasswordHasher:
    """Hashes passwords in no time; the service's own takes a fifth of a second of a processor each time, and each test signs in."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True)
def quick_hashes(hasher: PasswordHasher, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed by that."""
    monkeypatch.setattr(operators, "_HASHER", hasher)
