"""How long each process may take to end after SIGTERM: the one place of these numbers.

A process ends in steps, each with a limit; what stops processes (the supervisor of the embedded stack, `stop_grace_period` of the compose
file, `terminationGracePeriodSeconds`) waits for their sum and MARGIN_SECONDS before it kills. tests/test_fleet_files.py compares them.
"""

from __future__ import annotations

from typing import Final

from spatial.contract import limits

REQUESTS_SECONDS: Final = 20
"""Running requests of an API process; uvicorn takes whole seconds."""

DESKTOP_DRAIN_SECONDS: Final = limits.DESKTOP_WAIT_SECONDS
"""Running tasks of a desktop worker: as long as their callers wait."""

OPERATIONS_SECONDS: Final = 20.0
"""Billed operations of an API process whose caller has disconnected."""

RUNS_SECONDS: Final = 30.0
"""Flow runs of a flow host, when it is closed and when they are stopped: they report their state to the Prefect server."""

PREFECT_SECONDS: Final = 25.0
"""The Prefect server, which is a program of others."""

MARGIN_SECONDS: Final = 5.0
"""Closing connections, and the end of the interpreter."""


def api_seconds() -> float:
    """The most that an API process takes: its requests, its operations, its flow runs."""
    return REQUESTS_SECONDS + OPERATIONS_SECONDS + RUNS_SECONDS + MARGIN_SECONDS


def worker_seconds(drain_seconds: float) -> float:
    """The most that a worker takes: it drains, requeues what is left, and closes its flow host."""
    return drain_seconds + 2 * RUNS_SECONDS + MARGIN_SECONDS


def desktop_seconds() -> float:
    """The most that a desktop worker takes: it drains, requeues what is left, and closes its flow host."""
    return worker_seconds(DESKTOP_DRAIN_SECONDS)


def converter_seconds(deadline_seconds: float) -> float:
    """The most that the converter takes: the calls that run end at their deadline."""
    return deadline_seconds + limits.CONVERTER_DRAIN_SECONDS + MARGIN_SECONDS
