"""A Prefect server for tests of flows, without the rest of the stack."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prefect.settings import (
    PREFECT_HOME,
    PREFECT_LOGGING_LEVEL,
    PREFECT_SERVER_ANALYTICS_ENABLED,
    temporary_settings,
)
from prefect.testing.utilities import prefect_test_harness

START_SECONDS = 120
"""How long the server may take to start on a busy machine."""


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The session's Prefect server, on SQLite; flows that a test calls run against it."""
    own = {
        PREFECT_HOME: tmp_path_factory.mktemp("prefect"),
        PREFECT_SERVER_ANALYTICS_ENABLED: False,
        PREFECT_LOGGING_LEVEL: "WARNING",
    }
    with temporary_settings(updates=own), prefect_test_harness(server_startup_timeout=START_SECONDS):
        yield
