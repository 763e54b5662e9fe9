"""A Stripe on loopback, settings that lead to it, and accounts that are linked to its customers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage import settings as settings_module
from storage.settings import Settings
from tests.support.stripe_server import StripeServer, stripe_server


@pytest.fixture
def stripe() -> Iterator[StripeServer]:
    """A Stripe of the test's own."""
    with stripe_server() as server:
        yield server


@pytest.fixture
def settings(stripe: StripeServer, postgres_url: str, tmp_path: Path) -> Settings:
    """Settings that lead to it."""
    return settings_module.load(home=tmp_path, database_url=postgres_url, **stripe.settings())
