"""What all tests share: the requirement check, how hypothesis searches, and the fixtures and plugins of `tests/support/`."""

from __future__ import annotations

import gc
import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before numpy is loaded; its threads wait for each other where every core is busy

import pytest
from hypothesis import HealthCheck, settings

from tests.requirements import ROWS
from tests.support.requirement_check import RequirementCheck

gc.disable()  # until all tests are collected: what is loaded stays, and searching it for circles again and again took a third of the time

pytest_plugins = [
    "pytester",
    "tests.support.figures",
    "tests.support.postgres",
    "tests.support.processes",
    "tests.support.resources",
    "tests.support.s3",
    "tests.support.stack",
    "tests.support.warm_commands",
]

settings.register_profile(
    "same-every-time", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same-every-time")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the check; pytest then calls its own `pytest_configure`."""
    config.pluginmanager.register(RequirementCheck(ROWS), "requirement-check")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What was loaded is searched once, and then no more."""
    gc.collect()
    gc.freeze()
    gc.enable()
