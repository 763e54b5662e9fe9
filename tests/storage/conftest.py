"""What the tests of storage share."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import ids
from storage.objects.lake import Lake
from storage.postgres.database import Database
from tests.storage.actors import Customer, customer


@pytest.fixture
async def who(database: Database) -> Customer:
    """A customer of the test's own."""
    return await customer(database)


@pytest.fixture
def key() -> str:
    """An Idempotency-Key of the test's own."""
    return ids.new("retry")


@pytest.fixture
def here(tmp_path: Path) -> Lake:
    """A lake that is a directory."""
    return Lake(f"file://{tmp_path}/lake")
